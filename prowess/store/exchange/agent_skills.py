"""Agent Skills folders that are written; `parcels` reads them.

    top-songs/
        SKILL.md                      what any agent reads
        scripts/skill.py              the function with all that it needs
        scripts/test_skill.py         its recorded calls, repeated
        references/PROVENANCE.json    where it came from; the recorded calls

Exported again from a store that imported it, every byte is the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.disk import storing, sync_folder
from prowess.store.db import Store
from prowess.store.exchange import incoming
from prowess.store.exchange.document import document_of, told, written
from prowess.store.exchange.naming import folder_names
from prowess.store.exchange.page import page_of
from prowess.store.exchange.reading import files_in, read_plain
from prowess.store.exchange.script import cautious, closure_in, names_in, script_of

PAGE, CODE, TEST, RECORD = "SKILL.md", "scripts/skill.py", "scripts/test_skill.py", "references/PROVENANCE.json"
LARGEST: Mapping[str, int] = {PAGE: 1 << 20, CODE: incoming.CODE, TEST: 1 << 20, RECORD: 16 << 20}
"""The largest file of each kind that is written, and read."""


def export_folders(
    store: Store,
    digests: Collection[str],
    folder: Path,
    *,
    replace: bool = False,
    watch: Callable[[], None] = lambda: None,
) -> tuple[Path, ...]:
    """Write versions, and those they call, each into a folder of its own below this one: all of them or none.

    They are written beside their places, brought to the disk at once, and moved there. `watch` hears of each.
    """
    names = folder_names(names_in(store, list(digests)))
    drafts = folder / f".{os.getpid()}.tmp"
    there = folder.exists()
    with storing(folder):
        try:
            drafts.mkdir(parents=True)
            for digest, name in names.items():
                content = folder_of(store, digest, name)
                if not _holds(folder / name, content, replace=replace):
                    _write(drafts / name, content)
                watch()
            os.sync()
            for draft in sorted(drafts.iterdir()):
                _move(draft, folder / draft.name)
            sync_folder(folder)
        except BaseException:
            shutil.rmtree(drafts, ignore_errors=True)
            if not there:
                with suppress(OSError):
                    folder.rmdir()
            raise
        drafts.rmdir()
    return tuple(folder / name for name in names.values())


def folder_of(store: Store, digest: str, name: str) -> Mapping[str, bytes]:
    """The files of one version's folder, by their paths in it."""
    versions = closure_in(store, digest)
    version = cautious(versions[-1])
    script = script_of(versions)
    provenance = list(dict.fromkeys(told(one) for one in store.provenances(digest)))
    trials = store.trials(digest)
    instruction = next((one.instruction for one in provenance if one.instruction.strip()), "")
    tested = sum(bool(trial.call) for trial in trials)
    content = {
        PAGE: page_of(version, name=name, instruction=instruction, tested=tested).encode("utf-8", "backslashreplace"),
        CODE: script.text.encode("utf-8", "backslashreplace"),
        TEST: _replay(),
    }
    sums = {path: hashlib.sha256(content[path]).hexdigest() for path in (PAGE, TEST)}
    document = document_of(version, line=script.line, provenance=provenance, trials=trials, files=sums)
    content[RECORD] = written(document)
    for path, data in content.items():
        if len(data) > LARGEST[path]:
            raise StoreError(f"{path} of '{version.name}' would have {len(data)} bytes, more than {LARGEST[path]}")
    return content


@cache
def _replay() -> bytes:
    return files("prowess.store.exchange.kit").joinpath("replay.py").read_bytes()


def _holds(folder: Path, content: Mapping[str, bytes], *, replace: bool) -> bool:
    """Whether a folder holds this already; what somebody else wrote there is left alone."""
    if folder.is_symlink():
        raise StoreError(f"'{folder}' is a symbolic link", hint="export to another folder")
    if not folder.exists():
        return False
    there = {str(path): real for path, real in files_in(folder).items()} if folder.is_dir() else {"": folder}
    if extra := sorted(there.keys() - content.keys()):
        raise StoreError(f"'{folder}' holds other files: {', '.join(extra[:5])}", hint="export to another folder")
    same = {path for path in there if read_plain(there[path], LARGEST[path]) == content[path]}
    if not replace and same < there.keys():
        raise StoreError(
            f"'{folder}' is there and holds something else", hint="export to another folder, or replace it"
        )
    return same == content.keys()


def _write(folder: Path, content: Mapping[str, bytes]) -> None:
    for part in sorted({(folder / path).parent for path in content}):  # a folder before those in it
        part.mkdir()
    for path, data in content.items():
        (folder / path).write_bytes(data)


def _move(draft: Path, place: Path) -> None:
    """Put what was written where it belongs; over an earlier one file by file, each whole."""
    if not place.exists():
        os.rename(draft, place)
        return
    for path in sorted(path.relative_to(draft) for path in draft.rglob("*") if path.is_file()):
        (place / path).parent.mkdir(exist_ok=True)
        os.replace(draft / path, place / path)
    shutil.rmtree(draft)
