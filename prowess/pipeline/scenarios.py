"""The scenarios that a stage plays, drawn in sight."""

from __future__ import annotations

from prowess.play.rollout import chains_of
from prowess.text.terminal import progress_where_slow
from prowess.types import Chain, Suite


def drawn(suite: Suite, split: str, first: int) -> list[Chain]:
    """The `first` scenarios of a split, 0 for all; with a bar where a world takes a while to draw them."""
    with progress_where_slow(first or None, f"drawing the scenarios of {split}") as bar:
        return chains_of(suite, split, first=first, watch=bar.advance)
