"""How far a learner came: what a checkpoint says of it besides the weights, and going on from there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch

from prowess import __version__
from prowess.errors import StoreError
from prowess.files.codec import from_json, parsed
from prowess.files.disk import read_text
from prowess.learners.checkpoint import check_folder, check_same, read_tensors, write_folder, write_tensors
from prowess.learners.optimiser import Optimiser
from prowess.learners.weights import Weights
from prowess.models import Brain
from prowess.run.folder import reading

FORMAT = 2
"""Version of a checkpoint's layout."""
STATE, OPTIMISER = "learner.json", "learner/optimiser.safetensors"
"""Not beside the weights: vLLM and others take every .safetensors of a model's folder for weights."""
PARTS = "learner/dcp"
"""In place of the latter, where weights lie on several GPUs: what each rank wrote."""


def is_aside(name: str) -> bool:
    """Whether a file of a checkpoint matters to a learner that goes on, and to nobody who plays."""
    return name in (STATE, OPTIMISER) or name.startswith(f"{PARTS}/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """What lies behind a learner."""

    steps: int = 0
    """Steps so far, those without a batch included."""
    failures: int = 0
    """Updates in a row that were skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What learner.json holds."""

    format: int
    kind: Literal["adapter", "weights"]
    steps: int = 0
    failures: int = 0
    optimizer: str
    model: str = ""
    prowess: str = ""


def save(folder: Path, progress: Progress, optimiser: Optimiser, brain: Brain) -> None:
    """Write everything needed to go on, whole or not at all."""
    weights = optimiser.weights

    def fill(new: Path) -> None:
        weights.write(new, brain)
        (new / OPTIMISER).parent.mkdir()
        write_tensors(new / OPTIMISER, optimiser.state())
        write_state(new, progress, brain, kind=weights.kind, optimizer=optimiser.settings.optimizer)

    write_folder(folder, fill)


def write_state(folder: Path, progress: Progress, brain: Brain, *, kind: str, optimizer: str) -> None:
    """Write what a checkpoint says of itself."""
    state = {
        "format": FORMAT,
        "kind": kind,
        "optimizer": optimizer,
        "model": type(brain.model).__name__,
        "steps": progress.steps,
        "failures": progress.failures,
        "prowess": __version__,
    }
    (folder / STATE).write_text(json.dumps(state, indent=2) + "\n", encoding="utf-8")


def load(folder: Path, optimiser: Optimiser) -> Progress:
    """Take weights and moments from a checkpoint, and how far it was. Nothing is changed unless all of it is good."""
    state = _checked(folder, optimiser.weights)
    if (folder / PARTS).is_dir():
        raise StoreError(
            f"checkpoint {folder} holds the moments of a learner on several GPUs (learner.engine = 'verl')",
            hint="go on with the engine that it was made with, or start a new course from its weights",
        )
    memory = dict(read_tensors(folder / OPTIMISER))
    rule, ours = state.optimizer, optimiser.settings.optimizer
    if rule != ours or optimiser.strangers(memory):
        what = f"of {rule}" if rule != ours else "of another learner"
        raise StoreError(
            f"checkpoint {folder} holds moments {what}, and the learner goes by {ours}",
            hint="go on with the recipe and the prowess it was made with, or start a new course from its weights",
        )
    _take(folder, optimiser.weights)
    optimiser.restore(memory)
    return Progress(steps=state.steps, failures=state.failures)


def start(folder: Path, optimiser: Optimiser) -> Progress:
    """Take the weights of a checkpoint alone, with nothing behind them."""
    _checked(folder, optimiser.weights)
    _take(folder, optimiser.weights)
    optimiser.reset()
    return Progress()


def _checked(folder: Path, weights: Weights) -> State:
    """What a checkpoint says of itself, once it is known to be whole and of this model."""
    check_folder(folder)
    state = state_in(folder)
    if state.kind != weights.kind:
        names = {"adapter": "a LoRA adapter", "weights": "all weights"}
        raise StoreError(
            f"checkpoint {folder} holds {names[state.kind]}, and the learner has {names[weights.kind]} to learn",
            hint="set lora_rank as it was",
        )
    check_same(folder / weights.file, weights.held())
    weights.check(folder)
    return state


def state_in(folder: Path) -> State:
    """What learner.json says."""
    path = folder / STATE
    with reading(path, hint="it is damaged: go on from another checkpoint"):
        data = parsed(read_text(path))
        found = data.get("format") if isinstance(data, dict) else None
        if type(found) is int and found != FORMAT:
            mend = "update prowess" if found > FORMAT else "an older prowess made it: learn again with this one"
            raise StoreError(f"format {found}, and this prowess reads {FORMAT}", hint=mend)
        state = from_json(State, data)
        if min(state.steps, state.failures) < 0:
            raise StoreError("steps or failures is too small; allowed is 0 or more")
        return state


def _take(folder: Path, weights: Weights) -> None:
    held = weights.held()
    with torch.no_grad():
        for name, value in read_tensors(folder / weights.file):
            held[name].copy_(value)
