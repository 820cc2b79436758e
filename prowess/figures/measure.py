"""From episodes to figures: the measures of the paper, each with a 95% interval.

**What is counted.** An episode that ended in an error (`stop = error`) is in no statistic; it is counted in `errors`.
With N runs each figure is the mean over the runs, `sd` is the spread of the runs around it (N - 1 in the divisor, as
the paper reports), and the interval says how sure we can be about other scenarios of the same kind.

Shares and means with their intervals are the business of `intervals`, two runs side by side that of `differences`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from zlib import crc32

from prowess.figures.intervals import Cell, Estimate, Table, average, proportion, total
from prowess.files.codec import Played
from prowess.run import Run, flat
from prowess.seeds import derive
from prowess.types import Prices, Skill, Stop

__all__ = [
    *("ChainPosition", "Measures", "Outcome", "Played", "measure", "metrics_of"),
    *("outcome_of", "outcomes", "outcomes_of", "pooled", "prices_of"),
]

FREE = Prices()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the statistics need of an episode: small enough to hold a run's in memory."""

    run: int
    split: str
    scenario: str
    task: str
    difficulty: int
    success: bool
    reward: float
    """Share of checks passed."""
    stop: Stop
    turns: int
    tokens: int
    """Tokens the model wrote."""
    cost: float
    """What its tokens cost; NaN where there are no prices."""
    offered: int
    """How many skills it was shown."""
    used: bool
    """True when it called at least one of them, whether or not the call succeeded."""
    erred: bool
    """True when some of its code failed."""
    learned: tuple[tuple[str, int], ...]
    """Skills saved: name, and how many different APIs its source calls."""
    denied: int
    """Operations the sandbox refused."""
    breaks: int
    """API calls that the world broke on."""
    error: str
    wording: int = 0
    """Tells tasks of one name apart that ask in other words."""
    called: tuple[tuple[str, str], ...] = ()
    """Library skills called: the task that wrote each, and its name."""

    @property
    def broken(self) -> bool:
        return self.stop is Stop.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The figures of one split, or of its scenarios of one difficulty. Proportions are in [0, 1]."""

    split: str
    difficulty: int | None
    """None for the whole split. A scenario has the difficulty of its hardest task."""
    runs: int
    scenarios: int
    tasks: int
    episodes: int
    """Episodes played, with the errors."""
    errors: int
    """Episodes that ended in an error: in no figure below."""
    breaks: int
    """API calls that the world broke on, in all episodes: to the code they failed."""
    left_out: int
    """Scenarios, over all runs, without a full set of graded tasks: not in SGC."""
    tgc: Estimate
    """Task goal completion: share of tasks with every check passed."""
    sgc: Estimate
    """Scenario goal completion: share of scenarios whose tasks all succeeded in the same run."""
    steps: Estimate
    """Turns per task."""
    tokens: Estimate
    """Tokens the model wrote per task."""
    cost: Estimate
    """What a task cost, where the recipe has prices."""
    solved_steps: Estimate
    """Turns of the tasks that were solved: how long a failure takes is up to the limits it runs into."""
    solved_tokens: Estimate
    """Tokens the model wrote for those."""
    use: Estimate
    """Share that called a library skill, among the episodes that were offered one."""
    use_overall: Estimate
    """Share that called a library skill, among all episodes: those with nothing on offer count as not using."""
    success_given_use: Estimate
    """Share of tasks solved among the episodes that called a library skill."""
    erred: Estimate
    """Share of episodes in which some code failed."""
    mended: Estimate
    """Share of tasks solved among those."""
    library: Estimate
    """Skills that a run saved. One of the same scenario and name takes the place of the earlier, as in `Library`."""
    combining: Estimate
    """Share of those skills whose source calls two or more different APIs."""


def outcome_of(played: Played, prices: Prices = FREE) -> Outcome:
    """The facts of an episode that measures are made of."""
    episode = played.episode
    return Outcome(
        run=played.run,
        split=played.split,
        scenario=episode.task.scenario,
        task=episode.task.id,
        difficulty=episode.task.difficulty,
        success=episode.success,
        reward=episode.verdict.fraction,
        stop=episode.stop,
        turns=len(episode.turns),
        tokens=episode.reply_tokens,
        cost=prices.of(read=episode.prompt_tokens, written=episode.reply_tokens) if prices else math.nan,
        offered=len(episode.offered),
        used=bool(episode.called),
        erred=episode.erred,
        learned=tuple((skill.name, _breadth(skill)) for skill in episode.learned),
        denied=sum(turn.observation.denied for turn in episode.turns if turn.observation),
        breaks=len(episode.breaks),
        error=episode.error if episode.stop is Stop.ERROR else "",
        wording=crc32(episode.task.instruction.encode(errors="replace")),
        called=tuple(dict.fromkeys((use.origin, use.name) for use in episode.called)),
    )


def outcomes(played: Iterable[Played], prices: Prices = FREE) -> tuple[Outcome, ...]:
    """The facts of many episodes, in their order."""
    return tuple(outcome_of(one, prices) for one in played)


def pooled(evaluations: Iterable[Iterable[Outcome]]) -> Iterator[Outcome]:
    """The facts of several evaluations, as if they were runs of one."""
    for number, facts in enumerate(evaluations):
        for fact in facts:
            yield replace(fact, run=1000 * number + fact.run)


def outcomes_of(run: Run) -> tuple[Outcome, ...]:
    """The facts of a run's episodes, with what they cost."""
    return outcomes(run.episodes(), prices_of(run))


def prices_of(run: Run) -> Prices:
    """The prices of a run's recipe, where a served model played."""
    recipe = flat(run.recipe)
    if recipe.get("policy.name") != "endpoint":
        return FREE
    read, written = (recipe.get(f"policy.endpoint.{name}") for name in ("price_in", "price_out"))
    return Prices(
        read=float(read) if isinstance(read, int | float) else 0.0,
        written=float(written) if isinstance(written, int | float) else 0.0,
    )


def measure(played: Iterable[Played | Outcome]) -> tuple[Measures, ...]:
    """The measures of each split in order of appearance, and below each those of its difficulties if it has several."""
    facts = [each if isinstance(each, Outcome) else outcome_of(each) for each in played]
    rows = []
    for split, members in _grouped(facts, lambda fact: fact.split).items():
        hardest: dict[str, int] = {}
        for fact in members:
            hardest[fact.scenario] = max(fact.difficulty, hardest.get(fact.scenario, 0))
        rows.append(_row(split, None, members))
        if len(set(hardest.values())) > 1:
            for level in sorted(set(hardest.values())):
                rows.append(_row(split, level, [fact for fact in members if hardest[fact.scenario] == level]))
    return tuple(rows)


def metrics_of(row: Measures) -> dict[str, float]:
    """The measures of a row by their metric names, as a run logs them."""
    paid = {} if math.isnan(row.cost.value) else {"play/cost": row.cost.value}
    return paid | {
        "play/tgc": row.tgc.value,
        "play/sgc": row.sgc.value,
        "play/steps": row.steps.value,
        "play/tokens": row.tokens.value,
        "play/solved_steps": row.solved_steps.value,
        "play/solved_tokens": row.solved_tokens.value,
        "play/use": row.use.value,
        "play/use_overall": row.use_overall.value,
        "play/success_given_use": row.success_given_use.value,
        "play/erred": row.erred.value,
        "play/mended": row.mended.value,
        "play/library": row.library.value,
        "play/combining": row.combining.value,
        "play/episodes": float(row.episodes),
        "play/errors": float(row.errors),
        "play/breaks": float(row.breaks),
    }


def _row(split: str, difficulty: int | None, facts: Sequence[Outcome]) -> Measures:
    graded = [fact for fact in facts if not fact.broken]
    solved = [fact for fact in graded if fact.success]
    whole = _whole_scenarios(facts)
    kept = _kept_skills(graded)
    seed = derive("measure", split, -1 if difficulty is None else difficulty)
    return Measures(
        split=split,
        difficulty=difficulty,
        runs=len({fact.run for fact in facts}),
        scenarios=len({fact.scenario for fact in facts}),
        tasks=len({fact.task for fact in facts}),
        episodes=len(facts),
        errors=len(facts) - len(graded),
        breaks=sum(fact.breaks for fact in facts),
        left_out=whole.left_out,
        tgc=proportion(_cells(graded, lambda fact: fact.success)),
        sgc=proportion(whole.table),
        steps=average(_cells(graded, lambda fact: fact.turns), seed=derive(seed, "steps")),
        tokens=average(_cells(graded, lambda fact: fact.tokens), seed=derive(seed, "tokens")),
        cost=average(
            _cells([fact for fact in graded if not math.isnan(fact.cost)], lambda fact: fact.cost),
            seed=derive(seed, "cost"),
        ),
        solved_steps=average(_cells(solved, lambda fact: fact.turns), seed=derive(seed, "solved_steps")),
        solved_tokens=average(_cells(solved, lambda fact: fact.tokens), seed=derive(seed, "solved_tokens")),
        use=proportion(_cells([fact for fact in graded if fact.offered], lambda fact: fact.used)),
        use_overall=proportion(_cells(graded, lambda fact: fact.used)),
        success_given_use=proportion(_cells([fact for fact in graded if fact.used], lambda fact: fact.success)),
        erred=proportion(_cells(graded, lambda fact: fact.erred)),
        mended=proportion(_cells([fact for fact in graded if fact.erred], lambda fact: fact.success)),
        library=total(kept, seed=derive(seed, "library")),
        combining=proportion(kept),
    )


def _cells(facts: Iterable[Outcome], value: Callable[[Outcome], float]) -> Table:
    out: dict[int, dict[str, Cell]] = defaultdict(dict)
    for fact in facts:
        cell = out[fact.run].get(fact.scenario, Cell(n=0, sum=0.0))
        out[fact.run][fact.scenario] = Cell(n=cell.n + 1, sum=cell.sum + value(fact))
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scenarios:
    table: Table
    left_out: int


def _whole_scenarios(facts: Sequence[Outcome]) -> _Scenarios:
    """One observation per scenario and run: did all its tasks succeed? And how many had to be left out."""
    tasks = {name: {fact.task for fact in members} for name, members in _grouped(facts, lambda f: f.scenario).items()}
    table: dict[int, dict[str, Cell]] = defaultdict(dict)
    left_out = 0
    for run, members in _grouped(facts, lambda fact: fact.run).items():
        for name, played in _grouped(members, lambda fact: fact.scenario).items():
            if any(fact.broken for fact in played) or {fact.task for fact in played} != tasks[name]:
                left_out += 1
            else:
                table[run][name] = Cell(n=1, sum=float(all(fact.success for fact in played)))
    return _Scenarios(table=table, left_out=left_out)


def _kept_skills(facts: Sequence[Outcome]) -> Table:
    """The skills of each run's library by the scenario that wrote them; sum counts the combining ones."""
    latest: dict[tuple[int, str], dict[str, int]] = {}
    for fact in facts:
        latest.setdefault((fact.run, fact.scenario), {}).update(fact.learned)
    table: dict[int, dict[str, Cell]] = defaultdict(dict)
    for (run, scenario), breadths in latest.items():
        table[run][scenario] = Cell(n=len(breadths), sum=float(sum(apis >= 2 for apis in breadths.values())))
    return table


def _breadth(skill: Skill) -> int:
    return len(set(skill.apis))


# --- along a scenario, along a run ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainPosition:
    """What tasks cost at one place of their chain: the first of a scenario, the second ..."""

    place: int
    """Counted from 1."""
    tgc: Estimate
    steps: Estimate
    tokens: Estimate
    use_overall: Estimate


def places(facts: Iterable[Outcome]) -> tuple[ChainPosition, ...]:
    """Measures by place in the scenario, over all splits: what the library saves shows from the second on."""
    at: dict[int, list[Outcome]] = defaultdict(list)
    seen: dict[tuple[int, str, str], dict[str, int]] = defaultdict(dict)
    for fact in facts:
        order = seen[fact.run, fact.split, fact.scenario]
        place = order.setdefault(fact.task, len(order) + 1)
        if not fact.broken:
            at[place].append(fact)
    return tuple(
        ChainPosition(
            place=place,
            tgc=proportion(_cells(at[place], lambda fact: fact.success)),
            steps=average(_cells(at[place], lambda fact: fact.turns), seed=derive("place", place, "steps")),
            tokens=average(_cells(at[place], lambda fact: fact.tokens), seed=derive("place", place, "tokens")),
            use_overall=proportion(_cells(at[place], lambda fact: fact.used)),
        )
        for place in sorted(at)
    )


def growth(facts: Iterable[Outcome]) -> dict[int, list[int]]:
    """By run: how many skills the library holds after each task, in the order of the episodes."""
    names: dict[int, set[tuple[str, str, str]]] = defaultdict(set)
    out: dict[int, list[int]] = defaultdict(list)
    for fact in facts:
        if not fact.broken:
            names[fact.run].update((fact.split, fact.scenario, name) for name, _ in fact.learned)
        out[fact.run].append(len(names[fact.run]))
    return dict(sorted(out.items()))


Key = TypeVar("Key")


def _grouped(facts: Iterable[Outcome], key: Callable[[Outcome], Key]) -> dict[Key, list[Outcome]]:
    out: dict[Key, list[Outcome]] = {}
    for fact in facts:
        out.setdefault(key(fact), []).append(fact)
    return out
