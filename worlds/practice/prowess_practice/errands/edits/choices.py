"""Choices that go with rows of many kinds: by a field, by rank, by a text that names them, by people behind them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Listing
from prowess_practice.drills.listings import LISTINGS
from prowess_practice.errands.edits.parts import RowChoice, Target, asked, column_of, names_of, rows_of
from prowess_practice.errands.lines.marks import REMARKS, mixed
from prowess_practice.errands.lines.places import TextPlace
from prowess_practice.errands.people.scene import more_of, strangers
from prowess_practice.errands.people.source import PeopleSource
from prowess_practice.errands.transfers.scene import Names, also_alarms, also_notes, also_tasks

TRIES = 4
"""Texts that name three to six rows."""


def by(target: Target, *conditions: Condition) -> RowChoice:
    """Rows of which conditions are true."""
    words = " and ".join(one.says for one in conditions)
    ways = [f"{target.mine} {words}"]
    if all(_participle(one.says) for one in conditions):
        ways.append(f"those of {target.mine} that were {words}")

    def draws(draw: Draw) -> Values | None:
        rows = rows_of(draw, target)
        found = {one.slot: one.pick(draw.rng, rows) for one in conditions if one.slot} if rows else {"": None}
        return None if None in found.values() else found

    return RowChoice(
        word=f"{target.word}_{'_'.join(one.word for one in conditions)}",
        says=tuple(ways[-1:] if target.mine.endswith(" by me") else ways),
        about=f"{target.word.replace('_', ' ')} {' and '.join(one.about for one in conditions)}",
        apps=tuple(one.app for one in conditions if one.app),
        slots={one.slot: one.kind for one in conditions if one.slot},
        before=tuple(line[4:] for one in conditions for line in one.prelude.splitlines()),
        arguments="".join(f", {one.argument}={one.slot}" for one in conditions if one.argument),
        test=" and ".join(one.code.replace("ROW", target.row) for one in conditions if one.code),
        draws=draws,
        matters=tuple(
            (one.code.replace("ROW", target.row), "True") for one in conditions if one.code and conditions[1:]
        ),
    )


def listed(app: str, word: str) -> Listing:
    """What drills know of a listing."""
    return next(one for one in LISTINGS if (one.app, one.word) == (app, word) and not one.within)


def _participle(says: str) -> bool:
    return says.split()[0] in ("created", "made", "written", "paid")


def inside(
    target: Target,
    word: str,
    says: str | tuple[str, ...],
    about: str,
    test: str,
    *,
    looks: tuple[str, ...] = (),
    before: tuple[str, ...] = (),
    apps: tuple[str, ...] = (),
    slots: dict[str, type] | None = None,
    draws: Callable[[Draw], Values | None] = lambda draw: {},
) -> RowChoice:
    """Rows that hold something, or that another listing knows, too; MINE stands for all of them."""
    ways = (says,) if isinstance(says, str) else says
    return RowChoice(
        word=f"{target.word}_{word}",
        says=tuple(one.replace("MINE", target.mine) for one in ways),
        about=f"{target.word.replace('_', ' ')} {about}",
        apps=apps,
        slots=slots or {},
        before=before,
        looks=looks,
        test=test,
        draws=draws,
    )


def ranked(
    target: Target, word: str, says: tuple[str, ...], about: str, key: str, *, highest: bool, most: int = 4
) -> RowChoice:
    """The first few rows by something; never such that the next has the same."""

    def draws(draw: Draw) -> Values | None:
        values = column_of(draw, target, key)
        if any(value is None for value in values):
            return None
        values.sort(reverse=highest)
        counts = [n for n in range(2, most + 1) if n < len(values) and values[n - 1] != values[n]]
        return {"count": draw.rng.choice(counts)} if counts else None

    return RowChoice(
        word=f"{word}_{target.word}",
        says=says,
        about=about,
        slots={"count": int},
        rank=key,
        highest=highest,
        draws=draws,
    )


def named_in(target: Target, place: TextPlace) -> RowChoice:
    """Rows whose name is a line of some text, or one of several texts."""

    def draws(draw: Draw) -> Values | None:
        names = [name for name in names_of(draw, target) if '"' not in name and "\n" not in name]
        if len(names) < TRIES:
            return None
        some = draw.rng.sample(names, min(len(names) - 1, draw.rng.randint(2, 5)))
        others = [name for name in names if name not in some][:3]
        return place.sets(draw, mixed(draw.rng, some, draw.rng.sample(REMARKS, 2)), others)

    said = "part" in place.holds and "line" not in place.holds
    several = not said and "line" not in place.holds
    is_one = "occurs in" if said else "is one of" if several else "is a line in"
    return RowChoice(
        word=f"{target.word}_in_{place.word}",
        says=tuple(f"{target.mine} whose {target.called} {is_one} {way}" for way in place.says if _plain(way)),
        about=f"{target.word.replace('_', ' ')} named in {place.about}",
        apps=place.apps,
        slots=dict(place.slots),
        before=_renamed(place.code)
        + (("wanted = listing.splitlines()",) if place.lines != "lines" and not said else ()),
        test=f"{target.naming} in {'listing' if said else 'wanted'}",
        draws=draws,
        matters=place.matters,
    )


def _renamed(code: str) -> tuple[str, ...]:
    """Lines that read a text, with names that no change gives to anything else."""
    code = re.sub(r"\bnumber\b", "phone", code)
    code = re.sub(r"\blines\b", "wanted", re.sub(r'(?<!")\bcontent\b', "listing", code))
    return tuple(line[4:] for line in code.splitlines())


def _plain(says: str) -> bool:
    """Whether a text can be spoken of like that in the middle of a sentence."""
    return says.startswith(("the ", "my ")) and not says.endswith(",")


def also_called(target: Target, other: str) -> RowChoice:
    """Rows that are called like something in another app."""
    app, api, field, says, sets = _NAMESAKES[other]
    return RowChoice(
        word=f"{target.word}_called_like_{other}",
        says=tuple(f"{target.mine} whose {target.called} is also {way}" for way in says),
        about=f"{target.word.replace('_', ' ')} called like {other.replace('_', ' ')}",
        apps=(app,),
        before=(
            f"{other} = all_pages(apis.{app}.{api}, access_token={app}_token)",
            f'taken_names = {{one["{field}"] for one in {other}}}',
        ),
        test=f"{target.naming} in taken_names",
        draws=lambda draw: sets(lambda one: names_of(one, target))(draw) or {},
    )


_NAMESAKES: dict[str, tuple[str, str, str, tuple[str, ...], Callable[[Names], Callable[[Draw], None]]]] = {
    "some_tasks": (
        "todo",
        "list_tasks",
        "title",
        (
            "the title of a task in my todo app (done or not)",
            "what a task of mine in the todo app is titled (done or not)",
        ),
        also_tasks,
    ),
    "other_notes": (
        "notes",
        "search_notes",
        "title",
        ("the title of a note of mine", "what I titled a note"),
        also_notes,
    ),
    "other_alarms": (
        "phone",
        "show_alarms",
        "label",
        ("the label of an alarm in my phone", "what an alarm in my phone is labelled"),
        also_alarms,
    ),
}


def known_to(target: Target, source: PeopleSource, person: str, whose: str, *, yes: bool = True) -> RowChoice:
    """Rows whose person other rows have, too, or have not; names tell people apart."""
    conditions = (source.further,) if source.further else ()
    element = source.field("name")
    tests = [*source.tests(conditions), *([source.but] if source.but and not source.inner else [])]
    loops = f"for {source.row} in {source.rows}{''.join(f' if {test}' for test in tests)}"
    if source.inner:
        loops += f" {source.inner}{f' if {source.but}' if source.but else ''}"
    clause = (source.clause if yes else source.none).replace("COND", "".join(one.says for one in conditions))
    clause = " ".join(clause.split())

    def draws(draw: Draw) -> Values | None:
        if source.more and source.scarce:
            more_of(draw, source.more)
        if source.more and draw.rng.random() < 0.5:
            for stranger in strangers(draw, 2):
                source.more(draw, stranger)
        found: dict[str, Any] = {}
        if source.within:
            found[source.within.slot] = source.within.choose(draw)
        for one in conditions:
            reads = source.read(()).replace("ARGUMENTS", "")
            rows = asked(draw, f'{source.app}_token = login(app="{source.app}")\n' + _flat(reads) + source.rows)
            found[one.slot] = one.pick(draw.rng, rows)
        return None if None in found.values() else found

    slots = {one.slot: one.kind for one in conditions}
    return RowChoice(
        word=f"{target.word}_{whose}_{'' if yes else 'no_'}{source.word}".replace("__", "_"),
        says=(f"{target.mine} {whose.replace('_', ' ')} somebody {clause}",)
        if whose
        else (f"{target.mine} {clause}", f"the people among {target.mine} {clause}"),
        about=f"{target.word.replace('_', ' ')} {whose.replace('_', ' ') or 'who are'} {'' if yes else 'not '}"
        f"{source.about}",
        apps=(source.app,),
        slots={**({source.within.slot: str} if source.within else {}), **slots},
        before=(*_flat(source.read(conditions)).splitlines(), f"known = {{{element} {loops}}}"),
        test=f'{person}["name"] {"in" if yes else "not in"} known',
        draws=draws,
    )


def _flat(code: str) -> str:
    return "".join(f"{line[4:]}\n" for line in code.splitlines())
