"""A table as a value: a grid of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NONE = "–"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One entry of a grid."""

    text: str
    detail: str = ""
    """Small print below it: the interval."""
    tone: Literal["", "bad", "code", "sure"] = ""
    """How to show it: as something wrong, as text that others wrote, or as a difference that is beyond chance."""
    link: str = ""
    """Where on the same page it leads: an anchor."""
    page: str = ""
    """Another page that it leads to, by its path from this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a grid; without cells it is the heading of those that follow."""

    head: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table, wherever it will be shown."""

    columns: tuple[str, ...]
    """What stands above the cells; the first column, of the rows' heads, has none."""
    rows: tuple[Row, ...]
