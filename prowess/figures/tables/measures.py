"""Measures as tables: what each is called, and its figures side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from prowess.figures.differences import Comparison, Difference
from prowess.figures.intervals import Estimate
from prowess.figures.measure import Measures
from prowess.figures.tables.grid import NONE, Cell, Grid, Row
from prowess.text.plural import counted

Unit = Literal["percent", "number", "count", "money"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """How one measure is named and shown."""

    name: str
    label: str
    unit: Unit
    meaning: str


LINES = (
    Label(name="tgc", label="tasks solved (TGC)", unit="percent", meaning="tasks with every check passed"),
    Label(
        name="sgc",
        label="scenarios solved (SGC)",
        unit="percent",
        meaning="scenarios whose tasks were all solved in the same run",
    ),
    Label(name="steps", label="steps per task", unit="number", meaning="replies of the model until the task ended"),
    Label(name="tokens", label="tokens per task", unit="count", meaning="tokens the model wrote"),
    Label(
        name="cost",
        label="cost per task",
        unit="money",
        meaning="what its tokens cost, read and written, by `price_in` and `price_out` of the recipe",
    ),
    Label(
        name="solved_steps",
        label="steps if solved",
        unit="number",
        meaning="replies of the model, where it solved the task",
    ),
    Label(name="solved_tokens", label="tokens if solved", unit="count", meaning="tokens the model wrote for those"),
    Label(
        name="use",
        label="skill use when offered",
        unit="percent",
        meaning="episodes that called a library skill, of those that were offered one",
    ),
    Label(
        name="use_overall",
        label="skill use overall",
        unit="percent",
        meaning="episodes that called a library skill, of all",
    ),
    Label(
        name="success_given_use",
        label="solved given use",
        unit="percent",
        meaning="tasks solved, of those that called a library skill",
    ),
    Label(name="erred", label="tasks with an error", unit="percent", meaning="episodes in which some code failed"),
    Label(name="mended", label="solved after an error", unit="percent", meaning="tasks solved, of those"),
    Label(name="library", label="library size", unit="count", meaning="skills saved, by scenario and name"),
    Label(
        name="combining",
        label="skills combining APIs",
        unit="percent",
        meaning="skills whose source calls two or more different APIs",
    ),
)

COLUMNS = {"tgc": "TGC", "sgc": "SGC", "steps": "steps", "tokens": "tokens", "use": "skill use"}
"""The measures of a comparison, and what they are called there."""


def measures_grid(rows: Sequence[Measures]) -> Grid:
    """Splits one below the other; the whole split and its difficulties side by side."""
    levels = sorted({row.difficulty for row in rows if row.difficulty is not None})
    splits = list(dict.fromkeys(row.split for row in rows))
    out: list[Row] = []
    for split in splits:
        found = {row.difficulty: row for row in rows if row.split == split}
        out.append(Row(head=_heading(found[None])))
        out += _lines([found.get(level) for level in (None, *levels)])
    return Grid(columns=("all", *(f"difficulty {level}" for level in levels)), rows=tuple(out))


def comparison_grid(runs: Mapping[str, Sequence[Measures]]) -> Grid:
    """The same measures of several runs side by side, split by split."""
    splits = list(dict.fromkeys(row.split for rows in runs.values() for row in rows))
    out: list[Row] = []
    for split in splits:
        out.append(Row(head=split))
        levels = sorted({row.difficulty or 0 for rows in runs.values() for row in rows if row.split == split} - {0})
        parts = {level: [_find(rows, split, level) for rows in runs.values()] for level in levels}
        for row in _lines([_find(rows, split, None) for rows in runs.values()], counts=True):
            out.append(row)
            for line in LINES[:2] if levels else ():
                if row.head == line.label:
                    out += [
                        Row(head=f"… of difficulty {level}", cells=tuple(_cell(part, line) for part in parts[level]))
                        for level in levels
                    ]
    return Grid(columns=tuple(runs), rows=tuple(out))


def difference_grid(first: str, pairs: Mapping[str, Sequence[Comparison]]) -> Grid:
    """What runs have more or less than the first one: by measure, and by split where there are several. With one other
    run, both figures stand beside their difference, which comes first: a phone shows that without scrolling."""
    alone = len(pairs) == 1
    out: list[Row] = []
    splits = list(dict.fromkeys(one.split for found in pairs.values() for one in found))
    for split in splits:
        at = [next((one for one in found if one.split == split), None) for found in pairs.values()]
        out += [Row(head=split)] if len(splits) > 1 else []
        for name in ORDER:
            if any(one and name in one.differences for one in at):
                cells = [_difference(one, name) for one in at]
                out.append(Row(head=_called(name), cells=(*cells, *(_sides(at[0], name) if alone else ()))))
        counts = [Cell(text=f"{one.scenarios}" if one else NONE) for one in at]
        out.append(Row(head="scenarios that both played", cells=(*counts, *((Cell(text=""),) * 2 if alone else ()))))
    return Grid(columns=("difference", first, *pairs) if alone else tuple(pairs), rows=tuple(out))


ORDER = ("tgc", "sgc", "reward", "steps", "tokens", "solved_steps", "solved_tokens", "use_overall")
"""The measures of a table of differences, in its order."""
PAIRED = ("tgc", "sgc", "steps", "tokens", "use_overall")
"""Those of a table of many pairs."""
DIFFERENCES = {
    "reward": "checks passed",
    "solved_steps": "steps where both solved",
    "solved_tokens": "tokens where both solved",
}
"""What a measure is called there, if not as elsewhere."""


def _called(name: str) -> str:
    return DIFFERENCES.get(name) or next(line.label for line in LINES if line.name == name)


def _unit(name: str) -> Unit:
    return next((line.unit for line in LINES if line.name == name), "percent")


def _sides(found: Comparison | None, name: str) -> tuple[Cell, Cell]:
    """A measure of either side, on what both played."""
    if found is None or name not in found.differences:
        return Cell(text=NONE), Cell(text=NONE)
    one = found.differences[name]
    return _bare(one.before, _unit(name)), _bare(one.after, _unit(name))


def _bare(value: float, unit: Unit) -> Cell:
    return estimate_cell(Estimate(value=value, low=math.nan, high=math.nan, sd=math.nan, n=1), unit)


def _difference(found: Comparison | None, name: str) -> Cell:
    return _gap(found.differences.get(name) if found else None, name)


def _gap(one: Difference | None, name: str) -> Cell:
    if one is None:
        return Cell(text=NONE)
    unit = _unit(name)
    scale, digits = (100, ".1f") if unit == "percent" else (1, ",.0f" if unit == "count" else ".1f")
    text = f"{scale * one.gap.value:+{digits}}"
    shown = ""
    if not math.isnan(one.gap.low):
        shown = f"{scale * one.gap.low:+{digits}} to {scale * one.gap.high:+{digits}}"
    if unit != "percent" and not math.isnan(one.relative):
        shown += f"{'; ' if shown else ''}{100 * one.relative:+.0f}%"
    return Cell(text=text, detail=shown, tone="sure" if one.sure else "")


def paper_grid(rows: Mapping[str, Measures]) -> Grid:
    """A line for each, as in the paper: mean and spread over the runs, and below it the interval."""
    units = {line.name: line.unit for line in LINES}
    return Grid(
        columns=tuple(COLUMNS.values()),
        rows=tuple(
            Row(head=label, cells=tuple(estimate_cell(getattr(row, name), units[name]) for name in COLUMNS))
            for label, row in rows.items()
        ),
    )


def pairs_grid(pairs: Mapping[str, Mapping[str, Difference]]) -> Grid:
    """A line for each pair: what the second has more or less than the first, with its interval."""
    names = [name for name in PAIRED if any(name in found for found in pairs.values())]
    return Grid(
        columns=tuple(_called(name) for name in names),
        rows=tuple(
            Row(head=pair, cells=tuple(_gap(found.get(name), name) for name in names)) for pair, found in pairs.items()
        ),
    )


def _find(rows: Sequence[Measures], split: str, level: int | None) -> Measures | None:
    return next((row for row in rows if row.split == split and row.difficulty == level), None)


def _heading(row: Measures) -> str:
    return f"{row.split} · {counted(row.runs, 'run')}"


def _lines(at: Sequence[Measures | None], *, counts: bool = False) -> list[Row]:
    lines = [line for line in LINES if line.name != "cost" or any(map(is_priced, at))]
    out = [Row(head=line.label, cells=tuple(_cell(row, line) for row in at)) for line in lines]
    if counts:
        out.append(Row(head="runs", cells=tuple(Cell(text=f"{row.runs}" if row else NONE) for row in at)))
    out.append(Row(head="scenarios", cells=tuple(Cell(text=f"{row.scenarios}" if row else NONE) for row in at)))
    out.append(Row(head="episodes", cells=tuple(Cell(text=f"{row.episodes}" if row else NONE) for row in at)))
    out.append(Row(head="errors (not counted)", cells=tuple(_errors(row) for row in at)))
    if any(row.breaks for row in at if row):
        out.append(Row(head="calls the world broke on", cells=tuple(_breaks(row) for row in at)))
    if any(row.left_out for row in at if row):
        left_out = tuple(Cell(text=f"{row.left_out}" if row else NONE) for row in at)
        out.append(Row(head="scenarios not in SGC", cells=left_out))
    return out


def is_priced(row: Measures | None) -> bool:
    """Whether what tasks cost is known."""
    return row is not None and not math.isnan(row.cost.value)


def _errors(row: Measures | None) -> Cell:
    if row is None:
        return Cell(text=NONE)
    if not row.errors:
        return Cell(text="0")
    return Cell(text=f"{row.errors}", detail=f"of {row.episodes}", tone="bad")


def _breaks(row: Measures | None) -> Cell:
    if row is None:
        return Cell(text=NONE)
    return Cell(text=f"{row.breaks}", tone="bad" if row.breaks else "")


def _cell(row: Measures | None, line: Label) -> Cell:
    if row is None:
        return Cell(text=NONE)
    return estimate_cell(getattr(row, line.name), line.unit)


def estimate_cell(estimate: Estimate, unit: Unit) -> Cell:
    """A figure, its spread over runs, and its interval.

    >>> estimate_cell(Estimate(value=0.93, low=0.881, high=0.96, sd=0.012, n=171), "percent")
    Cell(text='93.0% ±1.2', detail='88.1–96.0', tone='', link='', page='')
    """
    if math.isnan(estimate.value):
        return Cell(text=NONE)
    scale = 100 if unit == "percent" else 1
    digits = {"count": ",.0f", "money": ",.4f"}.get(unit, ".1f")
    text = f"{scale * estimate.value:{digits}}{'%' if unit == 'percent' else ''}"
    if not math.isnan(estimate.sd):
        text += f" ±{scale * estimate.sd:{digits}}"
    shown = "" if math.isnan(estimate.low) else f"{scale * estimate.low:{digits}}–{scale * estimate.high:{digits}}"
    return Cell(text=text, detail=shown)
