"""SAGE's JSONL, out and in: a line is `{"task_id": ..., "name": ..., "function": ...}`.

It holds the code and the task that wrote it, and nothing else of the record.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from opensage.disk import storing, write_whole
from opensage.errors import StoreError
from opensage.skills.canon import canonical, canonical_imports, legible
from opensage.skills.exchange.agent_skills import Arrival
from opensage.skills.exchange.reading import read_plain
from opensage.skills.exchange.script import closure_in, script_of
from opensage.skills.extract import names_in
from opensage.skills.record import Provenance
from opensage.skills.store import Store
from opensage.types import Skill

LARGEST = 256 << 20
"""The largest file that is read, in bytes."""

_FIELDS = ("task_id", "name", "function")


def lines_of(store: Store, digests: Collection[str]) -> str:
    """Versions as lines, each with the code of all that it calls."""
    lines = []
    for digest in digests:
        entry = store.version(digest)
        imports, source = divided(script_of(closure_in(store, digest), header="").text.removesuffix("\n"))
        code = canonical(source, entry.version.name)  # as whoever reads it will keep it
        above = "\n".join(imports) + "\n\n\n" if imports else ""
        values = (entry.origin.task, entry.version.name, above + code)
        lines.append(json.dumps(dict(zip(_FIELDS, values, strict=True))) + "\n")
    return "".join(lines)


def export_jsonl(store: Store, digests: Collection[str], path: Path) -> None:
    with storing(path):
        write_whole(path, lines_of(store, digests))


def import_jsonl(store: Store, path: Path, *, namespace: str, who: str = "") -> tuple[Arrival, ...]:
    """Propose every line as a candidate: all of them or, with the reason, none. Nothing is executed."""
    try:
        lines = read_plain(path, LARGEST).decode().split("\n")
    except UnicodeDecodeError as error:
        raise StoreError(f"'{path}' is not UTF-8 text: {error}") from None
    skills = [(number, *_read(line, f"{path}:{number}")) for number, line in enumerate(lines, 1) if line.strip()]
    place = who or str(path)
    with store.many():
        return tuple(_proposed(store, skill, task, namespace, place, f"{path}:{n}") for n, skill, task in skills)


def _proposed(store: Store, skill: Skill, task: str, namespace: str, place: str, where: str) -> Arrival:
    provenance = Provenance(kind="import", task=task, world=namespace, who=place)
    proposal = store.propose(skill, provenance, namespace=namespace)
    message = (
        f"'{skill.name}' is a candidate: version {proposal.number}"
        if proposal.new
        else f"'{skill.name}' is known: version {proposal.number}"
    )
    return Arrival(name=skill.name, proposal=proposal, source=where, message=message)


def _read(line: str, where: str) -> tuple[Skill, str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StoreError(f"'{where}' is not JSON: {error}") from None
    if not isinstance(found, dict) or not all(isinstance(found.get(key), str) for key in _FIELDS):
        raise StoreError(f"'{where}' is not a skill", hint=f"a line has the texts {', '.join(_FIELDS)}")
    name, code = found["name"], legible(found["function"])
    if name not in (names_in(code) or {}):
        raise StoreError(f"'{where}': its code does not define {name!r}", hint="the name is that of the function")
    imports, source = divided(code)
    return Skill(name=name, source=source, imports=imports), legible(found["task_id"])


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
