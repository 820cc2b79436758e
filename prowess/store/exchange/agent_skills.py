"""Agent Skills folders, out and in.

    top-songs/
        SKILL.md                      what any agent reads
        scripts/skill.py              the function with all that it needs
        scripts/test_skill.py         its recorded calls, repeated
        references/PROVENANCE.json    where it came from; the recorded calls

What comes in is read and never executed, and lands as a candidate. The record and the pages must be as they were
exported; code that was changed is another version. Exported again from the other store, every byte is the same.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath

from prowess.errors import NotThere, StoreError
from prowess.files.disk import storing, sync_folder
from prowess.skills.extract import skills_in
from prowess.store.canon import FORM, Address, digest_of, version_at
from prowess.store.db import Store
from prowess.store.exchange.document import Document, document_of, imported, read, told, written
from prowess.store.exchange.naming import folder_names
from prowess.store.exchange.page import page_of
from prowess.store.exchange.reading import files_in, read_plain
from prowess.store.exchange.script import cautious, closure, closure_in, names_in, script_of
from prowess.store.record import Actor, Provenance, Version
from prowess.store.standing import Proposal
from prowess.types import Origin, Skill

PAGE, CODE, TEST, RECORD = "SKILL.md", "scripts/skill.py", "scripts/test_skill.py", "references/PROVENANCE.json"
LARGEST: Mapping[str, int] = {PAGE: 1 << 20, CODE: 4 << 20, TEST: 1 << 20, RECORD: 64 << 20}
"""The largest file of each kind that is written, and read."""

_EDIT = f"what SKILL.md says comes from the function's docstring: change {CODE}, which becomes a new version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """What became of one thing that was imported."""

    name: str
    proposal: Proposal
    source: str
    """The folder or the line it was read from."""
    message: str
    """What happened, for people."""


# --- out ------------------------------------------------------------------------------------------


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


# --- in -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parcel:
    """One folder, read and checked as far as it can be alone."""

    folder: Path
    document: Document
    code: str


def import_folders(store: Store, folder: Path, *, who: str = "") -> tuple[Arrival, ...]:
    """Take in a skill's folder, or every skill's folder in it: all of them or, with the reason, none."""
    parcels = [_parcel(one) for one in skill_folders(folder)]
    with store.many():
        return tuple(_taken(store, parcel, who) for parcel in _in_order(store, parcels))


def skill_folders(folder: Path) -> Sequence[Path]:
    """The folder itself if it is a skill's, else those in it that are."""
    with storing(folder):
        if (folder / PAGE).exists():
            return [folder]
        found = sorted(one for one in folder.iterdir() if (one / PAGE).exists())
    if not found:
        raise NotThere(f"'{folder}' holds no skill", hint=f"a skill is a folder with a {PAGE}")
    return found


def _parcel(folder: Path) -> _Parcel:
    there = files_in(folder)
    for path in (PAGE, CODE, TEST, RECORD):
        if PurePosixPath(path) not in there:
            raise StoreError(f"'{folder}' has no {path}", hint="only skills that prowess exported can be imported")
    if extra := sorted(str(path) for path in there if str(path) not in LARGEST):
        raise StoreError(f"'{folder}' holds files that no export wrote: {', '.join(extra[:5])}", hint="remove them")
    content = {path: read_plain(there[PurePosixPath(path)], largest) for path, largest in LARGEST.items()}
    document = read(content[RECORD], str(folder / RECORD))
    for path in (PAGE, TEST):
        if hashlib.sha256(content[path]).hexdigest() != document.files.get(path):
            raise StoreError(f"'{folder / path}' was changed after the export", hint=_EDIT)
    try:
        return _Parcel(folder=folder, document=document, code=content[CODE].decode())
    except UnicodeDecodeError as error:
        raise NotThere(
            f"'{folder / CODE}' is not UTF-8 text: {error}", hint="save it as UTF-8, or take the original"
        ) from None


def _in_order(store: Store, parcels: Sequence[_Parcel]) -> list[_Parcel]:
    """Each after those it calls; what it calls is here or in the store."""
    waiting = {parcel.document.digest: parcel for parcel in parcels}
    order: list[_Parcel] = []
    while waiting:
        ready = [one for one in waiting.values() if not waiting.keys() & set(one.document.dependencies)]
        if not ready:
            names = ", ".join(sorted(str(one.folder) for one in waiting.values()))
            raise StoreError(f"these skills call one another in a circle: {names}")
        for parcel in ready:
            del waiting[parcel.document.digest]
        order += ready
    here = {parcel.document.digest for parcel in parcels}
    for parcel in parcels:
        for digest in parcel.document.dependencies:
            if digest not in here and not _knows(store, digest):
                raise StoreError(
                    f"'{parcel.folder}' calls version {digest[:12]}, which is neither here nor in the store",
                    hint="import the folder that it was exported with",
                )
    return order


def _taken(store: Store, parcel: _Parcel, who: str) -> Arrival:
    document, place = parcel.document, who or str(parcel.folder)
    version = _version(store, parcel)
    if version is None:
        return _edited(store, parcel, place)
    if _knows(store, version.digest):  # nothing that a stranger's file says is added to what is in use
        known = store.version(version.digest)
        proposal = Proposal(skill=known.id, digest=version.digest, number=known.number, new=False)
        message = f"'{version.name}' is known: version {known.number}, {known.status}; nothing was changed"
        return Arrival(name=version.name, proposal=proposal, source=str(parcel.folder), message=message)
    proposal = store.add(
        version, imported(document.provenance[0], place) if document.provenance else _bare(version, place)
    )
    for provenance in document.provenance[1:]:
        store.add(version, imported(provenance, place))
    store.test(*document.trials)
    return Arrival(
        name=version.name, proposal=proposal, source=str(parcel.folder), message=_welcome(version.name, proposal)
    )


def _version(store: Store, parcel: _Parcel) -> Version | None:
    """The version that a folder says it holds, or None where its code was changed."""
    document = parcel.document
    source = "\n".join(parcel.code.removesuffix("\n").split("\n")[max(document.line, 1) - 1 :])
    parts = {"source": source, "imports": document.imports, "dependencies": document.dependencies}
    if digest_of(namespace=document.namespace, name=document.name, **parts) != document.digest:  # type: ignore[arg-type]
        return None
    skill = Skill(
        name=document.name, source=source, imports=document.imports, docstring=document.docstring, apis=document.apis
    )
    forms = (  # what an older prowess exported is in an older form
        Address.of(skill, namespace=document.namespace, dependencies=document.dependencies, form=form)
        for form in range(FORM, 0, -1)
    )
    address = next((one for one in forms if one.digest == document.digest), None)
    if address is None:
        return None
    made = version_at(address, skill, fingerprints=document.fingerprints)
    version = cautious(replace(made, effect=document.effect))
    versions = closure(version, lambda digest: store.version(digest).version)
    return version if script_of(versions).text == parcel.code else None


def _edited(store: Store, parcel: _Parcel, place: str) -> Arrival:
    """Code that was changed after its export: another version of the same name."""
    document = parcel.document
    found = next((one for one in skills_in(parcel.code) if one.name == document.name), None)
    if found is None:
        raise StoreError(
            f"'{parcel.folder / CODE}' was changed and no longer defines the function '{document.name}'",
            hint="keep the function's name, or take the original",
        )
    about = document.provenance[0] if document.provenance else Provenance(world=document.namespace)
    note = f"changed after the export of version {document.digest}"
    parents = [document.digest] if _knows(store, document.digest) else []
    proposal = store.propose(
        replace(found, origin=Origin()),
        replace(about, kind="import", who=place, note=note),
        namespace=document.namespace,
        parents=parents,
        fingerprints=document.fingerprints,
        actor=Actor.STORE,
        why=note,
    )
    if proposal.new:
        store.test(*(replace(trial, digest=proposal.digest) for trial in document.trials))
    message = f"{CODE} was changed after its export, so {_welcome(document.name, proposal)}"
    return Arrival(name=document.name, proposal=proposal, source=str(parcel.folder), message=message)


def _welcome(name: str, proposal: Proposal) -> str:
    which = "a new skill" if proposal.number == 1 else f"version {proposal.number} of the skill that has its name"
    return f"'{name}' is a candidate: {which}" if proposal.new else f"'{name}' is known: version {proposal.number}"


def _bare(version: Version, place: str) -> Provenance:
    return Provenance(kind="import", who=place, world=version.namespace)


def _knows(store: Store, digest: str) -> bool:
    try:
        store.version(digest)
    except StoreError:
        return False
    return True
