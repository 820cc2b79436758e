"""The first sentence of a report: is B better than A, or how good is A, in words that the data allow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from prowess.commands.work.curve import WINDOW, error_of
from prowess.figures.differences import FEW, Comparison, Difference
from prowess.figures.intervals import Estimate
from prowess.figures.measure import Measures
from prowess.figures.plots.meanings import MEANINGS
from prowess.figures.plots.metrics import known
from prowess.report.view import View
from prowess.run import Status
from prowess.text.plural import counted

ALL, NOTHING = 0.9, 0.05
"""From so much on of the tasks it learned from all counts as solved, and up to so much of others nothing."""
TEN = 10
"""An imitation whose loss on held-out scenarios is so many times that on its own has learned these by heart."""
SEE = "see 'It memorised' in docs/guide/learn.md"


Tone = Literal["", "better", "worse", "even"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """What a report says first."""

    sentence: str
    more: tuple[str, ...] = ()
    """Further comparisons, a sentence each."""
    notes: tuple[str, ...] = ()
    """What to keep in mind."""
    tone: Tone = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Versus:
    """A run beside the first one, split by split."""

    first: View
    other: View
    splits: tuple[Comparison, ...]


def headline(views: Sequence[View], pairs: Sequence[Versus]) -> Headline:
    """The sentence for one run, two, or many."""
    played = [view for view in views if not view.learns]
    memorised = [*_memorised(views)]
    if len(played) > 1:
        return _compared(pairs, [*memorised, *cautions(views, pairs)])
    sentences = [_of_one(view) for view in played] + [_course(view) for view in views if view.learns]
    notes = [*memorised, *cautions(views, ())]
    if len(sentences) > 1 and not played:
        notes.append("Trainings have no interval: each is one draw; prowess ablate compares recipes over seeds.")
    return Headline(sentence=sentences[0], more=tuple(sentences[1:]), notes=tuple(notes))


# --- one run --------------------------------------------------------------------------------------------------------


def _of_one(view: View) -> str:
    rows = [row for row in view.rows if row.difficulty is None]
    if not any(row.tgc.n for row in rows):
        return f"{view.name}: no episode has been graded yet"
    so_far = "" if view.about.status is Status.FINISHED else " so far"
    told = [
        f"{_hundred(row.tgc.value)} of 100 tasks on {row.split}{so_far} ({_interval(row.tgc)}{_over(row)})"
        for row in rows
        if row.tgc.n
    ]
    return f"{view.name} solves {' and '.join(told)}{_saving(view)}"


def _interval(found: Estimate) -> str:
    if math.isnan(found.low):
        return "no interval: one scenario"
    return f"95% interval {_hundred(found.low)} to {_hundred(found.high)}"


def _over(row: Measures) -> str:
    runs = f", {row.runs} runs" if row.runs > 1 else ""
    return f", {counted(row.scenarios, 'scenario')}{runs}"


def _saving(view: View) -> str:
    """What a task of a stream costs at its end, beside its beginning."""
    points = view.stream
    some = min(WINDOW, len(points) // 2)
    if some < FEW:
        return ""
    first, last = ([float(point.written) for point in part] for part in (points[:some], points[-some:]))
    before, after = fmean(first), fmean(last)
    half = 1.96 * math.hypot(error_of(first, before), error_of(last, after))
    told = f"{before:,.0f} tokens in the first {some}, {after:,.0f} in the last {some}"
    if abs(after - before) <= half or not before:
        return f"; a task costs the same at the end as at the beginning, within chance ({told})"
    return f"; a task costs {_relative((after - before) / before)} tokens at the end ({told})"


def _course(view: View) -> str:
    """What a training came to: its first steps beside its last."""
    if not view.metrics:
        return f"{view.name}: no step is done yet"
    names = ("reward/mean", "play/tgc", "eval/tgc") if view.about.command == "train" else ("learn/loss", "eval/tgc")
    words = {"reward/mean": "reward", "play/tgc": "tasks solved in training", "learn/loss": "loss"}
    split = str(view.recipe.get("evaluate.split", "the split"))
    told = [
        f"{words.get(name, f'tasks solved on {split}')} {_from_to(values, name)}"
        for name in names
        if (values := course(view, name))
    ]
    return f"{view.name}: {', '.join(told) or 'nothing told yet'}, in {counted(view.steps, 'step')}"


def course(view: View, name: str) -> list[float]:
    """A metric, step by step."""
    return [entry.values[name] for entry in view.metrics if known(entry, name)]


def ends(values: Sequence[float]) -> list[float]:
    """The means of the first and of the last fifth; of one value itself."""
    part = max(1, len(values) // 5)
    return [fmean(values[:part]), fmean(values[-part:])][: len(values)]


def _from_to(values: Sequence[float], name: str) -> str:
    share = name in MEANINGS and MEANINGS[name].unit == "share"
    return " to ".join(f"{100 * end:.1f}%" if share else f"{end:.3g}" for end in ends(values))


# --- two and more ---------------------------------------------------------------------------------------------------


def _compared(pairs: Sequence[Versus], notes: Iterable[str]) -> Headline:
    told = [_versus(pair, one) for pair in pairs for one in pair.splits]
    apart = [_apart(pair) for pair in pairs if not pair.splits]
    leading = next((pair.splits[0] for pair in pairs if pair.splits), None)
    sentences = told + apart
    return Headline(
        sentence=sentences[0],
        more=tuple(sentences[1:]),
        notes=tuple(notes),
        tone=tone_of(leading.differences["tgc"]) if leading else "",
    )


def _versus(pair: Versus, found: Comparison) -> str:
    """The second run beside the first, on one split."""
    on = f" on {found.split}" if len(pair.splits) > 1 else ""
    return versus(pair.first.name, pair.other.name, found.differences, found.scenarios, "scenario", on)


def versus(first: str, other: str, found: Mapping[str, Difference], count: int, what: str, on: str = "") -> str:
    """Whether the other solves more than the first: the sentence that a report begins with. They are paired over so
    many scenarios, or seeds."""
    tgc = found["tgc"]
    said = f"{other} solves {_points(tgc.gap.value)} of 100 tasks{on} than {first}"
    if not tgc.gap.value:
        said = f"{other} solves as many tasks{on} as {first}"
    if tgc.few:
        return f"Too few {what}s to tell: {said}, paired over {counted(count, what)}"
    known, saved = f"(95% interval {range_of(tgc)}, paired over {counted(count, what)})", _saved(found)
    return f"{said} {known}{saved}" if tgc.sure else f"No difference beyond chance: {said} {known}{saved}"


def tone_of(found: Difference) -> Tone:
    """How a report shows whether the other is better than the first."""
    return "even" if not found.sure else "better" if found.gap.value > 0 else "worse"


def _points(value: float) -> str:
    """
    >>> _points(0.104), _points(-0.05)
    ('10.4 more', '5.0 fewer')
    """
    return f"{100 * abs(value):.1f} {'fewer' if value < 0 else 'more'}"


def range_of(found: Difference) -> str:
    """The interval in the direction of the sentence, or in both where it goes both ways."""
    low, high = 100 * found.gap.low, 100 * found.gap.high
    if low < 0 < high:
        return f"{-low:.1f} fewer to {high:.1f} more"
    least, most = sorted((abs(low), abs(high)))
    return f"{least:.1f} to {most:.1f}"


def _saved(found: Mapping[str, Difference]) -> str:
    """Tokens, where their difference is beyond chance."""
    tokens = found["tokens"]
    return f"; {_relative(tokens.relative)} tokens" if tokens.sure and tokens.before else ""


def _relative(share: float) -> str:
    """
    >>> _relative(-0.314), _relative(0.002), _relative(1.5)
    ('31% fewer', '0.2% more', '150% more')
    """
    size = 100 * abs(share)
    return f"{size:.{0 if size >= 1 else 1}f}% {'fewer' if share < 0 else 'more'}"


def _apart(pair: Versus) -> str:
    """Why two runs are not compared."""
    names = f"{pair.other.name} and {pair.first.name}"
    splits = [list(dict.fromkeys(one.split for one in view.outcomes)) for view in (pair.other, pair.first)]
    if not all(splits):
        return f"No comparison of {names}: one of them has played nothing yet"
    if set(splits[0]).isdisjoint(splits[1]):
        return f"No comparison of {names}: one played {', '.join(splits[0])}, the other {', '.join(splits[1])}"
    tasks = [{(one.split, one.task) for one in view.outcomes if not one.broken} for view in (pair.other, pair.first)]
    if tasks[0] & tasks[1]:
        return f"No comparison of {names}: their tasks have the same names and other words, or broke"
    return f"No comparison of {names}: they share no task"


def cautions(views: Sequence[View], pairs: Sequence[Versus]) -> Iterable[str]:
    """What to keep in mind of the sentence."""
    found = [one for pair in pairs for one in pair.splits]
    if any(1 in one.runs for one in found):
        yield "One run of each task: the interval tells of other tasks, not of another run."
    if found and any(view.weights for pair in pairs for view in (pair.first, pair.other)):
        yield "Each side is one training: another seed may differ by more; prowess ablate compares over seeds."
    if len(found) > 2:
        yield f"Of {len(found)} comparisons, one in twenty lies beyond chance by chance."
    for pair in pairs:
        for one in pair.splits:
            left = [
                f"{counted(n, 'task')} that {view.name} alone played"
                for n, view in zip(one.alone, (pair.first, pair.other), strict=True)
                if n
            ]
            left += [f"{counted(one.reworded, 'task')} that each asks in other words"] if one.reworded else []
            if left:
                yield f"Not compared on {one.split}: {', '.join(left)}."
    unfinished = [view.name for view in views if view.about.status is not Status.FINISHED]
    if unfinished:
        yield f"Not finished: {', '.join(unfinished)}. The figures cover what has been played so far."
    broken = sum(one.broken for view in views for one in view.played)
    if broken:
        yield f"{counted(broken, 'episode')} ended in an error and {'is' if broken == 1 else 'are'} in no figure."
    for view in views:
        if view.torn:
            yield f"{view.name}: the last line of metrics.jsonl has no end and is left out; the next step heals it."


def _memorised(views: Sequence[View]) -> Iterable[str]:
    """Whether something solves what it learned from, and nothing else."""
    for view in views:
        names = ("play/tgc", "eval/tgc", "learn/loss", "learn/held_out")
        last = {name: ends(values)[-1] for name in names if view.learns and (values := course(view, name))}
        split = str(view.recipe.get("evaluate.split", "the split"))
        if last.get("eval/tgc", 1) > NOTHING:
            continue
        if last.get("play/tgc", 0) >= ALL:
            yield _so(view.name, "in training", last["play/tgc"], split, last["eval/tgc"])
        elif last.get("learn/held_out", 0) >= max(1.0, TEN * last.get("learn/loss", math.inf)):
            losses = f"loss {last['learn/loss']:.2g} on its demonstrations, {last['learn/held_out']:.2g} on others"
            yield f"{view.name}: {losses}, on {split} {100 * last['eval/tgc']:.0f}%: it memorised; {SEE}."
    shares: dict[str, dict[str, Measures]] = {}
    for view in views:
        if view.weights:
            shares.setdefault(view.weights, {}).update({row.split: row for row in view.rows if row.difficulty is None})
    for weights, rows in shares.items():
        train = rows.get("train")
        for split, row in rows.items():
            if train and split != "train" and train.tgc.value >= ALL and row.tgc.value <= NOTHING:
                yield _so(weights, "on train", train.tgc.value, split, row.tgc.value)


def _so(who: str, where: str, much: float, split: str, little: float) -> str:
    return f"{who}: solved {where} {100 * much:.0f}%, on {split} {100 * little:.0f}%: it memorised; {SEE}."


def _hundred(value: float) -> str:
    return f"{100 * value:.1f}"
