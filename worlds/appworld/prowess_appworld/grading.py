"""The `replay` evaluation: what the agent changed, against what the reference changes from the same start.

It is stricter than AppWorld's own evaluation where several end states are right, and needs no evaluation program: the
calls of the reference solution are enough. A row that both added differs in its id, and in the ids of other new rows
it names, when things were done in another order; those are not compared, nor is the content that AppWorld makes up for
binary files. Clocks stand still and draws are seeded, so everything else can be equal and has to be.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.types import Json, Verdict

Rows = Mapping[str, Any]
"""`added` and `removed` rows of a table, and `last`, the greatest id at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Where a task was left: what differs from its start, and how it was completed."""

    changes: Mapping[str, Rows]
    answer: str
    """In AppWorld's normal form; `null` for none."""
    status: str
    """`success` or `fail` once completed."""
    told: str = ""
    """For a reference: the answer that the benchmark itself holds, which may be written another way."""


MARK = "new"
"""Stands for the id of a row that was not there at the start."""


def state_of(answer: Mapping[str, Json]) -> State:
    """A host's answer as a state."""
    return State(
        changes=answer["changes"],
        answer=str(answer["answer"]),
        status=str(answer["status"]),
        told=str(answer.get("told", answer["answer"])),
    )


def grade(reference: State, found: State) -> Verdict:
    """One check for each table that the reference changes, one for all others together, and one for the answer."""
    names = sorted(reference.changes)
    answers = {reference.answer, reference.told or reference.answer}
    checks = {f"{name} is as it should be": _alike(reference, found, name) for name in names}
    checks["nothing else changed"] = all(name in reference.changes for name in found.changes)
    checks["completed with the right answer"] = found.status == reference.status and found.answer in answers
    return Verdict(
        passed=tuple(name for name, good in checks.items() if good),
        failed=tuple(name for name, good in checks.items() if not good),
    )


def _alike(reference: State, found: State, table: str) -> bool:
    return table in found.changes and _normal(reference, table) == _normal(found, table)


def _normal(state: State, table: str) -> tuple[Counter[str], Counter[str]]:
    """Added and removed rows, comparable: without the ids that depend on the order of doing."""
    rows = state.changes[table]
    app = table.partition(".")[0]
    new: dict[str, set[int]] = {}
    for name, each in state.changes.items():
        if name.startswith(f"{app}."):
            found = {row["id"] for row in each["added"] if "id" in row and row["id"] > each["last"]}
            new.setdefault(_noun(name), set()).update(found)
    last = rows["last"]
    return (
        Counter(_text(_without_new(row, new, last)) for row in rows["added"]),
        Counter(_text(row) for row in rows["removed"]),
    )


def _noun(name: str) -> str:
    """What a table, or a column that names rows of one, is about: its last word in the singular.

    >>> _noun("venmo.transaction_comments"), _noun("parent_comment_id"), _noun("library_ids")
    ('comment', 'comment', 'library')
    >>> _noun("file_system.directories")
    'directory'
    """
    word = name.rpartition(".")[2].removesuffix("_ids").removesuffix("_id").rpartition("_")[2]
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _without_new(row: Mapping[str, Json], new: Mapping[str, set[int]], last: int) -> dict[str, Json]:
    """A row in which its own id, if it is new, and every id of another new row are replaced by a mark."""
    own = row.get("id")
    found = {name: _marked(name, value, new) for name, value in row.items()}
    return found | ({"id": MARK} if isinstance(own, int) and own > last else {})


def _marked(name: str, value: Json, new: Mapping[str, set[int]]) -> Json:
    """A value with the ids of new rows marked, also within JSON text; made-up file contents are all alike."""
    if isinstance(value, str):
        if value[:1] in ("[", "{"):
            try:
                return _marked(name, json.loads(value), new)
            except ValueError:
                return value
        return "binary" if value.startswith("binary:") else value
    if isinstance(value, dict):
        return {key: _marked(key, each, new) for key, each in value.items()}
    if isinstance(value, list):
        return [_marked(name, each, new) for each in value]
    refers = name.endswith(("_id", "_ids")) and isinstance(value, int)
    return MARK if refers and value in new.get(_noun(name), ()) else value


def _text(row: Mapping[str, Json] | Sequence[Json]) -> str:
    return json.dumps(row, sort_keys=True, default=str)
