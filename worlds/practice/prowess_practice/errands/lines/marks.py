"""Which lines of a text count, and lines of two parts: how a task describes them, how a program reads them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

REMARKS = (
    "ask again next week",
    "not sure about the rest",
    "written in a hurry",
    "more another time",
    "thanks for reminding me",
    "check with everybody",
    "as discussed",
    "see above",
)
"""Lines that say nothing of use."""
Items = Sequence[Any]
"""Names, or pairs of a name and what goes with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What tells lines that count from the others."""

    word: str
    kind: str
    """What it is on: a `line` of a longer text, a `part` of one line, `each` text or line, `one` text and no line."""
    about: str
    """As a docstring says it: `dashed lines`."""
    says: tuple[str, ...]
    """As tasks say it, ITEM standing for what such a line names (or KEY and VALUE): `the title of a song`."""
    code: str
    """Gives `names` (or `pairs`); LINES and TEXT stand for the list of lines and the whole text."""
    writes: Callable[[Random, Items, Items], list[str]]
    """Lines that name some things, and others that name some but do not count."""
    matters: tuple[tuple[str, str], ...] = ()


def mixed(rng: Random, lines: Items, rest: Items) -> list[str]:
    """Lines that count, in their order, with others between them."""
    found = list(lines)
    for one in rest:
        found.insert(rng.randint(0, len(found)), one)
    return found


def remarks(rng: Random, count: int) -> list[str]:
    """Some lines that say nothing of use."""
    return rng.sample(REMARKS, count)


def starting(word: str, mark: str, other: str, about: str, says: tuple[str, ...], kind: str = "line") -> Mark:
    """Lines that begin with a mark; those that do not count may have another mark, or none."""

    def writes(rng: Random, items: Items, others: Items) -> list[str]:
        rest = [f"{other}{one}" for one in others] + remarks(rng, 1)
        return mixed(rng, [f"{mark}{item}" for item in items], rest)

    test = f' if line.startswith("{mark}")'
    return Mark(
        word=word,
        kind=kind,
        about=about,
        says=says,
        code=f'    names = [line.removeprefix("{mark}") for line in LINES{test}]\n',
        writes=writes,
        matters=((test, "") if not other else (test, f' if line.startswith("{other}")'),),
    )


def _numbered(rng: Random, items: Items, others: Items) -> list[str]:
    head = [f"{remarks(rng, 1)[0]}:", *others]
    return [*head, *(f"{n}. {item}" for n, item in enumerate(items, 1))]


def _with_yes(rng: Random, items: Items, others: Items) -> list[str]:
    rest = [f"{one} | {rng.choice(('no', 'maybe'))}" for one in others] + remarks(rng, 1)
    return mixed(rng, [f"{item} | yes" for item in items], rest)


def _urgent(rng: Random, items: Items, others: Items) -> list[str]:
    return mixed(rng, [f"{item} !" for item in items], [*others, *remarks(rng, 1)])


def _section(rng: Random, items: Items, others: Items) -> list[str]:
    half = len(others) // 2
    return ["Done:", *others[:half], "", "To do:", *items, "", "Some day:", *others[half:], *remarks(rng, 1)]


def _top(rng: Random, items: Items, others: Items) -> list[str]:
    return [*items, "---", *others, *remarks(rng, 1)]


def _bare(rng: Random, items: Items, others: Items) -> list[str]:
    return list(items)


def _spaced(rng: Random, items: Items, others: Items) -> list[str]:
    return mixed(rng, items, ["", ""])


def _after_colon(rng: Random, items: Items, others: Items) -> list[str]:
    return [f"{rng.choice(('Here they are', 'As I said', 'These ones', 'My list'))}: {', '.join(items)}"]


def _semicolons(rng: Random, items: Items, others: Items) -> list[str]:
    return ["; ".join(items)]


def _pluses(rng: Random, items: Items, others: Items) -> list[str]:
    rest = f" / not {' + '.join(others)}" if others else ""
    return [f"{' + '.join(items)}{rest}"]


MARKS = (
    starting(
        "dashed",
        "- ",
        "",
        "dashed lines",
        (
            'Only lines that begin with "- " count; what follows the dash is ITEM.',
            'Each line with a leading "- " gives ITEM behind it, and other lines do not matter.',
            'Lines without "- " at their start are mere remarks; the others have ITEM after it.',
            'What counts there are lines starting with "- ", and the rest of such a line is ITEM.',
        ),
    ),
    starting(
        "unticked",
        "[ ] ",
        "[x] ",
        "open boxes",
        (
            'Lines with an open box, "[ ] ", are meant: ITEM comes after it. What is ticked off, "[x] ", is not.',
            'After "[ ] " at the start of a line stands ITEM; nothing else counts, such as "[x] ".',
            'I mean what is not ticked off: lines starting with "[ ] ", followed by ITEM. Ignore every other line.',
        ),
    ),
    starting(
        "ticked",
        "[x] ",
        "[ ] ",
        "ticked boxes",
        (
            'Just the ticked lines are meant: they start with "[x] ", and ITEM follows.',
            'Where a line begins with "[x] ", the rest of it is ITEM. Open boxes, "[ ] ", and remarks do not count.',
            'Take the lines that have a cross in the box, "[x] " in front of ITEM, and none that is open ("[ ] ").',
        ),
    ),
    starting(
        "starred",
        "* ",
        "- ",
        "starred lines",
        (
            'ITEM stands on each line that starts with a star and a space, "* "; lines with a dash do not count.',
            'Only starred lines ("* " in front) are meant, and what is behind the star is ITEM.',
            'Leave out whatever has no star: a line that counts is "* " and then ITEM.',
        ),
    ),
    starting(
        "questioned",
        "? ",
        "",
        "questions",
        (
            'Lines that start with "? " are meant, the rest of such a line being ITEM. No other line counts.',
            'I put "? " before each line that counts, so behind it stands ITEM; skip the other lines.',
            'ITEM is what comes after "? " at the beginning of a line. Lines without it have nothing to do with this.',
        ),
    ),
    starting(
        "please",
        "please: ",
        "later: ",
        "lines with please",
        (
            'What begins with "please: " goes on with ITEM; "later: " and anything else does not concern you.',
            'Take just those that start with "please: ". The rest of each is ITEM.',
            'ITEM follows wherever something begins with "please: ". Nothing else there counts.',
        ),
        kind="each",
    ),
    starting(
        "now",
        "now > ",
        "done > ",
        "lines with now",
        (
            'Those that start with "now > " name ITEM after it; ignore the others, such as "done > ".',
            'I only mean entries of the form "now > " plus ITEM. All others are out.',
            'Wherever it says "now > " at the start, the rest is ITEM, and that is what counts.',
        ),
        kind="each",
    ),
    Mark(
        word="numbered",
        kind="line",
        about="numbered lines",
        says=(
            'The numbered lines count, which look like "1. " and then ITEM; a line without a number does not.',
            'ITEM comes after the number, a dot and a space ("2. ...") on every numbered line. Skip the others.',
            'Read only lines that begin with a number, as in "3. ": behind it stands ITEM.',
        ),
        code='    names = [line.split(". ", 1)[1] for line in LINES if line[:1].isdigit()]\n',
        writes=_numbered,
        matters=(
            (
                'line.split(". ", 1)[1] for line in LINES if line[:1].isdigit()',
                'line.split(". ", 1)[-1] for line in LINES',
            ),
        ),
    ),
    Mark(
        word="approved",
        kind="each",
        about="lines with a yes",
        says=(
            'A line that counts has two columns, ITEM and the word yes: "... | yes". Those with another word do not.',
            'Look for "... | yes": before the bar stands ITEM. With no or maybe behind the bar it is not meant.',
            'Everything that ends in " | yes" is meant, and what comes before that is ITEM; the rest is not.',
        ),
        code='    names = [line.removesuffix(" | yes") for line in LINES if line.endswith(" | yes")]\n',
        writes=_with_yes,
        matters=(
            (
                '[line.removesuffix(" | yes") for line in LINES if line.endswith(" | yes")]',
                '[line.split(" | ")[0] for line in LINES]',
            ),
        ),
    ),
    Mark(
        word="urgent",
        kind="each",
        about="urgent lines",
        says=(
            'I mean whatever ends in " !": in front of that stands ITEM. Without it, it does not count.',
            'An exclamation mark, " !", at the very end tells you that the words before it are ITEM that counts.',
            'Only take what has " !" at its end; the part before is ITEM. Leave the rest.',
        ),
        code='    names = [line.removesuffix(" !") for line in LINES if line.endswith(" !")]\n',
        writes=_urgent,
        matters=((' if line.endswith(" !")', ""),),
    ),
    Mark(
        word="section",
        kind="line",
        about="lines under To do",
        says=(
            'Below the line "To do:" each line is ITEM, up to the next empty line. The other sections are not meant.',
            'There is a section that starts with the line "To do:" and ends at an empty one; each line in it is ITEM.',
            'Just the section "To do:" counts, from the line after it to the next empty one: ITEM on every line.',
        ),
        code='    names = TEXT.split("To do:\\n")[1].split("\\n\\n")[0].splitlines()\n',
        writes=_section,
        matters=(('.split("\\n\\n")[0].splitlines()', ".splitlines()"),),
    ),
    Mark(
        word="top",
        kind="line",
        about="lines above the rule",
        says=(
            'The lines above "---" count, each of which is ITEM; what stands below that does not.',
            'Stop at the line "---": all lines before it, each of them ITEM, are meant, none after it.',
            'A line with just "---" divides it. Above it there is ITEM on every line; forget what is below.',
        ),
        code='    names = TEXT.split("\\n---\\n")[0].splitlines()\n',
        writes=_top,
        matters=(('.split("\\n---\\n")[0].splitlines()', ".splitlines()"),),
    ),
    Mark(
        word="all",
        kind="one",
        about="entries",
        says=(
            "Everything there is ITEM.",
            "Each one of them is ITEM, with nothing around it.",
            "Every entry is ITEM as it stands.",
        ),
        code="    names = LINES\n",
        writes=_bare,
        matters=(("names = LINES", "names = LINES[1:]"),),
    ),
    Mark(
        word="every",
        kind="line",
        about="lines",
        says=(
            "Every line that is not empty is ITEM.",
            "There is ITEM on each line; some lines are empty.",
            "Take it line by line, without the empty ones: each line is ITEM.",
        ),
        code="    names = [line for line in LINES if line]\n",
        writes=_spaced,
        matters=(("for line in LINES if line]", "for line in LINES if line][1:]"),),
    ),
    Mark(
        word="colon",
        kind="part",
        about="parts",
        says=(
            "After the colon it names them one after the other, with a comma and a space between: each is ITEM.",
            "Split what comes after the colon at the commas; every part is ITEM.",
            "A colon, and then a list with commas: each part of that list is ITEM.",
        ),
        code='    names = TEXT.split(": ")[1].split(", ")\n',
        writes=_after_colon,
        matters=(('.split(": ")[1].split(", ")', '.split(", ")'),),
    ),
    Mark(
        word="semicolons",
        kind="part",
        about="parts",
        says=(
            "Semicolons divide it into parts, and each part is ITEM.",
            "It is a single line in which every part is ITEM; there is a semicolon and a space between two parts.",
            "Take it apart at the semicolons: one part, ITEM.",
        ),
        code='    names = TEXT.split("; ")\n',
        writes=_semicolons,
        matters=(('.split("; ")', '.split("; ")[1:]'),),
    ),
    Mark(
        word="pluses",
        kind="line",
        about="parts",
        says=(
            'It has parts with " + " between them, each ITEM; what comes after " / not " is not meant.',
            'Up to " / not " there are several parts, joined by " + ". Each of these is ITEM. The rest does not count.',
            'Cut it off at " / not ", then take it apart at every " + ": each part is ITEM.',
        ),
        code='    names = TEXT.split(" / not ")[0].split(" + ")\n',
        writes=_pluses,
        matters=(('.split(" / not ")[0].split(" + ")', '.replace(" / not ", " + ").split(" + ")'),),
    ),
)


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
