"""When to offer nothing: how often the store's search finds the sibling, and offers something where there is none.

Desk in mixed wording, with the expert's functions and MiniLM: one task of every family is in the past, the others ask,
in turns. `found`: the sibling is among the first five of what is offered. `false`: something is offered though the
sibling was never there. Train and dev families make one library, the test families another. Other rules are fitted to
the first (logistic regression) and cut where they find as many there as each threshold does.

    python benchmarks/abstention.py                 minutes, nearly all of it MiniLM
    python benchmarks/abstention.py --no-meaning    without MiniLM
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from retrieval import desk, desk_functions

from opensage.retrieval.store import meaning_of
from opensage.skills.record import Actor, Provenance, Status
from opensage.skills.search import Query, SearchSettings
from opensage.skills.search.search import Search
from opensage.skills.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One candidate of one request."""

    right: bool
    """Whether it is the sibling's."""
    likeness: float
    channels: dict[str, float]


Request = Sequence[Seen]
"""Candidates, best first."""


def requests(splits: Sequence[str], *, meaning: bool) -> Iterator[Request]:
    """Every request of these splits with what the search makes of the library."""
    suite = desk("mixed")
    tasks = [task for split in splits for task in suite.tasks(split)]
    functions = desk_functions([(task.instruction, task.scenario) for task in tasks])
    groups: dict[str, list[str]] = {}
    for task in tasks:
        groups.setdefault(task.scenario, []).append(task.instruction)
    model = meaning_of() if meaning else None
    for turn in range(min(map(len, groups.values()))):
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "skills.db") as store:
            home = {}
            for scenario, group in groups.items():
                where = Provenance(world="desk", task=scenario, instruction=group[turn], episode=scenario)
                digest = store.propose(functions[scenario], where, namespace="desk").digest
                store.review(digest, "approve", who="benchmark")
                store.move(digest, Status.VERIFIED, actor=Actor.GATE)
                store.move(digest, Status.PROBATION, actor=Actor.GATE)
                store.move(digest, Status.ACTIVE, actor=Actor.PERSON)
                home[scenario] = digest
            search = Search(store, SearchSettings(candidates=1000, compared=1000), meaning=model)
            search.catch_up()
            for scenario, group in groups.items():
                for number, instruction in enumerate(group):
                    if number != turn:
                        ranked = search.ranking(Query(instruction=instruction, namespace="desk"))
                        yield [
                            Seen(
                                right=hit.text.digest == home[scenario],
                                likeness=hit.likeness,
                                channels=dict(hit.channels),
                            )
                            for hit in ranked
                        ]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--no-meaning", action="store_true", help="without MiniLM")
    given = options.parse_args()
    parts = {"train and dev": ("train", "dev"), "test splits": ("test_normal", "test_challenge")}
    seen = {name: list(requests(splits, meaning=not given.no_meaning)) for name, splits in parts.items()}
    first, second = seen.values()
    print("| threshold | rule | found, false: train and dev | found, false: test splits |\n|---|---|---|---|")
    for least in (0.2, 0.25, 0.3, 0.35, 0.4):
        goal, _ = rates(first, lambda request: request[0].likeness, least)
        for name, score in {"likeness": lambda request: request[0].likeness, **fitted(first)}.items():
            cut = least if name == "likeness" else cut_for(first, score, goal)
            cells = ["{:.3f}, {:.3f}".format(*rates(part, score, cut)) for part in (first, second)]
            print(f"| {least} | {name} | {' | '.join(cells)} |")


Rule = Callable[[Request], float]
"""How sure one can be that something fits."""


def rates(found: Sequence[Request], rule: Rule, cut: float) -> tuple[float, float]:
    """Found and false. A threshold of likeness cuts within an offer, too: the sibling itself must reach it."""
    alone = [[one for one in request if not one.right] for request in found]
    hits = [rule(request) >= cut and _reached(request, rule, cut) for request in found]
    return sum(hits) / len(found), sum(rule(request) >= cut for request in alone) / len(found)


def _reached(request: Request, rule: Rule, cut: float) -> bool:
    by_likeness = rule(request) == request[0].likeness
    return any(one.right and (one.likeness >= cut or not by_likeness) for one in request[:5])


def cut_for(found: Sequence[Request], rule: Rule, goal: float) -> float:
    """Where a rule finds as many."""
    return max(cut for cut in map(rule, found) if rates(found, rule, cut)[0] >= goal)


def margin(request: Request) -> list[float]:
    return [request[0].likeness, request[0].likeness - request[1].likeness]


def outstanding(request: Request) -> list[float]:
    rest = np.array([one.likeness for one in request[1:]])
    return [*margin(request), float((request[0].likeness - rest.mean()) / (rest.std() + 1e-9))]


def fitted(found: Sequence[Request]) -> dict[str, Rule]:
    """Rules by logistic regression: is the sibling there, or not?"""
    alone = [[one for one in request if not one.right] for request in found]
    rules: dict[str, Rule] = {}
    for name, look in {"and the margin over the next": margin, "and how far it stands out": outstanding}.items():
        x = np.array([look(request) for request in [*found, *alone]])
        y = np.repeat([1.0, 0.0], len(found))
        middle, spread = x.mean(0), x.std(0) + 1e-9
        z = np.c_[(x - middle) / spread, np.ones(len(x))]
        weights = np.zeros(z.shape[1])
        for _ in range(50):  # Newton's steps, with a little ridge
            p = 1 / (1 + np.exp(-z @ weights))
            slope = z.T @ (p - y) + weights
            weights -= np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + np.eye(len(weights)), slope)
        rules[name] = partial(_scored, look, middle, spread, weights)
    return rules


def _scored(look: Callable[[Request], list[float]], middle: Any, spread: Any, weights: Any, request: Request) -> float:
    return float(np.r_[(np.array(look(request)) - middle) / spread, 1.0] @ weights)


if __name__ == "__main__":
    main()
