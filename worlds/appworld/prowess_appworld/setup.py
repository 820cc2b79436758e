"""Set AppWorld up: an environment of its own, the package and its apps, and the data, each made whole or not at all.

    prowess appworld setup --bundle FILE

Run again it finishes what is missing and leaves what is good. Each of the two folders it makes holds a manifest that
says whether it is whole. Data is unpacked beside its place and moved there when it is complete: AppWorld's own
download deletes what there is before it tries the network, and tells of a failure only in print.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from prowess.errors import RecipeError, StoreError, WorldError
from prowess.files.disk import sha256_of
from prowess_appworld.environment import ensure_environment
from prowess_appworld.errands import MIB, disk_error, told, want_room
from prowess_appworld.inventory import Inventory, damage_in, inventory_of
from prowess_appworld.place import MANIFEST, Installation, manifest_of, place_in

LOCK = "setup.lock"
DATA_MB = 300
"""Room wanted for a download; a bundle tells its size."""
UNPACKED = 8
"""Times its size, an unpacked bundle takes at most."""
DOWNLOAD_SECONDS = 3600.0
UNPACK_SECONDS = 600.0

# The password is no secret: it keeps the benchmark's tasks out of what crawlers read.
_UNPACK = """
import sys, zipfile, zlib
from appworld.common.constants import PASSWORD, SALT
from appworld.common.utils import unpack_bundle
try:
    unpack_bundle(sys.argv[1], sys.argv[2], PASSWORD, SALT)
except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
    sys.exit(f"not a bundle: {type(problem).__name__}")
"""
_NETWORK = "--bundle FILE takes the data from a file instead of the network"


def setup(
    folder: Path, *, python: str = "", bundle: Path | None = None, force: bool = False, say: Callable[[str], None]
) -> Inventory:
    """Make what is missing of AppWorld in a folder, or all of it anew; `say` is told what is being done."""
    if bundle is not None and not bundle.is_file():
        raise RecipeError(f"there is no bundle at {bundle}", hint="--bundle wants a file")
    place = place_in(folder)
    try:
        with _held(folder):
            ensure_environment(place, python=python, force=force, say=say)
            _ensure_data(place, bundle, force, say)
    except OSError as problem:
        raise disk_error(problem, folder) from None
    return inventory_of(place)


def _ensure_data(place: Installation, bundle: Path | None, force: bool, say: Callable[[str], None]) -> None:
    """Leave data that is whole, unless another bundle is asked for."""
    manifest = manifest_of(place.data)
    source = f"bundle {sha256_of(bundle)}" if bundle else "AppWorld's download"
    same = bundle is None or not manifest or manifest.get("source") == source
    damage = _damage(place.data)
    if not (force or damage) and same:
        say(f"data: there already, {place.data}")
        return
    if place.data.exists():
        say(f"data: made anew{f', {damage}' if damage else ''}")
    place.root.mkdir(exist_ok=True)
    for leftover in place.root.glob(".new-*"):
        shutil.rmtree(leftover)
    size = bundle.stat().st_size * UNPACKED if bundle else DATA_MB * MIB
    want_room(place.root, size, "AppWorld's data")
    with tempfile.TemporaryDirectory(dir=place.root, prefix=".new-") as new:
        if bundle:
            say(f"data: unpacking {bundle}")
            _unpack(place.python, bundle, Path(new))
        else:
            say("data: downloading it (AppWorld's own download)")
            _download(place.python, Path(new))
        data = Path(new) / "data"
        files, size = _extent(data)
        note = {"whole": True, "source": source, "files": files, "bytes": size}
        (data / MANIFEST).write_text(json.dumps(note) + "\n", encoding="utf-8")
        if place.data.exists() or place.data.is_symlink():
            os.rename(place.data, Path(new) / "before")
        os.rename(data, place.data)


def _damage(data: Path) -> str:
    """What is wrong with a data folder: something is missing, or it is no longer what set-up made."""
    if damage := damage_in(data):
        return damage
    manifest = manifest_of(data)
    if "files" in manifest and _extent(data) != (manifest["files"], manifest["bytes"]):
        return "files are missing or changed"
    return "" if not manifest or manifest.get("whole") else "its manifest cannot be read"


def _extent(data: Path) -> tuple[int, int]:
    """How many files there are, and their bytes; without what set-up wrote and what programs leave."""
    found = [
        os.path.getsize(os.path.join(folder, name))
        for folder, _, names in os.walk(data)
        if not folder.endswith("__pycache__")
        for name in names
        if name != MANIFEST
    ]
    return len(found), sum(found)


def _unpack(python: Path, bundle: Path, new: Path) -> None:
    try:
        told(python, "-I", "-c", _UNPACK, bundle, new, what="unpacking the bundle", seconds=UNPACK_SECONDS)
    except WorldError as problem:
        if "not a bundle" in problem.message:
            raise RecipeError(
                f"{bundle} is damaged, or no bundle of AppWorld's data ({bundle.stat().st_size} bytes)",
                hint="copy or download it again",
            ) from None
        raise
    if damage := damage_in(new / "data"):
        raise RecipeError(f"{bundle} does not hold AppWorld's data: {damage}")


def _download(python: Path, new: Path) -> None:
    printed = told(
        *(python, "-I", "-u", "-m", "appworld.cli", "download", "data", "--root", new),
        what="downloading AppWorld's data",
        hint=_NETWORK,
        seconds=DOWNLOAD_SECONDS,
        APPWORLD_ROOT=str(new),
    )
    if damage := damage_in(new / "data"):
        last = (printed.strip().splitlines() or ["it printed nothing"])[-1]
        raise WorldError(f"AppWorld's download did not bring its data: {damage}\n    {last}", hint=_NETWORK)


@contextlib.contextmanager
def _held(folder: Path) -> Iterator[None]:
    """The folder, for one set-up at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(f"another set-up is at work in {folder}", hint="wait for it") from None
        yield
