"""One drill before its values are drawn: its name, its program, and what the program takes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.exports import Export
from prowess_practice.drills.listing import Action, Listing, Measure, Within


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One drill before its values are drawn."""

    listing: Listing
    conditions: tuple[Condition, ...]
    kind: str
    """count, name, sort, sum, extreme, top, act, pick or export."""
    measure: Measure | None = None
    greatest: bool = True
    action: Action | None = None
    export: Export | None = None
    by: Condition | None = None
    """What rows are counted or added up by, in `top`: the field that this condition looks at."""

    @property
    def within(self) -> Within | None:
        return self.listing.within

    @property
    def asks(self) -> bool:
        """Whether an answer is asked for, and nothing done."""
        return self.action is None and self.export is None

    @property
    def name(self) -> str:
        what = {
            "count": "count",
            "name": "list",
            "sort": f"list_by_{self._field}",
            "sum": f"sum_{self._field}_of",
            "extreme": f"{self._end}_{self._field}_of",
            "top": f"top_{self.by.slot if self.by else ''}_by_{self._field or 'number'}_of",
        }
        verb = self.action.word if self.action else self.export.word if self.export else ""
        start = what.get(self.kind) or (
            verb if self.kind in ("act", "export") else f"{verb}_{self._end}_{self._field}_of"
        )
        if self.action and len([one for one in self.listing.actions if one.word == self.action.word]) > 1:
            start = f"{start}_{self.action.slot or self.action.api.split('_')[0]}"
        inside = [f"in_{self.within.slot}"] if self.within else []
        return "_".join([start, self.listing.word, *inside, *(each.word for each in self.conditions)])

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {self.within.slot: str} if self.within else {}
        found |= {one.slot: one.kind for one in self.conditions if one.slot}
        if self.action and self.action.slot:
            found[self.action.slot] = int if self.action.choices[0].isdigit() else str
        if self.export and self.export.slot:
            found[self.export.slot] = str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        others = [one.app for one in (*self.conditions, self.export, self.action) if one and one.app]
        return tuple(dict.fromkeys((self.listing.app, *others)))

    @property
    def source(self) -> str:
        """The function, as the expert writes it."""
        kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in self.slots.items()}
        head = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
        return (
            f"def {self.name}({head}) -> {self._result}:\n"
            f'    """{self._about}"""\n'
            f'    {self._token} = login(app="{self.listing.app}")\n{self._reading}{self._rest}'
        )

    @property
    def matching(self) -> str:
        """A function that gives the rows that are meant, for drawing values that make sense."""
        return f"{self._looking}    return {self._found}\n"

    @property
    def measuring(self) -> str:
        """A function that gives what is measured on each of them."""
        return f"{self._looking}    return [{self._measured} for {self.listing.row} in {self._found}]\n"

    @property
    def _looking(self) -> str:
        head = ", ".join(f"{slot}=None" for slot in self.slots)
        return f'def matching({head}):\n    {self._token} = login(app="{self.listing.app}")\n{self._reading}'

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(f'{slot}={{{slot}!r}}' for slot in self.slots)})"

    @property
    def _token(self) -> str:
        """Named after its app, in all drills: which one a call needs can then be read off the call."""
        return f"{self.listing.app}_token"

    @property
    def _field(self) -> str:
        return self.measure.field if self.measure else ""

    @property
    def _measured(self) -> str:
        return self.measure.of(self.listing.row) if self.measure else ""

    @property
    def _end(self) -> str:
        return "greatest" if self.greatest else "least"

    @property
    def _result(self) -> str:
        if self.kind in ("extreme", "top"):
            return "str"
        return {"name": "list", "sort": "list", "sum": "float" if self._field == "amount" else "int"}.get(
            self.kind, "int"
        )

    @property
    def _about(self) -> str:
        where = [self.within.about] if self.within else []
        rows = " ".join([self.listing.many.rstrip(","), *where, " and ".join(each.about for each in self.conditions)])
        rows = rows.rstrip()
        rows = rows.replace(" my ", " the supervisor's ").replace(" I ", " they ").replace(" of mine", "")
        rows = rows.replace(" to me", " to them").replace(" by me", "")
        verb = self.action.verb.capitalize() if self.action else ""
        after = re.sub(r'"\{(\w+)\}"|\{(\w+)\}', r"`\1\2`", self.action.after) if self.action else ""
        if self.export:
            return self.export.about.replace("CALLED", self.listing.called).replace("ROWS", rows)
        return {
            "count": f"Count the {rows}.",
            "name": f"List the {self.listing.called}s of the {rows}.",
            "sort": f"List the {self.listing.called}s of the {rows}, by {self._field}, {self._order}.",
            "sum": f"Add up {self._field} over the {rows}.",
            "top": f"Return the {self.by.what if self.by else ''} {self._top} among the {rows}.",
            "extreme": f"Return the {self.listing.called} of the {self._end} by {self._field} among the {rows}.",
            "act": f"{verb} the {rows}{after} and return how many there were.",
            "pick": f"{verb} the {self._end} by {self._field} among the {rows}{after}; return 1.",
        }[self.kind].replace(" my ", " the supervisor's ")

    @property
    def _order(self) -> str:
        return "descending" if self.greatest else "ascending"

    @property
    def _top(self) -> str:
        return f"with the greatest sum of {self._field}" if self.measure else "that occurs most often"

    @property
    def _reading(self) -> str:
        listing = self.listing
        before = "".join(dict.fromkeys(one.prelude for one in self.conditions))
        if self.within:
            return f"{before}{self.within.finds}    {listing.rows} = {self.within.rows}\n"
        filters = "".join(f", {one.argument}={one.slot}" for one in self.conditions if one.argument)
        api = f"apis.{listing.app}.{listing.api}"
        given = f"access_token={self._token}{filters}"
        return f"{before}    {listing.rows} = all_pages({api}, {given})\n"

    @property
    def _test(self) -> str:
        return " and ".join(one.code for one in self.conditions if one.code).replace("ROW", self.listing.row)

    @property
    def _found(self) -> str:
        row, rows = self.listing.row, self.listing.rows
        return f"[{row} for {row} in {rows} if {self._test}]" if self._test else rows

    @property
    def _rest(self) -> str:
        row, found = self.listing.row, self._found
        where = f"for {row} in {self.listing.rows}" + (f" if {self._test}" if self._test else "")
        if self.kind == "count":
            return f"    return len({found})\n"
        if self.kind == "name":
            return f"    return [{self.listing.naming} {where}]\n"
        if self.export and self.export.row:
            return f"    found = {found}\n{self.export.code}    return len(found)\n"
        if self.export:
            return f"    names = [{self.listing.naming} {where}]\n{self.export.code}    return len(names)\n"
        if self.kind == "sum":
            total = f"sum({self._measured} {where})"
            return f"    return {f'round({total}, 2)' if self._field == 'amount' else total}\n"
        if self.kind == "sort":
            end = ", reverse=True" if self.greatest else ""
            order = f"found.sort(key=lambda {row}: {self._measured}{end})"
            return f"    found = {found}\n    {order}\n    return [{self.listing.naming} for {row} in found]\n"
        if self.by:
            key = self.by.field.replace("ROW", row)
            more = self._measured if self.measure else "1"
            return (
                f"    totals: dict = {{}}\n    for {row} in {found}:\n"
                f"        totals[{key}] = totals.get({key}, 0) + {more}\n"
                "    return max(totals, key=lambda key: totals[key])\n"
            )
        best = f"{'max' if self.greatest else 'min'}(found, key=lambda {row}: {self._measured})"
        if self.kind == "extreme":
            return f'    found = {found}\n    return {best}["{self.listing.name}"]\n'
        assert self.action
        given = self.action.arguments.replace("ROW", row)
        there = self.action.app or self.listing.app
        entry = f'    {there}_token = login(app="{there}")\n' if self.action.app else ""
        doing = f"apis.{there}.{self.action.api}(access_token={there}_token, {given})"
        start = f"    found = {found}\n{entry}"
        if self.kind == "act":
            return f"{start}    for {row} in found:\n        {doing}\n    return len(found)\n"
        return f"{start}    {row} = {best}\n    {doing}\n    return 1\n"
