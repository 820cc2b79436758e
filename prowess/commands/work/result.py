"""What a stream came to, for whoever started it: what became of the skills and why, and what a task costs now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from prowess.commands.work.curve import WINDOW, Point, cost_of
from prowess.commands.work.ledger import Ledger
from prowess.commands.work.queue import QUEUE
from prowess.figures.measure import FREE
from prowess.run import Run
from prowess.store.db import Store
from prowess.store.record import Kind, Status
from prowess.text.plural import counted
from prowess.types import Prices, Task

ALWAYS = {Status.ACTIVE: "active", Status.PROBATION: "on probation", Status.REVIEW: "in review"}
"""What is told even if there is none of it, and how."""
REASONS = 3
"""Gates that are named with the reason of one refusal each."""
LONGEST = 160
"""Letters of a reason."""


def ended(run: Run, tasks: int) -> str:
    """That a stream had fewer tasks than were asked for; nothing where it had enough."""
    came = len(Ledger(run.folder / QUEUE, Task))
    return f"the stream ended: {came} of {counted(tasks, 'task')}" if came < tasks else ""


def fates(store: Store, namespace: str) -> str:
    """How many skills of a world stand where, and what the gates refused them for."""
    entries = store.entries(namespace=namespace)
    counts = Counter(entry.status for entry in entries)
    told = [f"{counts.pop(status, 0)} {words}" for status, words in ALWAYS.items()]
    why = _refusals(store, namespace, {entry.digest for entry in entries if entry.status is Status.REJECTED})
    told += [
        f"{counts[status]} {status}" + (why if status is Status.REJECTED else "") for status in Status if counts[status]
    ]
    return f"skills: {', '.join(told)}"


def _refusals(store: Store, namespace: str, digests: set[str]) -> str:
    """Which gates refused these versions, each with the reason of the first.

    (structure: it has no docstring; 3 leak, first: it holds 'Ann')
    """
    by: dict[str, dict[str, str]] = {}
    last = {
        event.digest: event
        for event in store.events(namespace=namespace)
        if event.kind is Kind.MOVED and event.after == Status.REJECTED and event.digest in digests
    }
    for digest, event in last.items():
        by.setdefault(event.who or str(event.actor), {})[digest] = " ".join(event.why.split())[:LONGEST]
    most = sorted(by.items(), key=lambda one: -len(one[1]))
    told = [
        f"{who}: {next(iter(whys.values()))}"
        if len(whys) == 1
        else f"{len(whys)} {who}, first: {next(iter(whys.values()))}"
        for who, whys in most[:REASONS]
    ]
    if rest := most[REASONS:]:
        told.append(f"{sum(len(whys) for _, whys in rest)} for {counted(len(rest), 'other reason')}")
    return f" ({'; '.join(told)})" if told else ""


def cost(points: Sequence[Point], width: int = WINDOW, *, prices: Prices = FREE) -> str:
    """What a task cost at the stream's beginning and costs at its end; nothing of fewer than two.

    tokens per task: 412 in the first 50, 180 in the last 50; cost per task: 0.0081, then 0.0035
    """
    some = min(width, len(points) // 2)
    if not some:
        return ""
    first, last = (math.fsum(point.written for point in part) / some for part in (points[:some], points[-some:]))
    tokens = f"tokens per task: {first:,.0f} in the first {some}, {last:,.0f} in the last {some}"
    if not prices:
        return tokens
    before, now = (
        math.fsum(cost_of(point, prices) for point in part) / some for part in (points[:some], points[-some:])
    )
    return f"{tokens}; cost per task: {before:.4f}, then {now:.4f}"
