"""From runs to a report, and onto the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import RecipeError
from prowess.figures.differences import compare
from prowess.figures.plots import Plot, sheet
from prowess.files.disk import storing, write_whole
from prowess.report.headline import Versus, headline
from prowess.report.page import Page, html_of, markdown_of, page_of
from prowess.report.pictures import picture_sections, plots_of, stream_section
from prowess.report.reading import contrasts, read
from prowess.report.sections import (
    differences,
    differing,
    ends,
    errors,
    origins,
    recipes,
    results,
    skills,
)
from prowess.report.units import in_sight
from prowess.report.view import View, names_of, view_of
from prowess.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, ready to be written."""

    sentence: str
    """What it says first."""
    markdown: str
    html: str
    plots: Mapping[str, Plot]
    """Pictures by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A report on the disk."""

    sentence: str
    files: tuple[Path, ...]


def write_report(folders: Sequence[Path | str], out: Path | str) -> Written:
    """Write the report of some runs into a folder, and say what it says and which files were written."""
    if not folders:
        raise RecipeError("a report needs at least one run", hint="prowess report RUN [RUN ...]")
    return written(build(folders), Path(out))


def written(report: Report, out: Path) -> Written:
    """Write a report into a folder."""
    files = {out / "report.md": report.markdown, out / "report.html": report.html}
    files |= {out / "plots" / f"{name}.svg": sheet(plot) for name, plot in report.plots.items()}
    with storing(out):
        (out / "plots").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            write_whole(path, content.encode(errors="replace"))
    return Written(sentence=report.sentence, files=tuple(files))


def build(folders: Sequence[Path | str]) -> Report:
    """The report of some runs. The first of them is what the others are compared with."""
    views = [view_of(Run.open(folder), name) for folder, name in zip(folders, names_of(folders), strict=True)]
    with in_sight("comparing and drawing", sum(len(view.outcomes) for view in views)):
        return report_of(views)


def report_of(views: Sequence[View]) -> Report:
    """The report of runs that have been read."""
    pairs = paired(views)
    told = headline(views, pairs)
    contrasting = contrasts(views)
    reading = read(views, contrasting)
    drawn = plots_of(views)
    sections = [
        *differences(pairs),
        *stream_section(drawn),
        *results(views),
        *picture_sections(views, drawn),
        *differing(views, contrasting, reading),
        *skills(reading),
        ends(views, reading),
        *errors(views, reading),
        *recipes(views),
        origins(views),
    ]
    return bound(page_of(views, told, sections, drawn, reading))


def sentence_of(view: View) -> str:
    """What the report of a run says first."""
    return headline([view], ()).sentence


def bound(page: Page) -> Report:
    """A page as the texts that are written."""
    return Report(sentence=page.told.sentence, markdown=markdown_of(page), html=html_of(page), plots=page.plots)


def paired(views: Sequence[View]) -> list[Versus]:
    """Each run that was played beside the first that was."""
    played = [view for view in views if not view.learns]
    return [
        Versus(first=played[0], other=other, splits=compare(played[0].played, other.played)) for other in played[1:]
    ]
