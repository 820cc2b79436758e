"""What the gates may know of a world: its sandbox, its API documents, its tasks, and the runs that are at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from prowess.cli.skills.jobs.dossier import homes_of
from prowess.cli.skills.jobs.origins import episodes_of, runs_of
from prowess.errors import ProwessError
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import suite_in
from prowess.sandbox import open_sandbox
from prowess.store.canon import version_of
from prowess.store.db import Store
from prowess.store.gates.admission import Admission, admit, replay_settings, waiting
from prowess.store.gates.context import Context, words_in
from prowess.store.gates.replay import repeated
from prowess.store.merging.merge import Trying
from prowess.store.record import Provenance, Trial
from prowess.types import Skill, Task
from prowess.worlds.registry import world_named


def admitted(
    store: Store,
    recipe: Recipe,
    digests: Sequence[str] = (),
    *,
    namespace: str | None = None,
    places: Iterable[Path] = (),
) -> Iterator[Admission]:
    """Lead these versions, or every candidate, through the gates, one by one."""
    candidates = digests or waiting(store, namespace)
    if not candidates:
        return
    with context_of(recipe, homes_of(store, places)) as context:
        for digest in candidates:
            yield admit(store, digest, context, recipe.skills.gates)


@contextmanager
def context_of(recipe: Recipe, places: Sequence[Path]) -> Iterator[Context]:
    """What admission may use of a recipe's world."""
    with closing(open_sandbox(replay_settings(recipe.sandbox))) as sandbox, suite_in(recipe) as suite:
        asked: dict[str, list[Task]] = defaultdict(list)
        for split in suite.splits():
            for task in suite.tasks(split):
                asked[task.scenario].append(task)
        documents = getattr(suite, "documents", None)

        def siblings(provenance: Provenance) -> Sequence[str]:
            return [task.instruction for task in asked.get(provenance.scenario, ()) if task.id != provenance.task]

        yield Context(
            sandbox=sandbox,
            vocabulary=words_in(documents()) if documents else frozenset(),
            observations=lambda provenance: observations(provenance, places),
            siblings=siblings,
            imports=world_named(recipe.suite.name).imports,
        )


def observations(provenance: Provenance, places: Iterable[Path]) -> Sequence[str]:
    """What was printed in the episodes that a provenance may mean, where their run is at hand."""
    for run in runs_of(provenance, places):
        try:
            found = list(episodes_of(run, provenance))
        except ProwessError:  # damaged: the gate knows less, and says so
            continue
        if found:
            return [turn.observation.text for one in found for turn in one.turns if turn.observation]
    return ()


@contextmanager
def replaying(recipe: Recipe, store: Store, places: Iterable[Path] = ()) -> Iterator[Trying]:
    """What a merge is tried with: recorded calls in the sandbox of a recipe, and the gates."""
    with context_of(recipe, homes_of(store, places)) as context:

        def replay(skill: Skill, trial: Trial) -> str:
            assert context.sandbox is not None
            return repeated(version_of(skill, namespace=recipe.suite.name), trial, context, context.sandbox).problem

        yield Trying(replay=replay, context=context, settings=recipe.skills.gates)
