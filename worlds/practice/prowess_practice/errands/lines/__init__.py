"""Errands in which texts say what is to be done: notes, files, messages, comments, descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines import acts_carry as lines_acts_carry
from prowess_practice.errands.lines import acts_money as lines_acts_money
from prowess_practice.errands.lines import acts_music as lines_acts_music
from prowess_practice.errands.lines import acts_papers as lines_acts_papers
from prowess_practice.errands.lines import acts_phone as lines_acts_phone
from prowess_practice.errands.lines import acts_records as lines_acts_records
from prowess_practice.errands.lines import acts_shared as lines_acts_shared
from prowess_practice.errands.lines import acts_todo as lines_acts_todo
from prowess_practice.errands.lines import gauges as lines_gauges
from prowess_practice.errands.lines import gauges_noted as lines_gauges_noted
from prowess_practice.errands.lines import pairs_media as lines_pairs_media
from prowess_practice.errands.lines import pairs_money as lines_pairs_money
from prowess_practice.errands.lines import pairs_people as lines_pairs_people
from prowess_practice.errands.lines import pairs_todo as lines_pairs_todo
from prowess_practice.errands.lines import rewrites as lines_rewrites
from prowess_practice.errands.lines import rewrites_known as lines_rewrites_known
from prowess_practice.errands.lines.act import errands_of
from prowess_practice.errands.lines.compare import comparisons
from prowess_practice.errands.lines.gauge import gauged
from prowess_practice.errands.lines.rewrite import rewritten


def made() -> Iterator[Errand]:
    """All of them."""
    for table in (
        lines_acts_music,
        lines_acts_records,
        lines_acts_phone,
        lines_acts_todo,
        lines_acts_papers,
        lines_acts_money,
        lines_acts_shared,
        lines_acts_carry,
        lines_pairs_media,
        lines_pairs_todo,
        lines_pairs_people,
        lines_pairs_money,
    ):
        yield from errands_of(table.ACTS)
    yield from comparisons()
    yield from gauged(lines_gauges.GAUGES)
    yield from gauged(lines_gauges_noted.GAUGES)
    yield from rewritten(lines_rewrites.CHANGES)
    yield from rewritten(lines_rewrites_known.CHANGES)
