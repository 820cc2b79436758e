"""Report: one or several runs side by side, as Markdown, one self-contained HTML page, and plots.

    prowess report runs/expert-evaluate
    prowess report runs/baseline runs/sage --out runs/compared

Everything shown was written by models, worlds or other people: it is escaped on its way out, and the page may load
nothing from anywhere.
"""

from __future__ import annotations

from prowess.report.report import Report, Written, build, write_report

__all__ = ["Report", "Written", "build", "write_report"]
