"""The learner whose weights are spread over GPUs: the driver cuts batches, the ranks compute, and all change at once.

    with closing(VerlLearner(brain, settings, loss, sampling)) as learner:
        metrics = learner.step(samples, per=rollouts)

Mini-batches, divisors, rates, patience and figures are those of the learner in one process; so are loss and streams.
"""

from __future__ import annotations

import math
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import torch

from prowess.errors import RecipeError, StoreError
from prowess.learners.checkpoint import check_folder, write_folder
from prowess.learners.likelihood import check_head, packable
from prowess.learners.losses import LossSettings, Tally, divisor, imitation_loss
from prowess.learners.optimiser import rate_at
from prowess.learners.progress import PARTS, Progress, state_in, write_state
from prowess.learners.settings import LearnerSettings
from prowess.learners.stream import pieces_of
from prowess.learners.updates import failures, joined, minibatches, several
from prowess.learners.verl.engine import Fed
from prowess.learners.verl.group import Group
from prowess.learners.verl.rank import Rules
from prowess.learners.verl.shares import imbalance, shares_of
from prowess.learners.verl.small import small_copy
from prowess.learners.weights import write_beside
from prowess.models import Brain
from prowess.models.adapter import BASE, describe_adapter, is_adapter, layers_of, names_of
from prowess.policies.engines import Player, player_for
from prowess.policies.sampling import SamplingSettings
from prowess.text.plural import counted
from prowess.types import Policy, Sample

T = TypeVar("T")


class VerlLearner:
    """Owns weights that lie on several GPUs, and changes them."""

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
        """Of the brain, configuration and tokenizer are used; its weights are read from its folder by the ranks."""
        self.brain, self.seed, self._watch = brain, seed, watch
        self.settings = settings or LearnerSettings()
        self.losses = loss or LossSettings()
        self.sampling = sampling or SamplingSettings()
        self.steps = 0
        self._whole, self._failures = True, 0
        self._player: Player | None = None
        rate_at(0, self.settings)
        self._context = getattr(brain.model.config, "max_position_embeddings", None) or math.inf
        small = small_copy(brain.model)
        check_head(small)
        rules = Rules(
            loss=self.losses,
            micro_tokens=self.settings.micro_tokens,
            temperature=self.settings.temperature,
            checkpointing=self.settings.checkpointing,
            packed=packable(small),
            tree=self.settings.verl.tree,
        )
        half = self._dtype() == torch.bfloat16
        self._place: Path | None = None
        if not brain.origin or is_adapter(brain.origin):
            if self.settings.verl.nodes > 1:
                raise RecipeError(
                    f"the weights of '{brain.name}' are on this machine alone, and"
                    f" learner.verl.nodes is {self.settings.verl.nodes}",
                    hint="save the model into a folder that all machines see, and name that in model.name",
                )
            self._place = Path(tempfile.mkdtemp(prefix="prowess-model-"))
            brain.save(self._place)
        self._targets: list[str] = []
        if self.settings.lora_rank:
            self._targets = names_of(brain.model, layers_of(brain.model, self.settings.lora_targets))
        self.group = Group(str(self._place or brain.origin), self.settings, rules, self._targets, half=half)

    def __repr__(self) -> str:
        return f"VerlLearner({self.brain.name}, {counted(self.group.size, 'rank')}, {counted(self.steps, 'step')})"

    @property
    def done(self) -> int | None:
        """How many steps are in the weights; None where one of them is only in part, or the weights are lost."""
        return self.steps if self._whole and not self.group.gone else None

    def _dtype(self) -> torch.dtype:
        """What layers compute in; weights and moments are float32 all the same."""
        if self.settings.dtype == "auto":
            found: torch.dtype = next(self.brain.model.parameters()).dtype
            return found
        return torch.bfloat16 if self.settings.dtype == "bfloat16" else torch.float32

    def close(self) -> None:
        """Give the ranks back."""
        self.group.close()
        if self._place:
            shutil.rmtree(self._place, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------- learning

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> dict[str, float]:
        """Learn from a batch once. The sum over samples is divided by `per`, or by their number."""
        if self._player:
            self._player.rest()
        begun = time.perf_counter()
        rate = rate_at(self.steps, self.settings)
        batches = minibatches(samples, self.settings, per=per, seed=self.seed, step=self.steps)
        before = several(self.settings, self.losses, minibatches=len(batches))
        known = [any(any(sample.logprobs) for sample in batch.samples) for batch in batches]
        teaching = [[one for one in batch.samples if self.losses.kl or any(one.weights)] for batch in batches]
        pieces_of(samples, self._context)  # what is too long is told here, and not by a rank
        shares = [shares_of(some, self._parts) for some in teaching]
        self.group.ask_each("take", self._spread(list(zip(*shares, strict=True))), known, before)
        told, fed = [], list[Fed]()
        for number in range(len(batches) * self.settings.epochs):
            batch = batches[number % len(batches)]
            self._watch(self.steps, 0, len(batch.samples))
            total = divisor(self.losses, samples=len(batch.samples), tokens=_said(batch.samples), per=batch.share)
            found: list[Fed] = self.group.ask("gradients", number % len(batches), total)
            self._watch(self.steps, len(batch.samples), len(batch.samples))
            self._whole = False
            told.append(self._changed(found, rate))
            if number < len(batches):
                fed += found[:: self.settings.verl.sequence]
        self.steps, self._whole = self.steps + 1, True
        tokens, whole = sum(one.fed for one in fed), sum(one.whole for one in fed)
        ranks = [sum(one.fed for one in fed[place :: self._parts]) for place in range(self._parts)]
        seconds = time.perf_counter() - begun
        return joined(told) | {
            "learn/rate": rate,
            "learn/samples": float(len(samples)),
            "learn/fed": float(tokens),
            "learn/shared": 1 - tokens / whole if whole else 0.0,
            "learn/micro_tokens": float(self.settings.micro_tokens),
            "learn/checkpointing": float(self.settings.checkpointing),
            "learn/tokens_per_second": tokens * self.settings.epochs / seconds,
            "learn/seconds": seconds,
            "learn/ranks": float(self.group.size),
            "learn/imbalance": imbalance(ranks),
            "learn/dummies": float(sum(one.dummies for one in fed)),
        }

    @property
    def _parts(self) -> int:
        """Into how many shares a batch is cut: GPUs over which one sample is cut work on the same."""
        return self.group.size // self.settings.verl.sequence

    def _spread(self, shares: Sequence[T]) -> list[T]:
        """The share of each rank."""
        return [share for share in shares for _ in range(self.settings.verl.sequence)]

    def _changed(self, found: Sequence[Fed], rate: float) -> dict[str, float]:
        """One change of the weights by the gradients of all ranks, or none."""
        told = sum((one.tally for one in found[:: self.settings.verl.sequence]), Tally()).metrics()
        norm, good = 0.0, math.isfinite(told["learn/loss"])
        if not good:
            self.group.ask("forget")
        elif any(one.fed for one in found):
            norm = self.group.ask("change", rate)[0]
            good = math.isfinite(norm)
        else:
            self.group.ask("forget")
        self._failures = failures(
            self._failures, good=good, patience=self.settings.patience, loss=told["learn/loss"], norm=norm
        )
        return told | {"learn/grad_norm": norm, "learn/skipped": float(not good)}

    def rest(self) -> dict[str, float]:
        """Let a step go by that has nothing to learn from: schedules go on, weights and their moments stay."""
        rate = rate_at(self.steps, self.settings)
        self.steps += 1
        return {"learn/rate": rate, "learn/samples": 0.0}

    def loss(self, samples: Sequence[Sample]) -> float:
        """How badly the model imitates samples it does not learn from, added up as the loss is."""
        told = [
            (value, weight, number)
            for number, (sample, values) in enumerate(zip(samples, self.logprobs(samples), strict=True))
            for place, (value, weight, said) in enumerate(zip(values, sample.weights, sample.mask, strict=True))
            if said and place
        ]
        logprobs, weights, sequence = (torch.tensor(one) for one in zip(*told, strict=True))
        per = divisor(self.losses, samples=len(samples), tokens=len(told))
        found = imitation_loss(logprobs, weights, sequence, settings=self.losses, per=per)
        return found.metrics["learn/loss"]

    def logprobs(self, samples: Sequence[Sample]) -> list[tuple[float, ...]]:
        """The log-probability of each said token of each sample, as the weights are now."""
        numbered = list(enumerate(samples))
        asked = [numbered[place :: self._parts] for place in range(self._parts)]
        given = self._spread([[sample for _, sample in some] for some in asked])
        answers = self.group.ask_each("logprobs", given)[:: self.settings.verl.sequence]
        out: dict[int, tuple[float, ...]] = {}
        for some, values in zip(asked, answers, strict=True):
            for (number, sample), found in zip(some, values, strict=True):
                told = iter(found)
                out[number] = tuple(next(told) if said and place else 0.0 for place, said in enumerate(sample.mask))
        return [out[number] for number in range(len(samples))]

    # --------------------------------------------------------------------------------------------- who plays

    def policy(self) -> Policy:
        """Plays with the weights as they are now, on servers."""
        if self._player is None:
            self._player = player_for(self.brain, self.sampling, changing=True, source=self)
        return self._player.policy()

    @property
    def adapts(self) -> bool:
        return bool(self.settings.lora_rank)

    def write(self, folder: Path) -> None:
        """All weights, with configuration and tokenizer."""
        folder.mkdir(parents=True, exist_ok=True)
        self.group.ask("write", folder.absolute())
        write_beside(folder, self.brain)

    def write_adapter(self, folder: Path) -> None:
        """What LoRA has learnt alone."""
        self.group.ask("write_adapter", folder.absolute())
        rank, alpha = self.settings.lora_rank, self.settings.lora_alpha
        describe_adapter(folder, base=self.brain.origin, rank=rank, alpha=alpha, names=self._targets)

    def chances(self, prompt: Sequence[int], reply: Sequence[int], *, temperature: float) -> list[float]:
        """How probable the weights find a reply, at the learner's own temperature."""
        tokens = (*prompt, *reply)
        weights = (0.0,) * len(prompt) + (1.0,) * len(reply)
        (found,) = self.logprobs([Sample(tokens=tokens, weights=weights, logprobs=(0.0,) * len(tokens))])
        return list(found[len(prompt) :])

    # --------------------------------------------------------------------------------------------- checkpoints

    def save(self, folder: Path) -> None:
        """Write everything needed to go on, whole or not at all."""

        def fill(new: Path) -> None:
            if self.adapts:
                self.write_adapter(new)
                if self._place:  # made on the spot, it is nowhere else
                    shutil.copytree(self._place, new / BASE)
            else:
                self.write(new)
            (new / PARTS).mkdir(parents=True)
            self.group.ask("save", (new / PARTS).absolute())
            behind = Progress(steps=self.steps, failures=self._failures)
            kind = "adapter" if self.adapts else "weights"
            write_state(new, behind, self.brain, kind=kind, optimizer=self.settings.optimizer)

        write_folder(Path(folder), fill)

    def load(self, folder: Path) -> None:
        """Go on from where a checkpoint was saved."""
        check_folder(Path(folder))
        state = state_in(Path(folder))
        if not (Path(folder) / PARTS).is_dir():
            raise StoreError(
                f"checkpoint {folder} holds the moments of a learner in one process, and learner.engine is 'verl'",
                hint="go on with the engine that it was made with, or start a new course from its weights",
            )
        self.group.ask("load", Path(folder).absolute() / PARTS)
        self._go_on(Progress(steps=state.steps, failures=state.failures))

    def start(self, folder: Path) -> None:
        """Begin a new course from the weights of a checkpoint."""
        check_folder(Path(folder))
        if self.losses.kl:
            raise RecipeError(
                f"loss.kl is {self.losses.kl:g}, and learning starts from the adapter {folder}: with learner.engine ="
                " 'verl' the KL is measured from the model without an adapter",
                hint="loss.kl = 0, or merge the adapter into its model first and start from that",
            )
        self.group.ask("read", Path(folder).absolute())
        self._go_on(Progress())

    def _go_on(self, behind: Progress) -> None:
        self.steps, self._failures, self._whole = behind.steps, behind.failures, True


def _said(samples: Sequence[Sample]) -> int:
    """Tokens that the model said; a first token has nothing before it."""
    return sum(sum(sample.mask[1:]) for sample in samples)
