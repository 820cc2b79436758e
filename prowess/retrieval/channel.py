"""A channel: one way of telling how alike a request and earlier texts are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Scorer = Callable[[str], Sequence[float]]
"""How alike a request is to each of the texts it was made for: 0 for nothing in common, about 1 for the same."""

Channel = Callable[[Sequence[str]], Scorer]
"""Makes the scorer of some texts, doing once what need not be done for every request."""
