"""Agent Skills folders that come in: read and never executed, candidates all of them.

The record and the pages must be as they were exported (`agent_skills`); code that was changed is another version.
Folders are read twice, so that only one is in memory at a time: first for what calls what, then to be taken in.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from prowess.errors import NotThere, StoreError
from prowess.files.disk import storing
from prowess.skills.extract import skills_in
from prowess.store.canon import FORM, Address, digest_of, version_at
from prowess.store.db import Store
from prowess.store.exchange.agent_skills import CODE, LARGEST, PAGE, RECORD, TEST
from prowess.store.exchange.document import Document, imported, read
from prowess.store.exchange.incoming import Arrival, Outcome, Refusal, taken
from prowess.store.exchange.reading import files_in, read_plain
from prowess.store.exchange.script import cautious, closure, script_of
from prowess.store.record import Actor, Provenance, Version
from prowess.store.standing import Proposal
from prowess.text.terminal import Watch, unseen
from prowess.types import Origin, Skill

_EDIT = f"what SKILL.md says comes from the function's docstring: change {CODE}, which becomes a new version"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Label:
    """What is kept of a folder after the first reading."""

    folder: Path
    digest: str
    dependencies: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parcel:
    """One folder, read and checked as far as it can be alone."""

    folder: Path
    document: Document
    code: str


def import_folders(
    store: Store, folder: Path, *, who: str = "", strict: bool = False, watch: Watch = unseen
) -> Iterator[Outcome]:
    """Take in a skill's folder, or every skill's folder in it, while it is asked what becomes of each.

    A folder that is not as it was exported is refused, and so are those that call what it holds; if `strict`, all are.
    """
    folders = skill_folders(folder)
    pieces = _in_order(store, list(_labels(folders, folder, watch)))

    def take(label: _Label) -> Outcome:
        try:
            parcel = _parcel(label.folder)
            version = _version(store, parcel)
            edited = _edited_skill(parcel) if version is None else None
        except StoreError as error:
            return Refusal(source=str(label), why=error)
        place = who or str(label)
        if version is not None:
            return _taken(store, parcel, version, place)
        assert edited is not None
        return _edited(store, parcel, edited, place)

    return taken(store, pieces, take, total=len(folders), source=folder, strict=strict, watch=watch)


def skill_folders(folder: Path) -> Sequence[Path]:
    """The folder itself if it is a skill's, else those in it that are."""
    with storing(folder):
        if (folder / PAGE).exists():
            return [folder]
        found = sorted(one for one in folder.iterdir() if (one / PAGE).exists())
    if not found:
        raise NotThere(f"'{folder}' holds no skill", hint=f"a skill is a folder with a {PAGE}")
    return found


def _labels(folders: Sequence[Path], source: Path, watch: Watch) -> Iterator[_Label | Refusal]:
    with watch(len(folders), f"read {source}") as bar:
        for folder in folders:
            try:
                document = _parcel(folder).document
                yield _Label(folder=folder, digest=document.digest, dependencies=document.dependencies)
            except StoreError as error:
                yield Refusal(source=str(folder), why=error)
            bar.advance()


def _in_order(store: Store, pieces: Sequence[_Label | Refusal]) -> list[_Label | Refusal]:
    """Each after those it calls; one is refused if what it calls is neither here nor in the store."""
    labels = [one for one in pieces if isinstance(one, _Label)]
    order: list[_Label | Refusal] = [one for one in pieces if isinstance(one, Refusal)]
    copies = Counter(label.digest for label in labels)
    """Folders of one version: there are several where some were changed."""
    waits = {label.folder: sum(copies[digest] for digest in set(label.dependencies)) for label in labels}
    callers: dict[str, list[_Label]] = defaultdict(list)
    for label in labels:
        for digest in set(label.dependencies):
            callers[digest].append(label)
    ready = [label for label in labels if not waits[label.folder]]
    for label in ready:  # it grows meanwhile
        if lost := next((one for one in label.dependencies if one not in copies and not _knows(store, one)), ""):
            order.append(_lost(label, lost))
        else:
            order.append(label)
        for caller in callers[label.digest]:
            waits[caller.folder] -= 1
            if not waits[caller.folder]:
                ready.append(caller)
    circle = [label for label in labels if waits[label.folder]]
    names = ", ".join(sorted(map(str, circle))[:5])
    why = f"these skills call one another in a circle: {names}"
    return [*order, *(Refusal(source=str(label), why=StoreError(why)) for label in circle)]


def _lost(label: _Label, digest: str) -> Refusal:
    why = StoreError(
        f"'{label}' calls version {digest[:12]}, which is neither here nor in the store",
        hint="import the folder that it was exported with",
    )
    return Refusal(source=str(label), why=why)


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


def _taken(store: Store, parcel: _Parcel, version: Version, place: str) -> Arrival:
    document = parcel.document
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


def _edited_skill(parcel: _Parcel) -> Skill:
    """The skill in code that was changed after its export."""
    name = parcel.document.name
    found = next((one for one in skills_in(parcel.code) if one.name == name), None)
    if found is None:
        raise StoreError(
            f"'{parcel.folder / CODE}' was changed and no longer defines the function '{name}'",
            hint="keep the function's name, or take the original",
        )
    return found


def _edited(store: Store, parcel: _Parcel, skill: Skill, place: str) -> Arrival:
    """Code that was changed after its export: another version of the same name."""
    document = parcel.document
    about = document.provenance[0] if document.provenance else Provenance(world=document.namespace)
    note = f"changed after the export of version {document.digest}"
    parents = [document.digest] if _knows(store, document.digest) else []
    proposal = store.propose(
        replace(skill, origin=Origin()),
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
