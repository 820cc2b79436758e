"""Every row of the paper's tables on desk, several at once on one GPU.

    python studies/qwen/study.py --model FOLDER --name 0.5b --out runs/qwen --jobs 4 --only sage,grpo --seeds 0,1

Collect and SFT come first, once for each seed; then trainings and evaluations, each job in the next free process, which
keeps its vLLM from job to job. What is finished is not done again. OUT/NAME/rows.jsonl has a line for each evaluation.
Where jobs share a GPU, start NVIDIA's MPS before (nvidia-cuda-mps-control -d).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pool import Pool, pool_of
from prowess_desk.families import FAMILIES
from rows import keep, row_of

from prowess.commands.collect import data_in
from prowess.errors import ProwessError
from prowess.models.adapter import is_adapter
from prowess.pipeline.checks import check_learning
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.stages import Screen, evaluated, prepared, trained
from prowess.pipeline.starts import best_of
from prowess.recipe import read

ROOT = Path(__file__).resolve().parents[2]
RECIPE = "recipes/qwen-sage.toml"
BARE = ("agent.learn=false", "retrieval.name=none")
"""No library: nothing is saved, nothing is offered."""
REACT = (*BARE, "agent.prompt=react")
SINGLE = ("train.length=1", "train.chains=48", "reward.name=outcome")

LONG = ("agent.turns=40", "agent.repeats=0", "agent.episode_tokens=0")
END = "to the end"
"""As the paper plays, but for the recipe's shorter context: nobody is stopped for going in circles or talking too much.
Takes several times as long."""

WARM = "at temperature 1"
HOT = "evaluate.temperature=1"
"""As in training: the same task is then solved less evenly, and a library has more to do."""

CARRIED = ("evaluate.carry=split", "evaluate.wave=23")
"""One library for the whole split: what retrieval is for."""
REWORDED = "reworded"
ALIKE, OTHERWISE = "suite.desk.wording=shared", "suite.desk.wording=mixed"
MIXED = (OTHERWISE, "retrieval.name=hybrid", *CARRIED)
"""The tasks of a scenario in words of their own, and skills found by what they are about."""
FOUND = ("scenario", "query_ngram", "query_embedding", "skill_embedding", "hybrid")

ONCE = "evaluate.scenarios=23"
"""One scenario of each family: a bare model solves next to nothing, and takes ten times as long over it."""

STARTS: Mapping[str, tuple[str, ...]] = {
    "expert": (),
    "self": ("policy.name=vllm", "collect.count=4", "collect.tries=5", "collect.crossed=0"),
}
"""Whom the supervised start imitates: the expert, or the bare model's own successes."""

TRAININGS: Mapping[str, tuple[str, ...]] = {
    "sage": (),
    "grpo": (*REACT, *SINGLE, "train.start=base"),
    "sft-grpo": (*BARE, *SINGLE),
    "outcome": ("reward.name=outcome",),
    "chain": ("reward.name=chain",),
    "chain3": ("train.length=3", "train.chains=16"),
    "base-start": ("train.start=base",),
    "self-distil": (),
    "peers": ("train.peers=history",),
    "peers-token": ("train.peers=history", "loss.aggregate=token"),
    "rehearse": ("train.rehearse=32",),
    "rehearse-grpo": (*BARE, *SINGLE, "train.rehearse=32"),
    "uplift": ("reward.name=uplift", "train.masked=4"),
    "group16-kl": ("train.group=16", "train.chains=12", "loss.kl=0.005"),
    "token-mean": ("loss.aggregate=token",),
    "minibatches": ("learner.minibatches=4",),
    "most4": ("train.most=4",),
    "drop-flat": ("train.drop_flat=true", "loss.clip_high=0.28"),
    "mixed-hybrid": (OTHERWISE, "retrieval.name=hybrid"),
    "overlap": ("train.overlap=true",),
}
"""What each training changes of qwen-sage.toml; what starts from imitation keeps the prompt that was imitated. All play
384 episodes a step."""

PLAYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "base": {
        "react": (*REACT, ONCE),
        "skill": (ONCE,),
        "skill, no library": (*BARE, ONCE),
        f"react, {END}": (*REACT, ONCE, *LONG),
    },
    "sft": {
        "": (),
        "no library": BARE,
        END: LONG,
        WARM: (HOT,),
        f"no library, {WARM}": (*BARE, HOT),
        f"query_embedding, {WARM}": (*CARRIED, "retrieval.name=query_embedding", HOT),
    },
    "sage": {
        "": (),
        "no library": BARE,
        END: LONG,
        WARM: (HOT,),
        **{name: (*CARRIED, f"retrieval.name={name}") for name in FOUND},
        REWORDED: MIXED,
        **{f"{name}, {WARM}": (*CARRIED, f"retrieval.name={name}", HOT) for name in FOUND},
    },
    "grpo": {"": REACT, END: (*REACT, *LONG)},
    "sft-grpo": {"": BARE, END: (*BARE, *LONG), WARM: (*BARE, HOT), REWORDED: (*BARE, OTHERWISE)},
    "rehearse": {"": (), "no library": BARE},
    "rehearse-grpo": {"": BARE},
    "mixed-hybrid": {
        "": (ALIKE, "retrieval.name=scenario"),
        REWORDED: MIXED,
        **{
            f"{name}, {WARM}": (ALIKE, *CARRIED, f"retrieval.name={name}", HOT)
            for name in ("query_embedding", "hybrid")
        },
    },
}
"""How a checkpoint is evaluated; one that is not named here, in its own way alone."""

SPLITS = ("test_normal", "test_challenge")
GLANCE = 15
"""Scenarios of dev that a training's checkpoints are chosen by."""
KEPT = [name for name, family in FAMILIES.items() if family.split == "train" and family.kept]
SHOWN = [name for name, family in FAMILIES.items() if family.split == "train" and not family.kept]
KNOWN: Mapping[str, tuple[str, ...]] = {
    split: (
        "suite.desk.seed=7919",
        "suite.desk.drills=0",
        "suite.desk.errands=0",
        "suite.desk.fresh_errands=0",
        "suite.desk.fresh=0",
        f"suite.desk.families={json.dumps(names)}",
        f"evaluate.scenarios={len(names)}",
    )
    for split, names in (("known", SHOWN), ("fresh", KEPT))
}
"""Further splits: a scenario of each family of train, with people and values nobody has met. `known` families were
demonstrated, `fresh` ones were not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One training with its evaluations, or evaluations alone."""

    label: str
    seed: int
    model: str
    home: str
    sets: tuple[str, ...]
    steps: int
    runs: int
    splits: tuple[str, ...] = SPLITS
    plays: int = 0
    """Only the first so many ways to play; 0 for all."""
    ways: tuple[str, ...] = ()
    """Only these ways to play, by their names; empty for all."""
    trained: str = ""
    """An adapter that came of this training elsewhere; empty to train."""


def start_for(label: str) -> str:
    """The start that a job waits for; none for those that begin with the bare model."""
    bare = label == "base" or "train.start=base" in TRAININGS.get(label, ())
    return "" if bare else "self" if label == "self-distil" else "expert"


def recipe_of(job: Job, *more: str) -> Recipe:
    sets = (*job.sets, *more, f"model.name={job.model}", f"train.steps={job.steps}", f"evaluate.runs={job.runs}")
    return replace(read(Recipe, ROOT / RECIPE, sets), name=job.label, seed=job.seed)


@cache
def commit() -> str:
    """What plays, by git: a commit, with a + if files differ from it; nothing where git does not know."""
    command = ("git", "-C", str(ROOT), "describe", "--always", "--exclude=*", "--abbrev=7", "--dirty=+")
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def schooling(job: Job) -> str:
    """Collect and imitate; the folder of the run."""
    home = Path(job.home)
    with _logged(home / "log.txt"):
        return prepared(recipe_of(job), home, SILENT).train.start


def ways_of(job: Job) -> dict[str, tuple[str, ...]]:
    """How a job's checkpoint is evaluated."""
    ways = list(PLAYS.get(job.label, {"": ()}).items())
    return {name: sets for name, sets in ways[: job.plays or None] if not job.ways or name in job.ways}


def course(job: Job, sft: str) -> list[dict[str, Any]]:
    """Train, if the job is a training, and evaluate."""
    home = Path(job.home)
    rows: list[dict[str, Any]] = []
    with _logged(home / "log.txt"):
        checkpoint: Path | None = None
        if job.trained:
            checkpoint = Path(job.trained)
        elif job.label in TRAININGS:
            recipe = recipe_of(job)
            start = recipe.train.start or sft
            glance = replace(recipe.evaluate, scenarios=GLANCE, runs=1)
            recipe = replace(recipe, train=replace(recipe.train, start=start), evaluate=glance)
            if recipe.train.rehearse and not recipe.sft.data:
                recipe = replace(recipe, sft=replace(recipe.sft, data=str(data_in(Path(sft).parent / "collect"))))
            trained(recipe, home / "train", SILENT)
            checkpoint = best_of(home / "train")
        elif job.label == "sft":
            checkpoint = Path(sft) if is_adapter(sft) else best_of(Path(sft))
        for name, sets in ways_of(job).items():
            for split in job.splits:
                recipe = recipe_of(job, *sets, *KNOWN.get(split, ()))
                recipe = replace(
                    recipe, train=replace(recipe.train, start="base" if checkpoint is None else str(checkpoint))
                )
                place = home / "-".join(part for part in (split, name.replace(", ", "-").replace(" ", "-")) if part)
                row = {"model": home.parent.name, "label": job.label, "seed": job.seed, "play": name, "split": split}
                row |= {"recipe": RECIPE, "sets": [*job.sets, *sets], "commit": commit()}
                since = time.monotonic()
                try:
                    evaluated(recipe, checkpoint, place, "train" if split in KNOWN else split, SILENT)
                except Exception as problem:  # noqa: BLE001 - an embedding model that is not there, say
                    row |= {"error": str(problem) or repr(problem)}
                else:
                    row |= row_of(place, home / "train" if job.label in TRAININGS and not job.trained else None)
                    row |= {"play_seconds": round(time.monotonic() - since, 1)}  # of what was not there already
                rows.append(row)
                keep(home.parent / "rows.jsonl", row)
    return rows


@contextmanager
def _logged(file: Path) -> Iterator[None]:
    """What a job says goes to its own file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", buffering=1) as out:
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = out
        try:
            yield
        except BaseException:
            traceback.print_exc(file=out)
            raise
        finally:
            sys.stdout, sys.stderr = before


@contextmanager
def _nothing(*_: object) -> Iterator[Any]:
    yield lambda *_, **__: None


SILENT = Screen(course=_nothing, episodes=_nothing)


# ------------------------------------------------------------------------------------------------------- the command


def parser() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--model", required=True)
    ask.add_argument("--name", required=True, help="names the model in the results")
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--jobs", type=int, default=4)
    ask.add_argument("--only", default="", help="labels with commas between them; all by default")
    ask.add_argument("--seeds", default="0")
    ask.add_argument("--steps", type=int, default=40)
    ask.add_argument("--minutes", type=float, default=0, help="ends a training after so long; give more --steps")
    ask.add_argument("--runs", type=int, default=3)
    ask.add_argument("--splits", default=",".join((*SPLITS, *KNOWN)))
    ask.add_argument("--plays", type=int, default=0, help="only the first so many ways to play a checkpoint; 0 for all")
    ask.add_argument("--play", action="append", default=[], help="only this way to play, by its name; may be repeated")
    ask.add_argument("--start", default="", help="an adapter to begin with instead of collecting and imitating; {seed}")
    ask.add_argument("--trained", default="", help="adapters to evaluate instead of training; {label} and {seed}")
    ask.add_argument("--set", action="append", default=[], dest="sets")
    return ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked for, and the jobs that come of it."""

    given: argparse.Namespace
    labels: tuple[str, ...]
    seeds: tuple[int, ...]

    def job(self, label: str, seed: int) -> Job:
        given = self.given
        return Job(
            label=label,
            seed=seed,
            model=given.model,
            home=str(given.out / given.name / f"{label}-seed{seed}"),
            sets=(*TRAININGS.get(label, ()), f"train.minutes={given.minutes}", *given.sets),
            steps=given.steps,
            runs=given.runs,
            splits=tuple(given.splits.split(",")),
            plays=given.plays,
            ways=tuple(given.play),
            trained=_resolved(given.trained, label, seed),
        )

    def start(self, kind: str, seed: int) -> Job:
        """Collecting and imitating, which others wait for."""
        return replace(self.job(f"start-{kind}", seed), sets=(*STARTS[kind], *self.given.sets))

    def after(self, kind: str, seed: int) -> list[Job]:
        """The jobs that begin with such a start; with the bare model, if it is none."""
        return [self.job(label, seed) for label in self.labels if start_for(label) == kind]

    def wrong(self) -> str:
        """What cannot be done, said now, and not by every job after minutes of collecting."""
        given, ways = self.given, dict.fromkeys(way for label in self.labels for way in PLAYS.get(label, {"": ()}))
        known = (*SPLITS, *KNOWN, "dev", "train")
        if odd := sorted({*self.labels} - {"base", "sft", *TRAININGS}):
            return f"--only names {odd}; allowed are base, sft, {', '.join(TRAININGS)}"
        if odd := sorted({*given.splits.split(",")} - {*known}):
            return f"--splits names {odd}; allowed are {', '.join(known)}"
        if odd := sorted({*given.play} - {*ways}):
            return f"--play names {odd}; allowed for {', '.join(self.labels)} are {', '.join(map(repr, ways))}"
        starts = [given.start.format(seed=seed) for seed in self.seeds if given.start]
        if lost := [one for one in starts if not is_adapter(one)]:
            return f"--start: there is no adapter at {lost[0]}"
        jobs = [self.job(label, seed) for label in self.labels for seed in self.seeds]
        if lost := [one.trained for one in jobs if one.trained and not is_adapter(one.trained)]:
            return f"--trained: there is no adapter at {lost[0]}"
        adapters = [*starts, *(one.trained for one in jobs if one.trained)]
        try:
            for recipe in [recipe_of(one) for one in jobs if one.seed == self.seeds[0]]:
                check_learning(recipe)
            for one in dict.fromkeys(adapters):  # what it was made on may not be here
                check_learning(replace(recipe, model=replace(recipe.model, name=one)))
        except ProwessError as problem:
            return str(problem)
        return ""


def begun(plan: Plan, pool: Pool) -> dict[Future[Any], Job]:
    """The jobs that wait for no other."""
    pending: dict[Future[Any], Job] = {}

    def begin(one: Job, sft: str) -> None:
        pending[pool.submit(course, one, sft)] = one

    if plan.given.trained:
        for one in [plan.job(label, seed) for seed in plan.seeds for label in plan.labels]:
            begin(one, "")
        return pending
    for seed in plan.seeds:
        for kind in sorted({start_for(label) for label in plan.labels} - {""}):
            if plan.given.start and kind == "expert":
                for one in plan.after(kind, seed):
                    begin(one, str(Path(plan.given.start.format(seed=seed)).resolve()))
            else:
                one = plan.start(kind, seed)
                pending[pool.submit(schooling, one)] = one
    for seed in plan.seeds:
        for one in plan.after("", seed):
            begin(one, "")
    return pending


def done(plan: Plan, jobs: int) -> int:
    """Do all jobs, so many at once; how many failed."""
    failures = 0
    with pool_of(jobs) as pool:
        pending = begun(plan, pool)
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                one = pending.pop(future)
                who = f"{one.label} seed {one.seed}"
                try:
                    found = future.result()
                except Exception as problem:  # noqa: BLE001 - the others go on
                    failures += 1
                    _say(f"{who} failed: {type(problem).__name__}: {problem} ({one.home}/log.txt)")
                    continue
                if isinstance(found, str):
                    _say(f"{who}: there")
                    for after in plan.after(one.label.removeprefix("start-"), one.seed):
                        pending[pool.submit(course, after, found)] = after
                    continue
                _say(f"{who}: {'; '.join(map(told_of, found)) or 'no way to play'}; {len(pending)} to go")
                failures += any("error" in row for row in found)
    return failures


def main() -> None:
    ask = parser()
    given = ask.parse_args()
    labels = given.only.split(",") if given.only else ["base", "sft", *TRAININGS]
    plan = Plan(given=given, labels=tuple(labels), seeds=tuple(int(one) for one in given.seeds.split(",")))
    if problem := plan.wrong():
        ask.error(problem)
    (given.out / given.name).mkdir(parents=True, exist_ok=True)
    try:
        failures = done(plan, given.jobs)
    except KeyboardInterrupt:
        _say("stopped; the same command goes on from here")
        sys.exit(130)
    if failures:
        sys.exit(f"{failures} jobs failed, or some of their plays; the same command does what is missing")


def told_of(row: Mapping[str, Any]) -> str:
    """An evaluation in a few words."""
    what = f"{row['split']}, {row['play']}" if row["play"] else row["split"]
    if "error" in row:
        return f"{what} failed: {row['error'].splitlines()[0]}"
    return f"{what} TGC {row['tgc']['value']:.3f} SGC {row['sgc']['value']:.3f}"


def _resolved(pattern: str, label: str, seed: int) -> str:
    """The folder that a pattern names for a job, or nothing."""
    return str(Path(pattern.format(label=label, seed=seed)).resolve()) if pattern else ""


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    main()
