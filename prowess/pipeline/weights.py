"""Whose a run is: which weights play or learn in it, and from what, so that none made anew are taken for them.

    weights.json    {"of": "runs/sage-train/checkpoints/step-000075", "digest": "..."}

A checkpoint of ours holds the sums of its files, so its digest costs nothing, however large it is. What learning alone
needs (the optimiser's moments, the number of steps) is left out of it. Of a model of somebody else nothing is noted:
the recipe names it, and we have not made it. A data set is read once for its digest.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import StoreError
from prowess.files.disk import read_text, sha256_of, storing
from prowess.files.sums import SUMS
from prowess.pipeline.recipe import Recipe
from prowess.policies import WITH_MODEL
from prowess.run import Run
from prowess.run.folder import WEIGHTS, weights_in
from prowess.text.terminal import say

UNKNOWN = "unknown"
"""The digest of a run that was begun before digests were noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What plays, or is learnt from."""

    of: str
    """The folder, and the data set that is imitated."""
    digest: str
    """What they held; empty where that cannot be told."""


def weights_of(place: str | Path) -> Weights:
    """The weights in a folder, by the sums that it holds of its files."""
    from prowess.learners.progress import is_aside

    sums = Path(place) / SUMS
    if not sums.is_file():
        return Weights(of=str(place), digest="")
    lines = [line.split(maxsplit=1) for line in sorted(read_text(sums).splitlines()) if line.strip()]
    played = [line for line in lines if not is_aside(line[-1])]
    return Weights(of=str(place), digest=hashlib.sha256(json.dumps(played).encode()).hexdigest())


def playing_in(recipe: Recipe) -> Weights | None:
    """The weights that play in a recipe, where its policy has any."""
    return weights_of(recipe.model.name) if recipe.policy.name in WITH_MODEL else None


def shown_to(place: str | Path, data: Path) -> Weights:
    """The weights in a folder, and a data set that they are to imitate."""
    weights = weights_of(place)
    with storing(data):
        digest = sha256_of(data)
    both = hashlib.sha256(f"{weights.digest} {digest}".encode()).hexdigest()
    return Weights(of=f"{weights.of} with {data}", digest=both)


def differ(folder: Path, weights: Weights) -> bool:
    """Whether the run in a folder was begun with others than these, as far as both are known."""
    _, noted = weights_in(folder)
    return bool(noted and weights.digest) and noted not in (UNKNOWN, weights.digest)


def refuse_others(folder: Path, weights: Weights) -> None:
    """Refuse to go on with a run that was begun with others: its figures would be of neither."""
    if differ(folder, weights):
        raise StoreError(
            f"{folder} was begun when {weights.of} was not what it is now",
            hint="--force to delete it and begin again, or another --out",
        )


def note(run: Run, weights: Weights) -> None:
    """Note which weights a run is of; where it has begun without a note that is not known, which is said once."""
    if not weights.digest or weights_in(run.folder)[1]:
        return
    digest = UNKNOWN if run.keys() or run.metrics() else weights.digest
    if digest == UNKNOWN:
        what = f"{run.folder} does not say what it was begun with"
        say(f"note: {what}; if {weights.of} was something else then, delete it")
    run.write_text(WEIGHTS, json.dumps({"of": weights.of, "digest": digest}, indent=2) + "\n")
