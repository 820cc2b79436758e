"""From runs to a report, and onto the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import RecipeError
from prowess.files.disk import storing, write_whole
from prowess.report.page import html_of, markdown_of
from prowess.report.pictures import picture_sections, plots_of
from prowess.report.sections import ends, errors, origins, recipes, results
from prowess.report.view import names_of, view_of
from prowess.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, ready to be written."""

    markdown: str
    html: str
    plots: Mapping[str, bytes]
    """PNG pictures by name."""


def write_report(folders: Sequence[Path | str], out: Path | str) -> tuple[Path, ...]:
    """Write the report of some runs into a folder, and say which files were written."""
    if not folders:
        raise RecipeError("a report needs at least one run", hint="prowess report RUN [RUN ...]")
    report, out = build(folders), Path(out)
    files: dict[Path, bytes] = {
        out / "report.md": report.markdown.encode(errors="replace"),
        out / "report.html": report.html.encode(errors="replace"),
    }
    files |= {out / "plots" / f"{name}.png": picture for name, picture in report.plots.items()}
    with storing(out):
        (out / "plots").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            write_whole(path, content)
    return tuple(files)


def build(folders: Sequence[Path | str]) -> Report:
    """The report of some runs."""
    views = [view_of(Run.open(folder), name) for folder, name in zip(folders, names_of(folders), strict=True)]
    plots = plots_of(views)
    sections = [
        *results(views),
        *picture_sections(views, plots),
        ends(views),
        *errors(views),
        *recipes(views),
        origins(views),
    ]
    return Report(markdown=markdown_of(views, sections), html=html_of(views, sections, plots), plots=plots)
