"""A few fixed lines on one listing, or on several: how many, how much, how large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prowess_practice.errands.reports.counters import Counter
from prowess_practice.errands.reports.groups import Field
from prowess_practice.errands.reports.parts import Paper, Rows, Sink, sentences
from prowess_practice.errands.reports.sources import Source
from prowess_practice.errands.transfers.parts import entering


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A line."""

    label: str
    says: str
    """With ONE, MANY for what is measured and ALL for the rows."""
    code: str
    """On `values`."""
    show: str = ""


FACTS = (
    Fact(label="Number", says="the number of ALL", code="len(values)"),
    Fact(label="Sum", says="the sum of their MANY", code="sum(values)"),
    Fact(label="Average", says="their average ONE with two decimals", code="sum(values) / len(values)", show=":.2f"),
    Fact(label="Largest", says="their largest ONE", code="max(values)"),
    Fact(label="Smallest", says="their smallest ONE", code="min(values)"),
    Fact(
        label="Spread", says="the difference between their largest and smallest ONE", code="max(values) - min(values)"
    ),
    Fact(
        label="Above average",
        says="the number of them whose ONE is above the average of all of them",
        code="len([value for value in values if value > sum(values) / len(values)])",
    ),
)
_PICKS = ((0, 1, 2), (3, 4, 2), (0, 5, 6), (1, 3, 0), (2, 6, 0), (4, 3, 5, 0), (6, 0, 2), (0, 3, 4), (5, 2, 0, 1))
"""Which facts go together."""
_COUNTED = ("Number", "Above average")


def measured(sources: Sequence[Source]) -> Iterator[Paper]:
    """A paper on each field of each listing, conditions and facts in turn."""
    fields = [(source.pool, field) for source in sources for field in source.numbers if not field.inner]
    for n, (pool, field) in enumerate(fields):
        fitting = [one for one in pool.conditions if not one.word.startswith(("by_", "with_", "in_month", "on_"))]
        choices = [(), *((one,) for one in fitting if field.code not in one.code)]
        yield _measured(Rows(pools=(pool,), conditions=choices[(n + 1) % len(choices)]), field, _PICKS[n % len(_PICKS)])


def _measured(rows: Rows, field: Field, picks: Sequence[int]) -> Paper:
    row, facts = rows.pools[0].row, [FACTS[pick] for pick in picks]
    cents = field.money
    lines, says = [], []
    for fact in facts:
        form = ":.2f" if cents and fact.label not in _COUNTED else fact.show
        note = " with two decimals" if form and "decimals" not in fact.says else ""
        lines.append(f"{fact.label}: {{{fact.code}{form}}}")
        words = fact.says.replace("ONE", field.one).replace("MANY", field.many)
        says.append((fact.label, f"{words}{note}"))
    first = field.code.replace("ROW", row)
    return Paper(
        word=f"{'_'.join(fact.label.split()[0].lower() for fact in facts)}_{field.word}_of_{rows.word}",
        apps=rows.apps,
        rows=rows,
        code=f"{rows.reading()}    values = [{first} for {row} in {rows.found}]\n{_listed(lines)}",
        about=f"{', '.join(fact.label.lower() for fact in facts)} of the {field.many} of {rows.about}",
        texts=_texts(rows.many, [(label, text.replace("ALL", "them")) for label, text in says]),
        matters=((f"[{first} for", f"[{first} * 2 for"),) if len(facts) > 1 else (),
    )


def overview(counters: Sequence[Counter]) -> Paper:
    """A paper on several listings, one line each."""
    apps = tuple(dict.fromkeys(counter.app for counter in counters))
    entry = "".join(entering(app) for app in apps)
    lines = [f"{counter.label}: {{{counter.code}}}" for counter in counters]
    last = counters[-1].code.partition(":")[0]
    return Paper(
        word="_".join(counter.label.lower().replace(" ", "_") for counter in counters),
        apps=apps,
        rows=Rows(pools=()),
        code=f"{entry}{''.join(counter.reading for counter in counters)}{_listed(lines)}",
        about=f"figures on {', '.join(counter.about for counter in counters)}",
        texts=_texts("", [(counter.label, counter.says) for counter in counters]),
        matters=((f"{{{last}", f"{{1 + {last}"),),
    )


def _listed(lines: Sequence[str]) -> str:
    return "    lines = [\n" + "".join(f'        f"{line}",\n' for line in lines) + "    ]\n"


def _texts(subject: str, says: Sequence[tuple[str, str]]) -> Callable[[Sink], tuple[str, ...]]:
    """How a task asks for these lines, about one listing where a subject is given."""

    def texts(sink: Sink) -> tuple[str, ...]:
        item, items, count = sink.item, sink.items, ("two", "three", "four")[len(says) - 2]
        pairs = [f'"{label}: X" (where X is {text})' for label, text in says]
        listed = f"{', '.join(pairs[:-1])}, and {pairs[-1]}"
        plain = "; ".join(f'"{label}: " followed by {text}' for label, text in says)
        about = f" about {subject}" if subject else ""
        report = f"a short report on {subject}" if subject else "a short overview of my apps"
        wanted = "; ".join(f'the label "{label}" and {text}' for label, text in says)
        return (
            sentences(
                f"{sink.give.replace('CONTENT', f'exactly {count} {items}{about}')}.",
                f"In this order, they are {listed}.",
                sink.join,
            ),
            sentences(
                f"Take {subject} and work out a few figures." if subject else "I want to know where I stand.",
                f"Make {count} {items} in this order: {plain}.",
                sink.join,
                sink.finish.replace("ITEMS", items),
            ),
            sentences(
                f"I would like {report} {sink.place}.",
                f"It has {count} {items}, in the order given here, and each {item} consists of a label, a colon, a"
                f" space and a figure: {wanted}.",
                sink.join,
            ),
        )

    return texts
