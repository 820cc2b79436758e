"""A report as a page: as Markdown, and as one HTML file that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from prowess.figures.plots import Plot, metric_names
from prowess.figures.plots.drawing import STYLE, colours, svg
from prowess.figures.plots.meanings import MEANINGS, key_of, label_of
from prowess.figures.tables import Cell, markdown, plain, quoted
from prowess.figures.tables.measures import LINES, estimate_cell, is_priced
from prowess.report.headline import Headline
from prowess.report.pictures import title_of
from prowess.report.reading import LONGEST, Reading
from prowess.report.sections import Section
from prowess.report.view import View
from prowess.text.plural import counted
from prowess.types import Turn

CARDS = ("tgc", "sgc", "steps", "tokens", "use", "library")
"""Measures shown large at the top of a single run's page."""
LINES_SEEN = 40
"""Longest observation shown; the rest is cut with a note."""


NOTES = (
    "With several repetitions a figure is their mean, ± their standard deviation. The range after it is the 95% "
    "interval: Wilson's for shares, a bootstrap for means, both over scenarios, because the tasks of a scenario and "
    "the repetitions of a task are not independent, and wider where whole repetitions differ by more than their "
    "scenarios do, as with one library for all. Episodes that ended in an error are counted, and in no figure."
)
STILL = "The same at every step or next to nothing, and not drawn"
DIFFERING = (
    "Differences are taken task by task where both runs played it. Their interval is Student's over scenarios; shares "
    "get two made-up scenarios, one better and one worse. A difference is bold if zero is outside its interval and it "
    "rests on six scenarios or more."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One measure, large."""

    label: str
    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """What a measure or a metric is called, its raw name if it has one, and what it means."""

    label: str
    key: str = ""
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that a page holds."""

    recipe: str
    """The names of the recipes: they stand above the sentence."""
    told: Headline
    subtitle: str
    sections: tuple[Section, ...]
    plots: Mapping[str, Plot]
    terms: tuple[Term, ...]
    notes: tuple[str, ...]
    """How the figures are to be read."""
    cards: tuple[Card, ...] = ()
    reading: Reading = field(default_factory=Reading)
    last: str = ""
    """What the Markdown ends with."""


def page_of(
    views: Sequence[View], told: Headline, sections: Sequence[Section], drawn: Mapping[str, Plot], reading: Reading
) -> Page:
    """The page of some runs side by side."""
    show = quoted(f"prowess show {views[0].name} TASK")
    names = metric_names({view.name: view.metrics for view in views})
    return Page(
        recipe=", ".join(dict.fromkeys(str(view.recipe.get("name", view.name)) for view in views)),
        told=told,
        subtitle=_subtitle(views),
        sections=tuple(sections),
        plots=drawn,
        terms=(*measures_explained(views), *metrics_explained(names)),
        notes=tuple(_notes(views)),
        cards=tuple(_cards(views)),
        reading=reading,
        last=f"Read one episode with {show}." if len(views) == 1 else "",
    )


def markdown_of(page: Page) -> str:
    """The page as Markdown, its pictures beside it."""
    told = page.told
    parts = [f"# {plain(told.sentence)}"]
    parts += ["\n".join(f"- {plain(each)}" for each in told.more)] if told.more else []
    parts += ["\n".join(f"> {plain(each)}  " for each in told.notes)] if told.notes else []
    parts.append(f"{plain(page.subtitle)}")
    for section in page.sections:
        parts.append(f"## {plain(section.title)}")
        parts += [plain(section.text)] if section.text else []
        for plot in section.plots:
            name = plain(title_of(plot) if section.folded else section.title)
            parts.append(f"- [{name}](plots/{plot}.svg)" if section.folded else f"![{name}](plots/{plot}.svg)")
        parts += [f"{STILL}: {plain(', '.join(map(' '.join, section.still)))}."] if section.still else []
        parts += [markdown(section.grid).rstrip()] if section.grid else []
    parts.append("## How to read this")
    parts.append(
        "\n".join(
            f"- **{plain(term.label)}**{f' ({quoted(term.key)})' if term.key else ''}: {plain(term.meaning)}"
            for term in page.terms
        )
    )
    parts += page.notes
    parts += [page.last] if page.last else []
    return "\n\n".join(parts) + "\n"


def html_of(page: Page) -> str:
    """The page as HTML that loads nothing, its pictures inside."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    from prowess.text.terminal import safe

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: safe(value) if type(value) is str else value,
    )
    return environment.get_template("report.html").render(
        {each.name: getattr(page, each.name) for each in fields(page)},
        svg=lambda panel: Markup(svg(panel)),
        plot_style=Markup(colours() + STYLE),
        plot_title=title_of,
        still=STILL,
        reads=_reads(page.reading),
        said=_prose,
        clipped=clipped,
        counted=counted,
    )


def clipped(text: str, lines: int = LINES_SEEN, letters: int = LONGEST) -> str:
    """A text that is not too long for a page; what is left out is said.

    >>> clipped("a\\nb\\nc", 2)
    'a\\nb\\n… 1 more line'
    >>> clipped("abcdef", 2, 4)
    'abcd … 2 more letters'
    """
    text = text.rstrip()
    if len(text) > letters:
        text = f"{text[:letters]} … {counted(len(text) - letters, 'more letter')}"
    found = text.split("\n")
    if len(found) <= lines:
        return text
    return "\n".join([*found[:lines], f"… {counted(len(found) - lines, 'more line')}"])


def _prose(turn: Turn) -> str:
    """What a reply says before its code; the whole reply when it has none."""
    text = turn.completion.text
    return clipped((text.partition("```")[0] if turn.code else text).strip())


def _reads(reading: Reading) -> str:
    """How much of the runs is here to be read."""
    shown = len(reading.episodes)
    if shown == reading.played:
        return "All episodes are here." if shown > 1 else ""
    return f"{shown} of {counted(reading.played, 'episode')}: first those that differ, broke or failed."


def measures_explained(views: Sequence[View]) -> list[Term]:
    """What the measures of what was played mean."""
    priced = any(is_priced(row) for view in views for row in view.rows)
    lines = [line for line in LINES if line.name != "cost" or priced]
    return [Term(label=line.label, meaning=line.meaning) for line in lines] if _measured(views) else []


def metrics_explained(names: Iterable[str]) -> list[Term]:
    """What metrics mean, as far as that is known."""
    known = [name for name in names if name in MEANINGS]
    return [Term(label=label_of(name), key=key_of(name), meaning=MEANINGS[name].text) for name in known]


def _measured(views: Sequence[View]) -> bool:
    return any(not view.learns for view in views)


def _notes(views: Sequence[View]) -> list[str]:
    return ([NOTES] if _measured(views) else []) + ([DIFFERING] if sum(not view.learns for view in views) > 1 else [])


def _subtitle(views: Sequence[View]) -> str:
    if len(views) > 1:
        return f"{len(views)} runs side by side: {', '.join(view.name for view in views)}"
    view = views[0]
    if view.learns:
        kept = f"{len(view.outcomes)} episodes kept"
        return f"{view.about.command} · {view.steps} steps · {kept} · begun {view.about.created}"
    splits = ", ".join(dict.fromkeys(row.split for row in view.rows)) or "nothing played yet"
    return f"{view.about.command} · {splits} · {counted(len(view.outcomes), 'episode')} · begun {view.about.created}"


def _cards(views: Sequence[View]) -> list[Card]:
    if len(views) != 1 or not views[0].rows:
        return []
    row = views[0].rows[0]
    return [
        Card(label=line.label, cell=estimate_cell(getattr(row, line.name), line.unit))
        for line in LINES
        if line.name in CARDS
    ]
