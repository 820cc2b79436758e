"""Prowess from Python: what `import prowess` offers, each name in a line or two.

    suite = prowess.open_suite("desk")
    agent = prowess.Agent(policy=prowess.policy("expert"), retrieve=prowess.retriever("scenario"))
    rollout = prowess.rollout(agent, suite, prowess.chains_of(suite, "dev")[0])
    run = prowess.evaluate("expert", {"evaluate.scenarios": 4})

The command line runs the same code. docs/python.md is the tutorial, and every block of it is run by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from prowess.commands.evaluate import EMPTY, EvaluateSettings, play_split, scenarios_of
from prowess.errors import RecipeError
from prowess.figures.frames import episodes_frame
from prowess.figures.measure import Measures, measure
from prowess.files.codec import Played
from prowess.pipeline import learn as learning
from prowess.pipeline.checks import check_evaluation, check_known, checked
from prowess.pipeline.learning import Watch
from prowess.pipeline.parts import Parts, parts_of
from prowess.pipeline.policies import policy_of
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.stages import Screen, assessed, collected, schooled, trained
from prowess.pipeline.starts import playing
from prowess.pipeline.suites import documents_of, suite_in
from prowess.play import Agent, played
from prowess.play.rollout import play_chain
from prowess.recipe import nested, parse, read, resolve, to_toml
from prowess.report.saved import SavedRun, read_run
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.run import discard, is_run
from prowess.skills.library import Library
from prowess.types import Chain, Episode, Json, Policy, Retriever, Rollout, Suite, Task, World

if TYPE_CHECKING:
    import pandas as pd

Settings = Mapping[str, Json]
"""Values over a recipe by their dotted keys: `{"evaluate.split": "dev", "seed": 3}`."""


# --- recipes ----------------------------------------------------------------------------------------------------------


def read_recipe(recipe: str | Path | Recipe = "", settings: Settings | None = None) -> Recipe:
    """A recipe by the path of its file, or by the name of a shipped one, with settings over it; the defaults if none
    is named."""
    if isinstance(recipe, Recipe):
        return parse(Recipe, to_toml(recipe), source=recipe.name, over=settings)
    return read(Recipe, recipe, over=settings) if recipe else resolve(Recipe, nested(settings or {}), source="settings")


@contextmanager
def open_recipe(
    recipe: str | Path | Recipe, settings: Settings | None = None, *, checkpoint: str | Path | None = None
) -> Iterator[Parts]:
    """A recipe's `suite` and `agent`, live. With a checkpoint, or a run that has some, that plays."""
    with parts_of(_player(read_recipe(recipe, settings), checkpoint)) as parts:
        yield parts


# --- parts ------------------------------------------------------------------------------------------------------------


class OpenSuite:
    """A suite and the sandbox that its code runs in. Close it, or use it in a `with`."""

    def __init__(self, recipe: Recipe) -> None:
        self._stack = ExitStack()
        self._suite = self._stack.enter_context(suite_in(recipe))

    def splits(self) -> Sequence[str]:
        return self._suite.splits()

    def tasks(self, split: str) -> Sequence[Task]:
        return self._suite.tasks(split)

    def open(self, task: Task) -> World:
        return self._suite.open(task)

    def documents(self) -> list[Json]:
        """The documents of the world's APIs, where it has some."""
        return documents_of(self._suite)

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_suite(name: str, *, sandbox: Settings | None = None, **settings: Json) -> OpenSuite:
    """A suite by its name, or yours as `module:function`; settings are the keys of its section in a recipe."""
    section = "options" if ":" in name else name
    suite = {"name": name} | ({section: settings} if settings else {})
    return OpenSuite(resolve(Recipe, {"suite": suite, "sandbox": dict(sandbox or {})}, source="open_suite"))


def policy(name: str = "expert", settings: Settings | None = None) -> Policy:
    """A policy by its name: `expert`, `endpoint`, `local` ... Settings are keys of a recipe, such as `model.name`."""
    return policy_of(read_recipe("", {"policy.name": name, **(settings or {})}))


def retriever(name: str = "scenario", **settings: Json) -> Retriever:
    """A retriever by its name: `scenario`, `bm25`, `hybrid` ... Settings are the keys of [retrieval]."""
    return make_retriever(resolve(RetrievalSettings, {"name": name, **settings}, source="retriever"))


def rollout(agent: Agent, suite: Suite, chain: Chain, *, library: Library = EMPTY, seed: int = 0) -> Rollout:
    """Play the tasks of a chain in order. Each later task is offered what the earlier ones saved."""
    return played(play_chain(agent, suite, chain, library, seed=seed), agent.policy)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What a split came to."""

    measures: Measures
    """The figures with their intervals: `score.measures.tgc.value`."""
    played: tuple[Played, ...]
    """Each episode with its split and the number of its run."""

    @property
    def episodes(self) -> tuple[Episode, ...]:
        return tuple(one.episode for one in self.played)

    def frame(self) -> pd.DataFrame:
        """A pandas frame with a row for each episode."""
        return episodes_frame(self.played)


def score(
    agent: Agent,
    suite: Suite,
    split: str = "dev",
    *,
    scenarios: int = 0,
    runs: int = 1,
    library: Library = EMPTY,
    seed: int = 0,
    workers: int = 0,
) -> Scored:
    """Play a split, each scenario from the library given, and measure it. `evaluate` keeps a run instead."""
    check_known(suite, {"split": split})
    settings = EvaluateSettings(split=split, scenarios=scenarios, runs=runs)
    threads = Recipe(workers=workers).threads
    chains = scenarios_of(suite, settings)
    found = tuple(play_split(agent, suite, chains, settings, library=library, seed=seed, workers=threads))
    return Scored(measures=measure(found)[0], played=found)


# --- runs -------------------------------------------------------------------------------------------------------------


def evaluate(
    recipe: str | Path | Recipe,
    settings: Settings | None = None,
    *,
    checkpoint: str | Path | None = None,
    out: str | Path | None = None,
    force: bool = False,
) -> SavedRun:
    """Do what `prowess evaluate` does: play a split and keep the run."""
    given = _player(read_recipe(recipe, settings), checkpoint)
    with parts_of(given) as live:
        scenarios = check_evaluation(given, live.suite)
        folder = _folder(given, "evaluate", out, force)
        assessed(given, live, scenarios, folder, SILENT)
    return read_run(folder)


def collect(
    recipe: str | Path | Recipe,
    settings: Settings | None = None,
    *,
    out: str | Path | None = None,
    force: bool = False,
) -> SavedRun:
    """Do what `prowess collect` does: keep good episodes of a policy as a data set to imitate."""
    given = read_recipe(recipe, settings)
    if given.sft.data:
        raise RecipeError(f"sft.data is '{given.sft.data}': there is nothing to collect", hint="leave it out")
    folder = _folder(given, "collect", out, force)
    collected(given, folder, SILENT)
    return read_run(folder)


def sft(
    recipe: str | Path | Recipe,
    settings: Settings | None = None,
    *,
    out: str | Path | None = None,
    force: bool = False,
) -> SavedRun:
    """Do what `prowess sft` does: imitate what was collected."""
    given = read_recipe(recipe, settings)
    checked(given, "sft")
    folder = _folder(given, "sft", out, force)
    schooled(given, folder, SILENT)
    return read_run(folder)


def train(
    recipe: str | Path | Recipe,
    settings: Settings | None = None,
    *,
    out: str | Path | None = None,
    force: bool = False,
) -> SavedRun:
    """Do what `prowess train` does: learn from playing chains of tasks."""
    given = read_recipe(recipe, settings)
    checked(given, "train")
    folder = _folder(given, "train", out, force)
    trained(given, folder, SILENT)
    return read_run(folder)


def learn(
    recipe: str | Path | Recipe,
    settings: Settings | None = None,
    *,
    split: str = "test_normal",
    out: str | Path | None = None,
    force: bool = False,
) -> dict[str, Measures]:
    """Do what `prowess learn` does: the whole way, and the figures before and after by their row's name."""
    given = read_recipe(recipe, settings)
    home = Path(out or Path("runs") / given.name)
    return dict(learning.learn(given, home, split=split, screen=SILENT, force=force).rows)


def _player(recipe: Recipe, checkpoint: str | Path | None) -> Recipe:
    return playing(recipe, Path(checkpoint)) if checkpoint else recipe


def _folder(recipe: Recipe, command: str, out: str | Path | None, force: bool) -> Path:
    """The folder of a command's run, empty again with `force`."""
    folder = Path(out) if out else recipe.folder(command)
    if force and is_run(folder):
        discard([folder])
    return folder


def _course(title: str) -> AbstractContextManager[Watch]:
    def watch(step: int, figures: Mapping[str, float], total: int, *, done: int = 1) -> None: ...

    return nullcontext(watch)


def _episodes(title: str, total: int | None = None) -> AbstractContextManager[Callable[..., None]]:
    return nullcontext(lambda *episodes, **counts: None)


SILENT = Screen(course=_course, episodes=_episodes)
"""Shows nothing: what a run came to is what these functions return."""
