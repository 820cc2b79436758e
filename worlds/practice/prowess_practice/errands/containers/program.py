"""The program of an errand on containers, what it does when a part is left out, and values for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from prowess_desk.engine.family import Draw, Function, Values
from prowess_desk.engine.tables import Origin

from prowess_practice.drills.direct_calls import function_of, looked_up
from prowess_practice.errands.containers.judges import Score
from prowess_practice.errands.containers.parts import opposite, said
from prowess_practice.errands.containers.shape import ContainerShape
from prowess_practice.errands.layout import WIDE, fitted


def program(shape: ContainerShape) -> str:
    """The function, as the expert writes it."""
    body = [*_opening(shape), *(_chosen(shape) if shape.judge else _first(shape))]
    return "\n".join([_head(shape), f'    """{_about(shape)}"""', *map(fitted, body)]) + "\n"


def scoring(shape: ContainerShape) -> str:
    """A function that says of each container what it holds, for drawing values that make sense."""
    inside, row = shape.inside, shape.kind.row
    measured = _measure(shape) if shape.measure else f'{inside.row}["{inside.dated}"]' if inside.dated else "1"
    worth = "sum(each)" if shape.by.sums else "len(each)"
    if shape.by.dates:
        worth = f'max(({inside.row}["{inside.dated}"] for {inside.row} in fitting), default="")'
    body = [
        *_opening(shape, acting=False),
        "    scores = []",
        f"    for {row} in {shape.kind.rows}:",
        f"        {inside.rows} = {_look(shape)}",
        f"        fitting = {_fitting(shape)}",
        f"        each = [{measured} for {inside.row} in fitting]",
        f"        scores.append(({_name(shape)}, len({inside.rows}), len(fitting), {worth}, tuple(each)))",
        "    return scores",
    ]
    head = ", ".join(f"{slot}=None" for slot in shape.slots)
    return "\n".join([f"def scoring({head}):", *body]) + "\n"


def reading(shape: ContainerShape) -> str:
    """A function that gives all containers, each with its rows."""
    pairs = f"[({shape.kind.row}, {_look(shape)}) for {shape.kind.row} in {shape.kind.rows}]"
    whole = f"    {shape.kind.rows} = {shape.kind.lists}"
    return "\n".join(["def reading():", *_tokens(shape), *_lines(shape.inside.prelude), whole, f"    return {pairs}\n"])


def edits(shape: ContainerShape) -> tuple[tuple[str, str], ...]:
    """The program with a part left out: each must come to something else."""
    source, found = program(shape), []
    if test := _test(shape):
        found.append((test, "True"))
        found += [(f" and {part}", "") for part in test.split(" and ")[1:]]
    if shape.judge:
        found += [(match[0], f"{match[1]}if True:") for match in re.finditer(r"( {8})if .*:(?=\n {12})", source)]
    else:
        greatest = shape.best is not None and shape.best.greatest
        found.append(("best = max(", "best = min(") if greatest else ("best = min(", "best = max("))
    if shape.filter and shape.filter.given:
        found.append((f", {shape.filter.given}", ""))
    elif _filtered(shape):
        found.append((f" if {_filtered(shape)}]", "]"))
    return tuple((old, new) for old, new in found if source.count(old) == 1)


def _head(shape: ContainerShape) -> str:
    kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in shape.slots.items()}
    given = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
    return fitted(f"def {shape.name}({given}) -> {_result(shape)}:")


def _result(shape: ContainerShape) -> str:
    if shape.ending == "sum" or (shape.ending == "number" and shape.summed):
        return "float" if shape.money else "int"
    return {"names": "list", "rows": "list", "best": "str", "extreme": "str"}.get(shape.ending, "int")


def _about(shape: ContainerShape) -> str:
    """One line on what it does."""
    inner = f"{shape.inside.rows} {shape.condition.about}" if shape.condition else shape.inside.rows
    where = f"{shape.kind.rows} {shape.by.about}".replace("INNERS", inner)
    deed = (shape.deed.about or said(shape.deed.says)) if shape.deed else ""
    scope = {"fitting": "these", "all": "all", "other": "the other"}.get(shape.scope, "")
    field = shape.measure.field if shape.measure else ""
    what = {
        "count": f"Count the {where}.",
        "names": f"List the {shape.kind.called}s of the {where}.",
        "sum": f"Add up {field} over the {shape.inside.rows} of the {where}.",
        "rows": f"List the {shape.inside.called}s of such {shape.inside.rows} in the {where}.",
        "act": f"{deed.replace('OBJ', f'the {where}')}; return how many.",
        "inner": f"{deed.replace('OBJ', f'{scope} {shape.inside.rows} of the {where}')}; return how many.",
        "export": f"Write down the {shape.kind.called}s of the {where}; return how many.",
        "report": f"Write down the {where}, with numbers; return how many.",
        "best": f"Return the {shape.kind.called} of the {shape.kind.row} {_only(where)}.",
        "number": f"Return that number for the {shape.kind.row} {_only(where)}.",
        "extreme": f"Return the first by {field} of the {shape.kind.row} {_only(where)}.",
    }[shape.ending]
    if shape.best and shape.deed:
        what = what.replace(f"the {where}", f"the {shape.kind.row} {_only(where)}")
    if len(what) > WIDE - 10:
        what = what.replace("; return how many", "")
    return what[0].upper() + what[1:]


def _only(where: str) -> str:
    return where.partition(" ")[2]


def _opening(shape: ContainerShape, *, acting: bool = True) -> list[str]:
    """All that is done before the containers are looked into."""
    parts = (shape.filter.condition if shape.filter else None, shape.condition)
    preludes = [shape.inside.prelude, *(one.prelude for one in parts if one)]
    if acting and shape.deed and shape.deed.skip:
        preludes.append(shape.deed.skip.prelude)
    lists = shape.kind.lists
    if shape.filter and shape.filter.given:
        lists = f"{lists[:-1]}, {shape.filter.given})"
    if _filtered(shape):
        lists = f"[{shape.kind.row} for {shape.kind.row} in {lists} if {_filtered(shape)}]"
    lines = [line for text in dict.fromkeys(preludes) for line in _lines(text)]
    return [*_tokens(shape), *lines, f"    {shape.kind.rows} = {lists}"]


def _tokens(shape: ContainerShape) -> list[str]:
    return [f'    {app}_token = login(app="{app}")' for app in (shape.kind.app, *shape.inside.apps)]


def _lines(text: str) -> list[str]:
    return text.splitlines()


def _filtered(shape: ContainerShape) -> str:
    condition = shape.filter.condition if shape.filter else None
    return condition.code.replace("ROW", shape.kind.row) if condition else ""


def _test(shape: ContainerShape) -> str:
    return shape.condition.code.replace("ROW", shape.inside.row) if shape.condition else ""


def _look(shape: ContainerShape, container: str = "") -> str:
    return shape.inside.look.replace("OUT", container or shape.kind.row)


def _fitting(shape: ContainerShape) -> str:
    row, rows = shape.inside.row, shape.inside.rows
    return f"[{row} for {row} in {rows} if {_test(shape)}]" if _test(shape) else rows


def _measure(shape: ContainerShape) -> str:
    assert shape.measure
    return shape.measure.of(shape.inside.row)


def _name(shape: ContainerShape, container: str = "") -> str:
    return shape.kind.name.replace("ROW", container or shape.kind.row)


def _key(shape: ContainerShape, container: str = "") -> str:
    return shape.kind.key.replace("ROW", container or shape.kind.row)


def _rounded(shape: ContainerShape, total: str) -> str:
    return f"round({total}, 2)" if shape.money else total


# Those that pass


def _chosen(shape: ContainerShape) -> list[str]:
    inside, judge = shape.inside, shape.judge
    assert judge
    listed = shape.ending in ("inner", "rows", "report") or judge.more or not judge.short
    fitting = "fitting" if _test(shape) else inside.rows
    test = judge.test if listed or not _test(shape) else judge.short
    lines = [f"        {inside.rows} = {_look(shape)}"]
    if listed and _test(shape):
        lines.append(f"        fitting = {_fitting(shape)}")
    if judge.sums:
        total = f"sum({_measure(shape)} for {inside.row} in {fitting})"
        lines.append(f"        total = {_rounded(shape, total)}")
    latest = f'max({inside.row}["{inside.dated}"] for {inside.row} in {fitting})'
    test = test.replace("FITTING", fitting).replace("ROWS", inside.rows).replace("TOTAL", "total")
    test = test.replace("EACH", f"{_test(shape)} for {inside.row} in {inside.rows}").replace("LATEST", latest)
    start, passing, end = _passing(shape, fitting)
    return [
        f"    {start}",
        f"    for {shape.kind.row} in {shape.kind.rows}:",
        *lines,
        f"        if {test}:",
        *(f"            {line}" for line in passing),
        *(f"    {line}" for line in end),
    ]


def _passing(shape: ContainerShape, fitting: str) -> tuple[str, list[str], list[str]]:
    """What stands before the loop, in it for a container that passes, and after it."""
    inside, row = shape.inside, shape.kind.row
    scoped = fitting if shape.scope == "fitting" else inside.rows
    if shape.ending == "count":
        return "count = 0", ["count += 1"], ["return count"]
    if shape.ending == "names":
        return "names = []", [f"names.append({_name(shape)})"], ["return names"]
    if shape.ending == "sum":
        added = f"result += sum({_measure(shape)} for {inside.row} in {inside.rows})"
        return "result = 0", [added], [f"return {_rounded(shape, 'result')}"]
    if shape.ending == "rows":
        named = inside.name.replace("ROW", inside.row)
        if inside.key:
            return "names = set()", [f"names.update({named} for {inside.row} in {fitting})"], ["return sorted(names)"]
        return "names = []", [f"names.extend({named} for {inside.row} in {fitting})"], ["return names"]
    if shape.ending in ("export", "report"):
        assert shape.export
        number = "len(FITTING)" if not shape.summed else "total:.2f" if shape.money else "total"
        line = f"f'{{{_name(shape)}}}: {{{number.replace('FITTING', fitting)}}}'"
        named = _name(shape) if shape.ending == "export" else line
        code = [one.removeprefix("    ") for one in _lines(shape.export.code)]
        ready = [one for one in code if one != f'{shape.kind.app}_token = login(app="{shape.kind.app}")']
        return "names = []", [f"names.append({named})"], ["names.sort()", *ready, "return len(names)"]
    assert shape.deed
    if shape.ending == "act":
        return _acting(shape, [row], f"{shape.kind.rows}", row)
    if shape.scope == "other":
        other = [f"others = [{inside.row} for {inside.row} in {inside.rows} if {inside.row} not in fitting]"]
        return _acting(shape, ["others"], "others", inside.row, other)
    return _acting(shape, [scoped], scoped, inside.row)


def _acting(
    shape: ContainerShape, what: list[str], rows: str, row: str, before: list[str] | None = None
) -> tuple[str, list[str], list[str]]:
    """The calls: right away where they need the container, else once all containers have been looked into."""
    deed = shape.deed
    assert deed
    call = deed.call.replace("ROW", row).replace("OUT", shape.kind.row)
    skip = opposite(deed.skip.test.replace("ROW", row)) if deed.skip else ""
    entry = [] if deed.app in (shape.kind.app, *shape.inside.apps) else [f'{deed.app}_token = login(app="{deed.app}")']
    ready = [*entry, *(line.removeprefix("    ") for line in _lines(deed.before))]
    if shape.ending == "inner" and "OUT" in deed.call:
        loop = [f"for {row} in {what[0]}:", f"    {call}", f"count += len({what[0]})"]
        return "count = 0", [*(before or []), *loop], ["return count"]
    if shape.ending == "inner" and deed.key:
        key = deed.key.replace("ROW", row)
        start, gather = "found = {}", f"found.update({{{key}: {row} for {row} in {what[0]}}})"
        source = "found.values()"
    else:
        gather = f"found.extend({what[0]})" if shape.ending == "inner" else f"found.append({row})"
        start, source = "found = []", "found"
    if skip:
        ready = [f"fresh = [{row} for {row} in {source} if {skip}]", *ready]
        source = "fresh"
    end = [*ready, f"for {row} in {source}:", f"    {call}", f"return len({source.removesuffix('.values()')})"]
    return start, [*(before or []), gather], end


# The first


def _first(shape: ContainerShape) -> list[str]:
    inside, best, row = shape.inside, shape.best, shape.kind.row
    assert best
    held = f"{inside.rows}_of"
    worth = _worth(shape, f"{held}[{_key(shape)}]")
    lines = [f"    {held} = {{}}", f"    for {row} in {shape.kind.rows}:"]
    if _test(shape):
        lines += [f"        {inside.rows} = {_look(shape)}", f"        {held}[{_key(shape)}] = {_fitting(shape)}"]
    else:
        lines.append(f"        {held}[{_key(shape)}] = {_look(shape)}")
    end = "max" if best.greatest else "min"
    lines.append(f"    best = {end}({shape.kind.rows}, key=lambda {row}: {worth})")
    mine = f"{held}[{_key(shape, 'best')}]"
    if shape.ending == "best":
        return [*lines, f"    return {_name(shape, 'best')}"]
    if shape.ending == "number":
        return [*lines, f"    return {_rounded(shape, _worth(shape, mine)) if best.sums else _worth(shape, mine)}"]
    if shape.ending == "extreme":
        top = f"max({mine}, key=lambda {inside.row}: {_measure(shape)})"
        return [*lines, f"    top = {top}", f"    return {inside.name.replace('ROW', 'top')}"]
    return [*lines, *_acting_first(shape, mine)]


def _worth(shape: ContainerShape, held: str) -> str:
    best, inside = shape.best, shape.inside
    assert best
    measured = _measure(shape) if best.sums else f'{inside.row}["{inside.dated}"]'
    return best.worth.replace("FITTING", held).replace("MEASURE", f"{measured} for {inside.row} in {held}")


def _acting_first(shape: ContainerShape, mine: str) -> list[str]:
    deed, inside = shape.deed, shape.inside
    assert deed
    entry = [] if deed.app in (shape.kind.app, *inside.apps) else [f'    {deed.app}_token = login(app="{deed.app}")']
    ready = [*entry, *_lines(deed.before)]
    if shape.ending == "act":
        call = f"    {deed.call.replace('ROW', 'best')}"
        if deed.skip and deed.skip.prelude:
            return [*ready, f"    if {opposite(deed.skip.test.replace('ROW', 'best'))}:", f"    {call}", "    return 1"]
        return [*ready, call, "    return 1"]
    row = inside.row
    lines = []
    if shape.scope == "all" and _test(shape):
        lines, mine = [f"    {inside.rows} = {_look(shape, 'best')}"], inside.rows
    if shape.scope == "other":
        whole = [f"    {inside.rows} = {_look(shape, 'best')}"]
        lines = [*whole, f"    others = [{row} for {row} in {inside.rows} if {row} not in {mine}]"]
        mine = "others"
    if deed.skip:
        skip = opposite(deed.skip.test.replace("ROW", row))
        lines, mine = [*lines, f"    fresh = [{row} for {row} in {mine} if {skip}]"], "fresh"
    call = deed.call.replace("ROW", row).replace("OUT", "best")
    return [*lines, *ready, f"    for {row} in {mine}:", f"        {call}", f"    return len({mine})"]


def values_of(shape: ContainerShape) -> Callable[[Draw], Values | None]:
    """What draws values for a shape; it sets nothing up."""

    def values(draw: Draw) -> Values | None:
        found = _described(shape, draw)
        if found is None:
            return None
        scores = _scores(shape, draw, found)
        if shape.judge and shape.judge.slot:
            found[shape.judge.slot] = shape.judge.limit(draw.rng, scores)
        if shape.best and not _clear(shape, scores):
            return None
        if shape.deed and shape.deed.slot:
            found[shape.deed.slot] = shape.deed.choose(draw)
        if shape.export and shape.export.slot:
            found[shape.export.slot] = shape.export.choose(draw)
        if any(found[slot] is None for slot in shape.slots):
            return None
        return {slot: _typed(found[slot], kind) for slot, kind in shape.slots.items()}

    return values


def _typed(value: Any, kind: type) -> Any:
    return round(float(value), 2) if kind is float else kind(value)


def _described(shape: ContainerShape, draw: Draw) -> dict[str, Any] | None:
    """Values that say which containers are looked at, and which rows count."""
    pairs = _pairs(function_of(reading(shape)), draw.state.origin, draw.me.id)
    if len(pairs) < 2:
        return None
    found: dict[str, Any] = {}
    if shape.filter and shape.filter.condition and shape.filter.condition.slot:
        found[shape.filter.condition.slot] = shape.filter.condition.pick(draw.rng, [one for one, _ in pairs])
    if shape.condition and shape.condition.slot:
        rows = [row for _, rows in pairs for row in rows]
        found[shape.condition.slot] = shape.condition.pick(draw.rng, rows) if rows else None
    return None if any(value is None for value in found.values()) else found


def _scores(shape: ContainerShape, draw: Draw, values: Values) -> list[Score]:
    given = {slot: values.get(slot) for slot in shape.slots}
    scored = looked_up(function_of(scoring(shape)), draw.state.origin, draw.me.id, given)
    return [
        Score(name=name, rows=rows, fitting=fitting, worth=_even(worth), each=each)
        for name, rows, fitting, worth, each in scored
    ]


def _even(worth: Any) -> Any:
    return round(worth, 2) if isinstance(worth, float) else worth


def _clear(shape: ContainerShape, scores: Sequence[Score]) -> bool:
    """Whether it is clear which container comes first, and which of its rows, where that is asked."""
    assert shape.best
    order = sorted(scores, key=shape.best.of, reverse=shape.best.greatest)
    if len(order) < 2 or shape.best.of(order[0]) == shape.best.of(order[1]):
        return False
    if shape.ending == "extreme":
        ends = sorted(order[0].each, reverse=True)
        return len(ends) > 1 and ends[0] != ends[1]
    return not shape.best.greatest or order[0].fitting > 0


@lru_cache(maxsize=4096)
def _pairs(function: Function, origin: Origin, me: int) -> tuple[Any, ...]:
    """Everybody's containers are read once: values are drawn from them over and over."""
    return tuple(looked_up(function, origin, me, {}))
