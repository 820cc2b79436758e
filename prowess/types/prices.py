"""What tokens cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The prices of a served model, for a million tokens each, in whatever currency its list has."""

    read: float = 0.0
    """Of a million tokens that the model reads."""
    written: float = 0.0
    """Of a million that it writes."""

    def __bool__(self) -> bool:
        return bool(self.read or self.written)

    def of(self, *, read: float, written: float) -> float:
        """What so many tokens cost.

        >>> Prices(read=3.0, written=15.0).of(read=200_000, written=10_000)
        0.75
        """
        return (read * self.read + written * self.written) / 1_000_000
