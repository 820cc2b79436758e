"""Tables of steps and works as texts: blocks of lines, with a blank line between them.

The first line of a block is the word; after it stands the kind that a further step starts from, as in `artist_of <
song`, or the form of a work's answer, as in `count_songs_of -> number`. What follows is told by how lines begin:

    :  how the thing is called (steps)
    ?  the question, and ! the same as a request (works); a line that begins with two spaces goes on with the one before
       lines of the program, behind four spaces
    =  what a step gives: `= name := code`, or `= row . field field` for fields of a row
    ~  an edit that matters, `~ old => new`; `;;` stands for the end of a line
"""

from __future__ import annotations

import re

from prowess_practice.errands.questions.part import Edits, Slot, Step, Work
from prowess_practice.errands.questions.slots import SLOTS


def steps(kind: str, table: str) -> tuple[Step, ...]:
    """The steps of a table, all of which lead to this kind of thing."""
    return tuple(_step(kind, block) for block in _blocks(table))


def works(kind: str, table: str) -> tuple[Work, ...]:
    """The works of a table, all of which are about this kind of thing."""
    return tuple(_work(kind, block) for block in _blocks(table))


def _blocks(table: str) -> list[list[str]]:
    return [block.splitlines() for block in table.strip("\n").split("\n\n")]


def _step(kind: str, lines: list[str]) -> Step:
    word, _, of = lines[0].partition(" < ")
    says = _said(lines, ":")
    return Step(
        word=word,
        kind=kind,
        of=of,
        says=says,
        code=_code(lines),
        gives=_given(lines),
        slots=_slots(says),
        matters=_edits(lines),
    )


def _work(kind: str, lines: list[str]) -> Work:
    word, _, form = lines[0].partition(" -> ")
    asks = _said(lines, "?")
    return Work(
        word=word,
        kind=kind,
        form=form,
        asks=asks,
        tells=_said(lines, "!"),
        code=_code(lines),
        slots=_slots(asks),
        matters=_edits(lines),
    )


def _said(lines: list[str], mark: str) -> str:
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{mark} "))
    rest = lines[start + 1 :]
    more = [line for n, line in enumerate(rest) if all(_goes_on(one) for one in rest[: n + 1])]
    return " ".join([lines[start][2:], *(line.strip() for line in more)])


def _goes_on(line: str) -> bool:
    return line.startswith("  ") and not line.startswith("    ")


def _code(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line.startswith("    "))


def _given(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        if line.startswith("= ") and " := " in line:
            name, code = line[2:].split(" := ")
            found[name] = code
        elif line.startswith("= "):
            row, fields = line[2:].split(" . ")
            found |= {field: f'{row}["{field}"]' for field in fields.split()}
    return found


def _edits(lines: list[str]) -> Edits:
    edits = [re.split(r" =>(?: |$)", line[2:].replace(" ;; ", "\n    ")) for line in lines if line.startswith("~ ")]
    return tuple((old, new) for old, new in edits)


def _slots(text: str) -> tuple[Slot, ...]:
    return tuple(SLOTS[name] for name in dict.fromkeys(re.findall(r"\{(\w+)\}", text)))
