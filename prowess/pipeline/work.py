"""A shift: `prowess work` from its recipe to the run with its curve.

prowess work recipes/expert.toml --set work.tasks=400
printf 'pay_rent.0_1\n' | prowess work recipes/expert.toml --queue -
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from prowess import __version__
from prowess.commands.work import compare as comparing
from prowess.commands.work import curve, picture, result
from prowess.commands.work.care import unapproved
from prowess.commands.work.exposure import Finder, FromSearch
from prowess.commands.work.settings import STDIN, WorkSettings
from prowess.commands.work.stream import PlayContext, Stream
from prowess.errors import RecipeError
from prowess.figures.measure import prices_of
from prowess.figures.plots import sheet
from prowess.figures.tables import markdown
from prowess.pipeline.billing import billed
from prowess.pipeline.parts import Parts, ground_of, parts_of, recorded
from prowess.pipeline.recipe import FREE, Recipe
from prowess.pipeline.suites import documents_of, suite_text
from prowess.policies import WITH_MODEL
from prowess.recipe import to_toml
from prowess.retrieval.store import meaning_of, smoke_of
from prowess.run import Run
from prowess.sandbox import open_sandbox
from prowess.store.db import Store
from prowess.store.fingerprint import fingerprints
from prowess.store.gates.admission import replay_settings
from prowess.store.gates.context import Context, words_in
from prowess.store.ground import Ground
from prowess.store.search import SearchSettings
from prowess.store.search.search import Search
from prowess.types import Episode, Suite

SEARCH = "store"
"""The retrieval that is the search over the store."""


@contextmanager
def live(recipe: Recipe) -> Iterator[Parts]:
    """The recipe's parts. The search over the store is no retriever here: it is asked for what it holds back, too."""
    searched = recipe.retrieval.name == SEARCH
    with parts_of(replace(recipe, retrieval=replace(recipe.retrieval, name="none")) if searched else recipe) as parts:
        yield replace(parts, agent=parts.agent.at(recipe.work.temperature))


def unsearched(recipe: Recipe) -> str:
    """A warning where there is a store and another retriever than its search chooses what is offered."""
    if recipe.work.library == "none" or recipe.retrieval.name == SEARCH:
        return ""
    return (
        f"warning: retrieval.name is '{recipe.retrieval.name}': the search over the store is '{SEARCH}'"
        f" (--set retrieval.name={SEARCH})"
    )


@contextmanager
def stream_of(recipe: Recipe, parts: Parts, run: Run) -> Iterator[Stream]:
    """The stream of a recipe, with its store open, and a sandbox for the gates where the library grows."""
    settings = recipe.work
    where, ground = place_of(recipe, parts.suite), ground_of(recipe, parts.suite)
    with ExitStack() as stack:
        store, gates = None, None
        if settings.library != "none":
            store = stack.enter_context(Store.open(settings.store, create=settings.library == "grow"))
        if store and settings.library == "grow":
            store.fill(where.world, suite_text(recipe))
            sandbox = stack.enter_context(closing(open_sandbox(replay_settings(recipe.sandbox))))
            words = words_in(documents_of(parts.suite))
            gates = Context(sandbox=sandbox, vocabulary=words, imports=ground.imports)
        find = finder_of(recipe, where, ground, store, settings) if store else None
        if find:
            stack.enter_context(closing(find))
        stack.enter_context(billed(parts.agent.policy, run))
        yield Stream(
            parts.agent,
            parts.suite,
            settings,
            run,
            store,
            find=find,
            gates=gates,
            skills=recipe.skills,
            where=where,
            seed=recipe.seed,
            workers=recipe.threads,
        )


def finder_of(
    recipe: Recipe, where: PlayContext, ground: Ground, store: Store, settings: WorkSettings
) -> Finder | None:
    """The search over the store, where the recipe asks for it. Only a library that grows is told what fails."""
    retrieval = recipe.retrieval
    if retrieval.name != SEARCH:
        return None
    search = Search(
        store,
        SearchSettings(
            top=retrieval.top,
            tokens=retrieval.tokens,
            threshold=retrieval.threshold,
            masked=1.0 if settings.library == "masked" else settings.mask,
        ),
        meaning=meaning_of(retrieval.model),
    )
    return FromSearch(
        search=search,
        namespace=where.world,
        apis=frozenset(where.fingerprints) or None,
        smoke=smoke_of(store, retrieval.smoke, ground, note=settings.library == "grow"),
    )


def recording(recipe: Recipe) -> Recipe:
    """The recipe with calls of functions recorded where the library grows: they are the new skills' tests."""
    return recorded(recipe) if recipe.work.library == "grow" else recipe


def place_of(recipe: Recipe, suite: Suite) -> PlayContext:
    """What the store is told of the world and the policy."""
    policy = recipe.policy
    who = {
        "expert": f"expert ({', '.join(recipe.expert.styles)})",
        "endpoint": policy.endpoint.model,
        **dict.fromkeys(WITH_MODEL, recipe.model.name),
    }
    return PlayContext(
        world=recipe.suite.name,
        version=__version__,
        checkpoint=who.get(policy.name, policy.name),
        fingerprints=fingerprints(documents_of(suite)),
    )


def finished(run: Run) -> None:
    """Write what the stream came to: work.md with its table, and the curve."""
    points = curve.points_of(run)
    if not points:
        return
    streams = {run.folder.name: points}
    run.write_text("work.md", f"# {run.folder.name}\n\n{markdown(curve.table(streams))}\n\n![](plots/work.svg)\n")
    run.write_text("plots/work.svg", sheet(picture.stream(streams, {run.folder.name: prices_of(run)})))


def told(recipe: Recipe, run: Run) -> tuple[str, ...]:
    """What the stream came to, in lines: what a task costs, what became of the skills and why."""
    lines = [result.ended(run, recipe.work.tasks), result.cost(curve.points_of(run), prices=prices_of(run))]
    if recipe.work.library != "none":
        with Store.open(recipe.work.store, create=False) as store:
            lines.append(result.fates(store, recipe.suite.name))
    return tuple(filter(None, lines))


def waiting(recipe: Recipe) -> int:
    """How many skills of this world wait for a person, where the library grows."""
    if recipe.work.library != "grow":
        return 0
    with Store.open(recipe.work.store, create=False) as store:
        return len(unapproved(store, recipe.suite.name))


def check_comparison(recipe: Recipe, other: str) -> None:
    """Say that nothing can be compared after the stream, or that there is no such store to compare with, now, rather
    than when the stream lies behind."""
    if not recipe.work.tasks:
        raise RecipeError(
            "work.tasks is 0: the stream takes all tasks there are, and none are left to compare libraries on",
            hint="--set work.tasks=400 leaves those after the first 400",
        )
    if recipe.work.queue == STDIN:
        raise RecipeError(
            "work.queue is '-': what comes on standard input comes once, and is to be played with each library",
            hint="a file of tasks, or those of work.split",
        )
    if other and Path(other).resolve() != Path(recipe.work.store).resolve():  # the own one may be begun only now
        Store.open(other, create=False).close()


def comparison(
    recipe: Recipe,
    parts: Parts,
    run: Run,
    other: str,
    *,
    tasks: int,
    watch: Callable[[Episode], None] = lambda episode: None,
) -> None:
    """Play the tasks after the stream with each library, and write compare.md and its picture."""

    def text(settings: WorkSettings) -> str:
        return to_toml(replace(recipe, work=settings))

    where = place_of(recipe, parts.suite)
    found = comparing.compare(
        parts.agent,
        parts.suite,
        comparing.conditions(recipe.work, other, tasks=tasks),
        run.folder / "compare",
        finder=partial(finder_of, recipe, where, ground_of(recipe, parts.suite)),
        where=where,
        seed=recipe.seed,
        workers=recipe.threads,
        recipe_toml=text,
        free=[key for key in FREE if key != "work.tasks"],  # these tasks, and neither more nor fewer
        watch=watch,
    )
    rows = {where.checkpoint: found}
    run.write_text("compare.md", f"{markdown(comparing.table(rows))}\n\n![](plots/compare.svg)\n")
    run.write_text("plots/compare.svg", sheet(picture.libraries(rows, prices_of(run))))
