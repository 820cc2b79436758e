"""Lines of two parts, a name and what goes with it: how a task describes them, how a program takes them apart."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from prowess_practice.errands.lines.mark import Mark, mixed, remarks

Pairs = Sequence[Any]


def _joined(
    rng: Random, pairs: Pairs, between: str, rest: Sequence[str] = (), front: str = "", end: str = ""
) -> list[str]:
    lines = [f"{front}{name}{between}{value}{end}" for name, value in pairs]
    return mixed(rng, lines, [*rest, *remarks(rng, 1)])


def _colon(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, ": ")


def _arrow(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, " -> ")


def _dashed(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, " = ", [f"{name} = {value}" for name, value in others], "- ")


def _boxed(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, ": ", [f"[x] {name}: {value}" for name, value in others], "[ ] ")


def _brackets(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, " (", (), "", ")")


def _dropped(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, "; ", [f"{name}; {value}; dropped" for name, value in others])


def _status(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return _joined(rng, items, " | ", [f"{name} | {value} | closed" for name, value in others], "", " | open")


def _table(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return ["first column | second column", *(f"{name} | {value}" for name, value in items)]


def _commas(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    return [", ".join(f"{name}: {value}" for name, value in items)]


def _blocks(rng: Random, items: Pairs, others: Pairs) -> list[str]:
    blocks = [["Copied from my old phone"], *([name, value] for name, value in items)]
    return [line for block in blocks for line in ("", *block)][1:]


PAIRINGS = (
    Mark(
        word="colon_pairs",
        kind="each",
        about="lines with a colon",
        says=(
            'What counts there has the form "<KEY>: <VALUE>"; without a colon it is a mere remark.',
            "Before the colon stands the KEY, after it the VALUE. Where there is no colon, ignore it.",
            'Read "<KEY>: <VALUE>" wherever there is a colon, and pass over the rest.',
        ),
        code='    pairs = [line.split(": ") for line in LINES if ": " in line]\n',
        writes=_colon,
        matters=((' if ": " in line', ""),),
    ),
    Mark(
        word="arrow_pairs",
        kind="each",
        about="lines with an arrow",
        says=(
            'An arrow "->" leads from the KEY to the VALUE, as in "<KEY> -> <VALUE>"; other lines say nothing.',
            'Take what looks like "<KEY> -> <VALUE>" and leave whatever has no arrow.',
            'Left of " -> " you find the KEY, right of it the VALUE. Anything without an arrow is chatter.',
        ),
        code='    pairs = [line.split(" -> ") for line in LINES if " -> " in line]\n',
        writes=_arrow,
        matters=((' if " -> " in line', ""),),
    ),
    Mark(
        word="dashed_pairs",
        kind="line",
        about="dashed lines",
        says=(
            'Lines that count begin with a dash: "- <KEY> = <VALUE>". Those without the dash are not valid any more.',
            'Each line of the form "- <KEY> = <VALUE>" is meant; one that lacks "- " at its start is not.',
            'Only read lines with "- " in front: there is the KEY, an equals sign and the VALUE.',
        ),
        code='    pairs = [line.removeprefix("- ").split(" = ") for line in LINES if line.startswith("- ")]\n',
        writes=_dashed,
        matters=((' if line.startswith("- ")', ' if " = " in line'),),
    ),
    Mark(
        word="boxed_pairs",
        kind="line",
        about="open boxes",
        says=(
            'Lines with an open box are to be dealt with: "[ ] <KEY>: <VALUE>". Ticked ones ("[x]") are not.',
            'It goes like "[ ] <KEY>: <VALUE>". Where the box is ticked, "[x]", or missing, leave the line alone.',
            'After "[ ] " comes the KEY, and after a colon the VALUE; lines that start otherwise do not count.',
        ),
        code='    pairs = [line.removeprefix("[ ] ").split(": ") for line in LINES if line.startswith("[ ] ")]\n',
        writes=_boxed,
        matters=(
            (
                'line.removeprefix("[ ] ").split(": ") for line in LINES if line.startswith("[ ] ")',
                'line[4:].split(": ") for line in LINES if ": " in line',
            ),
        ),
    ),
    Mark(
        word="bracket_pairs",
        kind="each",
        about="lines with brackets",
        says=(
            'The VALUE stands in brackets behind the KEY: "<KEY> (<VALUE>)". What ends otherwise is a remark.',
            'Take everything of the form "<KEY> (<VALUE>)"; without brackets it does not matter.',
            "Where it ends in brackets, these hold the VALUE, and the KEY is before them. The rest does not matter.",
        ),
        code='    pairs = [line.removesuffix(")").split(" (") for line in LINES if line.endswith(")")]\n',
        writes=_brackets,
        matters=((' if line.endswith(")")', ""),),
    ),
    Mark(
        word="undropped_pairs",
        kind="line",
        about="lines not dropped",
        says=(
            'Lines read "<KEY>; <VALUE>", and some go on with "; dropped": those do not count, nor do plain remarks.',
            'Take the lines with exactly two parts, the KEY and the VALUE, divided by "; ". A third part, "dropped",'
            " means that a line is not valid.",
            'There are lines such as "<KEY>; <VALUE>". Leave them out if "; dropped" follows, and pass over remarks.',
        ),
        code='    rows = [line.split("; ") for line in LINES]\n    pairs = [row for row in rows if len(row) == 2]\n',
        writes=_dropped,
        matters=(
            ("pairs = [row for row in rows if len(row) == 2]", "pairs = [row[:2] for row in rows if len(row) > 1]"),
        ),
    ),
    Mark(
        word="open_pairs",
        kind="line",
        about="rows that are open",
        says=(
            'It has rows like "<KEY> | <VALUE> | open"; rows that say closed at the end, and remarks, are not meant.',
            "Three columns, divided by bars: the KEY, the VALUE, and open or closed. I mean the open ones.",
            'The rows that end in " | open" count: first the KEY, then the VALUE. Forget those that are closed.',
        ),
        code=(
            '    rows = [line.split(" | ") for line in LINES]\n'
            '    pairs = [row[:2] for row in rows if row[-1] == "open"]\n'
        ),
        writes=_status,
        matters=((' if row[-1] == "open"', " if len(row) == 3"),),
    ),
    Mark(
        word="table_pairs",
        kind="line",
        about="rows",
        says=(
            'It is a table of two columns, "<KEY> | <VALUE>", under a first line that only heads them.',
            "Skip the first line, which is a heading; in all others there is the KEY, a bar and the VALUE.",
            'From the second line on, every line is "<KEY> | <VALUE>".',
        ),
        code='    pairs = [line.split(" | ") for line in LINES[1:]]\n',
        writes=_table,
        matters=(("LINES[1:]", "LINES[2:]"),),
    ),
    Mark(
        word="comma_pairs",
        kind="part",
        about="parts",
        says=(
            'It is one line, "<KEY>: <VALUE>, <KEY>: <VALUE>" and so on.',
            "Commas divide it, and each part is the KEY, a colon and the VALUE.",
            'Split it at each ", " into parts of the form "<KEY>: <VALUE>".',
        ),
        code='    pairs = [part.split(": ") for part in TEXT.split(", ")]\n',
        writes=_commas,
        matters=(('.split(", ")]', '.split(", ")[1:]]'),),
    ),
    Mark(
        word="block_pairs",
        kind="line",
        about="blocks",
        says=(
            "Empty lines divide it into blocks. A block of two lines has the KEY on the first, the VALUE on the second;"
            " other blocks do not count.",
            "There are blocks with an empty line between them: the KEY, and below it the VALUE. Ignore what has not"
            " just these two lines.",
            "Two lines between empty lines belong together, first the KEY, then the VALUE. A single line is a remark.",
        ),
        code=(
            '    blocks = [block.splitlines() for block in TEXT.split("\\n\\n")]\n'
            "    pairs = [block for block in blocks if len(block) == 2]\n"
        ),
        writes=_blocks,
        matters=((" if len(block) == 2", ""),),
    ),
)
