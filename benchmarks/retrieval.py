"""Retrieval alone: does a retriever find the earlier task of the same scenario?

Every scenario has several tasks. One task of each scenario is in the past, together with tasks of nobody
(distractors); each of the others asks, and the rank of its own scenario is counted: hit@1, hit@5 and the mean
reciprocal rank. Then the next task of each scenario takes its turn in the past. Thresholds are off here, since they
cut a ranking short. Two more columns show the retriever as a recipe runs it: how often the sibling is among the tasks
it inherits from (found), and how often it offers something when no sibling is there (false).

    python benchmarks/retrieval.py                      desk, shared and mixed wording
    python benchmarks/retrieval.py --suite MODULE:SUITE --split dev
    python benchmarks/retrieval.py --split train --split dev --threshold 0.05 --threshold 0.11    hybrid, cut there
"""

from __future__ import annotations

import argparse
import inspect
import textwrap
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from prowess.errors import MissingExtra
from prowess.recipe import lookup
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.types import Origin, Retriever, Skill, Suite, Task

BY_TASK = ("scenario", "query_ngram", "char_ngram", "bm25", "query_embedding", "hybrid")
"""Retrievers that rank earlier tasks."""

BY_SKILL = ("skill_embedding", "bm25", "hybrid")
"""Retrievers that also read the functions, and are scored once more where real ones are at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well one retriever finds siblings."""

    name: str
    hit1: float
    hit5: float
    mrr: float
    found: float
    """Share of tasks for which the sibling is inherited from, with the retriever's own threshold and queries."""
    false: float
    """Share of tasks without a sibling for which something is offered all the same."""
    probes: int
    milliseconds: float
    """Of one retrieval, once the past is indexed and the request embedded (10 ms more the first time)."""


def scores(
    tasks: Sequence[tuple[str, str]],
    *,
    distractors: Iterable[str] = (),
    functions: Mapping[str, Skill] | None = None,
    names: Sequence[str] = BY_TASK,
    settings: RetrievalSettings = RetrievalSettings(),  # noqa: B008 (frozen)
) -> list[Score]:
    """Score retrievers on (instruction, scenario) pairs; what is not installed is left out.

    A scenario's skill is the one given in `functions`, else a nameless one, so that instructions alone decide.
    """
    found = []
    for name in names:
        try:
            found.append(_score(replace(settings, name=name), tasks, list(distractors), functions or {}))
        except MissingExtra as missing:
            print(f"left out: {missing}")
    return found


def cut(
    tasks: Sequence[tuple[str, str]],
    functions: Mapping[str, Skill],
    settings: RetrievalSettings,
    thresholds: Iterable[float],
) -> list[Score]:
    """What hybrid finds, and offers for nothing, with thresholds of its own."""
    found = []
    for threshold in thresholds:
        (score,) = scores(tasks, functions=functions, names=["hybrid"], settings=replace(settings, threshold=threshold))
        found.append(replace(score, name=f"hybrid, {threshold:g}"))
    return found


def _score(
    settings: RetrievalSettings,
    tasks: Sequence[tuple[str, str]],
    distractors: Sequence[str],
    functions: Mapping[str, Skill],
) -> Score:
    groups: dict[str, list[str]] = {}
    for instruction, scenario in tasks:
        groups.setdefault(scenario, []).append(instruction)
    everything = len(groups) + len(distractors)
    ranking = make_retriever(replace(settings, queries=everything, top=everything, threshold=0.0))
    own = make_retriever(settings)
    ranks, kept, false, spent = [], [], [], 0.0
    for turn in range(min(map(len, groups.values()))):
        past = _past({name: group[turn] for name, group in groups.items()}, distractors, functions)
        for name, group in groups.items():
            without = Library(tuple(skill for skill in past if skill.origin.scenario != name))
            for number, instruction in enumerate(group):
                if number == turn:
                    continue
                task = Task(id=f"{name}_{number}", scenario=name, instruction=instruction)
                ranking(past, task)
                start = time.perf_counter()
                ranks.append(_rank(ranking, past, task))
                spent += time.perf_counter() - start
                kept.append(_rank(own, past, task) > 0)
                false.append(bool(own(without, task)))
    return Score(
        name=settings.name,
        hit1=_mean(rank == 1 for rank in ranks),
        hit5=_mean(1 <= rank <= 5 for rank in ranks),
        mrr=_mean(1 / rank if rank else 0.0 for rank in ranks),
        found=_mean(kept),
        false=_mean(false),
        probes=len(ranks),
        milliseconds=1000 * spent / len(ranks),
    )


def _past(instructions: Mapping[str, str], distractors: Sequence[str], functions: Mapping[str, Skill]) -> Library:
    """A library with one skill for each task, so that the order of skills is the order of tasks."""
    asked = [*instructions.items(), *((f"distractor {number}", text) for number, text in enumerate(distractors))]
    skills = []
    for number, (scenario, instruction) in enumerate(asked):
        skill = functions.get(scenario, Skill(name=f"f{number}", source=f"def f{number}(): ..."))
        origin = Origin(task=f"past {scenario}", scenario=scenario, instruction=instruction)
        skills.append(replace(skill, origin=origin))
    return Library(tuple(skills))


def _rank(retriever: Retriever, past: Library, task: Task) -> int:
    """The rank of the task's own scenario, counted from 1; 0 when it is not found."""
    order = [skill.origin.scenario for skill in retriever(past, task)]
    return order.index(task.scenario) + 1 if task.scenario in order else 0


def _mean(values: Iterable[float]) -> float:
    found = [float(value) for value in values]
    return sum(found) / len(found)


def table(title: str, found: Sequence[Score]) -> str:
    """The scores as a Markdown table."""
    lines = [
        f"### {title} ({found[0].probes} requests)",
        "",
        "| retriever | hit@1 | hit@5 | MRR | found | false | ms |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found:
        numbers = (row.hit1, row.hit5, row.mrr, row.found, row.false)
        lines.append(f"| {row.name} | {' | '.join(f'{n:.3f}' for n in numbers)} | {row.milliseconds:.1f} |")
    return "\n".join(lines) + "\n"


def asked(suite: Suite, splits: Sequence[str]) -> list[tuple[str, str]]:
    """The (instruction, scenario) pairs of a suite's splits."""
    return [(task.instruction, task.scenario) for split in splits for task in suite.tasks(split)]


def desk(wording: Literal["shared", "mixed"]) -> Suite:
    """The tasks of desk; nothing is opened, so no sandbox is needed."""
    from prowess_desk.engine.world import DeskSuite
    from prowess_desk.settings import DeskSettings

    return DeskSuite(DeskSettings(wording=wording), cast(Any, None))


def desk_functions(tasks: Sequence[tuple[str, str]]) -> dict[str, Skill]:
    """What the expert would have left in the library for each scenario of desk."""
    from prowess_desk.families import FAMILIES

    found = {}
    for _, scenario in tasks:
        function = FAMILIES[scenario.rpartition(".")[0]].program.functions[-1]
        (found[scenario],) = skills_in(textwrap.dedent(inspect.getsource(function)))
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--suite", help="MODULE:SUITE, a function that makes a suite; desk unless given")
    options.add_argument("--split", action="append", help="split to take tasks from; all unless given")
    options.add_argument("--model", default="minilm", help="embedding model")
    options.add_argument("--threshold", type=float, action="append", help="hybrid alone, with this; may be repeated")
    given = options.parse_args()
    settings = RetrievalSettings(model=given.model)
    if given.suite:
        suite: Suite = lookup("suite", given.suite, {})()
        print(table(given.suite, scores(asked(suite, given.split or suite.splits()), settings=settings)))
        return
    wordings: tuple[Literal["shared", "mixed"], ...] = ("shared", "mixed")
    for wording in wordings:
        suite = desk(wording)
        tasks = asked(suite, given.split or suite.splits())
        functions = desk_functions(tasks)
        if given.threshold:
            print(table(f"desk, {wording} wording, hybrid", cut(tasks, functions, settings, given.threshold)))
            continue
        print(table(f"desk, {wording} wording", scores(tasks, settings=settings)))
        rows = scores(tasks, functions=functions, names=BY_SKILL, settings=settings)
        print(table(f"desk, {wording} wording, with the expert's functions", rows))


if __name__ == "__main__":
    main()
