"""The report of recipes that were trained and evaluated with the same seeds: which is better than which.

OUT/report.{md,html}, OUT/plots/*.svg     the sentence, the differences, the table, the curves
OUT/*/{evaluate,train,sft}/report.html    the report of each run, which the page leads to
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

from prowess.errors import StoreError
from prowess.figures import plots
from prowess.figures.differences import Difference
from prowess.figures.measure import Measures, measure, pooled
from prowess.figures.plots import Plot
from prowess.figures.seeds import SEEDS, SeedComparison, compare_seeds
from prowess.figures.tables import NONE, Cell, Grid, Row
from prowess.figures.tables.measures import paper_grid
from prowess.report.headline import Headline, cautions, course, ends, range_of, tone_of, versus
from prowess.report.page import NOTES, Page, measures_explained, metrics_explained
from prowess.report.report import bound, report_of, written
from prowess.report.sections import Section, origins, paired_by_seed, recipes
from prowess.report.view import View, names_of, view_of
from prowess.run import Run
from prowess.text.plural import counted

DIFFERING = (
    "Differences are taken task by task within each seed. Over seeds their interval is Student's. With one or two "
    "seeds no claim is made. Of several comparisons, one in twenty lies beyond chance by chance."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A recipe with all its seeds, or what it started from."""

    name: str
    evaluations: Mapping[int, Path] = field(default_factory=dict)
    """By seed, the run that the table is of."""
    courses: Mapping[int, Path] = field(default_factory=dict)
    """By seed, the run that learned."""
    start: str = ""
    """The variant that its training started from, where that is one of these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantRecord:
    """A recipe of an ablation."""

    name: str
    """The recipe's `name`; `NAME's SFT` is what that recipe started from."""
    seeds: tuple[int, ...]
    """The seeds it was trained with."""
    runs: tuple[Path, ...]
    """The folder of its evaluation, for each seed."""
    figures: Measures
    """Its figures over all seeds, as those of a run."""
    less: str
    """The recipe that it is compared with; empty for the first one."""
    differences: Mapping[str, SeedDifference]
    """What it has more than that one, by measure: `tgc`, `sgc`, `tokens` ... Each is a difference over seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedDifference:
    """One measure of two recipes."""

    before: float
    """That of the recipe it is compared with, on what both played."""
    after: float
    """Its own."""
    gap: float
    """The difference: the mean over the seeds."""
    low: float
    """Where it lies with other seeds: the lower end of the 95% interval."""
    high: float
    """The upper end."""
    sure: bool
    """Whether it is beyond chance: zero is outside the interval, and the seeds are three or more."""
    by_seed: Mapping[str, float]
    """The difference of each seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation:
    """What an ablation came to."""

    sentence: str
    rows: Mapping[str, Measures]
    """The measures of every variant, over all seeds."""
    records: tuple[VariantRecord, ...]
    page: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Two variants, the second compared with the first."""

    first: str
    other: str
    found: SeedComparison

    @property
    def name(self) -> str:
        return f"{self.other} − {self.first}"


def write_ablation(variants: Sequence[Variant], out: Path) -> Ablation:
    """Write the report of an ablation, and that of each of its runs. The first recipe is what others are compared
    with; one alone is compared with what it started from."""
    places = [place for one in variants for place in (*one.evaluations.values(), *one.courses.values())]
    names = dict(zip(places, names_of(places), strict=True))
    views = {place: view_of(Run.open(place), names[place]) for place in places}
    for place, view in views.items():
        written(report_of([view]), place)
    rows = {one.name: _row(one, views) for one in variants}
    pairs = [*_pairs(variants, views)]
    drawn = _drawn(variants, views, pairs)
    report = bound(_page(variants, views, rows, pairs, drawn, out))
    return Ablation(
        sentence=report.sentence,
        rows=rows,
        records=tuple(_record(one, rows[one.name], pairs) for one in variants),
        page=next(path for path in written(report, out).files if path.suffix == ".html"),
    )


def _row(variant: Variant, views: Mapping[Path, View]) -> Measures:
    rows = measure(pooled(views[place].outcomes for place in variant.evaluations.values()))
    if not rows:
        raise StoreError(
            f"{', '.join(map(str, variant.evaluations.values()))}: there is no episode in it",
            hint="its files are damaged: delete the run, and the same command plays it again",
        )
    return rows[0]


def _pairs(variants: Sequence[Variant], views: Mapping[Path, View]) -> Iterator[_Pair]:
    """Each recipe beside the first, and each beside what it started from."""
    by_name = {one.name: one for one in variants}
    starts = {one.start for one in variants}
    compared = [one for one in variants if one.name not in starts]
    wanted = [(compared[0], other) for other in compared[1:]]
    wanted += [(by_name[one.start], one) for one in compared if one.start]
    for first, other in wanted:
        before, after = (
            {seed: views[place].outcomes for seed, place in one.evaluations.items()} for one in (first, other)
        )
        if found := compare_seeds(before, after):
            yield _Pair(first=first.name, other=other.name, found=found)


# --- what it says ---------------------------------------------------------------------------------------------------


def _page(
    variants: Sequence[Variant],
    views: Mapping[Path, View],
    rows: Mapping[str, Measures],
    pairs: Sequence[_Pair],
    drawn: Mapping[str, Plot],
    out: Path,
) -> Page:
    played = [views[place] for one in variants for place in one.evaluations.values()]
    learnt = [views[place] for one in variants for place in one.courses.values()]
    seeds = list(dict.fromkeys(seed for one in variants for seed in one.evaluations))
    split = next(iter(rows.values())).split
    firsts = [replace(views[next(iter(one.evaluations.values()))], name=one.name) for one in variants]
    trained = [one for one in firsts if one.name not in {variant.start for variant in variants}]
    curves = [panel.key or panel.title for panel in drawn["curves"].panels] if "curves" in drawn else []
    return Page(
        recipe=", ".join(one.name for one in trained),
        told=_headline(pairs, rows, [*cautions([*played, *learnt], ())]),
        subtitle=f"ablation · {split} · {counted(len(rows), 'row')} · seeds {', '.join(map(str, seeds))}",
        sections=(
            *paired_by_seed({pair.name: pair.found for pair in pairs}, len(seeds)),
            Section(title=f"Results on {split}", grid=paper_grid(rows), plots=("seeds",)),
            *_learning(drawn),
            _runs(variants, views, out),
            *recipes(trained),
            origins(firsts),
        ),
        plots=drawn,
        terms=(*measures_explained(played), *metrics_explained(curves)),
        notes=(NOTES, DIFFERING),
    )


def _headline(pairs: Sequence[_Pair], rows: Mapping[str, Measures], notes: Iterable[str]) -> Headline:
    told = [versus(one.first, one.other, one.found.differences, len(one.found.each), "seed") for one in pairs]
    if not told:
        (name, row), *_ = rows.items()
        return Headline(
            sentence=f"{name} solves {100 * row.tgc.value:.1f} of 100 tasks on {row.split}", notes=tuple(notes)
        )
    leading = pairs[0].found
    return Headline(
        sentence=told[0],
        more=tuple(told[1:]),
        notes=(*_on_other_tasks(leading), *notes),
        tone=tone_of(leading.differences["tgc"]),
    )


def _on_other_tasks(found: SeedComparison) -> Iterator[str]:
    """That what holds for other seeds may not hold for other tasks, or that nothing is known of other seeds."""
    here, there = found.differences["tgc"], found.overall.differences["tgc"]
    if here.few:
        yield f"{counted(len(found.each), 'seed')} cannot tell what another would do: give --seeds {SEEDS} or more."
    if here.sure and not there.few and not there.sure:
        over = counted(found.overall.scenarios, "scenario")
        yield f"On other tasks of this kind it may be chance: 95% interval {range_of(there)}, over {over}."


def _learning(drawn: Mapping[str, Plot]) -> list[Section]:
    if "curves" not in drawn:
        return []
    text = "A line is the mean over the seeds; the band reaches from the least of them to the greatest."
    return [Section(title="Training by step", text=text, plots=("curves",))]


def _runs(variants: Sequence[Variant], views: Mapping[Path, View], out: Path) -> Section:
    """The runs, each with a link to its own report."""
    seeds = list(dict.fromkeys(seed for one in variants for seed in one.evaluations))
    rows = []
    for one in variants:
        for what, places in ((one.name, one.evaluations), (f"{one.name}, training", one.courses)):
            cells = tuple(_leading(views[places[seed]], out) if seed in places else Cell(text=NONE) for seed in seeds)
            rows.append(Row(head=what, cells=cells))
    grid = Grid(columns=tuple(f"seed {seed}" for seed in seeds), rows=tuple(rows))
    return Section(title="Each run by itself", text="Each leads to the report of that run.", grid=grid)


def _leading(view: View, out: Path) -> Cell:
    """What a run came to, and the way to its own report."""
    page = quote(os.path.relpath(view.folder / "report.html", out))
    if view.learns:
        return Cell(text=counted(view.steps, "step"), detail=_learned(view), page=page)
    row = next((row for row in view.rows if row.difficulty is None), None)
    return Cell(text=f"{100 * row.tgc.value:.1f}%" if row else NONE, detail="tasks solved", page=page)


def _learned(view: View) -> str:
    name, called = ("reward/mean", "reward") if view.about.command == "train" else ("learn/loss", "loss")
    values = course(view, name)
    return f"{called} {' → '.join(f'{end:.3g}' for end in ends(values))}" if values else ""


# --- what it shows --------------------------------------------------------------------------------------------------


def _drawn(variants: Sequence[Variant], views: Mapping[Path, View], pairs: Sequence[_Pair]) -> dict[str, Plot]:
    drawn: dict[str, Plot] = {}
    if pairs:
        names = [one.name for one in variants]
        drawn["gaps"] = plots.gaps(
            {pair.name: pair.found.differences for pair in pairs},
            {pair.name: _each(pair.found) for pair in pairs},
            [names.index(pair.other) for pair in pairs],
        )
    played = {
        one.name: [row for place in one.evaluations.values() for row in views[place].rows[:1]] for one in variants
    }
    drawn["seeds"] = plots.seeds(played)
    learnt = {  # all variants, so that each keeps its colour
        one.name: [views[place].metrics for place in one.courses.values() if views[place].about.command == "train"]
        for one in variants
    }
    if plots.moving({f"{label} {n}": run for label, runs in learnt.items() for n, run in enumerate(runs)}):
        drawn["curves"] = plots.bands(learnt)
    return drawn


def _each(found: SeedComparison) -> dict[str, list[float]]:
    """Each measure's differences, seed by seed."""
    return {
        name: [one.differences[name].gap.value for one in found.each.values() if name in one.differences]
        for name in found.differences
    }


# --- what --json tells ----------------------------------------------------------------------------------------------


def _record(variant: Variant, row: Measures, pairs: Sequence[_Pair]) -> VariantRecord:
    pair = next((one for one in pairs if one.other == variant.name), None)
    return VariantRecord(
        name=variant.name,
        seeds=tuple(variant.evaluations),
        runs=tuple(variant.evaluations.values()),
        figures=row,
        less=pair.first if pair else "",
        differences={name: _difference(one, name, pair) for name, one in pair.found.differences.items()}
        if pair
        else {},
    )


def _difference(one: Difference, name: str, pair: _Pair) -> SeedDifference:
    seeds = {str(seed): found.differences for seed, found in pair.found.each.items()}
    return SeedDifference(
        before=one.before,
        after=one.after,
        gap=one.gap.value,
        low=one.gap.low,
        high=one.gap.high,
        sure=one.sure,
        by_seed={seed: found[name].gap.value for seed, found in seeds.items() if name in found},
    )
