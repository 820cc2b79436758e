"""Kinds of rows that listings have, and rows of one listing with one condition: how a program and a task name them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Listing
from prowess_practice.errands.forms.parts import FormField, RowKind, fields
from prowess_practice.errands.layout import fitted
from prowess_practice.errands.transfers.parts import Slot, entering, inside, pool

_MADE = ("created_at", "when the NOUN was created")
_SENT = ("sent_at", "when the NOUN was sent")
_OUT = ("release_date", "the release date of the NOUN")
_AMOUNT = ("amount", "the amount of the NOUN")
_DAY = "(YYYY-MM-DD)"


def _row(noun: str, table: str, **other: Any) -> RowKind:
    for key in ("when", "size"):
        if key in other:
            code, said = other[key]
            other[key] = (code, said.replace("NOUN", noun))
    return RowKind(noun=noun, fields=fields(table, noun), **other)


ROWS: dict[str, RowKind] = {
    "song": _row(
        "song",
        """title of; title; song
        name of the artist of; artist_name; name
        genre of; genre; word
        length in seconds of; duration; count""",
        when=_OUT,
    ),
    "album": _row(
        "album",
        """title of; title; song
        name of the artist of; artist_name; name
        release date of; release_date; day""",
        when=_OUT,
    ),
    "artist": _row("artist", "name of; name; name\ngenre of; genre; word"),
    "playlist": _row(
        "playlist",
        f"""title of; title; song
        day {_DAY} of creation of; ROW["created_at"][:10]; day
        number of songs on; len(ROW["song_ids"]); count""",
        when=_MADE,
    ),
    "review": _row(
        "review",
        f"""title of the reviewed song; song_title; song
        number of stars in the review; rating; count
        day {_DAY} of; ROW["created_at"][:10]; day""",
        when=("created_at", "when the NOUN was written"),
    ),
    "note": _row("note", f'title of; title; task\nday {_DAY} of creation of; ROW["created_at"][:10]; day', when=_MADE),
    "file": _row(
        "file",
        """name (without folders) of; ROW["path"].rpartition("/")[2]; file
        name without folders and without the ending (.txt or the like) of; NAME; stem
        size in bytes of; size; count""".replace("NAME", 'ROW["path"].rpartition("/")[2].rsplit(".", 1)[0]'),
        when=_MADE,
        size=("size", "the size of the NOUN"),
    ),
    "path": _row(
        "file",
        """name (without folders) of; ROW.rpartition("/")[2]; file
        name without folders and without the ending (.txt or the like) of; NAME; stem""".replace(
            "NAME", 'ROW.rpartition("/")[2].rsplit(".", 1)[0]'
        ),
    ),
    "line": _row("line", "whole line; ROW; task"),
    "task": _row(
        "task",
        f"""title of; title; task
        due date of; due_date; day; due
        day {_DAY} of creation of; ROW["created_at"][:10]; day
        priority (the number) of; priority; count""",
        when=_MADE,
    ),
    "subtask": _row("subtask", "title of; title; task"),
    "project": _row("project", "name of; name; song\nnumber of open tasks in the project; open_tasks; count"),
    "contact": _row(
        "contact",
        """name of; name; name
        birthday (YYYY-MM-DD) of; birthday; day
        phone number of; phone_number; number""",
        email='ROW["email"]',
        phone='ROW["phone_number"]',
    ),
    "conversation": _row(
        "person",
        "name of; name; name\nnumber of texts between us; message_count; count",
        phone='ROW["phone_number"]',
    ),
    "text": _row(
        "message",
        f"""text of; text; task
        name of the sender of; ROW["sender"]["name"]; name
        day {_DAY} of; ROW["sent_at"][:10]; day""",
        phone='ROW["sender"]["phone_number"]',
        who="the sender of the message",
        when=_SENT,
    ),
    "voice": _row(
        "message",
        f"""transcript of; transcript; task
        length in seconds of; duration; count
        name of the sender of; ROW["sender"]["name"]; name
        day {_DAY} of; ROW["sent_at"][:10]; day""",
        phone='ROW["sender"]["phone_number"]',
        who="the sender of the message",
        when=_SENT,
    ),
    "call": _row(
        "call",
        f"""name of the caller; ROW["caller"]["name"]; name
        name of the person called; ROW["callee"]["name"]; name
        day {_DAY} of; ROW["started_at"][:10]; day
        length in seconds of; duration; count""",
        when=("started_at", "when the NOUN began"),
    ),
    "alarm": _row(
        "alarm",
        """label of; label; task
        time of; time; time
        snooze in minutes of; snooze_minutes; count""",
    ),
    "transaction": _row(
        "payment",
        f"""note of; note; task
        amount (two decimals) of; amount; amount
        name of the sender of; ROW["sender"]["name"]; name
        name of the receiver of; ROW["receiver"]["name"]; name
        day {_DAY} of; ROW["created_at"][:10]; day""",
        when=("created_at", "when the NOUN was made"),
        size=_AMOUNT,
    ),
    "sent": _row(
        "request",
        f"""note of; note; task
        amount (two decimals) of; amount; amount
        name of the person asked; ROW["payer"]["name"]; name
        day {_DAY} of; ROW["created_at"][:10]; day""",
        email='ROW["payer"]["email"]',
        who="the person asked in it",
        when=_MADE,
        size=_AMOUNT,
    ),
    "received": _row(
        "request",
        f"""note of; note; task
        amount (two decimals) of; amount; amount
        name of the requester; ROW["requester"]["name"]; name
        day {_DAY} of; ROW["created_at"][:10]; day""",
        email='ROW["requester"]["email"]',
        who="the requester",
        when=_MADE,
        size=_AMOUNT,
    ),
    "transfer": _row(
        "transfer",
        f'amount (two decimals) of; amount; amount\nday {_DAY} of; ROW["created_at"][:10]; day',
        when=("created_at", "when the NOUN was made"),
        size=_AMOUNT,
    ),
    "expense": _row(
        "expense",
        f"""description of; description; task
        amount (two decimals) of; amount; amount
        name of the person who paid; ROW["paid_by"]["name"]; name
        day {_DAY} of; ROW["created_at"][:10]; day""",
        email='ROW["paid_by"]["email"]',
        who="the person who paid",
        when=("created_at", "when the NOUN was recorded"),
        size=_AMOUNT,
    ),
    "payment": _row(
        "payment",
        f"""amount (two decimals) of; amount; amount
        name of the payer of; ROW["payer"]["name"]; name
        name of the receiver of; ROW["receiver"]["name"]; name
        day {_DAY} of; ROW["created_at"][:10]; day""",
        email='ROW["payer"]["email"]',
        who="the payer",
        when=("created_at", "when the NOUN was recorded"),
        size=_AMOUNT,
    ),
    "group": _row(
        "group",
        f"""name of; name; song
        name of the creator of; ROW["creator"]["name"]; name
        number of members of; len(ROW["members"]); count
        day {_DAY} of creation of; ROW["created_at"][:10]; day""",
        when=_MADE,
    ),
    "friend": _row("friend", "name of; name; name\ne-mail address of; email; email", email='ROW["email"]'),
    "debt": _row(
        "debt",
        "name of the person I owe; name; name\namount (two decimals) of; amount; amount",
        email='ROW["email"]',
        who="the person I owe",
        size=_AMOUNT,
    ),
    "claim": _row(
        "debt",
        "name of the person who owes me; name; name\namount (two decimals) of; amount; amount",
        email='ROW["email"]',
        who="the person who owes me",
        size=_AMOUNT,
    ),
    "member": _row("member", "name of; name; name\ne-mail address of; email; email", email='ROW["email"]'),
}


_SPECIAL = {
    "text_messages": "text",
    "voice_messages": "voice",
    "sent_requests": "sent",
    "received_requests": "received",
}
"""Listings whose rows have the same name in programs, but other fields."""
_PLAIN = {"notes": "unarchived notes", "projects": "unarchived projects", "all_notes": "notes (archived or not)"}
"""Of some listings an API leaves out what is in the archive: tasks say so."""
_SINGULAR = (("that are ", "that is "), ("who are ", "who is "), ("whose names end", "whose name ends"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FormSource:
    """Some rows."""

    listing: Listing
    condition: Condition

    @property
    def kind(self) -> str:
        return _SPECIAL.get(self.listing.word, self.listing.row)

    @property
    def row(self) -> RowKind:
        return ROWS[self.kind]

    @property
    def word(self) -> str:
        return f"{pool(self.listing).word}_{self.condition.word}"

    @property
    def apps(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.listing.app, *((self.condition.app,) if self.condition.app else ()))))

    @property
    def containers(self) -> tuple[Slot, ...]:
        return (inside(self.listing.within),) if self.listing.within else ()

    @property
    def slots(self) -> dict[str, type]:
        found = {slot.name: slot.kind for slot in self.containers}
        return found | ({self.condition.slot: self.condition.kind} if self.condition.slot else {})

    @property
    def given(self) -> str:
        """What the API itself filters by."""
        one = self.condition
        return f", {one.argument}={one.slot}" if one.argument else ""

    @property
    def test(self) -> str:
        return self.condition.code.replace("ROW", self.listing.row)

    @property
    def found(self) -> str:
        """What a program calls the rows that are meant."""
        return "found" if self.test else self.listing.rows

    @property
    def reading(self) -> list[str]:
        """Lines of a program that give them, once it has logged in."""
        lines = f"{self.condition.prelude}{pool(self.listing, given=self.given).reading}".splitlines()
        if self.test:
            lines.append(
                f"    found = [{self.listing.row} for {self.listing.row} in {self.listing.rows} if {self.test}]"
            )
        return [fitted(line) for line in lines if "= login(" not in line]

    @property
    def whole(self) -> str:
        """A function that gives all rows of the listing: the value for the condition is picked out of them."""
        head = ", ".join(slot.name for slot in self.containers)
        entry = entering(self.listing.app)
        return f"def rows({head}):\n{entry}{pool(self.listing).reading}    return {self.listing.rows}\n"

    @property
    def fields(self) -> tuple[FormField, ...]:
        """What a text may hold: nothing that is missing in some rows, and not what is the same in all."""
        slot = self.condition.field
        return tuple(one for one in self.row.fields if one.code != slot and one.only in self.condition.word)

    @property
    def many(self) -> str:
        return f"the {self._told(pool(self.listing).many)} {self.condition.says}"

    @property
    def each(self) -> str:
        text = f"{self._told(pool(self.listing).one)} {self.condition.says}"
        for old, new in _SINGULAR:
            text = text.replace(old, new)
        return f"each {text}"

    def _told(self, text: str) -> str:
        """What the rows are called, and whether those in the archive are meant."""
        if self.condition.word.endswith("archived"):
            return text.replace(", archived or not,", "")
        return f"unarchived {text}" if self.listing.word in ("notes", "projects") else text

    @property
    def about(self) -> str:
        word = _PLAIN.get(self.listing.word, self.listing.word.replace("_", " "))
        where = f" {self.listing.within.about}" if self.listing.within else ""
        return f"{word}{where} {self.condition.about}"


def sources(listings: tuple[Listing, ...], most: int) -> Iterator[FormSource]:
    """Some conditions of every listing, flags among them."""
    for listing in listings:
        if _SPECIAL.get(listing.word, listing.row) not in ROWS:
            continue
        flags = [one for one in listing.flags if not one.prelude]
        clear = [one for one in listing.conditions if not (one.field and one.slot in ("direction", "kind"))]
        for condition in [*clear[:2], *flags, *clear[2:]][:most]:
            yield FormSource(listing=listing, condition=condition)
