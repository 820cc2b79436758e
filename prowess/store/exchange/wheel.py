"""Skills as a wheel: a Python package of functions, with their recorded calls as its self-test.

    pip install prowess_skills-0.1+1a2b3c4d5e6f-py3-none-any.whl
    python -m prowess_skills.selftest

    from prowess_skills import connect
    skills = connect(apis)              # whatever answers apis.app.api(name=value)
    skills.top_songs(limit=3)           # its arguments are checked

Written with the standard library alone; the same skills make the same bytes, on every machine.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import keyword
import re
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path

from prowess.errors import RecipeError, StoreError
from prowess.files.disk import storing, write_whole
from prowess.store.db import Store
from prowess.store.exchange.naming import folder_names, function_names
from prowess.store.exchange.page import seen
from prowess.store.exchange.script import cautious, closure_in, script_of
from prowess.store.record import Version
from prowess.text.plural import counted
from prowess.types import Json

_DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_RELEASE = re.compile(r"\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?(?:\+[a-z0-9]+(?:\.[a-z0-9]+)*)?")
_WHEN = (1980, 1, 1, 0, 0, 0)
_INIT = """\
\"\"\"Skills exported by prowess: `connect(apis)` gives them as functions. See `{package}.package`.\"\"\"

from .package import Skills, connect, index

NAMES = tuple(index())
__all__ = ["NAMES", "Skills", "connect", "index"]
"""
_TEST = """\
\"\"\"`pytest --pyargs {package}`: every recorded call of every skill.\"\"\"

from .selftest import found


def test_every_recorded_call_gives_what_was_recorded():
    wrong = found()
    assert not wrong, "\\n".join(wrong)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel before it is a file."""

    file: str
    """Its name, which tells installers what it is."""
    content: bytes


def export_wheel(
    store: Store, digests: Collection[str], folder: Path, *, name: str = "prowess-skills", version: str = ""
) -> Path:
    """Write a wheel of these versions into a folder; where it is."""
    wheel = wheel_of(store, digests, name=name, version=version)
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / wheel.file, wheel.content)
    return folder / wheel.file


def wheel_of(store: Store, digests: Collection[str], *, name: str = "prowess-skills", version: str = "") -> Wheel:
    """A wheel of these versions; its version number tells them apart unless one is given."""
    package = re.sub(r"[-_.]+", "_", name).lower()
    if not _DISTRIBUTION.fullmatch(name) or not package.isidentifier() or keyword.iskeyword(package):
        raise RecipeError(f"'{name}' cannot name a package", hint="letters, digits and '-', a letter first")
    closures = {digest: closure_in(store, digest) for digest in dict.fromkeys(digests)}
    if not closures:
        raise RecipeError("a wheel of no skills", hint="name some, or wait until one is active")
    release = version or f"0.1+{hashlib.sha256(chr(10).join(sorted(closures)).encode()).hexdigest()[:12]}"
    if not _RELEASE.fullmatch(release):
        raise RecipeError(f"'{release}' is not the version of a package", hint="such as 1.0 or 0.2+mine")
    versions = [closure[-1] for closure in closures.values()]
    for one in versions:
        if not one.schema:
            raise StoreError(
                f"version {one.digest[:12]} of '{one.name}' does not define the function it is named after"
            )
    names = function_names({one.digest: one.name for one in versions})
    content = {f"{package}/{path}": data for path, data in _package(store, closures, names, package).items()}
    return Wheel(
        file=f"{package}-{release}-py3-none-any.whl",
        content=_zipped(content, package, f"{package}-{release}.dist-info", name, release, len(names)),
    )


def _package(
    store: Store, closures: Mapping[str, Sequence[Version]], names: Mapping[str, str], package: str
) -> dict[str, bytes]:
    kit = files("prowess.store.exchange.kit")
    found = {
        **{file: kit.joinpath(file).read_bytes() for file in ("check.py", "package.py", "replay.py", "selftest.py")},
        "__init__.py": _INIT.format(package=package).encode(),
        "test_skills.py": _TEST.format(package=package).encode(),
        "py.typed": b"",
    }
    stems = folder_names({digest: closure[-1].name for digest, closure in closures.items()})
    index: dict[str, Json] = {}
    for digest in sorted(closures, key=lambda digest: names[digest]):
        version = cautious(closures[digest][-1])
        file = f"{stems[digest]}.py"  # read as text, never imported: a plain name on every file system
        found[f"skills/{file}"] = script_of(closures[digest]).text.encode("utf-8", "backslashreplace")
        index[names[digest]] = {
            "digest": digest,
            "function": version.name,
            "file": file,
            "namespace": version.namespace,
            "signature": version.signature,
            "schema": version.schema,
            "summary": seen(version.summary),
            "apis": version.apis,
            "effect": version.effect.value,
            "trials": [asdict(trial) for trial in store.trials(digest)],
        }
    found["skills.json"] = (json.dumps(index, indent=1) + "\n").encode()
    return found


def _zipped(content: Mapping[str, bytes], package: str, info: str, name: str, release: str, count: int) -> bytes:
    """The files as a wheel: sorted, dated alike, and stored as they are, since packing differs between machines."""
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {release}",
        f"Summary: {counted(count, 'skill')} exported by prowess",
        "Requires-Python: >=3.11",
        "Description-Content-Type: text/plain",
        "",
        f"from {package} import connect",
        "",
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: prowess", "Root-Is-Purelib: true", "Tag: py3-none-any", ""]
    every = {
        **dict(sorted(content.items())),
        f"{info}/METADATA": "\n".join(metadata).encode(),
        f"{info}/WHEEL": "\n".join(wheel).encode(),
    }
    lines = [f"{path},sha256={_sum(data)},{len(data)}\n" for path, data in every.items()]
    every[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for path, data in every.items():
            entry = zipfile.ZipInfo(path, _WHEN)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def _sum(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
