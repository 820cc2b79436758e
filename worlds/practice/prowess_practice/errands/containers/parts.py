"""What errands on containers are made of: kinds of containers, what lies in them, what is done to either."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Action, Measure


def said(says: str) -> str:
    """A deed in a docstring: up to its details."""
    return re.split(r"[,:(]| by | with | as | that | in a | for ", re.sub(r'"?\{(\w+)\}"?', r"`\1`", says))[0].rstrip(
        ' "'
    )


def opposite(test: str) -> str:
    """The opposite of a test."""
    if " not in " in test:
        return test.replace(" not in ", " in ")
    return test.replace(" in ", " not in ") if " in " in test else f"not {test}".replace("not not ", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """Rows to which something cannot be done, as it is so already."""

    test: str
    """`ROW` standing for the row: `ROW["song_id"] in liked_songs`."""
    prelude: str = ""
    """Lines that read what the test looks at."""
    says: str
    """A sentence: `Skip those that I like already.`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerDeed:
    """Something to do to a container or to what lies in it."""

    word: str
    says: str
    """With OBJ for what it is done to: `rename OBJ by adding " ({suffix})" to the title`."""
    about: str = ""
    """The same in a docstring, where that is too long."""
    call: str
    """The call, `ROW` standing for the row, `OUT` for the container that it lies in."""
    app: str
    slot: str = ""
    kind: type = str
    choose: Callable[[Draw], Any] = lambda draw: None
    """A value for the slot."""
    before: str = ""
    """Lines that come before all calls: something is made or found that they need."""
    skip: Skip | None = None
    key: str = ""
    """What tells rows apart that may lie in several containers; empty where it does no harm to do it twice."""
    ordered: bool = False
    """Whether the order of the rows shows in what comes of it: then only for the rows of one container."""


def done_by(action: Action, app: str, *, skip: Skip | None = None, key: str = "", says: str = "") -> ContainerDeed:
    """What drills do to a row, done here."""
    whole = bool(action.choices) and action.choices[0].isdigit()
    return ContainerDeed(
        word=action.word if not action.slot else f"{action.word}_{action.slot}",
        says=says or f"{action.verb} OBJ{action.after}",
        call=f"apis.{action.app or app}.{action.api}(access_token={action.app or app}_token, {action.arguments})",
        app=action.app or app,
        slot=action.slot,
        kind=int if whole else str,
        choose=one_of(*(map(int, action.choices) if whole else action.choices)),
        skip=skip,
        key=key,
    )


def both(one: Condition, flag: Condition) -> Condition:
    """A condition with a value and one without, together."""
    return Condition(
        word=f"{one.word}_{flag.word}",
        says=f"{one.says} {flag.says}",
        about=f"{one.about} {flag.about}",
        code=f"{one.code} and {flag.code}",
        slot=one.slot,
        kind=one.kind,
        app=one.app or flag.app,
        prelude=one.prelude + flag.prelude,
        pick=one.pick,
    )


def one_of(*choices: Any) -> Callable[[Draw], Any]:
    """Draws one of these."""
    return lambda draw: draw.rng.choice(choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerFilter:
    """Which containers are looked at in the first place."""

    word: str
    adjective: str = ""
    """`public `, before the noun."""
    post: str = ""
    """` created before {before}`, after it."""
    condition: Condition | None = None
    given: str = ""
    """An argument of the listing that does it: `is_public=True`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inside:
    """What lies in a container, and how a program gets at it."""

    word: str
    row: str
    rows: str
    look: str
    """The rows in a container, `OUT` standing for it."""
    one: str
    many: str
    owned: tuple[str, str] = ("", "")
    """The same where it is said that the container has them: `call with me`, `calls with me`."""
    prep: str = "in"
    """Songs are in a playlist, comments under a task, calls with a contact."""
    name: str = ""
    called: str = ""
    key: str = ""
    """What tells rows apart where they may lie in several containers; empty where they cannot."""
    conditions: tuple[Condition, ...]
    whole: bool = True
    """Whether it makes sense to look at all rows, without a condition."""
    small: bool = False
    """Whether there are so few rows that two conditions would leave none."""
    measures: tuple[Measure, ...] = ()
    dated: str = ""
    """The field with the day or moment."""
    happened: str = "made"
    """What happened then: songs are released, texts are sent."""
    deeds: tuple[ContainerDeed, ...] = ()
    prelude: str = ""
    """Lines before the containers are looked into."""
    apps: tuple[str, ...] = ()
    """Other apps that are asked."""
    remark: str = ""
    """A sentence on what counts: `Files in a folder below do not count.`"""
    same: bool = True
    """Whether rows of several containers that have one key are the same row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerKind:
    """A kind of container, and how a program lists all there are."""

    app: str
    word: str
    row: str
    rows: str
    lists: str
    one: str
    """`music playlist`"""
    many: str
    whose: str = "my"
    """Before `many`: `my music playlists`, `the genres`."""
    of: str = " of mine"
    """After `one`: `every music playlist of mine`."""
    relative: str = "that"
    which: str = "which"
    pronoun: str = "it"
    key: str
    name: str
    called: str
    tiny: bool = False
    """Whether people have only two or three of them, too few to count."""
    few: bool = True
    """Whether there are so few of them that one may hold fewer rows than any other."""
    filters: tuple[ContainerFilter, ...] = ()
    insides: tuple[Inside, ...]
    deeds: tuple[ContainerDeed, ...] = ()
