"""TRL's GRPOTrainer with vLLM in its process, for benchmarks/gpu.py: single turns its own way, desk in waves.

It gets the best of what it is tried with: precision of the weights (in half precision its changes are rounded, too,
which ours are not), size of the micro-batch, Liger's kernels, activations computed again. Its vLLM is started once,
with the arguments that it gives it, and serves all its trainers.

What fills the memory are activations, not logits: TRL 1.16 turns hidden states into log-probabilities in tiles. A layer
keeps some (24 x hidden + 8 x inner) bytes of every token in half precision, and 2 x length bytes for the mask; tokens
are rows x length, and every row is as long as the longest prompt and the longest completion of the batch together.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpu_cases import (
    RATE,
    Case,
    Figures,
    Turns,
    chains,
    chat_in,
    drawn,
    finished,
    on_gpu,
    openings,
    recipe,
    timed,
)
from gpu_waves import Roll, Rows, Waves, columns, given, made_up, rows_of

from prowess.pipeline.parts import parts_of
from prowess.play.rollout import play_groups
from prowess.seeds import derive

TRIED_WITH = 8
"""Rows in the batches that it is tried with, at the least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How TRL computes."""

    dtype: str
    rows: int
    again: bool = False
    """Whether activations are computed again."""
    liger: bool = False
    """Whether it has Liger's kernels for norms, gates and positions."""

    def __str__(self) -> str:
        extras = ", Liger" * self.liger + ", activations computed again" * self.again
        return f"{self.dtype}, {self.rows} rows{extras}"


def way_of(text: str) -> Way:
    """
    >>> way_of("float32:8:again")
    Way(dtype='float32', rows=8, again=True, liger=False)
    """
    dtype, rows, *more = text.split(":")
    if odd := {*more} - {"again", "liger"}:
        raise ValueError(f"'{text}' names {', '.join(sorted(odd))}; allowed: again, liger")
    return Way(dtype=dtype, rows=int(rows), again="again" in more, liger="liger" in more)


def ways_in(case: Case) -> list[Way]:
    """What it is tried with; with Liger last, since Liger stays in transformers' classes once it is there."""
    found = map(way_of, case.long_tries if case.part == "B" else case.tries)
    return sorted(dict.fromkeys(found), key=lambda way: way.liger)


_best: dict[tuple[str, int], Way] = {}
_engine: list[Any] = []


def steps(case: Case, turns: Turns) -> None:
    """A and B: TRL's own loop, in the best of the ways given."""
    _prepare(case)
    with parts_of(recipe(case)) as live:
        waves: Roll | None = None
        if case.part == "B":
            agent, tasks = live.agent, chains(case, live.suite.tasks("train"))

            def played(trainer: Any) -> Rows:
                policy = Waves(trainer.vllm_generation.llm, chat_in(case.model), case)
                seed = derive(0, trainer.state.global_step)
                groups = play_groups(
                    replace(agent, policy=policy),
                    live.suite,
                    tasks,
                    size=case.group,
                    seed=seed,
                    workers=case.workers,
                )
                return rows_of(groups, len(tasks[0]), chat_in(case.model).end)

            def waves(prompts: list[Any], trainer: Any) -> Mapping[str, Any]:
                return columns(played(trainer))

        ways = ways_in(case)
        way = _best.get((case.part, case.rank)) or (_tried(case, ways) if len(ways) > 1 else ways[0])
        _best[case.part, case.rank] = way
        run(case, way, turns, waves)


def run(case: Case, way: Way, turns: Turns, roll: Roll | None) -> None:
    """Steps of TRL's trainer, each when it is its turn."""
    trainer = trainer_for(case, way, roll, steps=case.steps, wait=turns.wait)
    try:
        trainer.told = lambda figures: turns.tell(way=str(way), memory=turns.memory(), **figures)
        trainer.train()
    finally:
        del trainer
        _let_go()


def _tried(case: Case, ways: Sequence[Way]) -> Way:
    """The fastest way to learn, on a few rows that are made up; what fails, as for want of memory, is left out."""
    ways = [way for way in ways if case.replies % min(way.rows, case.replies) == 0]
    rows = min(max([TRIED_WITH, *(way.rows for way in ways)]), case.replies)
    group = min(case.group, rows // 2)
    part = replace(case, group=group, prompts=rows // group, chains=rows // group // 2)
    roll = given(made_up(part))
    seconds: dict[Way, float] = {}
    for way in ways:
        taken: list[float] = []
        try:
            trainer = trainer_for(part, way, roll, steps=2)
            trainer.told = lambda figures, taken=taken: taken.append(figures["learn"])
            trainer.train()
        except Exception:  # noqa: BLE001 - told in the log; the next way may still go well
            traceback.print_exc()
            print(f"TRL with {way} fails", flush=True)
        else:
            seconds[way] = taken[-1]
            print(f"TRL learns from {rows} rows with {way} in {taken[-1]:.2f} s", flush=True)
        trainer = None
        _let_go()
    if not seconds:
        raise RuntimeError("TRL fails in every way it is tried with")
    return min(seconds, key=lambda way: seconds[way])


def _let_go() -> None:
    """Collect what nobody holds: also of what vLLM kept from being collected when it started, with a trainer in it."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# ------------------------------------------------------------------------------------------------------- the trainer


def trainer_for(case: Case, way: Way, roll: Roll | None, *, steps: int, wait: Callable[[], None] = lambda: None) -> Any:
    """TRL's trainer, with its phases timed."""
    from datasets import Dataset
    from transformers import PrinterCallback, TrainerCallback
    from trl import GRPOTrainer

    taken: Figures = {}
    counts: Figures = {}

    class Timed(GRPOTrainer):  # type: ignore[misc,unused-ignore]
        told: Callable[[Figures], None]

        def _generate(self, prompts: list[Any]) -> Any:
            with timed(taken, "generate"):
                found = super()._generate(prompts)
            told, said, mask = found[0], found[1], found[2]
            counts["said"] = sum(map(sum, mask)) if mask else sum(map(len, said))
            counts["trained"] = sum(map(len, told)) + sum(map(len, said))
            return found

    class Watch(TrainerCallback):  # type: ignore[misc,unused-ignore]
        begun = 0.0

        def on_step_begin(self, *_: Any, **__: Any) -> None:
            wait()
            taken.clear()
            llm.busy = 0.0
            self.begun = finished()

        def on_step_end(self, *_: Any, **__: Any) -> None:
            seconds = finished() - self.begun
            weights, generate = taken.get("weights", 0.0), taken["generate"]  # the first holds a part of the second
            trainer.told(
                {
                    "seconds": seconds,
                    "weights": weights,
                    "generate": generate - weights,
                    "learn": seconds - generate,
                    "idle": generate - weights - llm.busy,
                    **counts,
                }
            )

    with tempfile.TemporaryDirectory() as folder:
        prompts = [[{"role": one.role, "content": one.content} for one in prompt] for prompt in openings(case.prompts)]
        count = case.replies // case.group
        trainer = Timed(
            model=case.model,
            reward_funcs=lambda completions, **_: drawn(len(completions), 0),
            args=_settings(case, way, folder, played=roll is not None, steps=steps),
            train_dataset=Dataset.from_dict({"prompt": (prompts * count)[:count]}),
            peft_config=_lora(case.rank) if case.rank else None,
            rollout_func=roll,
        )
    for name in ("RANK", "LOCAL_RANK", "WORLD_SIZE"):  # set for vLLM; the next trainer would think it is one of many
        os.environ.pop(name, None)
    if str(trainer.accelerator.distributed_type).rpartition(".")[2] != "NO":
        raise RuntimeError(f"TRL trains {trainer.accelerator.distributed_type}; one process alone was wanted")
    llm = trainer.vllm_generation.llm
    give = trainer.vllm_generation.sync_weights

    def sync_weights() -> None:
        with timed(taken, "weights"):
            give()

    trainer.vllm_generation.sync_weights = sync_weights
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Watch())
    return trainer


def _settings(case: Case, way: Way, folder: str, *, played: bool, steps: int) -> Any:
    """What TRL is told: all that both contenders must have alike, and the way it is tried with."""
    from trl import GRPOConfig

    rows = min(way.rows, case.replies)
    return GRPOConfig(
        output_dir=folder,
        use_vllm=True,
        vllm_mode="colocate",
        vllm_gpu_memory_utilization=case.share,
        vllm_max_model_length=case.context,
        num_generations=case.group,
        per_device_train_batch_size=rows,
        gradient_accumulation_steps=case.replies // rows,
        max_completion_length=case.context if played else case.reply,
        generation_kwargs={"ignore_eos": True},
        beta=0.0,
        loss_type="grpo",
        scale_rewards="none",
        learning_rate=RATE,
        lr_scheduler_type="constant",
        shuffle_dataset=False,
        max_steps=steps,
        gradient_checkpointing=way.again,
        use_liger_kernel=way.liger,
        pad_to_multiple_of=8,  # or attention lays out the mask anew in every layer
        bf16=on_gpu(),
        use_cpu=not on_gpu(),
        model_init_kwargs={"dtype": way.dtype},
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
    )


def _lora(rank: int) -> Any:
    from peft import LoraConfig

    return LoraConfig(r=rank, lora_alpha=2 * rank, target_modules="all-linear", task_type="CAUSAL_LM")


def _prepare(case: Case) -> None:
    """One vLLM for all trainers of this process, with room for the largest batch of theirs; its work is timed."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRL_EXPERIMENTAL_SILENCE": "1", "VLLM_USE_FLASHINFER_SAMPLER": "0"}
    import torch  # noqa: F401
    from trl.generation import vllm_generation
    from vllm import LLM

    if _engine:
        return
    if not on_gpu():
        _plainly()

    class Watched(LLM):  # type: ignore[misc,unused-ignore]
        busy = 0.0

        def generate(self, *given: Any, **more: Any) -> Any:
            begun = time.perf_counter()
            try:
                return super().generate(*given, **more)
            finally:
                self.busy += time.perf_counter() - begun

    def llm(**given: Any) -> Any:
        if not _engine:
            most = max(replace(case, part=part).replies for part in "AB" if part >= case.part)  # A comes before B
            _engine.append(Watched(**given | {"max_num_seqs": most}))
        return _engine[0]

    vllm_generation.LLM = llm


def _plainly() -> None:
    """On a processor, where it is only tried out: vLLM's weights stay where they can be changed."""
    from vllm import _custom_ops
    from vllm.model_executor.layers import utils

    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")
    _custom_ops._supports_onednn = False
    utils.check_cpu_sgl_kernel = lambda *_: False
