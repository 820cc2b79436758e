"""A report as text: Markdown, and one HTML page that loads nothing."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.figures.plots.meanings import MEANINGS, title_of
from prowess.figures.tables import Cell, markdown, plain, quoted
from prowess.figures.tables.measures import LINES, estimate_cell
from prowess.report.sections import Section
from prowess.report.view import View
from prowess.run import Status
from prowess.text.plural import counted

CARDS = ("tgc", "sgc", "steps", "tokens", "use", "library")
"""Measures shown large at the top of a single run's page."""


NOTES = (
    "With several repetitions a figure is their mean, ± their standard deviation. The range after it is the 95% "
    "interval: Wilson's for shares, a bootstrap for means, both over scenarios, because the tasks of a scenario and "
    "the repetitions of a task are not independent, and wider where whole repetitions differ by more than their "
    "scenarios do, as with one library for all. Episodes that ended in an error are counted, and in no figure."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One measure, large."""

    label: str
    cell: Cell


def markdown_of(views: Sequence[View], sections: Sequence[Section]) -> str:
    """The report as Markdown, its pictures beside it."""
    parts = [f"# {plain(_title(views))}"]
    for section in sections:
        parts.append(f"## {plain(section.title)}")
        parts += [plain(section.text)] if section.text else []
        parts += [f"![{plain(section.title)}](plots/{section.plot}.png)"] if section.plot else []
        parts += [markdown(section.grid).rstrip()] if section.grid else []
    parts.append("## How to read this")
    parts.append("\n".join(f"- **{plain(label)}**: {plain(meaning)}" for label, meaning in _terms(views).items()))
    parts += [_notes(views)] if _notes(views) else []
    if len(views) == 1:
        parts.append(f"Read one episode with {quoted(f'prowess show {views[0].name} TASK')}.")
    return "\n\n".join(parts) + "\n"


def html_of(views: Sequence[View], sections: Sequence[Section], plots: Mapping[str, bytes]) -> str:
    """The report as one page that loads nothing, its pictures inside."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

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
        title=_title(views),
        subtitle=_subtitle(views),
        unfinished=[view.name for view in views if view.about.status is not Status.FINISHED],
        cards=_cards(views),
        sections=sections,
        pictures={name: base64.b64encode(picture).decode() for name, picture in plots.items()},
        terms=_terms(views),
        notes=_notes(views),
    )


def _terms(views: Sequence[View]) -> dict[str, str]:
    """What the measures and the metrics that are shown mean."""
    from prowess.figures.plots import metric_names

    measures = {line.label: line.meaning for line in LINES} if any(not view.learns for view in views) else {}
    shown = metric_names({view.name: view.metrics for view in views})
    return measures | {title_of(name): MEANINGS[name].text for name in shown if name in MEANINGS}


def _notes(views: Sequence[View]) -> str:
    return NOTES if any(not view.learns for view in views) else ""


def _title(views: Sequence[View]) -> str:
    return views[0].name if len(views) == 1 else f"{len(views)} runs side by side"


def _subtitle(views: Sequence[View]) -> str:
    if len(views) > 1:
        return ", ".join(view.name for view in views)
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
