"""Changes that go with rows of many kinds: of names, of texts line by line, and values taken over from other rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from prowess_desk.engine.family import Draw

from prowess_practice.errands.edits.parts import RowChange, Target, column_of, names_of
from prowess_practice.errands.people.plan import PeopleSlot


def one_of(name: str, words: str, kind: type = str) -> PeopleSlot:
    """One of some values."""
    choices = [kind(word) for word in words.split("|")]
    return PeopleSlot(name=name, kind=kind, choose=lambda draw: draw.rng.choice(choices))


def drawn(name: str, choose: Callable[[Draw], Any], kind: type = str) -> PeopleSlot:
    """A value out of the person's data."""
    return PeopleSlot(name=name, kind=kind, choose=choose)


FRONT = one_of("front", "Old|Mine|Keep|Draft|Shared|To check|Later|Family|Spring|Number one")
SUFFIX = one_of("suffix", "old|kept|to check|mine|until June|second try|for later|checked|final")


def whole(word: str, texts: Iterable[str]) -> bool:
    """Whether a word is nowhere a part of a longer one."""
    return not any(re.search(rf"\w{word}|{word}\w", text) for text in texts)


def some_word(target: Target) -> PeopleSlot:
    """A word that some of the rows have in their names, and none as a part of a longer word."""

    def choose(draw: Draw) -> str | None:
        names = names_of(draw, target)
        words = [word for name in names for word in {*name.split()} if word.isalpha() and len(word) > 2]
        common = sorted({word for word in words if words.count(word) > 2 and whole(word, names)})
        return draw.rng.choice(common) if common else None

    return PeopleSlot(name="old_word", kind=str, choose=choose)


def prefixed(target: Target) -> RowChange:
    field = target.name
    return RowChange(
        word="prefix",
        says=(
            f'Put "{{front}}: " in front of the {target.called} of each of WHICH.',
            f'TAKE Each of them gets a new {target.called}: "{{front}}", a colon, a space, and then the old'
            f" {target.called}.",
            f'I want the {target.called} to begin with "{{front}}: ", and to go on as before, for all of WHICH.',
        ),
        about=f"Put a prefix before the {target.called} of",
        each=(target.updating(f"{field}=f\"{{front}}: {{{target.row}['{field}']}}\""),),
        slots=(FRONT,),
    )


def suffixed(target: Target) -> RowChange:
    field = target.name
    return RowChange(
        word="suffix",
        says=(
            f'Add " ({{suffix}})" to the end of the {target.called} of each of WHICH.',
            f'TAKE Behind the {target.called} that each of them has, add a space and "({{suffix}})".',
            f'The {target.called} of every one of WHICH should end in " ({{suffix}})" from now on, after what it says'
            " already.",
        ),
        about=f"Add a word in brackets to the {target.called} of",
        each=(target.updating(f"{field}=f\"{{{target.row}['{field}']}} ({{suffix}})\""),),
        slots=(SUFFIX,),
    )


def shouted(target: Target) -> RowChange:
    return RowChange(
        word="shout",
        says=(
            f"Write the {target.called} of each of WHICH in capital letters only.",
            f"TAKE Change the {target.called} of each of them to upper case, and nothing else.",
            f"I would like WHICH to stand out: turn every letter of the {target.called} into a capital.",
        ),
        about=f"Write in capitals the {target.called} of",
        each=(target.updating(f"{target.name}={target.naming}.upper()"),),
    )


def reworded(target: Target) -> RowChange:
    """One word of the name replaced by another, where it occurs."""
    return RowChange(
        word="reword",
        says=(
            f'Replace "{{old_word}}" by "{{new_word}}" in the {target.called} of each of WHICH; where it does not'
            " occur,"
            " spelt exactly like that, nothing changes.",
            f'TAKE Where the {target.called} of one of them contains "{{old_word}}", spelt exactly like that, write'
            ' "{new_word}" in its place.',
            f'Among WHICH, some may have "{{old_word}}" in the {target.called}. There it should say "{{new_word}}"'
            " instead; upper and lower case matter.",
        ),
        about=f"Replace a word in the {target.called} of",
        each=(target.updating(f"{target.name}={target.naming}.replace(old_word, new_word)"),),
        slots=(some_word(target), one_of("new_word", "Evening|Winter|Other|Second|Common|Nobody|River|Plain")),
    )


def numbered(target: Target, key: str, order: str) -> RowChange:
    """A number before the name, by some order."""
    field = key.split('"')[1].replace("created_at", "age")
    return RowChange(
        word="number",
        says=(
            f'Number WHICH {order}: put "1. " before the {target.called} of the first, "2. " before that of the second,'
            " and so on.",
            f"TAKE Number them {order}, with the number, a dot and a space before each {target.called}, beginning"
            ' with "1. ".',
            f"I want WHICH to be numbered. The {target.called} of each should start with its number, a dot and a space"
            f" (1 for the first), counting {order}.",
        ),
        about=f"Number by {field} the {target.called} of",
        each=(target.updating(f"{target.name}=f\"{{number}}. {{{target.row}['{target.name}']}}\""),),
        order=key,
        matters=((f", key=lambda {target.row}: {key})\n    for number", ", key=lambda one: 0)\n    for number"),),
    )


def same_as(name: str, target: Target) -> PeopleSlot:
    """The name of a row whose values others take over; no other row has that name."""

    def choose(draw: Draw) -> str | None:
        names = column_of(draw, target, target.naming)
        fitting = [one for one in names if names.count(one) == 1 and '"' not in one]
        return draw.rng.choice(fitting) if fitting else None

    return PeopleSlot(name=name, kind=str, choose=choose)


def tailed(target: Target, word: str, code: str, form: str, what: str, about: str, **more: Any) -> RowChange:
    """What is worked out from the row put behind its name, as in `form`; `what` says it, in capitals in the form."""
    ways = (
        (
            f'Extend the {target.called} of each of WHICH to the form "{form}", that is, the old {target.called} and'
            f" then {what}.",
            f'TAKE Give each of them a new {target.called} like "{form}": first the old {target.called}, then {what}.',
            f'It would help me to see more in the {target.called} of WHICH. Make it "{form}", with the old'
            f" {target.called} followed by {what}.",
        ),
        (
            f'Change WHICH so that the {target.called} reads "{form}": the old {target.called}, then {what}.',
            f'I want a longer {target.called} for each of WHICH: "{form}". What comes after the old {target.called} is'
            f" {what}.",
            f'TAKE The {target.called} of each becomes "{form}", with the old {target.called} followed by {what}.',
        ),
    )
    return RowChange(
        word=f"tail_{word}",
        says=ways[len(word) % 2],
        about=f"Put {about} behind the {target.called} of",
        each=(*more.pop("finds", ()), target.updating(f"{target.name}={code}")),
        **more,
    )


def like(target: Target, field: str, what: str, model: str, *, bars: tuple[str, ...] = ()) -> RowChange:
    """The same as a row has that the task names; `model` is what to call that row."""
    slot = f"model_{model.split()[-1]}"
    return RowChange(
        word=f"copy_{field}",
        says=(
            f'Give WHICH the same {what} as {model} "{{{slot}}}" has.',
            f'TAKE All of them should have the {what} of {model} "{{{slot}}}", whatever they have now.',
            f'Look up the {what} of {model} "{{{slot}}}". That is what WHICH should have, too.',
        ),
        about=f"Copy the {what} of one row to",
        before=(
            f"model = next(one for one in {target.rows} if {target.naming.replace(target.row, 'one', 1)} == {slot})",
        ),
        each=(target.updating(f'{field}=model["{field}"]'),),
        slots=(same_as(slot, target),),
        bars=bars,
    )


def like_first(
    target: Target, field: str, what: str, key: str, which: str, *, last: bool = False, more: str = ""
) -> RowChange:
    """The same as the first or last of them has, by some order; `more` is said about all of them."""
    pick = "max" if last else "min"
    return RowChange(
        word=f"even_out_{field}",
        says=(
            f"Give all of WHICH the {what} of the one among them {which}.{more}",
            f"TAKE Find the one among them {which}. All the others should get the {what} of that one, too.{more}",
            f"I want the same {what} for all of WHICH: take over what the one among them {which} has.{more}",
        ),
        about=f"Copy the {what} of one to all the others of",
        before=(f"model = {pick}(CHOSEN, key=lambda {target.row}: {key})",),
        each=(target.updating(f'{field}=model["{field}"]'),),
        matters=((f"model = {pick}(", f"model = {'min' if last else 'max'}("),),
    )


LINE = one_of("last_line", "Checked.|Still open.|See the other list.|Ask again in June.|Done with this.|Not final yet.")
_LINES = "content.splitlines()"


def text_edits(read: str, write: str) -> tuple[RowChange, ...]:
    """All of them, with how a program reads `content` and writes `new_content` back."""

    def edit(word: str, says: tuple[str, ...], about: str, parts: str, slot: PeopleSlot, matter: str = "") -> RowChange:
        return RowChange(
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
