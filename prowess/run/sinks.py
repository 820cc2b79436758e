"""Where the figures of learning go besides metrics.jsonl: TensorBoard, Weights & Biases, trackio, or yours.

    [sinks]
    tensorboard = true       # tensorboard --logdir runs
    wandb = "my-project"     # with `wandb login` before, or WANDB_MODE=offline
    trackio = "my-project"   # trackio show
    own = "mine:tracker"     # called with the run's folder; gives a function of a step's number and figures

The first three are optional extras. All hear what metrics.jsonl holds, line by line: where a step's score breaks, its
other figures are with them already. A run that goes on shows its earlier steps again: TensorBoard's file is written
anew from them, and to the others only those figures go that they were not sent before.
"""

from __future__ import annotations

import math
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from prowess.errors import MissingExtra, RecipeError, blamed, check_all
from prowess.files.disk import read_text, write_whole
from prowess.recipe import lookup
from prowess.run import Run, flat

Send = Callable[[int, Mapping[str, float]], None]
"""Takes the number of a step and its figures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkSettings:
    """Who else is told of every step."""

    tensorboard: bool = False
    """Whether an event file for TensorBoard is written into the run's folder `tensorboard`."""
    wandb: str = ""
    """The project of Weights & Biases that the run is logged to; empty for none."""
    trackio: str = ""
    """The trackio project that the run is logged to; empty for none."""
    own: str = ""
    """A tracker of yours as `module:function`; empty for none."""


MODULES = {"tensorboard": "torch.utils.tensorboard", "wandb": "wandb", "trackio": "trackio"}
"""What each sink imports; the extra has the sink's name."""


def check_sinks(settings: SinkSettings) -> None:
    """Say that a sink is not installed now, rather than when hours of collecting or loading lie behind."""
    check_all([partial(_module, sink) for sink in MODULES if getattr(settings, sink)])
    if settings.own:
        lookup("sink", settings.own, {}, takes=["folder"])


@contextmanager
def open_sinks(settings: SinkSettings, run: Run) -> Iterator[Send]:
    """A function that tells every sink of the settings; they are closed in the end."""
    with ExitStack() as stack:
        sinks: list[Send] = []
        if settings.tensorboard:
            sinks.append(stack.enter_context(_tensorboard(run)))
        if settings.wandb:
            sinks.append(stack.enter_context(_wandb(settings.wandb, run)))
        if settings.trackio:
            sinks.append(stack.enter_context(_trackio(settings.trackio, run)))
        if settings.own:
            sinks.append(stack.enter_context(_own(settings.own, run)))

        def send(step: int, figures: Mapping[str, float]) -> None:
            known = {name: value for name, value in figures.items() if math.isfinite(value)}
            for sink in sinks:
                sink(step, known)

        yield send


@contextmanager
def _tensorboard(run: Run) -> Iterator[Send]:
    module = _module("tensorboard")
    folder = run.folder / "tensorboard"
    shutil.rmtree(folder, ignore_errors=True)
    writer = module.SummaryWriter(str(folder))

    def send(step: int, figures: Mapping[str, float]) -> None:
        for name, value in figures.items():
            writer.add_scalar(name, value, step)
        writer.flush()

    try:
        yield send
    finally:
        writer.close()


@contextmanager
def _wandb(project: str, run: Run) -> Iterator[Send]:
    """Steps are a figure of their own: a run that goes on may tell the score of a step that it had told before, and
    wandb drops what is logged at a step that lies behind."""
    wandb = _module("wandb")
    kept = run.folder / "wandb.id"  # goes with the folder: a run that is begun again is another one there, too
    if not kept.exists():
        write_whole(kept, secrets.token_hex(8))
    known = {"project": project, "name": _name(run), "id": read_text(kept).strip()}
    with redirect_stdout(sys.stderr):
        try:
            there = wandb.init(**known, config=flat(run.recipe), resume="allow", dir=str(run.folder))
        except wandb.Error as error:
            raise RecipeError(
                f"Weights & Biases: {error}", hint="wandb login; or WANDB_MODE=offline, and `wandb sync` later"
            ) from None
    there.define_metric("step")
    there.define_metric("*", step_metric="step")

    try:
        yield _fresh(run, lambda step, figures: there.log({"step": step, **figures}))
    finally:
        with redirect_stdout(sys.stderr):
            there.finish()


@contextmanager
def _trackio(project: str, run: Run) -> Iterator[Send]:
    """Of runs with one name it goes on with the last: one that is begun again is another one there, too."""
    trackio = _module("trackio")
    resume = "allow" if run.metrics() else "never"
    with redirect_stdout(sys.stderr):  # it tells people where to look; our standard output is for data
        trackio.init(project=project, name=_name(run), config=flat(run.recipe), resume=resume, embed=False)

    try:
        yield _fresh(run, lambda step, figures: trackio.log(figures, step=step))
    finally:
        with redirect_stdout(sys.stderr):
            trackio.finish()


@contextmanager
def _own(name: str, run: Run) -> Iterator[Send]:
    """Somebody else's, told each figure once however often the run goes on."""
    make: Callable[[Path], object] = lookup("sink", name, {})
    part = f"sink '{name}'"
    with blamed(part):
        sink = make(run.folder)
    if not callable(sink):
        raise RecipeError(
            f"{part} gave a {type(sink).__name__}",
            hint="it is called with the run's folder, and gives a function of (step, figures)",
        )

    try:
        yield _fresh(run, blamed(part)(sink))
    finally:
        blamed(part)(getattr(sink, "close", lambda: None))()


def _name(run: Run) -> str:
    return "-".join(run.folder.absolute().parts[-2:])


def _fresh(run: Run, send: Send) -> Send:
    """Told only what the run did not hold before it went on."""
    sent = {(entry.step, name) for entry in run.metrics() for name in entry.values}

    def once(step: int, figures: Mapping[str, float]) -> None:
        if fresh := {name: value for name, value in figures.items() if (step, name) not in sent}:
            send(step, fresh)

    return once


def _module(sink: str) -> Any:
    try:
        return import_module(MODULES[sink])
    except ImportError:
        raise MissingExtra(f"sinks.{sink}", sink) from None
