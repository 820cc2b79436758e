"""Figures that compare two listings: what each name has in one of them and in the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.errands.reports.groups import ReportField
from prowess_practice.errands.reports.parts import FigureTable, Rows
from prowess_practice.errands.reports.sources_money import AMOUNT
from prowess_practice.errands.reports.sources_phone import MISSED
from prowess_practice.errands.reports.sources_phone import SENT as SENT_TEXTS
from prowess_practice.errands.transfers import albums, files, money, notes, phone, songs, tasks
from prowess_practice.errands.transfers.parts import RowPool


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingPair:
    """Two listings with names in common."""

    first: RowPool
    second: RowPool
    keys: tuple[str, str]
    """On `ROW`, in either listing."""
    called: str
    of: tuple[str, str]
    """`by that artist`, in either listing."""
    field: ReportField | None = None
    """What is added up; rows are counted where there is none."""
    hint: str = ""
    dated: bool = False

    def tables(self) -> Iterator[FigureTable]:
        """The difference, and both side by side."""
        money = bool(self.field)
        difference = "first.get(name, 0) - second.get(name, 0)"
        form = ", with two decimals (as in 12.50)" if money else ""
        yield self._table(
            "difference",
            f"{self._part(0)} minus {self._part(1)}{form}",
            f"round({difference}, 2)" if money else difference,
            "money" if money else "int",
            ("first.get(name, 0) - second", "first.get(name, 0) + second"),
        )
        show = ":.2f" if money else ""
        yield self._table(
            "both",
            f'"A/B", that is {self._part(0)} and then {self._part(1)}{form.replace(", with", ", both with")}',
            f'f"{{first.get(name, 0){show}}}/{{second.get(name, 0){show}}}"',
            "text",
            ("{*first, *second}", "{*second}"),
        )

    def _part(self, n: int) -> str:
        pool, what = (self.first, self.second)[n], f"sum of the {self.field.many} of the" if self.field else "number of"
        return f"the {what} {pool.many} {self.of[n]}"

    def _table(self, word: str, says: str, code: str, kind: str, edit: tuple[str, str]) -> FigureTable:
        rows = Rows(pools=(self.first, self.second))
        about = "the difference in number" if word == "difference" else "both numbers"
        about = about.replace("number", "sum") if self.field else about
        either = f"the {self.first.many} or the {self.second.many}"
        whole = f"    figures = {{name: {code} for name in {{*first, *second}}}}\n"
        if len(whole) > 100:
            whole = f"    figures = {{}}\n    for name in {{*first, *second}}:\n        figures[name] = {code}\n"
        return FigureTable(
            word=f"{word}_by_{self.called.replace(' ', '_')}_of_{self.first.word}_and_{self.second.word}",
            rows=rows,
            code=f"{rows.reading()}{self._counting('first', 0)}{self._again}{self._counting('second', 1)}{whole}",
            per=f"each {self.called}",
            each=f"each {self.called} that occurs among {either}",
            subject=f"the {self.first.many} and the {self.second.many} by {self.called}",
            lead=f"For each {self.called} that occurs among {either}, work out {says}.",
            name=f"the {self.called}",
            says=says,
            about=f"{about} of {rows.about} and {self.second.word.replace('_', ' ')} by {self.called}",
            hint=self.hint,
            kind=kind,
            signed=word == "difference",
            dated=self.dated,
            matters=(edit,),
        )

    @property
    def _again(self) -> str:
        """Lines that give the rows of the second listing, under another name than those of the first."""
        old = f"    {self.second.rows} = "
        return (
            self.second.reading.replace(old, f"    other_{old.strip()} ")
            if self.first.rows == self.second.rows
            else self.second.reading
        )

    def _counting(self, name: str, n: int) -> str:
        pool = (self.first, self.second)[n]
        value = self.field.code.replace("ROW", pool.row) if self.field else "1"
        key = self.keys[n].replace("ROW", pool.row)
        rows = f"other_{pool.rows}" if n and self.first.rows == pool.rows else pool.rows
        return (
            f"    {name}: dict = {{}}\n    for {pool.row} in {rows}:\n        key = {key}\n"
            f"        {name}[key] = {name}.get(key, 0) + {value}\n"
        )


_ARTIST, _GENRE, _YEAR = 'ROW["artist_name"]', 'ROW["genre"]', 'ROW["release_date"][:4]'
_MONTHS = "Months are written as YYYY-MM."
_TO, _FROM = ("to that person", "from that person")


def _music(first: RowPool, second: RowPool, key: str, called: str, of: str) -> ListingPair:
    return ListingPair(first=first, second=second, keys=(key, key), called=called, of=(of, of), dated=key == _YEAR)


def _monthly(
    first: RowPool,
    second: RowPool,
    keys: tuple[str, str],
    done: tuple[str, str] = ("", ""),
    field: ReportField | None = None,
) -> ListingPair:
    of = (f"{done[0]}in that month", f"{done[1]}in that month")
    months = (f'ROW["{keys[0]}"][:7]', f'ROW["{keys[1]}"][:7]')
    return ListingPair(
        first=first, second=second, keys=months, called="month", of=of, field=field, hint=_MONTHS, dated=True
    )


def _people(
    first: RowPool, second: RowPool, keys: tuple[str, str], of: tuple[str, str], field: ReportField | None = None
) -> ListingPair:
    names = (f'ROW["{keys[0]}"]["name"]', f'ROW["{keys[1]}"]["name"]')
    return ListingPair(first=first, second=second, keys=names, called="person", of=of, field=field)


PAIRS = (
    _music(songs.LIBRARY, songs.LIKES, _ARTIST, "artist", "by that artist"),
    _people(money.SENT, money.RECEIVED, ("receiver", "sender"), (_TO, _FROM), AMOUNT),
    _monthly(tasks.OPEN, tasks.DONE, ("created_at", "created_at"), ("created ", "created ")),
    _people(SENT_TEXTS, phone.TEXTS, ("receiver", "sender"), (_TO, _FROM)),
    _music(songs.HISTORY, songs.LIBRARY, _GENRE, "genre", "of that genre"),
    _people(phone.MADE, MISSED, ("callee", "caller"), (_TO, _FROM)),
    _monthly(money.SENT, money.EXPENSES, ("created_at", "created_at"), field=AMOUNT),
    _music(songs.ADVICE, songs.HISTORY, _ARTIST, "artist", "by that artist"),
    _monthly(SENT_TEXTS, phone.MADE, ("sent_at", "started_at")),
    _people(money.EXPENSES, money.RECEIVED, ("paid_by", "sender"), ("paid by that person", _FROM), AMOUNT),
    _music(albums.KEPT, albums.LIKED, _GENRE, "genre", "of that genre"),
    _people(phone.TEXTS, MISSED, ("sender", "caller"), (_FROM, _FROM)),
    _monthly(notes.EVERY, files.FILES, ("created_at", "created_at"), ("created ", "created ")),
    _music(songs.LIKES, songs.HISTORY, _GENRE, "genre", "of that genre"),
    _monthly(money.RECEIVED, money.SENT, ("created_at", "created_at"), field=AMOUNT),
    _people(money.SENT, SENT_TEXTS, ("receiver", "receiver"), (_TO, _TO)),
    _music(songs.LIBRARY, albums.KEPT, _ARTIST, "artist", "by that artist"),
    _monthly(tasks.DONE, notes.EVERY, ("completed_at", "updated_at"), ("completed ", "last changed ")),
    _music(songs.LIBRARY, songs.ADVICE, _YEAR, "release year", "from that year"),
    _monthly(money.PAYMENTS, phone.TEXTS, ("created_at", "sent_at")),
)
