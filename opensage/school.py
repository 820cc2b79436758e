"""From a recipe to learning: the model, its data or its world, the learner, and the course that keeps its way.

What `opensage sft` and `opensage train` do, apart from talking to the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import NoReturn

from opensage.advantage import make_advantage
from opensage.agent import Agent
from opensage.conflicts import check_together
from opensage.course import Course
from opensage.dataset import read_dataset
from opensage.errors import RecipeError, unknown
from opensage.evaluate import score
from opensage.losses import OURS, LossSettings, make_kind
from opensage.models import Brain
from opensage.models.adapter import base_of, is_adapter
from opensage.models.load import check_model
from opensage.policies.players import check_engine
from opensage.recipe import lookup
from opensage.retrieval import RETRIEVERS
from opensage.reward import make_reward, parts
from opensage.rollout import chains_of
from opensage.run import Run
from opensage.sft import lessons_of, rehearsal, sft, steps_in
from opensage.sinks import open_sinks
from opensage.terminal import say
from opensage.train import train
from opensage.types import Message, Policy, Suite
from opensage.wiring import Parts, Recipe, brain_of, data_of, parts_of, speaker, suite_in
from opensage.words import counted

Watch = Callable[[int, Mapping[str, float], int], None]
"""Shown every step: its number, its figures, and how many steps there are."""

LEARNT = ("{}-sft", "{}-teach/teach*/sft", "{}-train", "{}/sft", "{}/teach*/sft", "{}/train")
"""Where a recipe's commands keep what was learnt unless told otherwise, by the recipe's name."""


def imitate(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from collected conversations by imitation, and score the result on the split of [evaluate]."""
    from opensage.learners.torch import TorchLearner

    if recipe.sft.score:
        check_engine(recipe.sampling)
    conversations = list(read_dataset(_shown(recipe)))
    brain, adapter = _pupil(recipe, recipe.model.name, recipe.sft.learner.lora_rank)
    lessons = lessons_of(conversations, brain.chat.imitate_all, recipe.sft, seed=recipe.seed)
    total = steps_in(lessons, recipe.sft)
    learner = TorchLearner(
        brain,
        replace(recipe.sft.learner, steps=total),
        LossSettings(kind="imitate", aggregate="token"),
        recipe.speech,
        seed=recipe.seed,
    )
    if adapter:
        learner.start(adapter)
    with _course(recipe, run, watch, total, keep=recipe.sft.keep) as course, ExitStack() as stack:
        mark = None
        if recipe.sft.score:
            live = stack.enter_context(parts_of(recipe, _nobody))  # engines wait until the end
            tell_fewer(live.suite, recipe.evaluate.split, recipe.evaluate.scenarios, "evaluate.scenarios")
            mark = partial(_mark, recipe, live)
        sft(learner, lessons, recipe.sft, course, score=mark, seed=recipe.seed)


def reinforce(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from playing: SAGE, or what the recipe makes of it."""
    from opensage.learners.torch import TorchLearner

    check_together(recipe)
    check_engine(recipe.sampling)
    total = recipe.train.steps
    shown = list(read_dataset(data_of(recipe))) if recipe.train.rehearse else []
    brain, adapter = _pupil(recipe, start_of(recipe), recipe.learner.lora_rank)
    settings = replace(recipe.learner, steps=total, temperature=recipe.sampling.temperature or 1.0)
    learner = TorchLearner(brain, settings, recipe.loss, recipe.speech, seed=recipe.seed)
    if adapter:
        learner.start(adapter)
    with (
        _course(recipe, run, watch, total, keep=recipe.train.keep) as course,
        parts_of(recipe, learner.policy()) as live,
    ):
        tell_last(live.suite, recipe.train.split, recipe.train.last, "train.last")
        tell_fewer(live.suite, recipe.evaluate.split, recipe.evaluate.scenarios, "evaluate.scenarios")
        train(
            learner,
            live.agent,
            live.suite,
            recipe.train,
            course,
            reward=make_reward(recipe.reward),
            parts=partial(parts, settings=recipe.reward),
            advantage=make_advantage(recipe.advantage),
            score=lambda agent: _mark(recipe, live, agent.policy),
            rehearse=rehearsal(
                shown, brain.chat.imitate_all, count=recipe.train.rehearse, longest=recipe.sft.longest, seed=recipe.seed
            ),
            seed=recipe.seed,
            workers=recipe.threads,
        )


def check_imitation(recipe: Recipe) -> tuple[Path, ...]:
    """Say what imitation lacks before anything is begun, or deleted; the files that it will read."""
    if recipe.sft.score:
        check_splits(recipe, {"evaluate.split": recipe.evaluate.split})
        check_engine(recipe.sampling)
    check_model(recipe.model)
    return _shown(recipe), Path(recipe.model.name)


def _shown(recipe: Recipe) -> Path:
    """The data set to imitate, which must hold something."""
    path = data_of(recipe)
    if not path.stat().st_size:
        raise RecipeError(
            f"the data set {path} holds no conversation, so there is nothing to imitate",
            hint="where it was collected no chain was kept: `opensage show` and the run's folder tell why",
        )
    return path


def check_training(recipe: Recipe) -> tuple[Path, ...]:
    """The same for training."""
    splits = {"train.split": recipe.train.split, "evaluate.split": recipe.evaluate.split}
    return check_start(recipe, splits, shown=recipe.train.rehearse > 0)


def check_start(recipe: Recipe, splits: Mapping[str, str], *, shown: bool) -> tuple[Path, ...]:
    """The same for what goes on from an imitation, plays these splits and, maybe, imitates what was shown again."""
    check_together(recipe)
    start = start_of(recipe)
    check_splits(recipe, splits)
    check_learning(replace(recipe, model=replace(recipe.model, name=start)))
    return Path(start), *([data_of(recipe)] if shown or start == "tiny" else [])


def check_splits(recipe: Recipe, splits: Mapping[str, str]) -> None:
    """Say that there is no such split; by the key, or the option, that names it."""
    with suite_in(recipe) as suite:
        check_known(suite, splits)


def check_known(suite: Suite, splits: Mapping[str, str]) -> None:
    """The same where the suite is open."""
    known = suite.splits()
    for key, split in splits.items():
        if split not in known:
            problem = unknown("split", split, known)
            raise RecipeError(f"{key}: {problem.message}", hint=problem.hint)


def tell_fewer(suite: Suite, split: str, wanted: int, key: str) -> None:
    """Say that a split has fewer scenarios than a key of the recipe asks for."""
    there = len(chains_of(suite, split)) if wanted else 0
    if there < wanted:
        say(f"note: {key} is {wanted}, and the split '{split}' has {there}: no more are played")


def tell_last(suite: Suite, split: str, last: int, key: str, *, first: int = 0) -> None:
    """Say which scenarios a key leaves out that takes the last of them, or that there are fewer than it asks for."""
    there = len(chains_of(suite, split, first=first)) if last else 0
    if last == there:
        return
    scenarios = f"{counted(there, 'scenario')} of '{split}'"
    left = (
        f"left out: the first {there - last} of {scenarios}" if last < there else f"no more are played than {scenarios}"
    )
    say(f"note: {key} is {last}: {left}")


def check_apart(places: Iterable[Path], folders: Iterable[Path]) -> None:
    """Say that what is to be read lies in a folder whose run is to be deleted."""
    for place, folder in product(places, folders):
        if place.exists() and place.resolve().is_relative_to(folder.resolve()):
            raise RecipeError(
                f"--force would delete the run {folder}, and {place} is to be learnt from",
                hint="another --out, or name something else to start from",
            )


def check_learning(recipe: Recipe) -> None:
    """Say what learning will lack here now, rather than when hours of collecting lie behind."""
    check_together(recipe)
    make_reward(recipe.reward)
    make_advantage(recipe.advantage)
    if recipe.loss.kind not in OURS:
        make_kind(recipe.loss.kind)
    if recipe.retrieval.name not in RETRIEVERS:
        lookup("retriever", recipe.retrieval.name, RETRIEVERS, takes=["library", "task"])
    _check_player(recipe)


def _check_player(recipe: Recipe) -> None:
    """Say now what playing will lack, and what of the recipe the model does not have."""
    check_engine(recipe.sampling)
    most = check_model(recipe.model)
    if 0 < most < recipe.agent.context_tokens:
        wanted = f"agent.context_tokens is {recipe.agent.context_tokens}"
        say(f"note: {wanted}, and the model's context {most}: longer conversations end there")


def playing(recipe: Recipe, checkpoint: Path) -> Recipe:
    """The recipe with a checkpoint as who plays, with the engine it names; of a run, the best."""
    if not checkpoint.is_dir():
        of_hub = f"; of the hub: --set policy.name=local --set model.name={checkpoint}"
        raise RecipeError(
            f"there is no folder '{checkpoint}'",
            hint="a checkpoint's, a run's, an adapter's or a model's is needed"
            + (of_hub if len(checkpoint.parts) == 2 and not checkpoint.parent.exists() else ""),
        )
    place = best_of(checkpoint) if (checkpoint / "run.json").is_file() else checkpoint
    if is_adapter(place) and (base := base_of(place)) != recipe.model.name:
        say(f"note: {place} is an adapter of {base}, and plays on that")
    played = replace(
        recipe,
        policy=replace(recipe.policy, name=recipe.sampling.engine),
        model=replace(recipe.model, name=str(place)),
    )
    _check_player(played)
    return played


def check_expert(recipe: Recipe) -> None:
    """Say that the expert would play where the recipe has learnt: its figures would be taken for those of what did."""
    run = _newest(recipe) if recipe.policy.name == "expert" else None
    if run is not None:
        raise RecipeError(
            f"policy.name is 'expert', and '{recipe.name}' has learnt: {best_of(run)}",
            hint=f"--checkpoint {run} plays that, --set policy.name=expert the expert",
        )


def _newest(recipe: Recipe) -> Path | None:
    """The run in which a recipe learnt last, by `sft`, `teach` and `train` or by `learn`, where these keep theirs."""
    runs = recipe.folder("train").parent
    places = [place for pattern in LEARNT for place in runs.glob(pattern.format(recipe.name))]
    found = [place for place in places if (place / "run.json").is_file() and Course(Run.open(place)).best]
    return max(found, key=lambda place: (place / "checkpoints").stat().st_mtime_ns, default=None)


def player(recipe: Recipe, checkpoint: Path | None = None) -> Policy:
    """Plays with what a training of this recipe has learnt at a checkpoint; without one, with what it starts from."""
    return speaker(recipe, recipe.speech, str(checkpoint or start_of(recipe)))


def start_of(recipe: Recipe) -> str:
    """The model that training starts from: the bare one, a checkpoint, or the best of a run."""
    named, own = recipe.train.start, recipe.folder("sft")
    if named == "base":
        return recipe.model.name
    if not named and not (own / "run.json").is_file():
        raise RecipeError(
            f"there is no run at {own} to start from",
            hint='opensage sft first, or train.start = "base", or the folder of a checkpoint or run',
        )
    start = Path(named or own)
    found = str(best_of(start) if (start / "run.json").is_file() else start)
    try:
        check_model(replace(recipe.model, name=found))
    except RecipeError as error:
        what = f"train.start is '{named}'" if named else f"training starts from {own}"
        hint = f"{error.hint}; " if error.hint else ""
        raise RecipeError(
            f"{what}: {error.message}", hint=f'{hint}allowed: empty, "base", or the folder of a checkpoint or run'
        ) from error
    return found


def best_of(folder: Path) -> Path:
    """The best checkpoint of a run, or its last where none was scored."""
    best = Course(Run.open(folder)).best
    if best is None:
        raise RecipeError(f"the run {folder} has no checkpoint yet")
    return best


@contextmanager
def _course(recipe: Recipe, run: Run, watch: Watch, total: int, *, keep: int) -> Iterator[Course]:
    """A course whose figures are shown, and told to the recipe's sinks."""
    with open_sinks(recipe.sinks, run) as send:
        yield Course(run, keep=keep, watch=lambda step, figures: watch(step, figures, total), tell=send)


def _pupil(recipe: Recipe, name: str, rank: int) -> tuple[Brain, Path | None]:
    """The model to teach, and the adapter it goes on with if the name is that of one. Where all weights are to be
    learnt, they begin with what the adapter makes of them."""
    if is_adapter(name) and rank:
        return brain_of(recipe, base_of(name)), Path(name)
    if is_adapter(name):
        say(f"note: the adapter {name} is merged into its model, and all weights are learnt")
    return brain_of(recipe, name), None


def _nobody(messages: Sequence[Message], *, seed: int) -> NoReturn:
    """Stands in for a policy that comes later."""
    raise AssertionError("nobody plays yet")


def _mark(recipe: Recipe, live: Parts, policy: Policy) -> dict[str, float]:
    """How well a policy plays the split of [evaluate] now."""
    agent: Agent = replace(live.agent, policy=policy)
    warmth = recipe.evaluate.temperature
    if warmth is not None and hasattr(policy, "at"):
        agent = replace(agent, policy=policy.at(warmth))
    return score(agent, live.suite, recipe.evaluate, seed=recipe.seed, workers=recipe.threads)
