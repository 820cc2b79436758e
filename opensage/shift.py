"""A shift: `opensage work` from its recipe to the run with its curve.

opensage work recipes/expert.toml --set work.tasks=400
printf 'pay_rent.0_1\n' | opensage work recipes/expert.toml --queue -
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from opensage import __version__
from opensage.recipe import to_toml
from opensage.run import Run
from opensage.skills.fingerprint import fingerprints
from opensage.skills.store import Store
from opensage.tables import markdown
from opensage.types import Episode, Json, Suite
from opensage.wiring import Parts, Recipe
from opensage.work import compare as comparing
from opensage.work import curve, picture
from opensage.work.settings import WorkSettings
from opensage.work.stream import Place, Stream

RECORD_BYTES = 200_000
"""How much is kept of an episode's calls where skills are proposed, unless the recipe says."""


@contextmanager
def stream_of(recipe: Recipe, parts: Parts, run: Run) -> Iterator[Stream]:
    """The stream of a recipe, with its store open."""
    settings = recipe.work
    agent = parts.agent if settings.temperature is None else parts.agent_at(settings.temperature)
    with (
        nullcontext()
        if settings.library == "none"
        else Store.open(settings.store, create=settings.library == "grow") as store
    ):
        yield Stream(
            agent,
            parts.suite,
            settings,
            run,
            store,
            where=place_of(recipe, parts.suite),
            seed=recipe.seed,
            workers=recipe.threads,
        )


def recording(recipe: Recipe) -> Recipe:
    """The recipe with calls of functions recorded where the library grows: they are the new skills' tests."""
    if recipe.work.library != "grow" or recipe.sandbox.record_bytes:
        return recipe
    return replace(recipe, sandbox=replace(recipe.sandbox, record_bytes=RECORD_BYTES))


def place_of(recipe: Recipe, suite: Suite) -> Place:
    """What the store is told of the world and the policy."""
    policy = recipe.policy
    who = {
        "expert": f"expert ({', '.join(recipe.expert.styles)})",
        "local": recipe.model.name,
        "vllm": recipe.model.name,
        "endpoint": policy.endpoint.model,
    }
    documents: Callable[[], Iterable[Json]] | None = getattr(suite, "documents", None)
    return Place(
        world=recipe.suite.name,
        version=__version__,
        checkpoint=who.get(policy.name, policy.name),
        fingerprints=fingerprints(documents()) if documents else {},
    )


def finished(run: Run) -> None:
    """Write what the stream came to: work.md with its table, and the curve."""
    points = curve.points_of(run)
    if not points:
        return
    streams = {run.folder.name: points}
    run.write_text("work.md", f"# {run.folder.name}\n\n{markdown(curve.table(streams))}\n\n![](plots/work.png)\n")
    run.write_bytes("plots/work.png", picture.stream(streams, width=min(curve.WINDOW, max(2, len(points) // 4))))


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
        where=where,
        seed=recipe.seed,
        workers=recipe.threads,
        recipe_toml=text,
        watch=watch,
    )
    rows = {where.checkpoint: found}
    run.write_text("compare.md", f"{markdown(comparing.table(rows))}\n\n![](plots/compare.png)\n")
    run.write_bytes("plots/compare.png", picture.libraries(rows))
