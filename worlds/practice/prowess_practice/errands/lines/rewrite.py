"""Errands in which a text is read, changed line by line, and written back to where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines.act import Edit, nth, sentences, type_of
from prowess_practice.errands.lines.place import Place
from prowess_practice.errands.lines.places import DESCRIPTION
from prowess_practice.errands.lines.places_papers import FILE, NAMED_FILE, NOTE, TAGGED

WRITES = {
    "note": "    apis.notes.update_note(access_token=notes_token, note_id=note_id, content=CONTENT)\n",
    "tagged_note": (
        '    apis.notes.update_note(access_token=notes_token, note_id=tagged[0]["note_id"], content=CONTENT)\n'
    ),
    "file": "    apis.files.update_file(access_token=files_token, file_path=file_path, content=CONTENT)\n",
    "named_file": "    apis.files.update_file(access_token=files_token, file_path=path, content=CONTENT)\n",
    "description": "    apis.todo.update_task(access_token=todo_token, task_id=task_id, description=CONTENT)\n",
}
"""How a text gets back to its place."""
PLACES = (NOTE, FILE, DESCRIPTION, TAGGED, NAMED_FILE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What becomes of the lines of a text."""

    word: str
    says: tuple[str, ...]
    """With PLACE."""
    about: str
    code: str
    """Gives `kept`, the lines that are to be there, from `lines`."""
    lines: Callable[[Draw], Sequence[str] | None]
    """What the text is made of."""
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values] = lambda draw: {}
    matters: tuple[Edit, ...] = ()
    places: int = 2


def rewritten(changes: Sequence[Change]) -> Iterator[Errand]:
    """Each change in some places."""
    for turn, change in enumerate(changes):
        for n in range(change.places):
            yield _errand(change, PLACES[(turn + 2 * n) % len(PLACES)])


def _errand(change: Change, place: Place) -> Errand:
    name = f"{change.word}_of_{place.word}"
    slots = {**place.slots, **change.slots}
    apps = tuple(dict.fromkeys((*place.apps, *change.apps)))
    entries = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps if app not in place.apps)
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    writes = WRITES[place.word].replace("CONTENT", '"\\n".join(kept)')
    rng = Random(name)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=f'def {name}({head}) -> int:\n    """{change.about} of {place.about}; return how many remain."""\n'
        f"{place.code}    lines = content.splitlines()\n{entries}{change.code.lstrip(chr(10))}{writes}"
        "    return len(kept)\n",
        wordings=tuple(
            sentences(text.replace("PLACE", nth(place.says, n + rng.randint(0, 2))))
            for n, text in enumerate(change.says)
        ),
        values=_values(change, place),
        matters=(*place.matters[:1], *change.matters),
    )


def _values(change: Change, place: Place) -> Callable[[Draw], Values | None]:
    def values(draw: Draw) -> Values | None:
        given = change.choose(draw)
        lines, others = change.lines(draw), change.lines(draw)
        if lines is None or others is None:
            return None
        return {**place.sets(draw, lines, others), **given}

    return values
