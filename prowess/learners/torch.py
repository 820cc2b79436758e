"""Learning in one process, on CPU or one GPU: any stock transformers causal language model, all parameters or LoRA.

    learner = TorchLearner(brain, LearnerSettings(), LossSettings(), SamplingSettings())
    metrics = learner.step(samples, per=rollouts)      # one optimiser step, as in the paper
    policy = learner.policy()                          # plays with the weights as they are now

A batch is cut into micro-batches by a budget of tokens, laid out as streams without padding, and its gradient is their
sum: however it is cut, the same step is made but for rounding. With one optimiser step per batch the probabilities
before the step are those of the step itself, and no second forward pass is made for them.

On CPU the same batches give the same weights, bit for bit, also across `save` and `load`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from prowess.learners.likelihood import check_head, learning, likelihood, looking, packable
from prowess.learners.losses import Loss, LossSettings, Tally, divisor, imitation_loss, policy_loss
from prowess.learners.lowrank import LowRank
from prowess.learners.memory import Room, check_recomputed, is_recomputable, watched
from prowess.learners.optimiser import Optimiser, rate_at
from prowess.learners.progress import Progress, load, save, start
from prowess.learners.settings import LearnerSettings
from prowess.learners.stream import FedSample, Stream, pieces_of, streams
from prowess.learners.updates import MiniBatch, failures, joined, minibatches, several
from prowess.learners.weights import Weights, Whole, cast, exchanged
from prowess.models import Brain
from prowess.policies.engines import Player, player_for
from prowess.policies.sampling import SamplingSettings
from prowess.types import Policy, Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroBatch:
    """A micro-batch with what other weights said of it."""

    stream: Stream
    old: Tensor | None
    reference: Tensor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Samples that one optimiser step learns from."""

    parts: tuple[MicroBatch, ...]
    per: float


class TorchLearner:
    """Owns a model's weights and changes them."""

    def __init__(
        self,
        brain: Brain,
        settings: LearnerSettings | None = None,
        loss: LossSettings | None = None,
        sampling: SamplingSettings | None = None,
        *,
        seed: int = 0,
        watch: Callable[[int, int, int], None] = lambda step, done, of: None,
    ) -> None:
        """`watch` is shown the number of the step, how many samples of an update are learnt from, and of how many."""
        self.brain = brain
        self._watch = watch
        self.settings = settings or LearnerSettings()
        self.losses = loss or LossSettings()
        self.sampling = sampling or SamplingSettings()
        self.seed = seed
        self.steps = 0
        """Steps so far, those without a batch included."""
        self._whole = True
        self.model: Any = brain.model
        self.device = next(self.model.parameters()).device
        rate_at(0, self.settings)
        if self.settings.dtype != "auto":
            cast(self.model, getattr(torch, self.settings.dtype))
        self.weights: Weights = (
            LowRank(self.model, self.settings, seed=seed) if self.settings.lora_rank else Whole(self.model)
        )
        """What of the model is learnt."""
        if self.settings.checkpointing:
            check_recomputed(self.model)
        self.model.eval()
        check_head(self.model)
        self.packed = packable(self.model)
        """Whether sequences share a stream; a model that mixes them gets one at a time."""
        self.optimiser = Optimiser(self.weights, self.settings)
        self.room = Room(
            self.settings.micro_tokens,
            self.optimiser.clear,
            again=self.settings.checkpointing,
            able=is_recomputable(self.model),
        )
        self._player: Player | None = None
        self._failures = 0
        self._start: list[Tensor] = []
        self._note_start()

    def __repr__(self) -> str:
        return f"TorchLearner({self.brain.name or type(self.model).__name__}, {self.weights!r}, {self.steps} steps)"

    @property
    def done(self) -> int | None:
        """How many steps are in the weights; None where one of them is only in part, as it broke between changes."""
        return self.steps if self._whole else None

    # ------------------------------------------------------------------------------------------------- learning

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> dict[str, float]:
        """Learn from a batch once. The sum over samples is divided by `per`, or by their number."""
        if self._player:
            self._player.rest()
        begun = time.perf_counter()
        rate = rate_at(self.steps, self.settings)
        told: list[dict[str, float]] = []
        taken: dict[str, float] = {}
        shared = self._player is not None and self.sampling.engine == "vllm"
        with self.room.enough(), watched(self.device, taken, shared=shared):
            longest = max((len(sample.tokens) for sample in samples), default=0)
            updates, first = self.room.made(lambda: self._begun(samples, per), least=longest)
            self._whole = False
            told.append(self._changed(updates[0], first, rate))
            for update in (updates * self.settings.epochs)[1:]:
                total = self.room.made(partial(self._gradients, update))
                told.append(self._changed(update, total, rate))
        self.steps, self._whole = self.steps + 1, True
        parts = [part.stream for update in updates for part in update.parts]
        fed, whole = sum(part.tokens.numel() for part in parts), sum(part.whole for part in parts)
        seconds = time.perf_counter() - begun
        return joined(told) | {
            "learn/rate": rate,
            "learn/samples": float(len(samples)),
            "learn/fed": float(fed),
            "learn/shared": 1 - fed / whole if whole else 0.0,
            "learn/micro_tokens": float(self.room.tokens),
            "learn/checkpointing": float(self.room.again),
            "learn/tokens_per_second": fed * self.settings.epochs / seconds,
            "learn/seconds": seconds,
            **taken,
        }

    def rest(self) -> dict[str, float]:
        """Let a step go by that has nothing to learn from: schedules go on, weights and their moments stay."""
        rate = rate_at(self.steps, self.settings)
        self.steps += 1
        return {"learn/rate": rate, "learn/samples": 0.0}

    def loss(self, samples: Sequence[Sample]) -> float:
        """How badly the model imitates samples it does not learn from, added up as the loss is."""
        total = Tally()
        with self.room.enough(), looking(self.model, packed=self.packed):
            pieces = self._pieces(samples)
            per = divisor(self.losses, samples=len(samples), tokens=_said(pieces))
            for stream in self._streams(pieces, known=False):
                new = likelihood(self.model, stream, temperature=self.settings.temperature, packed=self.packed)
                loss = imitation_loss(new.logprobs, stream.weights, stream.sequence, settings=self.losses, per=per)
                total += loss.tally
        return total.metrics()["learn/loss"]

    def logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """The log-probability of each said token of each sample, as the weights are now."""
        out: list[tuple[float, ...]] = []
        with self.room.enough(), looking(self.model, packed=self.packed):
            for sample in samples:
                found = [0.0] * len(sample.tokens)
                for piece in self._pieces([sample]):
                    (stream,) = self._streams([piece], known=False)
                    new = likelihood(self.model, stream, temperature=self.settings.temperature, packed=self.packed)
                    for place, value in zip(piece.asked, new.logprobs.tolist(), strict=True):
                        found[place] = value
                out.append(tuple(found))
        return out

    def policy(self) -> Policy:
        """Plays with the weights as they are now; the next step makes it stale, unless it holds them apart."""
        if self._player is None:
            learnt = self.weights if isinstance(self.weights, LowRank) else None
            self._player = player_for(self.brain, self.sampling, learnt, changing=True)
        return self._player.policy()

    def _updates(self, samples: Sequence[Sample], per: int | None) -> list[Update]:
        """The batch cut up, with what is needed of the weights before the first change."""
        batches = minibatches(samples, self.settings, per=per, seed=self.seed, step=self.steps)
        before = several(self.settings, self.losses, minibatches=len(batches))
        return [self._update(batch, before=before) for batch in batches]

    def _update(self, batch: MiniBatch, *, before: bool) -> Update:
        pieces = self._pieces(batch.samples)
        known = any(any(sample.logprobs) for sample in batch.samples)
        teaching = [piece for piece in pieces if self.losses.kl or any(piece.sample.weights)]
        parts = [self._part(stream, before=before) for stream in self._streams(teaching, known=known)]
        per = divisor(self.losses, samples=len(batch.samples), tokens=_said(pieces), per=batch.share)
        return Update(parts=tuple(parts), per=per)

    def _pieces(self, samples: Sequence[Sample]) -> list[FedSample]:
        return pieces_of(samples, getattr(self.model.config, "max_position_embeddings", None) or math.inf)

    def _streams(self, pieces: Sequence[FedSample], *, known: bool) -> list[Stream]:
        return streams(pieces, budget=self.room.tokens, known=known, packed=self.packed, device=self.device)

    def _part(self, stream: Stream, *, before: bool) -> MicroBatch:
        """`before` asks what the weights say now: the ratio compares with it."""
        reference = None
        if self.losses.kl:
            with exchanged(self.weights.parameters.values(), self._start):
                reference = self._seen(stream)
        return MicroBatch(stream=stream, old=self._seen(stream) if before else None, reference=reference)

    def _seen(self, stream: Stream) -> Tensor:
        with looking(self.model, packed=self.packed):
            return likelihood(self.model, stream, temperature=self.settings.temperature, packed=self.packed).logprobs

    def _begun(self, samples: Sequence[Sample], per: int | None) -> tuple[list[Update], Tally]:
        """The batch cut up, and the gradients of its first update: all that a step does before it changes anything."""
        updates = self._updates(samples, per)
        return updates, self._gradients(updates[0])

    def _gradients(self, update: Update) -> Tally:
        total = Tally()
        done, of = 0, sum(part.stream.samples for part in update.parts)
        self._watch(self.steps, done, of)
        self.optimiser.clear()
        with learning(self.model, packed=self.packed, again=self.room.again), self.weights.gathering():
            for part in update.parts:
                loss = self._loss(part, update.per)
                torch.autograd.backward(loss.value)
                total += loss.tally
                done += part.stream.samples
                self._watch(self.steps, done, of)
        return total

    def _changed(self, update: Update, total: Tally, rate: float) -> dict[str, float]:
        """One change of the weights by the gradients of all micro-batches, or none."""
        told = total.metrics()
        norm = self.optimiser.shorten() if update.parts else 0.0
        good = math.isfinite(norm) and math.isfinite(told["learn/loss"])
        if good and update.parts:
            self.optimiser.change(rate)
        self.optimiser.clear()
        self._failures = failures(
            self._failures, good=good, patience=self.settings.patience, loss=told["learn/loss"], norm=norm
        )
        return told | {"learn/grad_norm": norm, "learn/skipped": float(not good)}

    def _loss(self, part: MicroBatch, per: float) -> Loss:
        stream = part.stream
        new = likelihood(self.model, stream, temperature=self.settings.temperature, packed=self.packed)
        return policy_loss(
            new.logprobs,
            part.old,
            stream.sampled,
            stream.weights,
            stream.sequence,
            settings=self.losses,
            per=per,
            reference=part.reference,
            entropy=new.entropy,
        )

    # --------------------------------------------------------------------------------------------- checkpoints

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, whole or not at all."""
        behind = Progress(steps=self.steps, failures=self._failures)
        save(Path(folder), behind, self.optimiser, self.brain)

    def load(self, folder: Path) -> None:
        """Go on from where a checkpoint was saved. Nothing is changed unless all of it is good."""
        self._go_on(load(Path(folder), self.optimiser))

    def start(self, folder: Path) -> None:
        """Begin a new course from the weights of a checkpoint: no steps behind, and the KL measured from here."""
        self._go_on(start(Path(folder), self.optimiser))
        self._note_start()

    def _go_on(self, behind: Progress) -> None:
        self.steps, self._failures, self._whole = behind.steps, behind.failures, True

    def _note_start(self) -> None:
        """Keep the weights that the KL is measured from, where it is."""
        if self.losses.kl:
            self._start = self.weights.start()


def _said(pieces: Sequence[FedSample]) -> int:
    return sum(len(piece.asked) for piece in pieces)
