"""Errands in which texts say what is to be done: notes, files, messages, comments, descriptions."""

from __future__ import annotations

from collections.abc import Iterator

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines import (
    acts_carry,
    acts_money,
    acts_music,
    acts_papers,
    acts_phone,
    acts_todo,
    gauges,
    pairs_media,
    pairs_money,
    pairs_people,
    pairs_todo,
    rewrites,
)
from prowess_practice.errands.lines.act import errands_of
from prowess_practice.errands.lines.compare import comparisons
from prowess_practice.errands.lines.gauges import gauged
from prowess_practice.errands.lines.rewrites import rewritten


def made() -> Iterator[Errand]:
    """All of them."""
    for acts in (
        acts_music.MUSIC,
        acts_music.RECORDS,
        acts_phone.ACTS,
        acts_todo.ACTS,
        acts_papers.ACTS,
        acts_money.WALLET,
        acts_money.SPLITS,
        acts_carry.ACTS,
        pairs_media.ACTS,
        pairs_todo.ACTS,
        pairs_people.ACTS,
        pairs_money.ACTS,
    ):
        yield from errands_of(acts)
    yield from comparisons()
    yield from gauged(gauges.GAUGES)
    yield from gauged(gauges.NOTED)
    yield from rewritten(rewrites.CHANGES)
    yield from rewritten(rewrites.KNOWN)
