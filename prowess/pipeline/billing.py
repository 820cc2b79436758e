"""What a run's replies cost: added up over all commands that went on with it, told at the end, held to the budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prowess.commands.work.ledger import Ledger
from prowess.policies.endpoint.meter import Charge, Meter, told
from prowess.run import Run
from prowess.text.terminal import say
from prowess.types import Policy

COSTS = "costs.jsonl"
"""The charges of a run, a line for each reply: also of conversations that were broken off, which no table counts."""


@contextmanager
def billed(policy: Policy, run: Run) -> Iterator[None]:
    """Keep in the run what the replies of a policy cost, where it has prices, and say it in the end."""
    meter = getattr(policy, "meter", None)
    if not isinstance(meter, Meter) or not meter.prices:
        yield
        return
    kept: Ledger[Charge] = Ledger(run.folder / COSTS, Charge)
    meter.begin(sum(kept, Charge()), kept.append)
    try:
        yield
    finally:
        budget = f"; the budget is {meter.budget:g}" if meter.budget else ""
        say(f"cost: {told(meter.spent)}{budget}")
