"""What a served model has cost so far, and the budget that ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from prowess.errors import BudgetSpent
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.types import Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What one reply cost, or several."""

    read: int = 0
    """Tokens that the model read."""
    written: int = 0
    """Tokens that it wrote."""
    cost: float = 0.0
    """What they cost."""

    def __add__(self, other: Charge) -> Charge:
        return Charge(read=self.read + other.read, written=self.written + other.written, cost=self.cost + other.cost)


class Meter:
    """Adds up what replies cost, from whichever thread. A request that got no answer is not counted: nobody knows what
    it cost."""

    def __init__(self, settings: EndpointSettings) -> None:
        self.prices, self.budget = settings.prices, settings.budget
        self.spent = Charge()
        self._keep: Callable[[Charge], None] = lambda charge: None
        self._guard = threading.Lock()

    def begin(self, before: Charge, keep: Callable[[Charge], None]) -> None:
        """Go on from what was spent before; `keep` is given each charge from now on."""
        self.spent, self._keep = before, keep

    def check(self) -> None:
        """Let no more be asked for once the budget is spent."""
        if 0 < self.budget <= self.spent.cost:
            raise BudgetSpent(
                f"the budget of {self.budget:g} is spent: {told(self.spent)}",
                hint=f"the same command with --set policy.endpoint.budget={2 * self.budget:g} goes on from here",
            )

    def add(self, said: Completion) -> None:
        cost = self.prices.of(read=said.prompt_tokens, written=said.reply_tokens)
        charge = Charge(read=said.prompt_tokens, written=said.reply_tokens, cost=cost)
        with self._guard:
            self.spent += charge
        if self.prices:
            self._keep(charge)


def told(charge: Charge) -> str:
    """A charge in words.

    >>> told(Charge(read=120_000, written=4_000, cost=0.42))
    '0.4200 for 120,000 tokens read and 4,000 written'
    """
    return f"{charge.cost:.4f} for {charge.read:,} tokens read and {charge.written:,} written"
