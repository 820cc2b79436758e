"""The program of an errand on people: it reads rows, gathers people, looks them up, and acts or answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.errands.layout import WIDE, fitted
from prowess_practice.errands.people.plan import PeoplePlan
from prowess_practice.errands.people.scene import flush, more_of, strangers
from prowess_practice.errands.people.source import PeopleSource, braced

_MANY = {
    "email": "emails",
    "phone_number": "phone_numbers",
    "name": "names",
    "contact_id": "contact_ids",
    "birthday": "birthdays",
    "address": "addresses",
}
_CONTACTS = "    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gathered:
    """The people, once a program has them."""

    code: str
    people: str
    """The variable that holds all of them."""
    loop: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    """How each field is got."""
    first: str = ""
    """A line that begins what is done for each."""


def program(plan: PeoplePlan) -> str:
    """The function, as the expert writes it."""
    kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in plan.slots.items()}
    head = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
    gathered = _gathered(plan)
    body = f"{_reading(plan)}{gathered.code}{_outcome(plan, gathered)}"
    start = f"def {plan.name}({head}) -> {plan.outcome.returns}:\n"
    if len(start) > 121:
        start = f"def {plan.name}(\n    {head}\n) -> {plan.outcome.returns}:\n"
    return f'{start}    """{plan.about}"""\n{_once(body)}'


def probe(plan: PeoplePlan) -> str:
    """A function that gives the sum or number of each person."""
    head = ", ".join(f"{slot}=None" for slot in plan.slots)
    table = "counts" if plan.counts else "totals"
    return f"def probe({head}):\n{_once(_reading(plan))}{_table(plan)}    return {table}\n"


def finder(plan: PeoplePlan) -> str:
    """A function that gives the names of the people whose rows fit."""
    head = ", ".join(f"{slot}=None" for slot in plan.slots)
    plain = replace(plan, gather="each", outcome=replace(plan.outcome, needs=("name",), uses="", slots=()))
    return f"def finder({head}):\n{_once(_reading(plain))}{_each(plain).code}    return names\n"


def reader(source: PeopleSource) -> str:
    """A function that gives the rows, for drawing values that they have."""
    slot = f"{source.within.slot}=None" if source.within else ""
    tests = [source.but] if source.but and not source.inner else []
    rows = " ".join(source.comprehension(source.row, tests, [])[: 2 + len(tests)])
    entry = f'    {source.app}_token = login(app="{source.app}")\n'
    return f"def reader({slot}):\n{entry}{source.read(())}    return [{rows}]\n"


def matters(plan: PeoplePlan) -> tuple[tuple[str, str], ...]:
    """Edits of the program that drop one of its parts."""
    found: list[tuple[str, str]] = []
    if plan.filter:
        given = ", relationship=relationship"
        found.append((given, "") if plan.narrowed else (_filter_test(plan), "True"))
    for one in plan.conditions:
        found.append(
            (one.code.replace("ROW", plan.source.row), "True") if one.code else (f", {one.argument}={one.slot}", "")
        )
    found += {
        "rich": [("total > more_than_total", "True")],
        "often": [("count >= least_count", "True")],
        "top": [("max(totals", "min(totals")],
        "bottom": [("min(totals", "max(totals")],
        "most": [("max(counts", "min(counts")],
    }.get(plan.gather, [])
    tokens = _tokens(plan, _gathered(plan))
    found += [(_filled(old, tokens), _filled(new, tokens)) for old, new in plan.outcome.matters]
    return tuple(found[:3])


def _once(body: str) -> str:
    """Who one is oneself is asked only once."""
    lines: list[str] = []
    for line in body.splitlines(keepends=True):
        if not (line.startswith("    my_email = ") and line in lines):
            lines.append(line)
    return "".join(lines)


def _reading(plan: PeoplePlan) -> str:
    logins = "".join(f'    {app}_token = login(app="{app}")\n' for app in plan.apps)
    before = ""
    if plan.filter:
        before = plan.filter.source.read(plan.filter.conditions)
        if not plan.narrowed:
            other = plan.filter.source
            parts = other.comprehension(other.field("name"), other.tests(plan.filter.conditions), _but(other))
            before += braced(_set_of(plan), parts, "{}")
    return f"{logins}{before}{plan.source.read(plan.conditions)}"


def _but(source: PeopleSource) -> list[str]:
    return [source.but] if source.but else []


def _set_of(plan: PeoplePlan) -> str:
    """The variable with the names of those of the filter."""
    assert plan.filter
    word = plan.filter.source.word
    return {"contacts": "known", "members": "fellows"}.get(word, word)


def _filter_test(plan: PeoplePlan) -> str:
    assert plan.filter
    return f"{plan.source.field('name')} {'in' if plan.filter.yes else 'not in'} {_set_of(plan)}"


def _tests(plan: PeoplePlan) -> tuple[list[str], list[str]]:
    """The tests of a row, and those of the person in it."""
    inner = _but(plan.source) + ([_filter_test(plan)] if plan.filter and not plan.narrowed else [])
    return plan.source.tests(plan.conditions), inner


def _table(plan: PeoplePlan) -> str:
    """Lines that add up or count by person."""
    source, key = plan.source, plan.key
    table, more = ("counts", "1") if plan.counts else ("totals", source.amount)
    other = next((one for one in plan.outcome.needs if one != "name"), "") if plan.mode == "pair" else ""
    code = f"    {table}: dict = {{}}\n" + (f"    {_MANY[other]}: dict = {{}}\n" if other else "")
    tests, inner = _tests(plan)
    if not source.inner:
        tests = [*tests, *inner]
    depth = 4
    steps = [f"for {source.row} in {source.rows}:", *_ifs(tests)]
    if source.inner:
        steps += [f"{source.inner}:", *_ifs(inner)]
    for step in steps:
        code += f"{' ' * depth}{step}\n"
        depth += 4
    pad = " " * depth
    code += f"{pad}{key} = {source.field(key)}\n"
    if other:
        code += f"{pad}{_MANY[other]}[{key}] = {source.field(other)}\n"
    return f"{code}{pad}{table}[{key}] = {table}.get({key}, 0) + {more}\n"


def _ifs(tests: list[str]) -> list[str]:
    """One test of all, or two where the line would be long."""
    if len(" and ".join(tests)) > 100:
        return [f"if {test}:" for test in tests]
    return [f"if {' and '.join(tests)}:"] if tests else []


def _gathered(plan: PeoplePlan) -> _Gathered:
    return _each(plan) if plan.gather == "each" else _single(plan) if plan.single else _tabled(plan)


def _each(plan: PeoplePlan) -> _Gathered:
    source, key = plan.source, plan.key
    tests = _tests(plan)
    if plan.mode == "rows":
        code = braced("found", source.comprehension(source.row, *tests), "[]")
        return _Gathered(code=code, people="found", loop="for contact in found:", fields=_of_contact(source.fields))
    if plan.mode == "pair":
        other = next(one for one in plan.outcome.needs if one != "name")
        parts = source.comprehension(f"{source.field('name')}: {source.field(other)}", *tests)
        return _Gathered(
            code=braced(_MANY[other], parts, "{}"),
            people=_MANY[other],
            loop=f"for name, {other} in {_MANY[other]}.items():",
            fields={"name": "name", other: other},
        )
    code = braced(_MANY[key], source.comprehension(source.field(key), *tests), "{}")
    if plan.mode == "key":
        return _Gathered(code=code, people=_MANY[key], loop=f"for {key} in {_MANY[key]}:", fields={key: key})
    return _looked_up(plan, code, _MANY[key])


def _tabled(plan: PeoplePlan) -> _Gathered:
    key, value, table = plan.key, *(("count", "counts") if plan.counts else ("total", "totals"))
    code = _table(plan)
    if plan.gather in ("rich", "often"):
        test = "total > more_than_total" if plan.gather == "rich" else "count >= least_count"
        chosen = "large" if plan.gather == "rich" else "frequent"
        code += braced(chosen, [f"{key}: {value}", f"for {key}, {value} in {table}.items()", f"if {test}"], "{}")
        table = chosen
    if plan.mode == "join":
        found = _looked_up(plan, code, table)
        first = f'{value} = {table}[contact["{key}"]]' if plan.outcome.uses else ""
        return _Gathered(code=found.code, people="found", loop=found.loop, fields=found.fields, first=first)
    fields = {key: key} | {one: f"{_MANY[one]}[name]" for one in plan.outcome.needs if one != key}
    loop = f"for {key}, {value} in {table}.items():" if plan.outcome.uses else f"for {key} in {table}:"
    return _Gathered(code=code, people=table, loop=loop, fields=fields)


def _single(plan: PeoplePlan) -> _Gathered:
    key, value, table = plan.key, *(("count", "counts") if plan.counts else ("total", "totals"))
    best = f"{'min' if plan.gather == 'bottom' else 'max'}({table}, key={table}.get)"
    code = _table(plan)
    if plan.mode == "join":
        code += f"    chosen = {best}\n"
        code += _CONTACTS if not (plan.filter and plan.filter.source.word == "contacts") else ""
        code += f'    contact = next(one for one in contacts if one["{key}"] == chosen)\n'
        code += f"    {value} = {table}[chosen]\n" if plan.outcome.uses else ""
        return _Gathered(code=code, people="", fields=_of_contact(plan.outcome.needs))
    code += f"    {key} = {best}\n" + (f"    {value} = {table}[{key}]\n" if plan.outcome.uses else "")
    fields = {key: key} | {one: f"{_MANY[one]}[name]" for one in plan.outcome.needs if one != key}
    return _Gathered(code=code, people="", fields=fields)


def _looked_up(plan: PeoplePlan, code: str, among: str) -> _Gathered:
    """The contacts who are among the people."""
    code += "" if plan.narrowed else _CONTACTS
    key = plan.key
    code += braced("found", ["contact", "for contact in contacts", f'if contact["{key}"] in {among}'], "[]")
    return _Gathered(code=code, people="found", loop="for contact in found:", fields=_of_contact(plan.outcome.needs))


def _of_contact(fields: tuple[str, ...]) -> dict[str, str]:
    return {one: f'contact["{one}"]' for one in fields}


def _tokens(plan: PeoplePlan, gathered: _Gathered) -> dict[str, str]:
    """What stands for the words in angle brackets."""
    value = "count" if plan.counts else "total"
    listed = f"sorted({gathered.people})"
    found = {**gathered.fields, "total": value, "people": gathered.people}
    for one, many in _MANY.items():
        expression = gathered.fields.get(one, "")
        inside = expression.startswith("contact[")
        found[many] = f"sorted({expression} for contact in {gathered.people})" if inside else listed
    shown = "{count}" if plan.counts else "{total:.2f}" if plan.source.unit.adds == "amounts" else "{total}"
    found["shown"] = shown
    found["lines"] = f'[f"{{name}}: {shown}" for name, {value} in sorted({gathered.people}.items())]'
    found["is"] = "== name" if plan.single else f"in {gathered.people}"
    return found


def _filled(line: str, tokens: dict[str, str]) -> str:
    return re.sub(r"<(\w+)>", lambda found: tokens[found[1]], line)


def _outcome(plan: PeoplePlan, gathered: _Gathered) -> str:
    outcome, tokens = plan.outcome, _tokens(plan, gathered)
    code = "".join(f"{fitted(_filled(line, tokens), WIDE)}\n" for line in outcome.before.splitlines())
    if outcome.each:
        pad = "        " if gathered.loop else "    "
        code += f"    {gathered.loop}\n" if gathered.loop else ""
        lines = ([gathered.first] if gathered.first else []) + [*outcome.each]
        code += "".join(f"{fitted(pad + _filled(line, tokens), WIDE)}\n" for line in lines)
    code += "".join(f"{fitted(_filled(line, tokens), WIDE)}\n" for line in outcome.after.splitlines())
    result = outcome.result or ("1" if plan.single else "len(<people>)")
    return f"{code}    return {_filled(result, tokens)}\n"


TRIES = 6
"""Values tried with one supervisor."""
LEAST = ("rich", "often", "top", "bottom", "most")
"""Ways to take people that need two of them at least."""


def drawing(plan: PeoplePlan) -> Callable[[Draw], Values | None]:
    """What draws the values of an errand."""

    def values(draw: Draw) -> Values | None:
        _mix(plan, draw)
        found = _rows(plan, draw)
        if found is None:
            return None
        found |= {slot.name: slot.choose(draw) for slot in plan.outcome.slots}
        if plan.gather in LEAST:
            found |= _bound(plan, draw, found)
        if any(found.get(slot) is None for slot in plan.slots):
            return None
        if plan.outcome.pays:
            flush(draw)
        return found

    return values


def _rows(plan: PeoplePlan, draw: Draw) -> dict[str, Any] | None:
    """Values for the conditions on the rows, such that there are people of whom all is true."""
    found: dict[str, Any] = {}
    listed = []
    for source, conditions in plan.readings:
        if source.within:
            found[source.within.slot] = source.within.choose(draw)
            if found[source.within.slot] is None:
                return None
        given = {source.within.slot: found[source.within.slot]} if source.within else {}
        listed.append((conditions, _asked(reader(source), draw, given)))
    for _ in range(TRIES):
        for conditions, rows in listed:
            found |= {one.slot: one.pick(draw.rng, rows) for one in conditions if one.slot}
        if None in found.values():
            return None
        names = _asked(finder(plan), draw, {slot: found.get(slot) for slot in plan.slots})
        if len(names) > (plan.gather in LEAST):
            return found
    return None


def _mix(plan: PeoplePlan, draw: Draw) -> None:
    """Put strangers among the people of the rows, and more rows where there are few."""
    for source, _ in plan.readings:
        if source.more is None:
            continue
        if source.scarce:
            more_of(draw, source.more)
        for person in strangers(draw, draw.rng.randint(2, 6)) if plan.strange else ():
            for _ in range(draw.rng.randint(1, 2)):
                source.more(draw, person)
    if plan.outcome.stage:
        more_of(draw, plan.outcome.stage)


def _asked(source: str, draw: Draw, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives."""
    function = function_of(source)
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, values)
    return played(function, draw.state, draw.me, values)


def _bound(plan: PeoplePlan, draw: Draw, values: Mapping[str, Any]) -> dict[str, Any]:
    """A bound between the sums or numbers of the people; none where the greatest or smallest is not one person's."""
    if any(values.get(slot) is None for slot in plan.slots if slot not in ("more_than_total", "least_count")):
        return {}
    try:
        table = _asked(probe(plan), draw, {slot: values.get(slot) for slot in plan.slots})
    except (ApiError, LookupError, StopIteration, TypeError):
        return {"more_than_total": None, "least_count": None}
    ranked = sorted(table.values())
    none = dict.fromkeys(plan.slots)
    if len(ranked) < 2:
        return none
    if plan.single:
        best, next_to = ranked[:2] if plan.gather == "bottom" else ranked[-2:]
        return {} if abs(best - next_to) > 0.005 else none
    if plan.gather == "often":
        return {"least_count": draw.rng.choice(sorted({*ranked})[1:] or [None])}
    chosen = int(draw.rng.choice(ranked[:-1]))
    if plan.source.unit.adds == "durations":
        return {"more_than_total": chosen}
    return {"more_than_total": float(chosen)} if all(abs(value - chosen) > 0.005 for value in ranked) else none
