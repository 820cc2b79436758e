"""SAGE's JSONL, out and in: a line is `{"task_id": ..., "name": ..., "function": ...}`.

It holds the code and the task that wrote it, and nothing else of the record but `namespace`, the world: SAGE has only
one, so its lines do not say it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import NotThere, RecipeError
from prowess.files.disk import storing, write_whole
from prowess.skills.extract import names_in
from prowess.store.canon import canonical, canonical_imports, legible
from prowess.store.db import Store
from prowess.store.exchange.agent_skills import Arrival
from prowess.store.exchange.reading import read_plain
from prowess.store.exchange.script import closure_in, script_of
from prowess.store.record import Provenance
from prowess.types import Skill

LARGEST = 256 << 20
"""The largest file that is read, in bytes."""

_FIELDS = ("task_id", "name", "function")
_LINE = f"a line is a JSON object with the texts {', '.join(_FIELDS)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLine:
    """One line that was read."""

    skill: Skill
    task: str
    namespace: str
    """The world that it names, or nothing."""
    where: str
    """File and number, for people."""


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
        lines.append(json.dumps(record) + "\n")
        watch()
    return "".join(lines)


def export_jsonl(
    store: Store, digests: Collection[str], path: Path, *, watch: Callable[[], None] = lambda: None
) -> None:
    with storing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, lines_of(store, digests, watch=watch))


def import_jsonl(store: Store, path: Path, *, namespace: str = "", who: str = "") -> tuple[Arrival, ...]:
    """Propose every line as a candidate: all of them or, with the reason, none. Nothing is executed."""
    return take_in(store, lines_in(path), namespace=namespace, who=who or str(path))


def lines_in(path: Path) -> tuple[SkillLine, ...]:
    """What a file holds."""
    try:
        lines = read_plain(path, LARGEST).decode().split("\n")
    except UnicodeDecodeError as error:
        raise NotThere(f"'{path}' is not UTF-8 text: {error}", hint=_LINE) from None
    return tuple(_read(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip())


def take_in(store: Store, lines: Sequence[SkillLine], *, namespace: str = "", who: str) -> tuple[Arrival, ...]:
    """Propose lines as candidates, in the namespace given, or that of each, or the only one of the store."""
    worlds = [namespace or line.namespace or only_world(store.namespaces(), line) for line in lines]
    with store.many():
        return tuple(_proposed(store, line, world, who) for line, world in zip(lines, worlds, strict=True))


def only_world(known: Sequence[str], line: SkillLine) -> str:
    """The world of a line that does not say it, where there is no choice."""
    if len(known) == 1:
        return known[0]
    worlds = f"it has skills of {', '.join(known)}" if known else "it has no skills yet"
    raise RecipeError(
        f"'{line.where}' has no \"namespace\", and the store does not tell which world it is for: {worlds}",
        hint="--namespace WORLD",
    )


def _proposed(store: Store, line: SkillLine, namespace: str, who: str) -> Arrival:
    provenance = Provenance(kind="import", task=line.task, world=namespace, who=who)
    proposal = store.propose(line.skill, provenance, namespace=namespace)
    name = line.skill.name
    message = (
        f"'{name}' is a candidate: version {proposal.number}"
        if proposal.new
        else f"'{name}' is known: version {proposal.number}"
    )
    return Arrival(name=name, proposal=proposal, source=line.where, message=message)


def _read(line: str, where: str) -> SkillLine:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotThere(f"'{where}' is not JSON: {error}", hint=_LINE) from None
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in _FIELDS):
        raise NotThere(f"'{where}' is not a skill", hint=_LINE)
    world = found.get("namespace") or ""
    if not isinstance(world, str):
        raise NotThere(f"'{where}': its namespace is {world!r}", hint="it must be a text, the name of a world")
    name, code = found["name"], legible(found["function"])
    if name not in (names_in(code) or {}):
        raise NotThere(f"'{where}': its code does not define {name!r}", hint="the name is that of the function")
    imports, source = divided(code)
    skill = Skill(name=name, source=source, imports=imports)
    return SkillLine(skill=skill, task=legible(found["task_id"]), namespace=legible(world), where=where)


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
