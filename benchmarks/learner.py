"""Tokens/s of sampling, learning and whole steps, against TRL's GRPOTrainer: same weights, samples and threads.

    pip install --require-hashes --no-deps -r locks/extras.txt
    python benchmarks/learner.py [--rounds 3] [--part all] [--model smollm2-135m --prompts 2 --group 4]

What is played: the openings of tasks that the expert solved, a group of replies to each. How long each reply gets is
laid down beforehand, so that both say and learn from the same numbers of tokens: once all replies are as long as
allowed, once as long as the expert's own. TRL runs its own training loop, with what makes it fastest and leaves the
result the same: no gradient checkpointing, float32, the micro-batch that serves it best. After each of its steps ours
samples replies of the same lengths, then learns from TRL's; the gradients' lengths must agree, or the run fails.
Rounds take turns; ratios are of neighbours, so what else runs on the machine hits both alike.
"""

from __future__ import annotations

import argparse
import copy
import importlib.metadata
import logging
import math
import random
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from prowess_desk.settings import DeskSettings
from rich.console import Console
from rich.table import Table

from prowess.commands.dataset import transcript
from prowess.credit.advantage import AdvantageSettings, make_advantage
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.load import ModelSettings, load
from prowess.pipeline.parts import parts_of
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.play import AgentSettings
from prowess.play.rollout import chains_of, play_all, play_chain
from prowess.policies import PolicySettings
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.types import Completion, Message, Request, Sample

Messages = tuple[Message, ...]
MISSING = "TRL is not installed here: pip install --require-hashes --no-deps -r locks/extras.txt"
RATE = 1e-6
ROWS = (8, 32, 128)
"""Micro-batches that TRL is tried with; 8 is its default."""
NEAR = 1e-3
"""How far the gradients' lengths may be apart: rounding, in two orders of adding up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a step has to do: a group of replies to each prompt, each of a length laid down."""

    name: str
    prompts: tuple[Messages, ...]
    group: int
    lengths: tuple[int, ...]
    """Of each reply in tokens, its end included; the replies to a prompt follow each other."""
    rewards: tuple[float, ...]
    """Of each reply, drawn at random: they decide what is learned, not how fast."""

    @property
    def requests(self) -> list[Messages]:
        return [prompt for prompt in self.prompts for _ in range(self.group)]

    @property
    def said(self) -> int:
        return sum(self.lengths)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """Seconds of one step."""

    sampling: float
    learning: float
    whole: float
    """What neither is: scoring, and what is done between the two, counts here alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was sampled in a step: prompts and replies in tokens, in the order of the case's requests."""

    prompts: list[list[int]]
    replies: list[list[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of TRL's loop."""

    number: int
    taken: Taken
    norm: float
    """The gradient's length."""
    said: Said


After = Callable[[Step], None]
"""What is done after a step of TRL's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """The same step made by both."""

    case: Case
    heard: int
    """Tokens of all prompts, each counted once per reply."""
    ours: Taken
    theirs: Taken
    apart: float
    """By what share the gradients' lengths differ."""


# ------------------------------------------------------------------------------------------------------------- cases


def conversations(part: str) -> list[Messages]:
    """Tasks of desk as the expert plays them: of the quickstart's short prompts, or of the paper's long ones."""
    recipe = Recipe(
        suite=SuiteSettings(
            worlds={"desk": DeskSettings(part="starter", scenarios=4) if part == "starter" else DeskSettings()}
        ),
        policy=PolicySettings(name="expert"),
        agent=AgentSettings(prompt="brief" if part == "starter" else "skill"),
    )
    with parts_of(recipe) as live:
        plays = [
            partial(play_chain, live.agent, live.suite, chain, Library(), seed=derive(0, number))
            for number, chain in enumerate(chains_of(live.suite, "train"))
        ]
        rollouts = dict(play_all(live.agent.policy, plays, 2))
        return [
            transcript(episode, live.agent.prompt, live.agent.limits)
            for number in sorted(rollouts)
            for episode in rollouts[number].episodes
        ]


def cases(talks: Sequence[Messages], brain: Brain, *, prompts: int, group: int, longest: int) -> list[Case]:
    """All replies as long as allowed, and as long as the expert's own."""
    draws = random.Random(0)
    openings = list(dict.fromkeys(talk[: _first_reply(talk)] for talk in talks))
    if len(openings) < prompts:
        sys.exit(f"{prompts} prompts are wanted, and there are {len(openings)}")
    chosen = tuple(draws.sample(openings, prompts))
    natural = [
        min(longest, len(brain.chat.reply(message.content)))
        for talk in talks
        for message in talk
        if message.role == "assistant"
    ]
    count = prompts * group
    rewards = tuple(draws.random() for _ in range(count))
    of_all = partial(Case, prompts=chosen, group=group, rewards=rewards)
    return [
        of_all(name="equal", lengths=(longest,) * count),
        of_all(name="mixed", lengths=tuple(draws.choices(natural, k=count))),
    ]


def _first_reply(talk: Messages) -> int:
    return next(number for number, message in enumerate(talk) if message.role == "assistant")


# -------------------------------------------------------------------------------------------------------------- ours


class Planned(LocalPolicy):
    """Our policy, with the length of each reply laid down."""

    def __init__(self, brain: Brain, settings: SamplingSettings, lengths: Mapping[str, int]) -> None:
        super().__init__(brain, settings)
        self.lengths = lengths

    def _heard(self, request: Request) -> Any:
        talk = super()._heard(request)
        talk.row.room = self.lengths[request.key]
        return talk

    def _sampler(self) -> Any:
        engine = super()._sampler()
        engine.stops = frozenset()
        return engine


def our_step(learner: TorchLearner, case: Case, said: Said, seed: int) -> tuple[Taken, float]:
    """Sample replies, and learn from those that TRL sampled; how long it took, and the gradient's length."""
    begun = time.perf_counter()
    keys = [str(number) for number in range(len(case.lengths))]
    policy = Planned(learner.brain, learner.sampling, dict(zip(keys, case.lengths, strict=True)))
    answers = policy.replies(
        [
            Request(key=key, messages=messages, seed=derive(seed, key))
            for key, messages in zip(keys, case.requests, strict=True)
        ]
    )
    sampled = time.perf_counter()
    table = make_advantage(AdvantageSettings())
    advantages = [
        advantage
        for start in range(0, len(keys), case.group)
        for row in table([[reward] for reward in case.rewards[start : start + case.group]])
        for advantage in row
    ]
    samples = [
        Sample(
            tokens=(*prompt, *reply),
            weights=(0.0,) * len(prompt) + (advantage or 0.0,) * len(reply),
            logprobs=(0.0,) * len(prompt) + (-1.0,) * len(reply),  # looked at, and nothing depends on them
        )
        for prompt, reply, advantage in zip(said.prompts, said.replies, advantages, strict=True)
    ]
    scored = time.perf_counter()
    told = learner.step(samples)
    ended = time.perf_counter()
    for answer, prompt, length in zip(answers, said.prompts, case.lengths, strict=True):
        if not isinstance(answer, Completion) or (list(answer.prompt), len(answer.tokens)) != (prompt, length):
            sys.exit("ours did not say what was laid down")
    taken = Taken(sampling=sampled - begun, learning=ended - scored, whole=ended - begun)
    return taken, told["learn/grad_norm"]


# --------------------------------------------------------------------------------------------------------------- TRL


@contextmanager
def ending(model: Any, lengths: Sequence[int], stops: Sequence[int]) -> Iterator[None]:
    """Let a model that generates say its end in each row when it is time, and not before."""
    passes = 0

    def steer(module: Any, given: Any, answer: Any) -> None:
        nonlocal passes
        passes += 1
        answer.logits[:, -1, stops] = -math.inf
        if rows := [row for row, length in enumerate(lengths) if length == passes]:
            answer.logits[rows, -1] = -math.inf
            answer.logits[rows, -1, stops[0]] = 0.0

    handle = model.register_forward_hook(steer)
    try:
        yield
    finally:
        handle.remove()


def trl_steps(brain: Brain, plan: Sequence[Case], after: After, *, rows: int) -> None:
    """One step of TRL's own loop for each case of the plan, with a copy of the weights."""
    from datasets import Dataset
    from transformers import PrinterCallback, TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    case = plan[0]
    clock = time.perf_counter
    begun = generating = scoring = whole = 0.0
    said = Said(prompts=[], replies=[])

    class Timed(GRPOTrainer):  # type: ignore[misc,unused-ignore]
        """TRL's trainer, with the length of each reply laid down and its parts timed."""

        def _generate(self, prompts: list[Any]) -> Any:
            nonlocal generating, said
            with ending(self.model, plan[self.state.global_step].lengths, sorted(brain.chat.stop_ids)):
                start = clock()
                out = super()._generate(prompts)
                generating = clock() - start
            said = Said(prompts=out[0], replies=out[1])
            return out

        def _generate_and_score_completions(self, inputs: Any) -> Any:
            nonlocal scoring
            start = clock()
            out = super()._generate_and_score_completions(inputs)
            scoring = clock() - start
            return out

    class Watch(TrainerCallback):  # type: ignore[misc,unused-ignore]
        """Times whole steps. What comes after one is done within TRL's loop: both run in the same thread."""

        def on_step_begin(self, *_: Any, **__: Any) -> None:
            nonlocal begun
            begun = clock()

        def on_step_end(self, *_: Any, **__: Any) -> None:
            nonlocal whole
            whole = clock() - begun

        def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, float], **_: Any) -> None:
            if "grad_norm" in logs:  # the last log is of the whole training
                taken = Taken(sampling=generating, learning=whole - scoring, whole=whole)
                after(Step(number=state.global_step - 1, taken=taken, norm=float(logs["grad_norm"]), said=said))

    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder,
            num_generations=case.group,
            per_device_train_batch_size=rows,
            gradient_accumulation_steps=len(case.lengths) // rows,
            max_completion_length=max(max(one.lengths) for one in plan),
            loss_type="grpo",
            scale_rewards="none",
            learning_rate=RATE,
            lr_scheduler_type="constant",
            shuffle_dataset=False,
            max_steps=len(plan),
            gradient_checkpointing=False,
            bf16=False,
            use_cpu=True,
            dataloader_pin_memory=False,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        )
        prompts = [[{"role": one.role, "content": one.content} for one in prompt] for prompt in case.prompts]
        trainer = Timed(
            model=copy.deepcopy(brain.model),
            processing_class=copy.deepcopy(brain.chat.tokenizer),
            reward_funcs=lambda completions, **others: list(case.rewards),
            args=settings,
            train_dataset=Dataset.from_dict({"prompt": prompts}),
        )
        trainer.remove_callback(PrinterCallback)
        trainer.add_callback(Watch())
        trainer.train()


def trials(brain: Brain, both: Sequence[Case], rows: Sequence[int]) -> dict[int, float]:
    """How long TRL learns from one batch of each case, by its micro-batch."""
    count = len(both[0].lengths)
    seconds: dict[int, float] = {}
    for some in rows:
        if count % some == 0:
            steps: list[Step] = []
            trl_steps(brain, [*both, *both], steps.append, rows=some)
            pairs = zip(steps, steps[len(both) :], strict=False)
            seconds[some] = sum(min(one.taken.learning, other.taken.learning) for one, other in pairs)
    if not seconds:
        sys.exit(f"none of the micro-batches {', '.join(map(str, rows))} divides {count} replies")
    return seconds


# ------------------------------------------------------------------------------------------------------------ tables


def compare(brain: Brain, both: Sequence[Case], *, rows: int, rounds: int) -> list[Round]:
    """Steps of TRL and of ours in turns; the first of each case warms up and does not count."""
    plan = [case for _ in range(rounds + 1) for case in both]
    sampling = SamplingSettings(reply_tokens=max(max(case.lengths) for case in both))
    mine = replace(brain, model=copy.deepcopy(brain.model))
    learner = TorchLearner(mine, LearnerSettings(rate=RATE), LossSettings(), sampling)
    found: list[Round] = []

    def ours_too(step: Step) -> None:
        case = plan[step.number]
        if tuple(map(len, step.said.replies)) != case.lengths:
            sys.exit("TRL did not say what was laid down")
        taken, norm = our_step(learner, case, step.said, seed=step.number)
        apart = abs(norm - step.norm) / max(norm, step.norm)
        if not apart <= NEAR:
            sys.exit(f"{case.name}: the gradient's length is {norm:g} here and {step.norm:g} with TRL")
        if step.number >= len(both):
            heard = sum(map(len, step.said.prompts))
            found.append(Round(case=case, heard=heard, ours=taken, theirs=step.taken, apart=apart))

    trl_steps(brain, plan, ours_too, rows=rows)
    return found


def table(found: Sequence[Round]) -> Table:
    """Three rows per case: sampling, learning, the whole."""
    shown = Table(title="medians; in brackets the least and the greatest of all rounds")
    for heading in ("replies", "what"):
        shown.add_column(heading)
    for heading in ("ours", "TRL", "times as fast"):
        shown.add_column(heading, justify="right")
    for case in dict.fromkeys(one.case for one in found):
        rounds = [one for one in found if one.case == case]
        for what, tokens in (("sampling", case.said), ("learning", case.said + rounds[0].heard), ("whole", 0)):
            pairs = [(getattr(one.ours, what), getattr(one.theirs, what)) for one in rounds]
            sides = [statistics.median(side) for side in zip(*pairs, strict=True)]
            ratios = sorted(other / own for own, other in pairs)
            shown.add_row(
                case.name,
                f"{what}, tokens/s" if tokens else "whole step, s",
                *(f"{tokens / side:,.0f}" if tokens else f"{side:.2f}" for side in sides),
                f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
            )
    return shown


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="tiny", help="tiny, smollm2-135m, or the folder of a transformers model")
    parser.add_argument("--part", choices=("starter", "all"), default="starter", help="short prompts of desk, or long")
    parser.add_argument("--prompts", type=int, default=16)
    parser.add_argument("--group", type=int, default=8, help="replies to a prompt")
    parser.add_argument("--longest", type=int, default=128, help="tokens in a reply at most")
    parser.add_argument("--rounds", type=int, default=3, help="of each kind, after one that does not count")
    parser.add_argument("--rows", type=int, nargs="*", default=ROWS, help="TRL's micro-batches; the best is taken")
    given = parser.parse_args()
    try:
        version = importlib.metadata.version("trl")
    except importlib.metadata.PackageNotFoundError:
        sys.exit(MISSING)
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    import torch
    import transformers

    talks = conversations(given.part)
    settings = ModelSettings(name=given.model, device="cpu", dtype="float32")
    brain = load(settings, texts=[message.content for talk in talks for message in talk])
    both = cases(talks, brain, prompts=given.prompts, group=given.group, longest=given.longest)
    openings = [len(brain.chat.opening(prompt)) for prompt in both[0].prompts]
    mixed = both[1].lengths
    print(
        f"{given.model}, {brain.parameters / 1e6:.1f}M parameters, float32, {torch.get_num_threads()} threads; "
        f"torch {torch.__version__}, transformers {transformers.__version__}, TRL {version}\n"
        f"{given.prompts} prompts of {min(openings)} to {max(openings)} tokens x {given.group} replies; equal: of "
        f"{given.longest} tokens; mixed: of {min(mixed)} to {max(mixed)}, {statistics.mean(mixed):.0f} on average"
    )
    tried = trials(brain, both, given.rows)
    rows = min(tried, key=lambda some: tried[some])
    times = ", ".join(f"{some} rows {seconds:.2f} s" for some, seconds in tried.items())
    print(f"TRL learns from one batch of each with micro-batches of {times}: it gets {rows}", flush=True)
    found = compare(brain, both, rows=rows, rounds=given.rounds)
    Console(width=110).print(table(found))
    print(f"lengths of gradients differ by {max(one.apart for one in found):.1g} at most, as a share of them")


if __name__ == "__main__":
    main()
