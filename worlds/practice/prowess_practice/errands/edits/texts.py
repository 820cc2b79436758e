"""Changes of a text, line by line, for notes and files alike."""

from __future__ import annotations

from prowess_practice.errands.edits.parts import Change
from prowess_practice.errands.edits.renames import one_of
from prowess_practice.errands.people.plan import Slot

LINE = one_of("last_line", "Checked.|Still open.|See the other list.|Ask again in June.|Done with this.|Not final yet.")
_LINES = "content.splitlines()"


def text_edits(read: str, write: str) -> tuple[Change, ...]:
    """All of them, with how a program reads `content` and writes `new_content` back."""

    def edit(word: str, says: tuple[str, ...], about: str, parts: str, slot: Slot, matter: str = "") -> Change:
        return Change(
            word=word,
            says=says,
            about=about,
            each=(read, f'new_content = "\\n".join({parts})', write),
            slots=(slot,),
            matters=((matter, _LINES),) if matter else (),
        )

    return (
        edit(
            "sort_lines",
            (
                'Sort the lines of each of WHICH by the alphabet (capitals before small letters) and put "{heading}"'
                " as a line of its own before them.",
                "TAKE In each, the lines should come in alphabetical order (capitals before small letters), below a"
                ' new first line "{heading}".',
                'The text of WHICH needs order: first a line "{heading}", then the old lines, sorted alphabetically,'
                " capitals before small letters.",
            ),
            "Sort the lines below a heading in",
            f"[heading, *sorted({_LINES})]",
            one_of("heading", "Sorted:|From A to Z|In order|Overview"),
            f"sorted({_LINES})",
        ),
        edit(
            "turn_lines_of",
            (
                "Turn the text of each of WHICH upside down, the last line first, and end it with a line"
                ' "{last_line}".',
                'TAKE Reverse the order of their lines, and put "{last_line}" below them as a last line.',
                'The lines of WHICH should stand in the opposite order, followed by one more line, "{last_line}".',
            ),
            "Reverse the lines and add one in",
            f"[*reversed({_LINES}), last_line]",
            LINE,
            f"reversed({_LINES})",
        ),
        edit(
            "list_lines_of",
            (
                'Put "{bullet} " before every line of each of WHICH.',
                'TAKE Each of their lines should begin with "{bullet}" and a space, and go on as it does now.',
                'Make lists of WHICH: all lines of the text get "{bullet} " in front.',
            ),
            "Put a mark before every line of",
            f'f"{{bullet}} {{line}}" for line in {_LINES}',
            one_of("bullet", "*|>|+|[ ]|=>"),
        ),
        edit(
            "number_lines_of",
            (
                'Number the lines of each of WHICH, so that the first begins with "1{sign} ", the second with'
                ' "2{sign} "'
                " and so on.",
                'TAKE Put "1{sign} " before the first line of each, "2{sign} " before the second, and so on to the'
                " last.",
                'In the text of WHICH, every line should start with its number, "{sign}" and a space; the first has the'
                " number 1.",
            ),
            "Number the lines of",
            f'f"{{number}}{{sign}} {{line}}" for number, line in enumerate({_LINES}, 1)',
            one_of("sign", ")|:|.|/"),
        ),
        edit(
            "shorten",
            (
                'Shorten each of WHICH to its first line and a second line "{last_line}".',
                'TAKE Of each, only the first line should remain, followed by the line "{last_line}".',
                'I need no more than the first line of WHICH. Remove all the others and write "{last_line}" below it.',
            ),
            "Keep only the first line of",
            f"[{_LINES}[0], last_line]",
            LINE,
        ),
    )
