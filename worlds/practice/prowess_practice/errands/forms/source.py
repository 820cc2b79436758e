"""Rows of one listing with one condition: how a program finds them, and how a task speaks of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Listing
from prowess_practice.errands.forms.parts import Field, Row
from prowess_practice.errands.forms.rows import ROWS
from prowess_practice.errands.layout import fitted
from prowess_practice.errands.transfers.parts import Slot, entering, inside, pool

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
class Source:
    """Some rows."""

    listing: Listing
    condition: Condition

    @property
    def kind(self) -> str:
        return _SPECIAL.get(self.listing.word, self.listing.row)

    @property
    def row(self) -> Row:
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
    def fields(self) -> tuple[Field, ...]:
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


def sources(listings: tuple[Listing, ...], most: int) -> Iterator[Source]:
    """Some conditions of every listing, flags among them."""
    for listing in listings:
        if _SPECIAL.get(listing.word, listing.row) not in ROWS:
            continue
        flags = [one for one in listing.flags if not one.prelude]
        clear = [one for one in listing.conditions if not (one.field and one.slot in ("direction", "kind"))]
        for condition in [*clear[:2], *flags, *clear[2:]][:most]:
            yield Source(listing=listing, condition=condition)
