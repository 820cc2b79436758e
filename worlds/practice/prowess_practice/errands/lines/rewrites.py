"""Ways to change a text that need nothing but its own lines."""

from __future__ import annotations

from prowess_desk.engine.family import Day, Draw

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.mark import REMARKS
from prowess_practice.errands.lines.rewrite import Change

_GOODS = "tea,rope,candles,honey,nails,stamps,apples,twine,soap,paint,lamp oil,flour,salt,matches,thread,wax".split(",")


def _things(draw: Draw) -> list[str]:
    return draw.rng.sample(_GOODS, 7)


def _doubled(draw: Draw) -> list[str]:
    some = _things(draw)
    return draw.rng.sample([*some, *some[:3]], 10)


def _ticked(draw: Draw) -> list[str]:
    lines = [f"[{draw.rng.choice(('x', ' '))}] {one}" for one in _things(draw)[:5]]
    return draw.rng.sample(["[x] string", "[ ] glue", *lines, draw.rng.choice(REMARKS)], 8)


def _priced(draw: Draw) -> list[str]:
    lines = [f"{one}: {draw.rng.randint(110, 4_990) / 100:.2f}" for one in _things(draw)]
    return draw.rng.sample([*lines, draw.rng.choice(REMARKS)], 8)


def _dated(draw: Draw) -> list[str]:
    return draw.rng.sample([f"{pools.later(draw, draw.rng.randint(-40, 40))} {one}" for one in _things(draw)], 7)


def _counted(draw: Draw) -> list[str]:
    return [f"{one} x {draw.rng.randint(1, 9)}" for one in _things(draw)]


CHANGES = (
    Change(
        word="sort_lines",
        says=(
            "Sort the lines of PLACE by the alphabet.",
            "The lines in PLACE should stand in alphabetical order. Rewrite it like that.",
            "Put PLACE in order: the same lines, but alphabetically.",
        ),
        about="Sort the lines",
        code="    kept = sorted(lines)\n",
        lines=_things,
    ),
    Change(
        word="reverse_lines",
        says=(
            "Turn PLACE upside down: the last line comes first, and so on.",
            "Rewrite PLACE with its lines in reverse order.",
            "The order of the lines in PLACE is the wrong way round. Reverse it.",
        ),
        about="Reverse the lines",
        code="    kept = lines[::-1]\n",
        lines=_things,
    ),
    Change(
        word="drop_doubles",
        says=(
            "Some lines occur twice in PLACE. Keep each where it is first and remove it further down.",
            "Remove doubles from PLACE: every line stays once, at its first place.",
            "Rewrite PLACE so that no line is there a second time; the first of two stays, the order does, too.",
        ),
        about="Drop the doubled lines",
        code="    kept = list(dict.fromkeys(lines))\n",
        lines=_doubled,
        places=3,
    ),
    Change(
        word="drop_ticked_lines",
        says=(
            'Remove every line that begins with "[x]" from PLACE. All other lines stay, in their order.',
            'Clear PLACE of what is done, that is, of the lines that start with "[x]"; keep the others as they are.',
            'Rewrite PLACE without the lines that are ticked off ("[x]" at the start).',
        ),
        about="Drop the ticked lines",
        code='    kept = [line for line in lines if not line.startswith("[x]")]\n',
        lines=_ticked,
        places=3,
    ),
    Change(
        word="tick_all_lines",
        says=(
            'Tick off everything in PLACE: "[ ]" at the start of a line becomes "[x]".',
            'In PLACE, turn each line that begins with "[ ]" into one that begins with "[x]", and change nothing else.',
            'All is done that PLACE lists. Replace "[ ]" by "[x]" where a line starts with it.',
        ),
        about="Tick off the lines",
        code='    kept = ["[x]" + line[3:] if line.startswith("[ ]") else line for line in lines]\n',
        lines=_ticked,
    ),
    Change(
        word="move_ticked_lines_down",
        says=(
            'Rearrange PLACE: first the lines that do not begin with "[x]", then those that do, each in old order.',
            'What is ticked off in PLACE, lines with "[x]" in front, should come after all the other lines. Otherwise'
            " the order stays.",
            'Move the lines of PLACE that start with "[x]" to its end, in their order, and keep that of the rest.',
        ),
        about="Move down the ticked lines",
        code='    kept = sorted(lines, key=lambda line: line.startswith("[x]"))\n',
        lines=_ticked,
    ),
    Change(
        word="number_lines",
        says=(
            'Number the lines of PLACE: each gets its number, a dot and a space in front, the first one "1. ".',
            'Put "1. ", "2. " and so on before the lines of PLACE, in their order.',
            'Every line in PLACE should begin with its number, like "3. " for the third. Rewrite it so.',
        ),
        about="Number the lines",
        code='    kept = [f"{number}. {line}" for number, line in enumerate(lines, 1)]\n',
        lines=_things,
        places=3,
    ),
    Change(
        word="drop_lines_with_word",
        says=(
            'Remove the lines that have "{word}" in them from PLACE.',
            'No line with "{word}" should be left in PLACE; take those out and keep the rest in order.',
            'Rewrite PLACE without any line in which "{word}" occurs.',
        ),
        about="Drop the lines with a word",
        code="    kept = [line for line in lines if word not in line]\n",
        lines=lambda draw: [
            f"{one} from the {draw.rng.choice(('market', 'harbor', 'attic'))}" for one in _things(draw)
        ],
        slots={"word": str},
        choose=lambda draw: {"word": draw.rng.choice(("market", "harbor", "attic"))},
        places=3,
    ),
    Change(
        word="replace_word",
        says=(
            'Replace "{old}" by "{new}" wherever it occurs in PLACE.',
            'In PLACE, every "{old}" should become "{new}"; leave everything else.',
            'Rewrite PLACE with "{new}" in place of "{old}" on all lines.',
        ),
        about="Replace a word in the lines",
        code="    kept = [line.replace(old, new) for line in lines]\n",
        lines=lambda draw: [
            f"{one} from the {draw.rng.choice(('market', 'harbor', 'attic'))}" for one in _things(draw)
        ],
        slots={"old": str, "new": str},
        choose=lambda draw: {"old": draw.rng.choice(("market", "harbor")), "new": draw.rng.choice(("mill", "pier"))},
        places=3,
    ),
    Change(
        word="add_total",
        says=(
            'Lines such as "rope: 3.50" in PLACE give prices. Add a last line "Total: <sum>" with the sum of the'
            " prices, in two decimals.",
            'Add up what stands after the colons in PLACE and append the line "Total: <sum>", with two decimals.',
            'PLACE needs one more line at its end: "Total: " and the sum of all prices there, which come after'
            " colons, with two decimals.",
        ),
        about="Add a total to the lines",
        code="""
    total = sum(float(line.split(": ")[1]) for line in lines if ": " in line)
    kept = [*lines, f"Total: {total:.2f}"]
""",
        lines=_priced,
        places=3,
    ),
    Change(
        word="drop_cheap_lines",
        says=(
            'Lines like "rope: 3.50" in PLACE give prices. Remove those with a price below ${price}; other lines, also'
            " without a price, stay.",
            "Take out of PLACE what costs less than ${price}, by the number after the colon. Lines without one remain.",
            "Rewrite PLACE without the lines whose price, after the colon, is under ${price}; keep all the rest.",
        ),
        about="Drop the cheap lines",
        code='    kept = [line for line in lines if ": " not in line or float(line.split(": ")[1]) >= price]\n',
        lines=_priced,
        slots={"price": float},
        choose=lambda draw: {"price": draw.rng.randint(1_000, 3_500) / 100},
        places=3,
    ),
    Change(
        word="sort_by_price",
        says=(
            "Sort the lines of PLACE that have a price after a colon by it, the lowest first, and drop those without.",
            "PLACE should only keep its lines with a colon, ordered by the number behind it, from low to high.",
            "Rewrite PLACE: the lines with a price (after the colon) from the cheapest to the dearest, and no others.",
        ),
        about="Sort by price the lines",
        code="""
    priced = [line for line in lines if ": " in line]
    kept = sorted(priced, key=lambda line: float(line.split(": ")[1]))
""",
        lines=_priced,
        matters=((', key=lambda line: float(line.split(": ")[1])', ""),),
    ),
    Change(
        word="drop_past_lines",
        says=(
            "Each line of PLACE begins with a day. Remove the lines whose day is before {day_limit}.",
            "Lines in PLACE start with a date. Keep those of {day_limit} and later, and take out the others.",
            "Rewrite PLACE without what is dated before {day_limit}; the date is at the start of each line.",
        ),
        about="Drop the past lines",
        code="    kept = [line for line in lines if line[:10] >= day_limit]\n",
        lines=_dated,
        slots={"day_limit": Day},
        choose=lambda draw: {"day_limit": Day(pools.later(draw, draw.rng.randint(-20, 20)))},
        places=3,
    ),
    Change(
        word="double_amounts",
        says=(
            'Lines of PLACE end in " x " and a number. Double all these numbers.',
            'We need twice as much of everything in PLACE: where it says "rope x 2", make it "rope x 4", and so on.',
            'Rewrite PLACE with each number after " x " multiplied by two.',
        ),
        about="Double the amounts on the lines",
        code="""
    rows = [line.split(" x ") for line in lines]
    kept = [f"{name} x {2 * int(number)}" for name, number in rows]
""",
        lines=_counted,
    ),
)
