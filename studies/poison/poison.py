"""A poisoned library, and how evidence cleans it.

    python studies/poison/poison.py            plays, then writes rounds.csv, skills.csv and poison.png
    python studies/poison/poison.py --plot     draws again from the files

Every family of desk has its right program, and wrong ones that a hurried author might write (`mistakes`). The right
ones of fifty families and two wrong ones of each go into a store: same names, same docstrings, same signatures,
contributed by a few authors among whom right and wrong are dealt at random. The expert plays whatever function of the
right name it is offered; where it is offered none it writes one itself, in a third of the cases hastily (it takes the
first page of a listing for all of it).

For each task the nearest past instructions name what to offer; of several skills of one name, one is drawn. Each is
held back in a small share of its exposures: the masked arm. What became of it goes to the store as uses, and every so
many episodes the store is curated. The curator is told neither who is harmful nor how many.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from prowess_desk.engine.family import Family, source_of
from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.expert import Expert
from prowess_desk.expert.job import functions_of, written
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings

from prowess.play import Agent, AgentSettings
from prowess.play.prompts import prompt_named
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.seeds import draw
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.store.curate import curate
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status, Usage
from prowess.types import Episode, Origin, Skill, Stop, Task
from prowess.worlds.expert import ExpertSettings

sys.path.append(str(Path(__file__).parent.parent))
from pages import COLOURS, figure, png

HERE = Path(__file__).parent
ARMS = {
    "poisoned, curated": (True, True),
    "poisoned, not curated": (True, False),
    "not poisoned": (False, True),
}
"""Whether the harmful skills are there, and whether the library is curated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One arm of the study."""

    arm: str
    seed: int = 0
    episodes: int = 4000
    every: int = 200
    """Episodes between two curations."""
    families: int = 50
    poison: int = 100
    """Harmful skills, as many for each family."""
    masked: float = 0.15
    """Share of exposures in which a skill is held back."""
    authors: int = 7
    numbers: int = 8
    """Scenarios of each family that tasks are drawn from."""


@dataclass(slots=True)
class Contribution:
    """A skill of the library, with what the curator is not told."""

    family: str
    mistake: str
    """The name of the mistake in it; empty for the right program."""
    skill: Skill
    author: str
    digest: str = ""
    suspended: int = 0
    """After how many episodes; 0 for never."""


def right_and_wrong(family: Family) -> dict[str, str]:
    """The source of a family's program, and of it with each of the mistakes that are made in the source."""
    right = written(tuple(source_of(function) for function in functions_of(family).values()))
    wrong = {one.name: right.replace(one.old, one.new) for one in family.mistakes if one.old and one.old in right}
    return {"": right} | {name: code for name, code in wrong.items() if code != right}


def families_of(plan: Plan) -> tuple[str, ...]:
    """The families that are played: drawn among those with enough mistakes."""
    able = [one.name for one in FAMILIES.values() if len(right_and_wrong(one)) > plan.poison // plan.families]
    return tuple(draw(plan.seed, "families").sample(able, plan.families))


def contributions(plan: Plan, suite: DeskSuite) -> list[Contribution]:
    """The right program of every family, and wrong ones of each."""
    rng = draw(plan.seed, "contributions")
    sources = {name: right_and_wrong(FAMILIES[name]) for name in families_of(plan)}
    chosen = [(name, "") for name in sources]
    for name, codes in sources.items():
        wrong = [mistake for mistake in codes if mistake]
        chosen += [(name, mistake) for mistake in rng.sample(wrong, plan.poison // plan.families)]
    rng.shuffle(chosen)
    authors: dict[str, list[str]] = {
        name: rng.sample([f"author{n}" for n in range(plan.authors)], plan.authors) for name in sources
    }
    found = []
    for at, (name, mistake) in enumerate(chosen):
        family = FAMILIES[name]
        task = suite._task(family, family.split, 1000 + at, 0)  # written for a task that is not played again
        origin = Origin(task=task.id, scenario=task.scenario, instruction=task.instruction)
        skill = next(one for one in skills_in(sources[name][mistake], origin=origin) if one.name == family.program.name)
        found.append(Contribution(family=name, mistake=mistake, skill=skill, author=authors[name].pop()))
    return found


def stocked(store: Store, given: Sequence[Contribution]) -> None:
    """Everything on probation; what cannot be taken back has been looked at by a person who did not see the mistake."""
    with store.many():
        for one in given:
            provenance = Provenance(kind="import", who=one.author, world=f"desk/{one.author}")
            one.digest = store.propose(one.skill, provenance).digest
            store.move(one.digest, Status.VERIFIED, actor=Actor.GATE)
            store.review(one.digest, "approve", who="reviewer")
            store.move(one.digest, Status.PROBATION, actor=Actor.GATE)
            one.skill = store.version(one.digest).skill


@dataclass(slots=True)
class Offer:
    """What is offered for a task, and what is held back."""

    shown: list[Skill] = field(default_factory=list)
    hidden: list[Skill] = field(default_factory=list)


class Player:
    """Plays tasks with the library of a store."""

    def __init__(self, plan: Plan, suite: DeskSuite) -> None:
        self._plan, self._suite = plan, suite
        self._retrieve = make_retriever(RetrievalSettings(name="char_ngram", queries=2))
        self._policy = Expert(ExpertSettings(styles=("brisk", "careful", "hasty"), salt=plan.seed))

    def offer(self, library: Library, task: Task, number: int) -> Offer:
        rng = draw(self._plan.seed, "offer", number)
        of_name: dict[str, list[Skill]] = defaultdict(list)
        for skill in library:
            of_name[skill.name].append(skill)
        offer = Offer()
        for nearest in self._retrieve(library, task):
            skill = rng.choice(of_name[nearest.name])
            (offer.hidden if rng.random() < self._plan.masked else offer.shown).append(skill)
        return offer

    def play(self, task: Task, offer: Offer, number: int) -> Episode:
        agent = Agent(
            policy=self._policy,
            retrieve=lambda library, task: offer.shown,
            prompt=prompt_named("skill"),
            limits=AgentSettings(learn=False),
        )
        with closing(self._suite.open(task)) as world:
            return agent.play(task, world, Library(), seed=draw(self._plan.seed, "play", number).randrange(2**31))


def uses(plan: Plan, number: int, episode: Episode, offer: Offer, digest_of: Mapping[Skill, str]) -> Iterator[Usage]:
    if episode.stop is Stop.ERROR:
        return
    calls = Counter(use.name for use in episode.called)
    errors = {use.name: use.error for use in reversed(episode.called) if use.error}
    blank = Usage(
        episode=f"{plan.seed}/{number}",
        digest="",
        task=episode.task.id,
        success=episode.success,
        turns=len(episode.turns),
    )
    for skill in offer.shown:
        if skill.name in episode.offered:
            called, error = calls[skill.name], errors.get(skill.name, "")
            yield replace(blank, digest=digest_of[skill], called=called, error=error)
    for skill in offer.hidden:
        yield replace(blank, digest=digest_of[skill], arm="masked")


def run(plan: Plan) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Play one arm: a row for each round, a row for each skill."""
    poisoned, curated = ARMS[plan.arm]
    started = time.perf_counter()
    rounds: list[dict[str, object]] = []
    with TemporaryDirectory() as folder, closing(open_sandbox(SandboxSettings())) as sandbox:
        settings = DeskSettings(seed=plan.seed, scenarios=plan.numbers, wording="mixed", families=families_of(plan))
        suite = DeskSuite(settings, sandbox)
        tasks = [task for split in suite.splits() for task in suite.tasks(split)]
        given = [one for one in contributions(plan, suite) if poisoned or not one.mistake]
        player, stream = Player(plan, suite), draw(plan.seed, "tasks")
        by_digest: dict[str, Contribution] = {}
        with Store.open(Path(folder) / "skills.db") as store:
            stocked(store, given)
            by_digest = {one.digest: one for one in given}
            digest_of = {one.skill: one.digest for one in given}
            for first in range(0, plan.episodes, plan.every):
                library = Library(tuple(entry.skill for entry in store.entries(statuses=OFFERED)))
                seen: list[Usage] = []
                won = harmed = broken = 0
                for number in range(first, first + plan.every):
                    task = stream.choice(tasks)
                    offer = player.offer(library, task, number)
                    episode = player.play(task, offer, number)
                    found = list(uses(plan, number, episode, offer, digest_of))
                    seen += found
                    won += episode.success
                    broken += episode.stop is Stop.ERROR
                    harmed += any(one.called and by_digest[one.digest].mistake for one in found)
                store.use(seen)
                steps = [done for done in curate(store) if done.event] if curated else []
                for done in steps:
                    if done.step.to is Status.SUSPENDED:
                        by_digest[done.step.digest].suspended = first + plan.every
                out = [one for one in given if one.suspended]
                rounds.append(
                    {
                        "arm": plan.arm,
                        "seed": plan.seed,
                        "episodes": first + plan.every,
                        "success": won / plan.every,
                        "called_harmful": harmed / plan.every,
                        "broken": broken,
                        "harmful_suspended": sum(bool(one.mistake) for one in out),
                        "right_suspended": sum(not one.mistake for one in out),
                        "active": len(store.entries(statuses=(Status.ACTIVE,))),
                        "harmful_active": sum(
                            bool(by_digest[entry.digest].mistake) for entry in store.entries(statuses=(Status.ACTIVE,))
                        ),
                        "seconds": round(time.perf_counter() - started, 1),
                    }
                )
            assert store.rebuild(verify=True) == ()
            skills = [skill_row(plan, store, one) for one in given]
    return rounds, skills


OFFERED = (Status.ACTIVE, Status.PROBATION)


def skill_row(plan: Plan, store: Store, one: Contribution) -> dict[str, object]:
    seen = store.statistics(one.digest)
    return {
        "arm": plan.arm,
        "seed": plan.seed,
        "family": one.family,
        "mistake": one.mistake,
        "status": str(store.version(one.digest).status),
        "suspended_after": one.suspended or "",
        "offered": seen.offered,
        "offered_successes": seen.offered_successes,
        "masked": seen.masked,
        "masked_successes": seen.masked_successes,
        "called": seen.called,
        "called_successes": seen.called_successes,
        "errors": seen.errors,
    }


# --- what is shown --------------------------------------------------------------------------------


def write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def plot(rounds: Sequence[Mapping[str, str]], skills: Sequence[Mapping[str, str]]) -> bytes:
    """Success by round for each arm, and how many of each kind are suspended."""
    colours = dict(zip(ARMS, (COLOURS[0], COLOURS[3], COLOURS[2]), strict=True))
    harmful = len({(row["seed"], row["family"], row["mistake"]) for row in skills if row["mistake"]})
    rightful = sum(row["arm"] == "poisoned, curated" and not row["mistake"] for row in skills)
    seeds = len({row["seed"] for row in rounds})
    with figure(columns=2, height=3.6) as page:
        left, right = page.axes
        for arm, colour in colours.items():
            of_arm: dict[int, list[float]] = defaultdict(list)
            for row in rounds:
                if row["arm"] == arm:
                    of_arm[int(row["episodes"])].append(100 * float(row["success"]))
            ends = sorted(of_arm)
            left.plot(ends, [sum(of_arm[end]) / len(of_arm[end]) for end in ends], color=colour, linewidth=2, label=arm)
            if seeds > 1:
                low, high = [min(of_arm[end]) for end in ends], [max(of_arm[end]) for end in ends]
                left.fill_between(ends, low, high, color=colour, alpha=0.15, linewidth=0)
        left.set_title("Episodes that succeed, by round")
        left.set_ylim(0, 104)
        left.set_yticks(range(0, 101, 20), [f"{n}%" for n in range(0, 101, 20)])
        left.set_xlabel("episodes")
        left.legend(loc="lower right")
        for name, label, colour in (
            ("harmful_suspended", f"harmful ones suspended (of {harmful // seeds})", COLOURS[0]),
            ("right_suspended", f"right ones suspended (of {rightful // seeds})", COLOURS[3]),
        ):
            counts: dict[int, list[int]] = defaultdict(list)
            for row in rounds:
                if row["arm"] == "poisoned, curated":
                    counts[int(row["episodes"])].append(int(row[name]))
            ends = sorted(counts)
            means = [sum(counts[end]) / len(counts[end]) for end in ends]
            right.plot([0, *ends], [0, *means], color=colour, linewidth=2, label=label, drawstyle="steps-post")
        right.set_title("Suspended by evidence")
        right.set_ylim(-2, 104)
        right.set_xlabel("episodes")
        right.legend(loc="upper left")
        return png(page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", action="store_true", help="only draw, from what is there")
    parser.add_argument("--seeds", default="0", help="such as 0,1,2")
    parser.add_argument("--episodes", type=int, default=Plan(arm="").episodes)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    if not options.plot:
        plans = [
            Plan(arm=arm, seed=int(seed), episodes=options.episodes)
            for seed in options.seeds.split(",")
            for arm in ARMS
        ]
        with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
            results = list(pool.map(run, plans))
        write(options.out / "rounds.csv", [row for rounds, _ in results for row in rounds])
        write(options.out / "skills.csv", [row for _, skills in results for row in skills])
    rounds, skills = read(options.out / "rounds.csv"), read(options.out / "skills.csv")
    (options.out / "poison.png").write_bytes(plot(rounds, skills))


if __name__ == "__main__":
    main()
