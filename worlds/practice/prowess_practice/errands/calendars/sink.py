"""What becomes of the rows that were chosen by time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prowess_practice.errands.calendars.sources import WIDTH, DatedSource
from prowess_practice.errands.transfers.parts import Scene, Slot

FRIENDS = '    friends = {one["email"] for one in all_pages(apis.wallet.show_friends, access_token=wallet_token)}\n'
"""The line that gives the e-mail addresses of friends in the wallet."""

_ROW = "payment"
"""The name of a row that lines are measured with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarSink:
    """Something done with the rows found."""

    word: str
    do: str
    """`like ALL`, where ALL stands for the rows."""
    rest: tuple[str, ...] = ("",)
    """Sentences that say the details, in one or more ways."""
    about: str
    """`like ALL`, as a docstring says it."""
    code: str
    """Lines, with ROW for one of `found`, NAME, DAY, MOMENT, PERSON; WHEN where a day is worked out."""
    before: str = ""
    """Lines before, once all are logged in."""
    apps: tuple[str, ...] = ()
    """Besides the source's."""
    needs: tuple[str, ...] = ()
    """Tags that a source must have."""
    bars: tuple[str, ...] = ()
    """Tags that it must not have."""
    shuns: tuple[str, ...] = ()
    """Parts of the words of choices with which it makes little sense."""
    slots: tuple[Slot, ...] = ()
    drops: tuple[tuple[str, str], ...] = ()
    scene: Scene | None = None
    precise: bool = False
    """Whether times of day are needed."""

    @property
    def timed(self) -> bool:
        """Whether a day is worked out."""
        return "WHEN" in self.code

    def fits(self, source: DatedSource) -> bool:
        tags = {*source.tags, "person"} if source.role else {*source.tags}
        if self.timed and "old" in tags:
            return False
        return {*self.needs} <= tags and not {*self.bars} & tags and (source.precise or not self.precise)


def calling(api: str, arguments: str, *, indent: int = 8) -> str:
    """A call of an API, one argument a line where it is too long."""
    app, space = api.partition(".")[0], " " * indent
    given = (f"access_token={app}_token", *(part.strip() for part in arguments.split(";")))
    line = f"{space}apis.{api}({', '.join(given)})\n"
    long = line.replace("MOMENT", 'ROW["created_at"]').replace("NAME", 'ROW["title"]').replace("ROW", _ROW)
    if len(long.replace("PERSON", f'{_ROW}["receiver"]').replace("DAY", f'{_ROW}["created_at"][:10]')) <= WIDTH:
        return line
    inner = f"{space}    {', '.join(given)}\n"
    if len(inner.replace("ROW", _ROW)) > WIDTH - 10:
        inner = "".join(f"{space}    {part},\n" for part in given)
    return f"{space}apis.{api}(\n{inner}{space})\n"


def each(api: str, arguments: str) -> str:
    """The same call for all rows found; arguments stand apart by semicolons."""
    return f"    for ROW in found:\n{calling(api, arguments)}"


def unless(test: str, api: str, arguments: str) -> str:
    """A call for those rows found that pass a test."""
    return f"    for ROW in found:\n        if {test}:\n{calling(api, arguments, indent=12)}"


def act(word: str, do: str, code: str, *needs: str, **other: Any) -> CalendarSink:
    """Something done to the rows themselves."""
    return CalendarSink(**{"word": word, "do": do, "about": do, "code": code, "needs": needs, **other})
