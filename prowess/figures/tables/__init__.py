"""Tables: built once as a grid of texts, then shown in a terminal, in Markdown or in HTML. Of measures: `measures`."""

from __future__ import annotations

from prowess.figures.tables.grid import NONE, Cell, Grid, Row
from prowess.figures.tables.showing import markdown, plain, quoted, rich_table

__all__ = ["NONE", "Cell", "Grid", "Row", "markdown", "plain", "quoted", "rich_table"]
