"""Figures of groups of rows: what rows are told apart by, and what is worked out for each group."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.reports.parts import FigureTable, Rows
from prowess_practice.errands.transfers.parts import RowPool


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What rows are told apart by."""

    word: str
    """A program's name for it."""
    code: str
    """On `ROW`; a list of them where `several`."""
    called: str
    of: str
    """`by that artist`"""
    hint: str = ""
    prelude: str = ""
    """Lines for what the code looks up."""
    app: str = ""
    """Where that is."""
    dated: bool = False
    weekly: bool = False
    """Whether these are days of the week."""
    several: bool = False
    """Whether a row may belong to several groups, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportField:
    """What is measured on a row."""

    word: str
    code: str
    """On `ROW`."""
    one: str
    """`duration in seconds`"""
    many: str
    money: bool = False
    inner: str = ""
    """A line that looks into the row first."""
    repeats: bool = False
    """Whether several rows may have the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What is worked out for a group."""

    word: str
    says: str
    """With ITEMS for the rows of the group and MANY for what is measured on them."""
    kind: str = "int"
    step: str = ""
    """What a row adds: on `figures` and KEY, with VALUE for what is measured."""
    holds: str = ""
    """What is collected first where that is needed, `list` or `set`."""
    end: str = ""
    """The figure, out of `values` then."""
    edit: tuple[str, str] = ("", "")
    """Part of it, and what must not give the same."""


NUMBER = Figure(
    word="number",
    says="the number of ITEMS",
    step="figures[KEY] = figures.get(KEY, 0) + 1",
    edit=("figures.get(KEY, 0) + 1", "1"),
)
SUM = Figure(
    word="sum",
    says="the sum of the MANY of ITEMS",
    step="figures[KEY] = figures.get(KEY, 0) + VALUE",
    edit=("figures.get(KEY, 0) + VALUE", "VALUE"),
)
MONEY = Figure(
    word="sum",
    says="the sum of the MANY of ITEMS, with two decimals (as in 12.50)",
    kind="money",
    step="figures[KEY] = round(figures.get(KEY, 0) + VALUE, 2)",
    edit=("figures.get(KEY, 0) + VALUE", "VALUE"),
)
MEAN = Figure(
    word="mean",
    says="the average ONE of ITEMS, with two decimals (as in 12.50)",
    kind="mean",
    holds="list",
    end="round(sum(values) / len(values), 2)",
    edit=("sum(values) / len(values)", "sum(values)"),
)
MOST = Figure(
    word="most",
    says="the greatest ONE among ITEMS",
    step="figures[KEY] = max(figures.get(KEY, 0), VALUE)",
    edit=("max(figures.get(KEY, 0), VALUE)", "VALUE"),
)
FEWEST = Figure(
    word="fewest",
    says="the smallest ONE among ITEMS",
    holds="list",
    end="min(values)",
    edit=("min(values)", "max(values)"),
)
SPREAD = Figure(
    word="spread",
    says="the difference between the greatest and the smallest ONE among ITEMS",
    holds="list",
    end="max(values) - min(values)",
    edit=("max(values) - min(values)", "max(values)"),
)
SHARE = Figure(
    word="share",
    says="the share of ITEMS in the number of all of them, in percent with one decimal (as in 12.5)",
    kind="share",
    step="counts[KEY] = counts.get(KEY, 0) + 1",
    end="round(100 * count / len(FOUND), 1)",
    edit=("100 * count", "count"),
)
LATEST = Figure(
    word="latest",
    says="the latest ONE among ITEMS, as YYYY-MM-DD",
    kind="day",
    step='figures[KEY] = max(figures.get(KEY, ""), VALUE)',
    edit=('max(figures.get(KEY, ""), VALUE)', "VALUE"),
)
EARLIEST = Figure(
    word="earliest",
    says="the earliest ONE among ITEMS, as YYYY-MM-DD",
    kind="day",
    holds="list",
    end="min(values)",
    edit=("min(values)", "max(values)"),
)
SPAN = Figure(
    word="span",
    says='"FIRST to LAST", that is the earliest and the latest ONE among ITEMS, as YYYY-MM-DD',
    kind="text",
    holds="list",
    end='f"{min(values)} to {max(values)}"',
    edit=("{min(values)} to {max(values)}", "{max(values)} to {min(values)}"),
)
DIFFERENT = Figure(
    word="different",
    says="how many different MANY ITEMS have",
    holds="set",
    end="len(values)",
)
NAMES = Figure(
    word="names",
    says='the MANY of ITEMS, in alphabetical order and joined by ", "',
    kind="text",
    holds="list",
    end='", ".join(sorted(values))',
    edit=("sorted(values)", "sorted(values, reverse=True)"),
)


def grouped(
    pool: RowPool, key: Key, figure: Figure, field: ReportField | None = None, conditions: tuple[Condition, ...] = ()
) -> FigureTable | None:
    """The table; none where a program would take one name for two things."""
    rows = Rows(pools=(pool,), conditions=conditions)
    if key.word in rows.slots or key.word in (pool.row, pool.rows):
        return None
    if field and field.money and figure is SUM:
        figure = MONEY
    kind = "money" if field and field.money and figure.kind == "int" and figure is not DIFFERENT else figure.kind
    value = field.code.replace("ROW", pool.row) if field else "1"
    before = f"        {field.inner.replace('ROW', pool.row)}\n" if field and field.inner else ""
    step = figure.step.replace("KEY", key.word).replace("VALUE", value)
    end = figure.end.replace("FOUND", rows.found)
    if kind == "money" and figure is SPREAD:
        end = f"round({end}, 2)"
    start, after = "    figures: dict = {}\n", ""
    if figure.holds:
        add = "add" if figure.holds == "set" else "append"
        empty = "set()" if figure.holds == "set" else "[]"
        start = "    collected: dict = {}\n"
        step = f"collected.setdefault({key.word}, {empty}).{add}({value})"
        after = f"    figures = {{{key.word}: {end} for {key.word}, values in collected.items()}}\n"
    elif end:
        start = "    counts: dict = {}\n"
        after = f"    figures = {{{key.word}: {end} for {key.word}, count in counts.items()}}\n"
    code = key.code.replace("ROW", pool.row)
    inner = (
        f"        for {key.word} in {code}:\n            " if key.several else f"        {key.word} = {code}\n        "
    )
    loop = f"    for {pool.row} in {rows.found}:\n{before}{inner}{step}\n"
    further = (key.app,) if key.app else ()
    one, many = (field.one, field.many) if field else ("", "")
    items = pool.row if pool.row != "entry" else "item"
    those = f"those {items}s {key.of}"
    suffix = ", with two decimals (as in 12.50)" if kind == "money" and figure is not MONEY else ""
    if figure is NAMES and field and field.repeats:
        suffix = " (the same one as often as it occurs)"
    words = f"{figure.says.replace('MANY', many).replace('ONE', one)}{suffix}"
    says, short = words.replace("ITEMS", those), words.replace("ITEMS", f"the {items}s in each group")
    word = f"{figure.word}_{field.word}" if field and field.word != "day" else figure.word
    edit = tuple(part.replace("KEY", key.word).replace("VALUE", value) for part in figure.edit)
    return FigureTable(
        word=f"{word}_by_{key.word}_of_{rows.word}",
        rows=rows,
        apps=tuple(dict.fromkeys((*rows.apps, *further))),
        code=f"{rows.reading(key.prelude, further)}{start}{loop}{after}",
        per=f"each {key.called}",
        each=f"each {key.called} that occurs among {rows.many}",
        subject=f"{rows.many} by {key.called}",
        lead=f"Group {rows.many} by {key.called} and work out {short}.",
        name=f"the {key.called}",
        says=says,
        about=f"{_brief(figure, field)} of {rows.about} by {key.called}",
        hint=key.hint,
        kind=kind,
        dated=key.dated,
        weekly=key.weekly,
        adds=figure in (NUMBER, SUM, MONEY) and not key.several,
        matters=((edit[0], edit[1]),) if edit[0] else (),
    )


def _brief(figure: Figure, field: ReportField | None) -> str:
    """What a docstring calls it."""
    many = field.many if field else ""
    return {
        "number": "the number",
        "sum": f"the sum of {many}",
        "mean": f"the average of {many}",
        "most": f"the greatest of {many}",
        "fewest": f"the smallest of {many}",
        "spread": f"the spread of {many}",
        "share": "the share in percent",
        "latest": f"the latest of the {many}",
        "earliest": f"the earliest of the {many}",
        "span": f"the first and last of the {many}",
        "different": f"the number of different {many}",
        "names": f"the {many}",
    }[figure.word]
