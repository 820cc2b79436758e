"""When to offer nothing: how often the store's search finds the sibling, and offers something where there is none.

Desk in mixed wording, with the expert's functions and MiniLM: one task of every family is in the past, the others ask,
in turns. `found`: the sibling's skill is among the first five of what is offered. `false`: something is offered though
nothing of the family was ever there. Train and dev families make one library, the test families another; each with
every skill alone of its kind, and with families of two to five near-copies, about half of them written for the same
request.

A threshold cuts by likeness. The other rules add a margin to the likeness of the best, weighed by logistic regression
on both libraries of train and dev, and are cut there: where they find as many as the threshold in both, or at the best
price if a missed sibling is twice as bad as a false offer. `in use` is what the search does.

    python benchmarks/abstention.py                 some five minutes, nearly all of it MiniLM
    python benchmarks/abstention.py --no-meaning    without MiniLM
    python benchmarks/abstention.py --sizes         the rule in use in libraries of other sizes
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from near_copies import near_copy
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings
from retrieval import desk_functions

from prowess.retrieval.store import meaning_of
from prowess.store.db import Store, text
from prowess.store.record import Actor, Provenance, Status
from prowess.store.search import Query, SearchSettings
from prowess.store.search.abstain import FLOOR, UNLIKE, stands_out
from prowess.store.search.search import Search
from prowess.types import Skill

TUNED, BLIND = ("train", "dev"), ("test_normal", "test_challenge")
COPIES = 5
"""The largest family of near-copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One candidate of one request."""

    right: bool
    """Whether it is of the family that is asked for."""
    family: str
    likeness: float
    words: frozenset[str]


Request = Sequence[Seen]
"""Candidates, best first."""
Pair = tuple[Request, Request]
"""A request with its family in the library, and without."""


def requests(splits: Sequence[str], *, meaning: bool, copies: bool) -> Iterator[Request]:
    """Every request of these splits with what the search makes of the library."""
    suite = DeskSuite(DeskSettings(wording="mixed", scenarios=COPIES), cast(Any, None))
    asked: dict[str, dict[str, list[str]]] = {}
    for task in (task for split in splits for task in suite.tasks(split)):
        family, _, number = task.scenario.rpartition(".")
        asked.setdefault(family, {}).setdefault(number, []).append(task.instruction)
    functions = desk_functions([("", f"{family}.0") for family in asked])
    model = meaning_of() if meaning else None
    for turn in range(3):
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "skills.db") as store:
            home = {}
            for family, scenarios in asked.items():
                skill = functions[f"{family}.0"]
                home[_put(store, skill, scenarios["0"][turn], family)] = family
                for n in range(1, random.Random(f"size {family}").randint(2, COPIES) if copies else 1):
                    told = scenarios["0" if random.Random(f"same {family} {n}").random() < 0.5 else str(n)][turn]
                    home[_put(store, near_copy(skill, n), told, f"{family}.{n}")] = family
            search = Search(store, SearchSettings(candidates=1000, compared=1000), meaning=model)
            search.catch_up()
            for family, scenarios in asked.items():
                for instruction in (one for number, one in enumerate(scenarios["0"]) if number != turn):
                    yield [
                        Seen(
                            right=home[hit.text.digest] == family,
                            family=home[hit.text.digest],
                            likeness=hit.likeness,
                            words=frozenset(text.asked_terms(hit.text.said)),
                        )
                        for hit in search.ranking(Query(instruction=instruction, namespace="desk"))
                    ]


def _put(store: Store, skill: Skill, instruction: str, episode: str) -> str:
    where = Provenance(world="desk", task=episode, instruction=instruction, episode=episode)
    digest = store.propose(skill, where, namespace="desk").digest
    if store.version(digest).status is Status.CANDIDATE:
        store.review(digest, "approve", who="benchmark")
        store.move(digest, Status.VERIFIED, Status.PROBATION, actor=Actor.GATE)
        store.move(digest, Status.ACTIVE, actor=Actor.PERSON)
    return digest


def pairs(found: Sequence[Request], families: int = 0) -> list[Pair]:
    """Requests with and without what they ask for; in a library of so many families, drawn for each."""
    made: list[Pair] = []
    for number, request in enumerate(found):
        if families:
            others = sorted({one.family for one in request if not one.right})
            kept = set(random.Random(number).sample(others, min(families - 1, len(others))))
            request = [one for one in request if one.right or one.family in kept]
        made.append((request, [one for one in request if not one.right]))
    return made


# --- rules ----------------------------------------------------------------------------------------

Rule = Callable[[Request], bool]
Look = Callable[[Request], float]


def rates(found: Sequence[Pair], rule: Rule, least: float) -> tuple[float, float]:
    """Found and false; what is offered has at least this likeness itself."""
    hits = [rule(with_it) and any(one.right and one.likeness >= least for one in with_it[:5]) for with_it, _ in found]
    return sum(hits) / len(found), sum(rule(without) for _, without in found) / len(found)


def threshold(least: float) -> Rule:
    return lambda request: request[0].likeness >= least


def in_use(request: Request) -> bool:
    return stands_out([one.likeness for one in request], lambda at: request[at].words)


def next_best(request: Request) -> float:
    return request[1].likeness if len(request) > 1 else 0.0


def next_unlike(request: Request) -> float:
    first = request[0].words
    unlike = (one.likeness for one in request[1:] if len(first & one.words) < UNLIKE * len(first | one.words))
    return next(unlike, 0.0)


def the_rest(request: Request) -> float:
    """The mean of the fifth to the twentieth."""
    return float(np.mean([one.likeness for one in request[4:20]] or [0.0]))


def weight(found: Sequence[Pair], look: Look) -> float:
    """How much the margin counts beside likeness, by logistic regression: is what is asked for there, or not?"""
    every = [(request, float(there)) for pair in found for request, there in zip(pair, (True, False), strict=True)]
    x = np.array([[one[0].likeness, one[0].likeness - look(one)] for one, _ in every])
    y = np.array([there for _, there in every])
    middle, spread = x.mean(0), x.std(0) + 1e-9
    z = np.c_[(x - middle) / spread, np.ones(len(x))]
    weights = np.zeros(3)
    for _ in range(50):  # Newton's steps, with a little ridge
        p = 1 / (1 + np.exp(-z @ weights))
        weights -= np.linalg.solve((z * (p * (1 - p))[:, None]).T @ z + np.eye(3), z.T @ (p - y) + weights)
    return float(weights[1] / spread[1] / (weights[0] / spread[0]))


def margin_rules(tuned: Sequence[list[Pair]], look: Look, usual: float) -> Iterator[tuple[str, Rule]]:
    """The rule of a margin, cut in two ways on the libraries that it is tuned on."""
    share = weight([pair for part in tuned for pair in part], look)
    goals = [rates(part, threshold(usual), usual)[0] for part in tuned]

    known: dict[int, float] = {}

    def sure(request: Request) -> float:
        if id(request) not in known:  # all of them are kept until the end
            known[id(request)] = request[0].likeness + share * (request[0].likeness - look(request))
        return known[id(request)]

    def cut_at(cut: float) -> Rule:
        return lambda request: sure(request) >= cut

    cuts = sorted({round(sure(request), 2) for part in tuned for request, _ in part})
    seen = {cut: [rates(part, cut_at(cut), 0.2) for part in tuned] for cut in cuts}
    enough = [cut for cut in cuts if all(one >= goal for (one, _), goal in zip(seen[cut], goals, strict=True))]
    cheap = min(cuts, key=lambda cut: sum(2 * (1 - one) + other for one, other in seen[cut]))
    yield f"as many, weight {share:.2f}, cut {max(enough, default=cuts[0])}", cut_at(max(enough, default=cuts[0]))
    yield f"price, weight {share:.2f}, cut {cheap}", cut_at(cheap)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--no-meaning", action="store_true", help="without MiniLM")
    options.add_argument("--sizes", action="store_true", help="the rule in use in libraries of other sizes")
    given = options.parse_args()
    meaning = not given.no_meaning
    usual = 0.3 if meaning else FLOOR
    if given.sizes:
        print("| library | families | threshold, found and false | in use |\n|---|---|---|---|")
    parts = [TUNED, BLIND, *([TUNED + BLIND] if given.sizes else [])]
    seen = {
        (part, copies): list(requests(part, meaning=meaning, copies=copies))
        for copies in (False, True)
        for part in parts
    }
    if given.sizes:
        for (part, copies), found in seen.items():
            for size in (5, 10, 20, 0):
                cells = [rates(pairs(found, size), *rule) for rule in ((threshold(usual), usual), (in_use, FLOOR))]
                print(
                    f"| {', '.join(part)}{', copies' * copies} | {size or 'all'} |",
                    *("{:.3f}, {:.3f} |".format(*one) for one in cells),
                )
        return
    tuned, blind = ([pairs(seen[part, copies]) for copies in (False, True)] for part in (TUNED, BLIND))
    print("| rule | train and dev | with copies | test splits | with copies |\n|---|---|---|---|---|")
    rows = [(f"threshold {least}", threshold(least), least) for least in (0.2, 0.25, 0.3, 0.35, 0.4)]
    if meaning:
        rows.append(("in use", in_use, FLOOR))
    for name, look in {"the next": next_best, "the next unlike": next_unlike, "the rest": the_rest}.items():
        rows += [(f"margin over {name}, {how}", rule, 0.2) for how, rule in margin_rules(tuned, look, usual)]
    for name, rule, least in rows:
        print(
            f"| {name} |",
            *("{:.3f}, {:.3f} |".format(*rates(part, rule, least)) for part in (*tuned, *blind)),
            flush=True,
        )


if __name__ == "__main__":
    main()
