"""What collecting with a recipe will take, before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from prowess.commands.collect.estimate import Estimate, estimate
from prowess.pipeline.checks import check_known
from prowess.pipeline.parts import Parts, demonstrating, parts_of
from prowess.pipeline.recipe import Recipe
from prowess.run import Run, is_run
from prowess.types import Message, Prices


def prices_in(recipe: Recipe) -> Prices:
    """What tokens cost where a served model plays."""
    return recipe.policy.endpoint.prices if recipe.policy.name == "endpoint" else Prices()


def estimated(recipe: Recipe, folder: Path, *, turns: int | None = None) -> Estimate:
    """What collecting will take. No model is asked: neither a key nor a server is needed."""
    with parts_of(demonstrating(recipe), _nobody) as parts:
        check_known(parts.suite, {"collect.split": recipe.collect.split})
        return estimated_of(recipe, parts, folder, turns=turns)


def estimated_of(recipe: Recipe, parts: Parts, folder: Path, *, turns: int | None = None) -> Estimate:
    """The same with parts that are live. Episodes that the run in the folder holds are learnt from."""
    before = list(Run.open(folder).episodes()) if is_run(folder) else []
    return estimate(parts.agent, parts.suite, recipe.collect, prices_in(recipe), before=before, turns=turns)


def _nobody(messages: Sequence[Message], *, seed: int) -> NoReturn:
    """Stands in for the policy, which is not asked."""
    raise AssertionError("nobody plays")
