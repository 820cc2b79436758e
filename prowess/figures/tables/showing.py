"""A grid as it is shown, in a terminal or in Markdown: nothing that others wrote acts there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from prowess.figures.tables.grid import Cell, Grid
from prowess.text.terminal import safe

if TYPE_CHECKING:
    from rich.table import Table


STYLES = {"bad": "bold red", "sure": "bold"}


def rich_table(grid: Grid, *, title: str = "") -> Table:
    """A grid for a terminal of 80 columns or more."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    named = Text(safe(title), style="table.title") if title else None
    table = Table(box=box.SIMPLE_HEAD, title=named, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    for column in grid.columns:
        table.add_column(Text(safe(column)), justify="right", min_width=9)
    for number, row in enumerate(grid.rows):
        if not row.cells:
            if number:
                table.add_section()
            table.add_row(Text(safe(row.head), style="bold"))
            continue
        cells = []
        for cell in row.cells:
            shown = Text(safe(cell.text), style=STYLES.get(cell.tone, ""), no_wrap=True)
            if cell.detail:
                shown.append(f"\n{safe(cell.detail)}", style="dim")
            cells.append(shown)
        table.add_row(Text(f" {safe(row.head)}"), *cells)
    return table


def markdown(grid: Grid) -> str:
    """A grid as a Markdown table."""
    lines = [_joined(["", *map(plain, grid.columns)]), _joined(["---", *["---:"] * len(grid.columns)])]
    for row in grid.rows:
        if not row.cells:
            lines.append(_joined([f"**{plain(row.head)}**", *[""] * len(grid.columns)]))
            continue
        lines.append(_joined([plain(row.head), *map(_markdown_cell, row.cells)]))
    return "\n".join(lines) + "\n"


def _markdown_cell(cell: Cell) -> str:
    if cell.tone == "code":
        return quoted(cell.text)
    text = f"[{plain(cell.text)}]({cell.page})" if cell.page else plain(cell.text)
    text += f" ({plain(cell.detail)})" if cell.detail else ""
    return f"**{text}**" if cell.tone in STYLES else text


def _joined(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """Text that Markdown shows as it is: no link, picture, tag, emphasis or table edge can come of it."""
    flat = " ".join(safe(text).split())
    escaped = "".join(f"\\{char}" if char in "\\`*[]<>|~$" else char for char in flat)
    return escaped.replace("&", "&amp;").replace("_", "\\_" if "__" in flat else "_")


def quoted(text: str) -> str:
    """Text that others wrote, as a Markdown code span, where nothing is interpreted."""
    flat = " ".join(safe(text).split()).replace("`", "'").replace("|", "\\|")
    return f"`{flat}`" if flat else ""
