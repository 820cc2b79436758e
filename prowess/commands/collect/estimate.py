"""What a collection will take, before anything of it is played.

A reply reads the whole conversation so far. With a first prompt of P tokens, replies of R and outputs of O, a
conversation of T replies

    reads    T * P  +  (R + O) * T * (T - 1) / 2
    writes   T * R

P is counted, for tasks from all over the collection. T, R and O are assumed, unless the run holds episodes already:
then what these read and wrote is taken, and how many tries a task took.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean

from prowess.commands.collect.settings import CollectSettings
from prowess.commands.collect.units import units_of
from prowess.errors import WorldError
from prowess.files.codec import Played
from prowess.play import Agent
from prowess.play.rollout import play_task
from prowess.skills.library import Library
from prowess.text.plural import counted
from prowess.text.tokens import estimate as tokens_of
from prowess.types import Prices, Suite, Task
from prowess.worlds.check import spread

TURNS, REPLY, OUTPUT = 6, 200, 250
"""Replies of a conversation, tokens of a reply, and of an output with the words around it; where nothing is known."""
PROMPTS = 24
"""Tasks whose first prompt is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a collection will take if each task is solved at the first try, or with as many as it took so far."""

    tasks: int
    """Tasks to play, each counted once for every temperature."""
    prompt: float
    """Tokens of a first prompt."""
    prompts: int
    """How many of them were counted."""
    turns: float
    """Replies of a conversation."""
    episodes: int
    """Episodes that the run holds and that this was learnt from; 0 where it is assumed."""
    tries: float
    """Tries of a task."""
    most: int
    """The most tries of a task, `collect.tries`."""
    read: float
    """Tokens that will be read."""
    written: float
    """Tokens that will be written."""
    cost: float
    """What they will cost; 0 without prices."""


def estimate(
    agent: Agent,
    suite: Suite,
    settings: CollectSettings,
    prices: Prices,
    *,
    before: Sequence[Played] = (),
    turns: int | None = None,
) -> Estimate:
    """What a collection will take. `before` are episodes of the same recipe; `turns` is what the user expects."""
    units = units_of(suite, settings)
    tasks = sum(len(unit.chain) for unit in units)
    looked = spread(list({task.id: task for unit in units for task in unit.chain}.values()), PROMPTS)
    prompt = fmean(first_prompt(agent, suite, task) for task in looked)
    known = [one.episode for one in before if one.episode.turns]
    begun = {(one.episode.task.id, one.run) for one in before}
    tries = min(len(before) / len(begun), float(settings.tries)) if known else 1.0
    if known and turns is None:
        count, read = fmean(len(one.turns) for one in known), fmean(one.prompt_tokens for one in known)
        written = fmean(one.reply_tokens for one in known)
    else:
        count = float(min(turns or TURNS, agent.limits.turns))
        read, written = count * prompt + (REPLY + OUTPUT) * count * (count - 1) / 2, count * REPLY
    return Estimate(
        tasks=tasks,
        prompt=prompt,
        prompts=len(looked),
        turns=count,
        episodes=len(known) if turns is None else 0,
        tries=tries,
        most=settings.tries,
        read=tasks * tries * read,
        written=tasks * tries * written,
        cost=prices.of(read=tasks * tries * read, written=tasks * tries * written),
    )


def first_prompt(agent: Agent, suite: Suite, task: Task) -> int:
    """The tokens that a task begins with, without skills: its world is opened, and nothing is played."""
    with closing(play_task(agent, suite, task, Library(), seed=0)) as play:
        try:
            request = next(play)
        except StopIteration as end:
            raise WorldError(f"task '{task.id}' does not begin: {end.value.error}") from None
    return sum(tokens_of(message.content) for message in request.messages)


def told(found: Estimate) -> tuple[str, ...]:
    """An estimate in lines."""
    source = f"as {counted(found.episodes, 'episode')} of this run" if found.episodes else "assumed; --turns N"
    tries = "1 try" if found.tries == 1 else f"{found.tries:.1f} tries"
    lines = [
        f"{counted(found.tasks, 'task')} with {tries} each, {found.turns:.1f} replies a try ({source})",
        f"first prompt: {found.prompt:,.0f} tokens, the mean of {found.prompts}",
        f"reads {found.read:,.0f} tokens, writes {found.written:,.0f}",
    ]
    if found.cost:
        worst = found.cost * found.most / found.tries
        most = counted(found.most, "try", "tries")
        at_most = f"; {worst:.2f} if every task takes all {most}" if found.most > found.tries else ""
        lines.append(f"costs {found.cost:.2f}{at_most}")
    return tuple(lines)
