"""Conditions on the rows of a listing: how a task says them, how a program checks them, which values make sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from prowess_desk.engine.family import Day, Month, Weekday

Rows = Sequence[Any]
"""Objects, or texts where they lie within a text."""

RELATIONSHIPS = ("coworker", "friend", "roommate", "sibling", "parent", "child")
"""What contacts may be to the supervisor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Which rows are meant."""

    word: str
    """What names of functions are made of: `of_genre`."""
    says: str
    """As the task says it, with the slot: `of the genre "{genre}"`."""
    about: str
    """As a docstring says it: `of a genre`."""
    code: str
    """The test of one row, `ROW` standing for it; empty where the API itself filters."""
    slot: str = ""
    kind: type = str
    argument: str = ""
    """The parameter of the listing that takes the slot, where the API itself filters."""
    app: str = ""
    """Another app that is asked first, in `prelude`."""
    prelude: str = ""
    """Lines of the program before the listing is read."""
    coarse: bool = False
    """True where the field has few values: too few for three different counts."""
    pick: Callable[[Random, Rows], Any] = lambda rng, rows: None
    """A value for the slot that some of these rows have."""
    field: str = ""
    """The text it compares, `ROW` standing for the row; empty where it does not compare texts."""

    @property
    def what(self) -> str:
        """How a task calls that text."""
        return self.slot.replace("_", " ")


def text(field: str, says: str, about: str, *, slot: str = "", argument: str = "", coarse: bool = False) -> Condition:
    """A field that is exactly this."""
    slot = slot or field
    return Condition(
        word=f"by_{slot}",
        says=says,
        about=about,
        code="" if argument else f'ROW["{field}"] == {slot}',
        slot=slot,
        argument=argument,
        coarse=coarse,
        pick=lambda rng, rows: _one_of(rng, [row[field] for row in rows]),
        field=f'ROW["{field}"]',
    )


def person(field: str, says: str, about: str, *, slot: str = "person") -> Condition:
    """A field that holds a person, by name."""
    return Condition(
        word=f"of_{field}",
        says=says,
        about=about,
        code=f'ROW["{field}"]["name"] == {slot}',
        slot=slot,
        pick=lambda rng, rows: _one_of(rng, [row[field]["name"] for row in rows]),
        field=f'ROW["{field}"]["name"]',
    )


def kin(field: str, says: str, about: str) -> Condition:
    """A person who is a contact of some relationship, in a field or the row itself; contacts are the phone's."""
    return Condition(
        word=f"of_related_{field}" if field else "related",
        says=says,
        about=about,
        code=f'ROW["{field}"]["name"] in known' if field else 'ROW["name"] in known',
        slot="relationship",
        app="phone",
        prelude=(
            '    phone_token = login(app="phone")\n'
            "    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relationship)\n"
            '    known = {contact["name"] for contact in contacts}\n'
        ),
        pick=lambda rng, rows: rng.choice(RELATIONSHIPS),
    )


def among(field: str, says: str, about: str, *, slot: str, argument: str = "") -> Condition:
    """A field that is a list and holds this."""
    return Condition(
        word=f"with_{slot}",
        says=says,
        about=about,
        code="" if argument else f'{slot} in ROW["{field}"]',
        slot=slot,
        argument=argument,
        pick=lambda rng, rows: _one_of(rng, [item for row in rows for item in row[field]]),
    )


def over(field: str, says: str, about: str, *, kind: type = int, coarse: bool = False) -> Condition:
    """A number greater than this."""
    return _bound(field, says, about, ">", kind, f"more_than_{field}", coarse)


def under(field: str, says: str, about: str, *, kind: type = int, coarse: bool = False) -> Condition:
    """A number less than this."""
    return _bound(field, says, about, "<", kind, f"less_than_{field}", coarse)


def since(field: str, says: str, about: str) -> Condition:
    """A day or moment on or after a day."""
    return _bound(field, says, about, ">=", Day, "since")


def before(field: str, says: str, about: str) -> Condition:
    """A day or moment before a day."""
    return _bound(field, says, about, "<", Day, "before")


def month(field: str, says: str, about: str) -> Condition:
    """A day or moment in a month, which tasks call by its name."""
    return Condition(
        word=f"in_month_of_{field}",
        says=says,
        about=about,
        code=f'{_guard(field)}ROW["{field}"].startswith(prefix)',
        slot="month",
        kind=Month,
        prelude='    prefix = datetime.strptime(month, "%B %Y").strftime("%Y-%m")\n',
        pick=lambda rng, rows: _one_of(rng, [f"{_day(row[field]):%B %Y}" for row in rows if row[field]]),
    )


def weekday(field: str, says: str, about: str) -> Condition:
    """A moment on a day of the week."""
    return Condition(
        word=f"on_weekday_of_{field}",
        says=says,
        about=about,
        code=f'datetime.fromisoformat(ROW["{field}"]).strftime("%A") == weekday',
        slot="weekday",
        kind=Weekday,
        pick=lambda rng, rows: _one_of(rng, [f"{_day(row[field]):%A}" for row in rows if row[field]]),
    )


def also(field: str, app: str, api: str, word: str, says: str, about: str, *, yes: bool = True) -> Condition:
    """A row that another listing of the same app has, too, or has not; like a flag, it goes with another condition."""
    return Condition(
        word=word if yes else f"not_{word}",
        says=says,
        about=about,
        code=f'ROW["{field}"] {"" if yes else "not "}in {word}',
        prelude=f'    {word} = {{one["{field}"] for one in all_pages(apis.{app}.{api}, access_token={app}_token)}}\n',
    )


def flag(field: str, says: str, about: str, *, yes: bool = True) -> Condition:
    """A field that is true, or one that is not; it has no slot and only goes with another condition."""
    return Condition(
        word=f"{field if yes else f'not_{field}'}",
        says=says,
        about=about,
        code=f'{"" if yes else "not "}ROW["{field}"]',
    )


def contains(field: str, says: str, about: str) -> Condition:
    """A text, or a field that is one, with a word in it, in capitals or not; no field where rows are texts."""
    text = f'ROW["{field}"]' if field else "ROW"
    return Condition(
        word=f"with_word_in_{field}" if field else "with_word",
        says=says,
        about=about,
        code=f"word.lower() in {text}.lower()",
        slot="word",
        pick=lambda rng, rows: _one_of(rng, [word for row in rows for word in _words(row[field] if field else row)]),
    )


def ending() -> Condition:
    """A file's path that has this ending."""
    return Condition(
        word="by_ending",
        says="whose names end in .{ending}",
        about="with an ending",
        code='ROW.endswith("." + ending)',
        slot="ending",
        pick=lambda rng, rows: _one_of(rng, [row.rpartition(".")[2] for row in rows if "." in row]),
    )


def _guard(field: str) -> str:
    """Not every task is due."""
    return f'ROW["{field}"] and ' if field == "due_date" else ""


def _day(text: str) -> date:
    return date.fromisoformat(text[:10])


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Za-z]+", text or "") if len(word) > 3]


def _bound(field: str, says: str, about: str, sign: str, kind: type, slot: str, coarse: bool = False) -> Condition:
    def pick(rng: Random, rows: Rows) -> Any:
        values = sorted({row[field] for row in rows if row[field] is not None})
        if len(values) < 3:
            return None
        chosen = values[rng.randrange(1, len(values) - 1)]
        return Day(chosen[:10]) if kind is Day else kind(chosen)

    return Condition(
        word=f"{'from' if sign == '>=' else 'until' if kind is Day else 'over' if sign == '>' else 'under'}_{field}",
        says=says,
        about=about,
        code=f'{_guard(field)}ROW["{field}"] {sign} {slot}',
        slot=slot,
        kind=kind,
        coarse=coarse,
        pick=pick,
    )


def _one_of(rng: Random, values: Sequence[Any]) -> Any:
    """A value that occurs and can be said in quotes; the frequent ones more often."""
    fitting = [value for value in values if isinstance(value, str) and value and '"' not in value]
    return rng.choice(fitting) if fitting else None
