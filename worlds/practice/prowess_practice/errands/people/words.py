"""How an errand on people is asked for."""

from __future__ import annotations

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.people.plan import PeoplePlan
from prowess_practice.errands.people.source import PeopleSource

_MISSING = {"phone_number": "numbers", "email": "e-mail addresses"}


def wordings(plan: PeoplePlan) -> tuple[str, ...]:
    """Some ways to ask for it."""
    return tuple(_worded(plan, one) for one in plan.outcome.wordings)


def _worded(plan: PeoplePlan, template: str) -> str:
    clause = _clause(plan)
    parts = {
        "WHO": f"the person {clause}" if plan.single else f"everyone {clause}",
        "ALL": f"the one person {clause}" if plan.single else f"all the people {clause}",
        "INTRO": _intro(plan),
        "REF": _reference(plan),
        "EACH": "" if plan.single else " each",
        "ONCE": "" if plan.single else ", once per person",
        "LEFT": _left(plan),
        "TOTAL": _total(plan),
        "FORM": _form(plan),
    }
    reference = parts["REF"]
    template = template.replace("INTRO REF", f"INTRO {reference[0].upper()}{reference[1:]}")
    for token, words in parts.items():
        template = template.replace(token, words)
    return template


def _with(phrase: str, conditions: tuple[Condition, ...]) -> str:
    says = " and ".join(one.says for one in conditions)
    phrase = phrase if says else phrase.replace("counting ", "counting all ")
    return phrase.replace("COND", says).replace("  ", " ").replace(" ,", ",").strip()


def _clause(plan: PeoplePlan) -> str:
    source, unit = plan.source, plan.source.unit
    amount = {"rich": unit.more, "top": unit.most, "bottom": unit.least}
    number = {"often": "at least {least_count}", "most": "the largest number of"}
    if plan.gather in amount:
        clause = source.sum.replace("HOWMUCH", amount[plan.gather])
    elif plan.gather in number:
        of = number[plan.gather] + ("" if plan.gather == "most" else " of")
        clause = source.number.replace("HOWMANYOF", of).replace("HOWMANY", number[plan.gather])
    else:
        clause = source.clause
    clause = _with(clause, plan.conditions)
    if plan.filter is None:
        return clause
    other = _other(plan)
    comma = "," if plan.gather in amount or plan.gather in number else ""
    if plan.single:
        return f"{clause}, among those {other}"
    return f"{clause}{comma} {'and' if plan.filter.yes else 'but'} {other}"


def _other(plan: PeoplePlan) -> str:
    assert plan.filter
    source: PeopleSource = plan.filter.source
    return _with(source.clause if plan.filter.yes else source.none, plan.filter.conditions)


def _intro(plan: PeoplePlan) -> str:
    rows = _with(plan.source.many, plan.conditions)
    role = plan.source.role
    if plan.gather in ("rich", "top", "bottom"):
        added = _with(plan.source.added, plan.conditions) or f"the {plan.source.unit.adds} of {rows}"
        return f"For each {role}, add up {added}."
    if plan.gather in ("often", "most"):
        return f"For each {role}, count {_with(plan.source.counted, plan.conditions) or rows}."
    return f"Look at {rows}."


def _reference(plan: PeoplePlan) -> str:
    role = plan.source.role
    found = {
        "rich": f"each {role} with a sum of {plan.source.unit.more}",
        "often": f"each {role} with at least {{least_count}} of them",
        "top": f"the {role} with the greatest sum",
        "bottom": f"the {role} with the smallest sum",
        "most": f"the {role} with the most of them",
    }.get(plan.gather, f"each {role}")
    if plan.filter is None:
        return found
    if plan.single:
        return f"{found} among those {_other(plan)}"
    return f"{found}{' and' if plan.gather in ('rich', 'often') else ''} {_other(plan)}"


def _left(plan: PeoplePlan) -> str:
    """What about those whom no contact tells more of."""
    if plan.mode != "join" or plan.single:
        return ""
    if (plan.strange or plan.source.anybody) and not plan.narrowed:
        return " Whoever is not in my phone contacts is left out."
    missing = next((_MISSING[one] for one in plan.outcome.needs if one in _MISSING), "")
    return f" My phone contacts have the {missing}." if missing else ""


def _total(plan: PeoplePlan) -> str:
    source = plan.source
    if plan.counts:
        return f"the number of these {source.items} for that person"
    return source.total or f"the sum of the {source.unit.adds} of these {source.items} for that person"


def _form(plan: PeoplePlan) -> str:
    """How such a number is written."""
    if plan.counts:
        return ""
    if plan.source.unit.adds == "durations":
        return " (in seconds)"
    return " (with two decimals, as in 12.50)"
