"""Errands on two containers that a task names: what they have in common, what one of them lacks, which has more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.direct_calls import function_of, played
from prowess_practice.drills.exports import EXPORTS, Export
from prowess_practice.drills.listing import Measure
from prowess_practice.errands.containers.parts import ContainerDeed, ContainerKind, opposite, said
from prowess_practice.errands.containers.twins import TWINS, Names, Twin
from prowess_practice.errands.containers.wordings import DELIVERIES
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.layout import fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerPair:
    """One errand on two containers."""

    twin: Twin
    ending: str
    """`count`, `names`, `act` or `export`: of what they share or one has alone. `more`, `gap` or `pick`: which of them
    has more rows of a kind, by how much, and what is done to that one."""
    alone: bool = False
    condition: Condition | None = None
    measure: Measure | None = None
    deed: ContainerDeed | None = None
    export: Export | None = None

    @property
    def asks(self) -> bool:
        return self.ending in ("count", "names", "more", "gap")

    @property
    def compared(self) -> bool:
        """Whether numbers are compared, not rows."""
        return self.ending in ("more", "gap", "pick")

    @property
    def name(self) -> str:
        twin = self.twin
        what = f"{'lacking' if self.alone else 'common'}_{twin.inside.word}_of_two_{twin.kind.word}"
        if self.compared:
            field = f"_{self.measure.field}" if self.measure else ""
            condition = f"_{self.condition.word}" if self.condition else ""
            what = f"{twin.kind.row}_with_more_{twin.inside.word}{condition}{field}"
        start = {"count": "count", "names": "list", "more": "choose", "gap": "gap_to"}.get(self.ending, "")
        deed = self.deed.word if self.deed else f"{self.export.word}_of" if self.export else ""
        return f"{start or deed}_{what}"

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {"first": str, "second": str}
        if self.condition and self.condition.slot:
            found[self.condition.slot] = self.condition.kind
        if self.deed and self.deed.slot:
            found[self.deed.slot] = self.deed.kind
        if self.export and self.export.slot:
            found[self.export.slot] = str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        others = [one.app for one in (self.condition, self.deed, self.export) if one and one.app]
        return tuple(dict.fromkeys((self.twin.kind.app, *self.twin.inside.apps, *others)))


def pair_wordings(pair: ContainerPair) -> tuple[str, ...]:
    texts = _of_numbers(pair) if pair.compared else _of_rows(pair)
    for more in (pair.deed.skip.says if pair.deed and pair.deed.skip else "", pair.twin.inside.remark):
        texts = tuple(f"{text} {more}" for text in texts) if more else texts
    return texts


def _of_rows(pair: ContainerPair) -> tuple[str, ...]:
    one, two, three = pair.twin.alone if pair.alone else pair.twin.shared
    called = pair.twin.inside.called
    if pair.ending == "count":
        return (
            f"How many {one} are there?",
            f"Count the {two}, and tell me the number.",
            f"I would like to know the number of {three}.",
        )
    if pair.ending == "names":
        return (
            f"Which {one} are there? Answer with a list of the {called}s.",
            f"List the {called}s of the {two}.",
            f"I want the {called} of each of the {three}, as a list.",
        )
    if pair.export:
        lines = f"the {called}s, in alphabetical order," if pair.export.word != "task" else f"the {called}s"
        deliver = DELIVERIES[pair.export.word].replace("LINES", lines)
        return (
            f"Look for {one}, and {deliver}.",
            f"It is about the {two}: {deliver}.",
            f"Consider the {three}. Please {deliver}.",
        )
    assert pair.deed
    does = pair.deed.says.replace("OBJ", "each of them")
    return (
        f"Look for {one}, and {does}.",
        f"It is about the {two}: {does}.",
        f"Consider the {three}. Please {does}, and change nothing else.",
    )


def _of_numbers(pair: ContainerPair) -> tuple[str, ...]:
    twin, inside = pair.twin, pair.twin.inside
    phrase = f" {pair.condition.says}" if pair.condition else ""
    many = f"{inside.many}{phrase}"
    left, right = f'{twin.thing} "{{first}}"', f'{twin.thing} "{{second}}"'
    both = f'{twin.thing}s "{{first}}" and "{{second}}"'
    called = twin.kind.called
    if pair.measure:
        adds = f"{pair.measure.sum} of the {many}"
        first = f"Where do the {adds} add up to more, {inside.prep} {left} or {inside.prep} {right}?"
        second = f"Add up the {adds} {inside.prep} {left}, and those {inside.prep} {right}."
        third = f"the one of {both} {inside.prep} {twin.kind.which} the {adds} add up to more"
        far = f"Add up the {adds}, once {inside.prep} {left} and once {inside.prep} {right}"
    else:
        first = f"Are there more {many} {inside.prep} {left} or {inside.prep} {right}?"
        second = f"Count the {many} {inside.prep} {left}, and those {inside.prep} {right}."
        third = f"the one of {both} {inside.prep} {twin.kind.which} there are more {many}"
        far = f"Count the {many}, once {inside.prep} {left} and once {inside.prep} {right}"
    if pair.ending == "more":
        return (
            f"{first} Answer with the {called}.",
            f"{second} Which of the two is ahead? I want the {called}.",
            f"Tell me the {called} of {third}.",
        )
    if pair.ending == "gap":
        return (
            f"{far}: how far are the two numbers apart? Give me the difference as a positive number.",
            f"{second} I want the difference between the two, and not as a negative number.",
            f"Look at {third}: how many more is that than {inside.prep} the other one?"
            if not pair.measure
            else f"Look at {third}: how much more is that than {inside.prep} the other one?",
        )
    assert pair.deed
    it = twin.kind.pronoun
    return (
        f"{second} Take the one with the greater number, and {pair.deed.says.replace('OBJ', it)}.",
        f"Find {third}, and {pair.deed.says.replace('OBJ', it)}.",
        f"{first} Please {pair.deed.says.replace('OBJ', 'that one')}, and leave the other as it is.",
    )


_WRITTEN = tuple(export for export in EXPORTS if export.word in DELIVERIES)


def pairs() -> Iterator[Errand]:
    """All of them."""
    seen: set[str] = set()
    for turn, twin in enumerate(TWINS):
        for pair in _made(twin, turn):
            if pair.name not in seen:
                seen.add(pair.name)
                yield Errand(
                    name=pair.name,
                    apps=pair.apps,
                    slots=pair.slots,
                    source=_program(pair),
                    wordings=tuple(text[0].upper() + text[1:] for text in pair_wordings(pair)),
                    values=_values(pair),
                    matters=_edits(pair),
                    asks=pair.asks,
                )


def _made(twin: Twin, turn: int) -> Iterator[ContainerPair]:
    if twin.key:
        for alone, deeds in ((False, twin.shared_deeds), (True, twin.alone_deeds)):
            yield ContainerPair(twin=twin, ending="count", alone=alone)
            yield ContainerPair(twin=twin, ending="names", alone=alone)
            for deed in deeds:
                yield ContainerPair(twin=twin, ending="act", alone=alone, deed=deed)
            export = _WRITTEN[(2 * turn + alone) % len(_WRITTEN)]
            yield ContainerPair(twin=twin, ending="export", alone=alone, export=export)
    if twin.counts:
        slotted = [one for one in twin.inside.conditions if one.slot and not one.coarse]
        for n, condition in enumerate(slotted[:2]):
            yield ContainerPair(twin=twin, ending=("more", "gap")[n % 2], condition=condition)
        for measure in twin.inside.measures:
            yield ContainerPair(twin=twin, ending="more", measure=measure)
            yield ContainerPair(twin=twin, ending="gap", measure=measure, condition=slotted[turn % len(slotted)])
        for n, deed in enumerate(twin.kind.deeds[:3]):
            if not (deed.skip and deed.skip.prelude):
                yield ContainerPair(twin=twin, ending="pick", condition=slotted[(turn + n) % len(slotted)], deed=deed)


# The program


def _program(pair: ContainerPair) -> str:
    kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in pair.slots.items()}
    given = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
    money = pair.measure is not None and pair.measure.field == "amount"
    result = {"names": "list", "more": "str", "gap": "float" if money else "int"}.get(pair.ending, "int")
    body = [*_opening(pair), *(_comparing(pair) if pair.compared else _matching(pair))]
    return "\n".join([fitted(f"def {pair.name}({given}) -> {result}:"), f'    """{_about(pair)}"""', *body]) + "\n"


def _about(pair: ContainerPair) -> str:
    rows, things = pair.twin.inside.rows, pair.twin.kind.rows
    if pair.compared:
        more = f"{rows} {pair.condition.about}" if pair.condition else rows
        by = f"the total {pair.measure.field} of {more}" if pair.measure else f"the number of {more}"
        return {
            "more": f"Return which of two {things} is ahead by {by}.",
            "gap": f"Return how far two {things} are apart by {by}.",
        }.get(pair.ending) or f"{_does(pair, f'the one of two {things} with more {more}')}."
    what = f"{rows} that {'the second lacks' if pair.alone else 'the second has, too'}"
    return {
        "count": f"Count the {what}, given the names of two {things}.",
        "names": f"List the {what}, given the names of two {things}.",
    }.get(pair.ending) or f"{_does(pair, f'the {what}')}, given two {things}; return how many."


def _does(pair: ContainerPair, thing: str) -> str:
    deed = (pair.deed.about or said(pair.deed.says)) if pair.deed else "write down OBJ"
    deed = deed.replace("OBJ", thing)
    return deed[0].upper() + deed[1:]


def _opening(pair: ContainerPair) -> list[str]:
    kind, inside = pair.twin.kind, pair.twin.inside
    skip = pair.deed.skip if pair.deed else None
    preludes = [inside.prelude, pair.condition.prelude if pair.condition else "", skip.prelude if skip else ""]
    lines = [f'    {app}_token = login(app="{app}")' for app in (kind.app, *inside.apps)]
    lines += [line for text in preludes for line in text.splitlines()]
    return lines if _direct(kind) else [*lines, fitted(f"    {kind.rows} = {kind.lists}")]


def _direct(kind: ContainerKind) -> bool:
    """Whether a container's name is all that is needed to look into it."""
    return kind.key == kind.name


def _look(twin: Twin, container: str) -> str:
    held = twin.kind.key.replace("ROW", "OUT") if _direct(twin.kind) else "OUT"
    return twin.inside.look.replace(held, container)


def _matching(pair: ContainerPair) -> list[str]:
    kind, inside, row = pair.twin.kind, pair.twin.inside, pair.twin.inside.row
    named = kind.name.replace("ROW", kind.row)
    lines, ends = [], {"left": "first", "right": "second"}
    for side, slot in ends.items():
        if not _direct(kind):
            lines.append(f"    {side} = next({kind.row} for {kind.row} in {kind.rows} if {named} == {slot})")
            ends[side] = side
    lines.append(f"    {inside.rows} = {_look(pair.twin, ends['left'])}")
    lines.append(f"    others = {_look(pair.twin, ends['right'])}")
    key = pair.twin.key.replace("ROW", row)
    lines.append("    known = set(others)" if key == row else f"    known = {{{key} for {row} in others}}")
    test = f"{key} {'not ' if pair.alone else ''}in known"
    lines.append(f"    found = [{row} for {row} in {inside.rows} if {test}]")
    return list(map(fitted, [*lines, *_ending(pair, ends["left"], ends["right"])]))


def _ending(pair: ContainerPair, left: str, right: str) -> list[str]:
    inside, row = pair.twin.inside, pair.twin.inside.row
    named = inside.name.replace("ROW", row)
    if pair.ending == "count":
        return ["    return len(found)"]
    if pair.ending == "names":
        return [f"    return [{named} for {row} in found]"]
    if pair.export:
        entry = f'    {pair.twin.kind.app}_token = login(app="{pair.twin.kind.app}")'
        code = [line for line in pair.export.code.splitlines() if line != entry]
        return [f"    names = sorted({named} for {row} in found)", *code, "    return len(names)"]
    deed = pair.deed
    assert deed
    lines, rows = [], "found"
    if deed.skip:
        test = opposite(deed.skip.test.replace("ROW", row))
        lines, rows = [f"    fresh = [{row} for {row} in found if {test}]"], "fresh"
    if "artist_id" in deed.call:
        lines, rows = [f'    fresh = {{{row}["artist_id"]: {row} for {row} in found}}.values()', *lines], "fresh"
        lines[1:] = [line.replace("in found", "in fresh") for line in lines[1:]]
    if deed.app not in (pair.twin.kind.app, *inside.apps) and not (deed.skip and "login" in deed.skip.prelude):
        lines.append(f'    {deed.app}_token = login(app="{deed.app}")')
    call = deed.call.replace("ROW", row).replace("OUT", left).replace("RIGHT", right)
    return [
        *lines,
        *deed.before.splitlines(),
        f"    for {row} in {rows}:",
        f"        {call}",
        f"    return len({rows})",
    ]


def _comparing(pair: ContainerPair) -> list[str]:
    kind, inside, row = pair.twin.kind, pair.twin.inside, pair.twin.inside.row
    test = f" if {pair.condition.code.replace('ROW', row)}" if pair.condition else ""
    measured = pair.measure.of(row) if pair.measure else "1"
    total = f"sum({measured} for {row} in {inside.rows}{test})"
    if pair.measure and pair.measure.field == "amount":
        total = f"round({total}, 2)"
    lines = ["    totals = {}", "    for name in (first, second):"]
    if _direct(kind):
        lines.append(f"        {inside.rows} = {_look(pair.twin, 'name')}")
    else:
        named = kind.name.replace("ROW", "one")
        lines.append(f"        {kind.row} = next(one for one in {kind.rows} if {named} == name)")
        lines.append(f"        {inside.rows} = {_look(pair.twin, kind.row)}")
    lines.append(f"        totals[name] = {total}")
    if pair.ending == "gap":
        gap = "abs(totals[first] - totals[second])"
        return list(map(fitted, [*lines, f"    return {f'round({gap}, 2)' if 'round' in total else gap}"]))
    best = "max((first, second), key=lambda name: totals[name])"
    if pair.ending == "more":
        return list(map(fitted, [*lines, f"    return {best}"]))
    assert pair.deed
    lines.append(f"    best = {best}")
    target = "best"
    if not _direct(kind):
        lines.append(f"    {kind.row} = next(one for one in {kind.rows} if {kind.name.replace('ROW', 'one')} == best)")
        target = kind.row
    if pair.deed.app not in (kind.app, *inside.apps):
        lines.append(f'    {pair.deed.app}_token = login(app="{pair.deed.app}")')
    return list(map(fitted, [*lines, f"    {pair.deed.call.replace('ROW', target)}", "    return 1"]))


def _edits(pair: ContainerPair) -> tuple[tuple[str, str], ...]:
    source, found = _program(pair), []
    if pair.compared:
        if pair.condition:
            found.append((f" if {pair.condition.code.replace('ROW', pair.twin.inside.row)})", ")"))
        if pair.ending != "gap":
            found.append(("max((first, second)", "min((first, second)"))
    else:
        found.append(
            (" not in known]" if pair.alone else " in known]", " in known]" if pair.alone else " not in known]")
        )
        key = pair.twin.key.replace("ROW", pair.twin.inside.row)
        found.append((f" if {key} {'not ' if pair.alone else ''}in known]", "]"))
    return tuple((old, new) for old, new in found if source.count(old) == 1)


# The values


def _values(pair: ContainerPair) -> Callable[[Draw], Values | None]:
    """What draws values for a pair, after its scene is set."""

    def values(draw: Draw) -> Values | None:
        names = pair.twin.prepare(draw) or _any_two(pair.twin, draw)
        if names is None:
            return None
        found: dict[str, Any] = {"first": names[0], "second": names[1]}
        if pair.condition and pair.condition.slot:
            rows = _rows(pair.twin, draw, names)
            found[pair.condition.slot] = pair.condition.pick(draw.rng, rows) if rows else None
        if pair.deed and pair.deed.slot:
            found[pair.deed.slot] = pair.deed.choose(draw)
        if pair.export and pair.export.slot:
            found[pair.export.slot] = pair.export.choose(draw)
        if any(value is None for value in found.values()) or not _apart(pair, draw, found):
            return None
        return found

    return values


def _apart(pair: ContainerPair, draw: Draw, values: Values) -> bool:
    """Whether one of the two is ahead, where that is asked."""
    if not pair.compared or pair.ending == "gap":
        return True
    gap = ContainerPair(twin=pair.twin, ending="gap", condition=pair.condition, measure=pair.measure)
    given = {slot: values[slot] for slot in gap.slots}
    return bool(played(function_of(_program(gap)), draw.state, draw.me, given))


def _any_two(twin: Twin, draw: Draw) -> Names | None:
    kind = twin.kind
    token = f'    {kind.app}_token = login(app="{kind.app}")\n'
    source = f"def named():\n{token}    return [{kind.name.replace('ROW', 'one')} for one in {kind.lists}]\n"
    names = played(function_of(source), draw.state, draw.me, {})
    clear = [name for name in names if names.count(name) == 1 and '"' not in name]
    first, second = draw.rng.sample(clear, 2) if len(clear) > 1 else ("", "")
    return (first, second) if first else None


def _rows(twin: Twin, draw: Draw, names: Names) -> list[Any]:
    kind, inside = twin.kind, twin.inside
    tokens = "".join(f'    {app}_token = login(app="{app}")\n' for app in (kind.app, *inside.apps))
    lists = f"[one for one in {kind.lists} if {kind.name.replace('ROW', 'one')} in names]"
    look = f"[row for one in {lists} for row in {inside.look.replace('OUT', 'one')}]"
    source = f"def rows(names):\n{tokens}{inside.prelude}    return {look}\n"
    found: list[Any] = played(function_of(source), draw.state, draw.me, {"names": names})
    return found
