"""Rows lead to people, and people to something else: every outcome with some of the sources, taken in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.answers import ANSWERS
from prowess_practice.errands.people.deeds import ACTS, CIRCLES, DEEDS
from prowess_practice.errands.people.papers import PAPERS
from prowess_practice.errands.people.plan import PeopleFilter, PeopleOutcome, PeoplePlan
from prowess_practice.errands.people.program import drawing, matters, program
from prowess_practice.errands.people.source import PeopleSource
from prowess_practice.errands.people.sources_money import SPLITS, WALLET
from prowess_practice.errands.people.sources_talk import CONTACTS, OTHERS, TALK
from prowess_practice.errands.people.words import wordings

_PILES = (WALLET, SPLITS, TALK, OTHERS, (CONTACTS,))
_LONGEST = max(len(pile) for pile in _PILES)
SOURCES = tuple(pile[n] for n in range(_LONGEST) for pile in _PILES if n < len(pile))
"""Apps take turns."""
OUTCOMES = (*ACTS, *PAPERS, *CIRCLES, *DEEDS, *ANSWERS)
EACH = 13
"""Errands of an outcome, at most."""
LINES = 23
"""Lines of a program, at most."""

RARE = ("by_", "with_word")
"""Conditions that few rows meet."""


def made() -> Iterator[Errand]:
    """All of them."""
    turns: Counter[str] = Counter()
    for n, outcome in enumerate(OUTCOMES):
        made = 0
        for step in range(len(SOURCES)):
            source = SOURCES[(5 * n + step) % len(SOURCES)]
            plan = _plan(outcome, source, turns) if made < EACH else None
            if plan and len(program(plan).splitlines()) > LINES:
                plan = replace(plan, filter=None, strange=False)
            if plan and _sound(plan) and len(program(plan).splitlines()) <= LINES:
                made += 1
                yield _errand(plan)


def _errand(plan: PeoplePlan) -> Errand:
    return Errand(
        name=plan.name,
        apps=plan.apps,
        slots=plan.slots,
        source=program(plan),
        wordings=wordings(plan),
        values=drawing(plan),
        matters=matters(plan),
        asks=plan.outcome.asks,
        difficulty=2,
    )


def _plan(outcome: PeopleOutcome, source: PeopleSource, turns: Counter[str]) -> PeoplePlan | None:
    """An errand of an outcome with a source; which conditions it has depends on those made before."""
    if source.word in outcome.not_from or not (gathers := _gathers(outcome, source)):
        return None
    gather = gathers[turns[f"{source.word} {outcome.uses} gather"] % len(gathers)]
    turns[f"{source.word} {outcome.uses} gather"] += 1
    turn = turns[source.word]
    turns[source.word] += 1
    condition = _condition(source, gather, turn)
    conditions: tuple[Condition, ...] = (condition,) if condition else ()
    bare = PeoplePlan(source=source, conditions=conditions, filter=None, gather=gather, outcome=outcome, strange=False)
    found = _filter(bare, turn, turns)
    if found and ((source.alone and turn % 2) or gather not in ("each", "total", "number")):
        conditions = ()
    if condition and not condition.slot and not found:
        conditions = (condition, source.conditions[1])
    if found and condition and condition.word.startswith(RARE):
        conditions = source.conditions[:1] if not source.conditions[0].word.startswith(RARE) else ()
    if gather in ("rich", "top", "bottom") and "COND" not in source.sum:
        conditions = ()
    if outcome.unknown and (found is None or found.source is not CONTACTS):
        return None
    return PeoplePlan(
        source=source,
        conditions=conditions,
        filter=found,
        gather=gather,
        outcome=outcome,
        strange=_strange(bare, found, turn),
    )


def _condition(source: PeopleSource, gather: str, turn: int) -> Condition | None:
    """A condition whose turn it is, and that makes a difference to how the people are taken."""
    useless = {"top": ("over_",), "rich": ("over_", "is_"), "bottom": ("under_",)}.get(gather, ())
    rare = () if gather in ("each", "total", "number") else (*RARE, "on_weekday")
    fitting = [one for one in source.conditions if not one.word.startswith((*useless, *rare))]
    return fitting[turn % len(fitting)] if fitting else None


def _gathers(outcome: PeopleOutcome, source: PeopleSource) -> list[str]:
    """Ways to take the people that go with both."""
    many = {"": ["each", "each"], "sum": ["total"], "number": ["number"]}[outcome.uses]
    single = []
    if source.amount and source.sum and outcome.uses != "number":
        many += ["rich"] if source.number or outcome.uses else []
        single += ["top", "bottom"]
    if source.number and outcome.uses != "sum":
        many.append("often")
        single.append("most")
    if (outcome.uses == "sum" and not source.amount) or (outcome.uses == "number" and not source.number):
        return []
    if outcome.unknown:
        return ["each"] if "phone_number" in source.fields and source.more else []
    return {True: single, False: many, None: [*many[:2], *single, *many[2:]]}[outcome.single]


def _filter(plan: PeoplePlan, turn: int, turns: Counter[str]) -> PeopleFilter | None:
    """Other rows to compare with: contacts of a relationship, people of another app, or none."""
    source, outcome = plan.source, plan.outcome
    if outcome.unknown:
        return PeopleFilter(source=CONTACTS, yes=False)
    kind = (turn + len(outcome.word)) % 5
    if source is CONTACTS or not source.conditions:
        kind = kind % 3 + 1 if source is not CONTACTS else 1 + 2 * (kind % 2)
    if kind == 2:
        assert CONTACTS.further
        return PeopleFilter(source=CONTACTS, conditions=(CONTACTS.further,))
    if kind == 4 and source.more and plan.mode != "join" and not plan.single and outcome not in DEEDS:
        return PeopleFilter(source=CONTACTS, yes=False)
    if kind in (1, 3):
        others = [
            one for one in SOURCES if one.none and one.word not in (source.word, "contacts") and not _alike(one, plan)
        ]
        other = others[turns["filter"] % len(others)]
        turns["filter"] += 1
        more = (other.further,) if other.further else ()
        return PeopleFilter(
            source=other, conditions=more, yes=kind == 3 and other.word not in ("texters", "texted_people")
        )
    return None


def _alike(other: PeopleSource, plan: PeoplePlan) -> bool:
    """Whether it reads what is read or done anyway."""
    apis = {line.split("apis.")[1].split(",")[0] for line in other.reads.splitlines() if "apis." in line}
    rest = f"{plan.source.reads}{plan.outcome.before}{plan.outcome.after}"
    if {other.word, plan.source.word} == {"debtors", "creditors"}:
        return True
    return any(api in rest for api in apis) or other.word in plan.outcome.not_from or other.app == "notes"


def _strange(plan: PeoplePlan, found: PeopleFilter | None, turn: int) -> bool:
    if plan.source.more is None:
        return False
    if found and found.source is CONTACTS and not found.yes:
        return True
    return plan.mode == "join" and not plan.single and turn % 2 == 0


def _sound(plan: PeoplePlan) -> bool:
    """Whether it takes values, no two of one name, and each part of it matters."""
    if plan.filter is None and (plan.source is CONTACTS or plan.outcome.unknown):
        return False
    slots = [one.slot for _, conditions in plan.readings for one in conditions if one.slot]
    slots += [source.within.slot for source, _ in plan.readings if source.within]
    slots += [slot.name for slot in plan.outcome.slots]
    return bool({*plan.slots} - {"least_count"}) and len(slots) == len({*slots}) and bool(matters(plan))
