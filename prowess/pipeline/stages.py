"""The stages of learning as runs in folders: collect, imitate, be taught, reinforce, evaluate.

Each is begun, gone on with where it stopped, or left alone if it is finished; the folder of another recipe is refused.
`prowess learn` goes through them for one recipe, `prowess ablate` for many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from prowess.commands.collect import Collected, collect, data_in, units_of
from prowess.commands.evaluate import evaluate
from prowess.commands.teach import mix
from prowess.errors import RecipeError, StoreError
from prowess.figures.measure import Measures, measure, metrics_of, outcomes_of, pooled
from prowess.pipeline.billing import billed
from prowess.pipeline.checks import tell_fewer, tell_last
from prowess.pipeline.learning import Watch, imitate, reinforce
from prowess.pipeline.parts import Parts, demonstrating, parts_of
from prowess.pipeline.policies import data_of
from prowess.pipeline.recipe import FREE, Recipe
from prowess.pipeline.scenarios import drawn
from prowess.pipeline.starts import player, start_of
from prowess.pipeline.weights import Weights, differ, note, playing_in, shown_to, weights_of
from prowess.policies.engines import dismiss
from prowess.recipe import to_toml
from prowess.run import Run, Status, discard, is_run
from prowess.text.terminal import say
from prowess.types import Chain

STAGES = ("collect", "sft")
"""What comes before reinforcement, and makes a round of teaching, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Where a person watches."""

    course: Callable[[str], AbstractContextManager[Watch]]
    """Shows the steps of a course of learning, by its title."""
    episodes: Callable[[str, int | None], AbstractContextManager[Callable[..., None]]]
    """Shows episodes as they are played, by title and how much there is to do, where it is known. What it is told
    counts for as many as it is, or for `done`."""


def collected(recipe: Recipe, folder: Path, screen: Screen) -> Recipe:
    """Collect, unless a data set is named; the recipe with the data set."""
    if recipe.sft.data:
        return recipe

    def work(run: Run) -> None:
        with parts_of(demonstrating(recipe)) as live:
            gather(recipe, live, run, screen, _name(folder))

    _do(recipe, "collect", folder, work, playing_in(recipe))
    return replace(recipe, sft=replace(recipe.sft, data=str(data_in(folder))))


def gather(recipe: Recipe, live: Parts, run: Run, screen: Screen, title: str) -> Collected:
    """Collect in sight: chains are counted, since nobody knows how many tries they will take."""
    settings = recipe.collect
    chains = drawn(live.suite, settings.split, settings.scenarios)
    tell_fewer(chains, settings.split, settings.scenarios, "collect.scenarios")
    tell_last(chains, settings.split, settings.last, "collect.last")
    units = len(units_of(live.suite, settings))
    with billed(live.agent.policy, run), screen.episodes(f"{title}, chains", units) as watch:
        return collect(
            live.agent.at,
            live.suite,
            settings,
            run,
            seed=recipe.seed,
            workers=recipe.threads,
            watch=lambda tries: watch(*tries, done=1),
        )


def schooled(recipe: Recipe, folder: Path, screen: Screen) -> Recipe:
    """Imitate the data set; the recipe with what came of it as its start."""

    def alone(recipe: Recipe, run: Run, watch: Watch) -> None:
        dismiss()  # engines that played before, an evaluation of another seed's, say; training uses them again
        imitate(recipe, run, watch)

    start = _start(folder, lambda: shown_to(recipe.model.name, data_of(recipe)))
    _learn(recipe, "sft", folder, alone, screen, start)
    return replace(recipe, train=replace(recipe.train, start=str(folder)))


def taught(recipe: Recipe, home: Path, screen: Screen) -> Recipe:
    """Let what the recipe starts from play and be mended, and learn from that, round by round; the recipe with what
    came of it as its start."""
    shown = data_of(recipe) if recipe.teach.rounds and recipe.teach.rehearsed else None  # told now if it is missing
    for number in range(1, recipe.teach.rounds + 1):
        place, start = home / f"teach{number}", start_of(recipe)
        begun = replace(recipe, model=replace(recipe.model, name=start))
        played = collected(_lesson(begun, number), place / "collect", screen)
        data = mix(data_of(played), shown, place / "data", recipe.teach, number=number, seed=recipe.seed)
        schooled(_homework(begun, data), place / "sft", screen)
        recipe = replace(recipe, train=replace(recipe.train, start=str(place / "sft")))
    return recipe


def prepared(recipe: Recipe, home: Path, screen: Screen) -> Recipe:
    """Collect, imitate and be taught; the recipe with what came of it as its start."""
    return taught(schooled(collected(recipe, home / "collect", screen), home / "sft", screen), home, screen)


def preparations(recipe: Recipe, home: Path) -> list[Path]:
    """The folders of the runs of all that."""
    own = [home / stage for stage in STAGES if stage == "sft" or not recipe.sft.data]
    return [*own, *lessons(recipe, home)]


def lessons(recipe: Recipe, home: Path) -> list[Path]:
    """The folders of the runs of all rounds of teaching."""
    return [home / f"teach{number + 1}" / stage for number in range(recipe.teach.rounds) for stage in STAGES]


def _lesson(recipe: Recipe, number: int) -> Recipe:
    """Who plays in a round, and what: other people and values, where the world can have any."""
    return replace(
        recipe,
        suite=recipe.suite.lesson(number),
        policy=replace(recipe.policy, name="taught"),
        collect=recipe.teach.collect,
        sft=replace(recipe.sft, data=""),
    )


def _homework(recipe: Recipe, data: Path) -> Recipe:
    """What is imitated after a round, and how."""
    settings = recipe.teach
    learner = replace(recipe.sft.learner, rate=settings.rate or recipe.sft.learner.rate)
    return replace(recipe, sft=replace(recipe.sft, data=str(data), epochs=settings.epochs, learner=learner))


def trained(recipe: Recipe, folder: Path, screen: Screen) -> None:
    """Reinforce what the recipe starts from. What was reinforced from other weights, because imitation was begun again
    since, is begun again, too."""
    start = _start(folder, lambda: weights_of(start_of(recipe)))
    _learn(recipe, "train", folder, reinforce, screen, start)


def evaluated(recipe: Recipe, checkpoint: Path | None, folder: Path, split: str, screen: Screen) -> Path:
    """Play a split with a checkpoint, or with what training starts from; the run's folder. What was played with other
    weights, because learning was begun again since, is played anew."""
    weights = weights_of(checkpoint or start_of(recipe))
    recipe = replace(recipe, evaluate=replace(recipe.evaluate, split=split))

    def work(run: Run) -> None:
        with parts_of(recipe, player(recipe, checkpoint)) as live:
            _measured(recipe, live, drawn(live.suite, split, recipe.evaluate.scenarios), run, screen)

    _do(recipe, "evaluate", folder, work, weights)
    return folder


def assessed(recipe: Recipe, live: Parts, scenarios: Sequence[Chain], folder: Path, screen: Screen) -> None:
    """Play scenarios of the recipe's split with the recipe's own policy."""
    _do(recipe, "evaluate", folder, lambda run: _measured(recipe, live, scenarios, run, screen), playing_in(recipe))


def _measured(recipe: Recipe, live: Parts, scenarios: Sequence[Chain], run: Run, screen: Screen) -> None:
    assess(recipe, live, scenarios, run, screen, _name(run.folder))
    run.log(0, metrics_of(measure(outcomes_of(run))[0]))


def assess(recipe: Recipe, live: Parts, scenarios: Sequence[Chain], run: Run, screen: Screen, title: str) -> None:
    """Play scenarios of the recipe's split in sight, at the recipe's temperature."""
    settings = recipe.evaluate
    tell_fewer(scenarios, settings.split, settings.scenarios, "evaluate.scenarios")
    total = sum(map(len, scenarios)) * settings.runs
    with billed(live.agent.policy, run), screen.episodes(title, total) as watch:
        evaluate(
            live.agent.at(settings.temperature),
            live.suite,
            scenarios,
            settings,
            run,
            seed=recipe.seed,
            workers=recipe.threads,
            watch=lambda rollout: watch(*rollout.episodes),
        )


def measured(folders: Iterable[Path]) -> Measures:
    """The measures of several evaluations, as if they were runs of one."""
    places = list(folders)
    rows = measure(pooled(outcomes_of(Run.open(place)) for place in places))
    if not rows:
        raise StoreError(
            f"{', '.join(map(str, places))}: there is no episode in it",
            hint="its files are damaged: delete the run, and the same command plays it again",
        )
    return rows[0]


def _start(folder: Path, found: Callable[[], Weights]) -> Weights:
    """What a course begins with. A finished one does not need it any more; one that goes on says what is missing."""
    try:
        return found()
    except RecipeError:
        if not is_run(folder):
            raise
        return Weights(of="", digest="")


def _learn(
    recipe: Recipe,
    command: str,
    folder: Path,
    course: Callable[[Recipe, Run, Watch], None],
    screen: Screen,
    start: Weights,
) -> None:
    def work(run: Run) -> None:
        with screen.course(_name(folder)) as watch:
            course(recipe, run, watch)

    _do(recipe, command, folder, work, start)


def _name(folder: Path) -> str:
    return f"{folder.parent.name} {folder.name}"


def _do(
    recipe: Recipe, command: str, folder: Path, work: Callable[[Run], None], weights: Weights | None = None
) -> None:
    known = is_run(folder)
    finished = known and Run.open(folder).about.status is Status.FINISHED
    begin = partial(
        Run.create, folder, command=command, recipe_toml=to_toml(recipe), seed=recipe.seed, free=FREE, resume=known
    )
    if known and weights and differ(folder, weights):
        begin().close()  # that of another recipe is refused, as ever
        say(f"{folder}: begun when {weights.of} was not what it is now, so it is begun anew")
        discard([folder])
        known = finished = False
    with begin(resume=known) as run:
        if weights:
            note(run, weights)
        if not finished:
            say(f"{folder}: {'going on (--force to begin again)' if known else 'begun'}")
            work(run)
