"""SAGE's JSONL, out and in: a line is `{"task_id": ..., "name": ..., "function": ...}`.

It holds the code and the task that wrote it, and nothing else of the record but `namespace`, the world: SAGE has only
one, so its lines do not say it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prowess.errors import NotThere, StoreError
from prowess.files.disk import storing, write_whole
from prowess.skills.extract import names_in
from prowess.store.canon import canonical, canonical_imports, legible
from prowess.store.db import Store
from prowess.store.exchange.incoming import CODE, Arrival, Outcome, Refusal, taken
from prowess.store.exchange.reading import lines_in
from prowess.store.exchange.script import closure_in, script_of
from prowess.store.record import Provenance
from prowess.text.terminal import Watch, unseen
from prowess.types import Skill

LINE = 8 * CODE
"""The longest line that is read, in bytes: JSON may write a letter as six."""

_FIELDS = ("task_id", "name", "function")
_FORM = f"a line is a JSON object with the texts {', '.join(_FIELDS)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLine:
    """One line that was read."""

    skill: Skill
    task: str
    namespace: str
    """The world that it comes into."""
    where: str
    """File and number, for people."""

    def __str__(self) -> str:
        return self.where


def lines_of(store: Store, digests: Collection[str], *, watch: Callable[[], None] = lambda: None) -> str:
    """Versions as lines, each with the code of all that it calls. `watch` hears of each."""
    lines = []
    for digest in digests:
        entry = store.version(digest)
        imports, source = divided(script_of(closure_in(store, digest), header="").text.removesuffix("\n"))
        code = canonical(source, entry.version.name)  # as whoever reads it will keep it
        above = "\n".join(imports) + "\n\n\n" if imports else ""
        values = (entry.origin.task, entry.version.name, above + code)
        record = dict(zip(_FIELDS, values, strict=True)) | {"namespace": entry.namespace}
        line = json.dumps(record) + "\n"
        if len((above + code).encode("utf-8", "backslashreplace")) > CODE:
            raise StoreError(
                f"'{entry.version.name}' has more than {CODE} bytes of code with all that it calls",
                hint="no import would read it: leave it out",
            )
        lines.append(line)
        watch()
    return "".join(lines)


def export_jsonl(
    store: Store, digests: Collection[str], path: Path, *, watch: Callable[[], None] = lambda: None
) -> None:
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lines_of(store, digests, watch=watch))


# --- in -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A file of lines that was looked at."""

    path: Path
    total: int
    world: str
    """The namespace of all lines, or nothing: then each says its own."""
    known: tuple[str, ...]
    """The worlds of the store: the only one is that of lines which do not say it."""


def import_jsonl(
    store: Store, path: Path, *, namespace: str = "", who: str = "", strict: bool = False, watch: Watch = unseen
) -> Iterator[Outcome]:
    """Propose the lines of a file as candidates, while it is asked what becomes of each. Nothing is executed.

    A line that is no skill is refused; if `strict`, the whole file is.
    """
    lines = looked_at(path, namespace=namespace, known=store.namespaces())
    return take_in(store, lines, who=who, strict=strict, watch=watch)


def looked_at(path: Path, *, namespace: str = "", known: Sequence[str] = ()) -> Lines:
    """Look at a file before anything is taken from it: one of its lines must be a skill.

    `known`: the worlds of the store.
    """
    total = sum(1 for _ in lines_in(path, LINE))
    lines = Lines(path=path, total=total, world=namespace, known=tuple(known))
    first = None
    for piece in _pieces(lines):
        if not isinstance(piece, Refusal):
            break
        first = first or piece
    else:
        if first is not None:
            raise first.why
    return lines


def take_in(
    store: Store, lines: Lines, *, who: str = "", strict: bool = False, watch: Watch = unseen
) -> Iterator[Outcome]:
    """Propose lines as candidates."""
    by = who or str(lines.path)

    def take(line: SkillLine) -> Arrival:
        world = line.namespace
        provenance = Provenance(kind="import", task=line.task, world=world, who=by)
        proposal = store.propose(line.skill, provenance, namespace=world)
        known = "a candidate" if proposal.new else "known"
        message = f"'{line.skill.name}' is {known}: version {proposal.number}"
        return Arrival(name=line.skill.name, proposal=proposal, source=line.where, message=message)

    return taken(store, _pieces(lines), take, total=lines.total, source=lines.path, strict=strict, watch=watch)


def _pieces(lines: Lines) -> Iterator[SkillLine | Refusal]:
    """Every line, read or refused."""
    for number, content in lines_in(lines.path, LINE):
        where = f"{lines.path}:{number}"
        try:
            yield _read(content, where, lines)
        except StoreError as error:
            yield Refusal(source=where, why=error)


def _only(known: Sequence[str], where: str) -> str:
    """The world of a line that does not say it, where there is no choice."""
    if len(known) == 1:
        return known[0]
    worlds = f"it has skills of {', '.join(known)}" if known else "it has no skills yet"
    raise NotThere(
        f"'{where}' has no \"namespace\", and the store does not tell which world it is for: {worlds}",
        hint="--namespace WORLD",
    )


def _record(content: bytes | None, where: str) -> dict[str, Any]:
    """The fields of a line, as far as they can be told without a look at its code."""
    if content is None:
        raise NotThere(f"'{where}' has more than {LINE} bytes", hint="a line holds one function, and what it calls")
    try:
        found = json.loads(content.decode().rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise NotThere(f"'{where}' is not UTF-8 text: {error}", hint=_FORM) from None
    except (ValueError, RecursionError) as error:
        raise NotThere(f"'{where}' is not JSON: {error}", hint=_FORM) from None
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in _FIELDS):
        raise NotThere(f"'{where}' is not a skill", hint=_FORM)
    return found


def _read(content: bytes | None, where: str, lines: Lines) -> SkillLine:
    found = _record(content, where)
    world = found.get("namespace") or ""
    if not isinstance(world, str):
        raise NotThere(f"'{where}': its namespace is {world!r:.200}", hint="it must be a text, the name of a world")
    name, code = found["name"], legible(found["function"])
    if len(code.encode()) > CODE:
        raise NotThere(f"'{where}': its code has more than {CODE} bytes", hint="share it as several functions")
    if name not in (names_in(code) or {}):
        raise NotThere(f"'{where}': its code does not define {name!r:.200}", hint="the name is that of the function")
    imports, source = divided(code)
    return SkillLine(
        skill=Skill(name=name, source=source, imports=imports),
        task=legible(found["task_id"]),
        namespace=lines.world or legible(world) or _only(lines.known, where),
        where=where,
    )


def divided(code: str) -> tuple[tuple[str, ...], str]:
    r"""The imports in front of code, where they stand as `Skill.code` puts them, and the rest.

    >>> divided("import re\n\n\ndef f(): ...")
    (('import re',), 'def f(): ...')
    """
    above, blank, source = code.partition("\n\n\n")
    lines = tuple(above.split("\n"))
    stand = all(line.startswith(("import ", "from ")) for line in lines) and not above.endswith(("\\", "("))
    imports = canonical_imports(lines)
    if blank and stand and len(imports) == len(lines) and names_in(above) is not None:
        return imports, source
    return (), code
