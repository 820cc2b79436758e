"""What a recipe lacks, and what it leaves out, said before anything is begun, or deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Literal

from prowess.commands.collect import units_of
from prowess.commands.evaluate import beginning
from prowess.credit.advantage import make_advantage
from prowess.credit.reward import make_reward
from prowess.errors import MissingExtra, RecipeError, check_all, unknown
from prowess.learners.engines import check_learner
from prowess.learners.losses import OURS, make_kind
from prowess.learners.settings import LearnerSettings
from prowess.models.load import check_installed, check_model
from prowess.pipeline.conflicts import check_given, check_spread, check_together
from prowess.pipeline.policies import data_of
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.scenarios import drawn
from prowess.pipeline.starts import check_player, start_of
from prowess.pipeline.suites import suite_in
from prowess.policies.engines import check_engine
from prowess.recipe import lookup
from prowess.retrieval.retrievers import RETRIEVERS
from prowess.run.sinks import check_sinks
from prowess.text.plural import counted
from prowess.text.terminal import say
from prowess.types import Chain, Suite

Command = Literal["sft", "teach", "train", "learn", "ablate"]


def checked(recipe: Recipe, command: Command, *, split: str = "", imitates: bool = True) -> tuple[Path, ...]:
    """Say what a command of learning lacks before anything is begun, or deleted; what it will learn from, which
    `--force` must not delete. This is the one place: what is handed on is not checked again.

    `learn` and `ablate` name the split whose figures they tell; `imitates` says whether they make what training starts
    from.
    """
    _check_installed(recipe, command, imitates=imitates)
    if command in READS:
        return READS[command](recipe)
    check_split(recipe, split)
    check_learning(recipe, imitates=imitates)
    return ()


def _check_installed(recipe: Recipe, command: Command, *, imitates: bool) -> None:
    """Say all at once what a recipe asks for and is not installed."""
    goes_on = command in ("teach", "train") and recipe.train.start != "base"
    start = recipe.train.start or str(recipe.folder("sft"))
    model = replace(recipe.model, name=start) if goes_on else recipe.model
    looks: list[Callable[[], None]] = [partial(check_sinks, recipe.sinks), partial(check_installed, model)]
    if command != "sft":
        looks.append(partial(_check_learner, "learner", recipe.learner))
    if command != "train" and imitates:
        looks.append(partial(_check_learner, "sft.learner", recipe.sft.learner))
    check_all(looks)


def _imitation(recipe: Recipe) -> tuple[Path, ...]:
    """Say what imitation lacks; the files that it will read."""
    _check_imitated(recipe)
    if recipe.sft.score:
        _check_splits(recipe, {"evaluate.split": recipe.evaluate.split})
        check_engine(recipe.sampling)
    check_model(recipe.model)
    return shown_in(recipe), Path(recipe.model.name)


def _training(recipe: Recipe) -> tuple[Path, ...]:
    """The same for training."""
    splits = {"train.split": recipe.train.split, "evaluate.split": recipe.evaluate.split}
    return _check_start(recipe, splits, shown=recipe.train.rehearse > 0, imitates=False)


def _teaching(recipe: Recipe) -> tuple[Path, ...]:
    """The same for rounds of teaching."""
    splits = {"teach.collect.split": recipe.teach.collect.split}
    if recipe.sft.score:
        splits["evaluate.split"] = recipe.evaluate.split
    return _check_start(recipe, splits, shown=recipe.teach.rehearsed > 0, imitates=True)


def _check_start(recipe: Recipe, splits: Mapping[str, str], *, shown: bool, imitates: bool) -> tuple[Path, ...]:
    """The same for what goes on from an imitation, plays these splits and, maybe, imitates what was shown again."""
    check_together(recipe)
    start = start_of(recipe)
    _check_splits(recipe, splits)
    check_learning(replace(recipe, model=replace(recipe.model, name=start)), imitates=imitates)
    return Path(start), *([data_of(recipe)] if shown or start == "tiny" else [])


READS: Mapping[Command, Callable[[Recipe], tuple[Path, ...]]] = {
    "sft": _imitation,
    "teach": _teaching,
    "train": _training,
}
"""What checks the commands that learn from files, and says which."""


def check_learning(recipe: Recipe, *, imitates: bool = True) -> None:
    """Say what learning will lack here now, rather than when hours of collecting lie behind; imitating, too, if that
    is done before."""
    check_together(recipe)
    _check_learner("learner", recipe.learner)
    if imitates:
        _check_imitated(recipe)
    make_reward(recipe.reward)
    make_advantage(recipe.advantage)
    if recipe.loss.kind not in OURS:
        make_kind(recipe.loss.kind)
    if recipe.retrieval.name not in RETRIEVERS:
        lookup("retriever", recipe.retrieval.name, RETRIEVERS, takes=["library", "task"])
    check_player(recipe)


def _check_imitated(recipe: Recipe) -> None:
    """Say what of a recipe contradicts imitation and the score at its end."""
    check_spread("sft.learner", recipe.sft.learner, None, recipe.sampling if recipe.sft.score else None)
    if recipe.sft.score:
        check_given(recipe.sampling, "sft.learner.lora_rank", recipe.sft.learner.lora_rank)
    _check_learner("sft.learner", recipe.sft.learner)


def _check_learner(section: str, learner: LearnerSettings) -> None:
    """Say that a learner cannot be had, or that the library of its rule is not installed. That is only looked for:
    importing it takes seconds."""
    check_learner(learner)
    if learner.optimizer == "adamw8bit" and find_spec("bitsandbytes") is None:
        raise MissingExtra(f"{section}.optimizer = 'adamw8bit'", "adamw8bit")


def check_split(recipe: Recipe, split: str) -> None:
    """Say that there is no such split now, rather than when hours of learning lie behind, or that the one whose figures
    are to be told is learnt from, or chosen by."""
    used = {"train.split": recipe.train.split, "evaluate.split": recipe.evaluate.split}
    if not recipe.sft.data:
        used["collect.split"] = recipe.collect.split
    if recipe.teach.rounds:
        used["teach.collect.split"] = recipe.teach.collect.split
    with suite_in(recipe) as suite:
        check_known(suite, {"--split": split, **used})
        others = set(suite.splits()) - set(used.values())
    if spoilt := [name for name, one in used.items() if one == split]:
        hint = "checkpoints are chosen by evaluate.split and learnt from the others: name another --split"
        if spoilt == ["evaluate.split"] and not others:
            learnt = recipe.train.split
            hint = f"this world has no other split: --set evaluate.split={learnt} chooses checkpoints by '{learnt}'"
        raise RecipeError(f"the figures are to be of '{split}', and {' and '.join(spoilt)} is that, too", hint=hint)


def _check_splits(recipe: Recipe, splits: Mapping[str, str]) -> None:
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


def check_collection(recipe: Recipe, suite: Suite) -> None:
    """Say what is wrong with the split of [collect], before a run is deleted for another."""
    settings = recipe.collect
    check_known(suite, {"collect.split": settings.split})
    drawn(suite, settings.split, settings.scenarios)
    units_of(suite, settings)


def check_evaluation(recipe: Recipe, suite: Suite) -> list[Chain]:
    """Say what is wrong with the split or the library of [evaluate], before a run is deleted for another; the scenarios
    to play."""
    check_known(suite, {"evaluate.split": recipe.evaluate.split})
    scenarios = drawn(suite, recipe.evaluate.split, recipe.evaluate.scenarios)
    beginning(recipe.evaluate)
    return scenarios


def check_apart(places: Iterable[Path], folders: Iterable[Path]) -> None:
    """Say that what is to be read lies in a folder whose run is to be deleted."""
    for place, folder in product(places, folders):
        if place.exists() and place.resolve().is_relative_to(folder.resolve()):
            raise RecipeError(
                f"--force would delete the run {folder}, and {place} is to be learnt from",
                hint="another --out, or name something else to start from",
            )


def shown_in(recipe: Recipe) -> Path:
    """The data set to imitate, which must hold something."""
    path = data_of(recipe)
    if not path.stat().st_size:
        raise RecipeError(
            f"the data set {path} holds no conversation, so there is nothing to imitate",
            hint="where it was collected no chain was kept: `prowess show` and the run's folder tell why",
        )
    return path


def tell_fewer(found: Sequence[Chain], split: str, wanted: int, key: str) -> None:
    """Say that a split has fewer scenarios than a key of the recipe asks for: these are the first so many."""
    if len(found) < wanted:
        say(f"note: {key} is {wanted}, and the split '{split}' has {len(found)}: no more are played")


def tell_last(found: Sequence[Chain], split: str, last: int, key: str) -> None:
    """Say which of these scenarios a key leaves out that takes the last of them, or that it asks for more."""
    there = len(found)
    if last in (0, there):
        return
    scenarios = f"{counted(there, 'scenario')} of '{split}'"
    left = (
        f"left out: the first {there - last} of {scenarios}" if last < there else f"no more are played than {scenarios}"
    )
    say(f"note: {key} is {last}: {left}")
