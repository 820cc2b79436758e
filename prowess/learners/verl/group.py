"""The processes that learn, as the driver sees them: started by Ray, asked all at once, given back in the end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError
from ray.util.placement_group import remove_placement_group
from verl.single_controller.ray import RayClassWithInitArgs, RayResourcePool, RayWorkerGroup
from verl.trainer.config import CheckpointConfig
from verl.utils.device import get_device_name
from verl.workers.config import FSDPEngineConfig, FSDPOptimizerConfig, HFModelConfig
from verl.workers.engine_workers import TrainingWorkerConfig

from prowess.errors import LearnerGone, RecipeError
from prowess.learners.settings import LearnerSettings
from prowess.learners.verl.engine import KIND
from prowess.learners.verl.rank import Rank, Rules
from prowess.text.terminal import say


class Group:
    """All ranks."""

    def __init__(
        self, folder: str, settings: LearnerSettings, rules: Rules, targets: Sequence[str] = (), *, half: bool
    ) -> None:
        """`folder` is the model's, `targets` name the layers that LoRA adapts; `half` computes in bfloat16."""
        self.settings = settings
        self.gone = False
        self._ours = _connect(settings)
        wanted = settings.verl
        self._pool = RayResourcePool(process_on_nodes=[wanted.gpus] * wanted.nodes, use_gpu=True, max_colocate_count=1)
        try:
            actors: Any = ray.remote(Rank)
            self._ranks = RayWorkerGroup(
                resource_pool=self._pool,
                ray_cls_with_init=RayClassWithInitArgs(
                    cls=actors, config=_config(folder, settings, targets, half=half), rules=rules
                ),
                device_name=get_device_name(),
            )
            self.about: list[dict[str, int]] = self.ask("begin")
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        return self.settings.verl.ranks

    def ask(self, verb: str, *given: Any) -> list[Any]:
        """What each rank answers. Where one fails or is lost, all end: the others would wait for it for ever."""
        if self.gone:
            raise LearnerGone("the processes that learn have ended", hint="the same command goes on")
        try:
            answers = self._ranks.execute_all_async(verb, *given)
            waiting = list(answers)
            while waiting:
                ready, waiting = ray.wait(waiting)
                ray.get(ready)
            found: list[Any] = ray.get(answers)
        except RayActorError as error:
            self.close()
            raise LearnerGone(
                f"a process that learns is gone, while it was asked to '{verb}'",
                hint="out of memory, or its machine is gone: the same command goes on from the last checkpoint",
            ) from error
        except RayError as error:
            self.close()
            raise _told(error) from error
        return found

    def ask_each(self, verb: str, given: Sequence[Any], *more: Any) -> list[Any]:
        """The same with something else for each rank: verl hands out lists that have an entry for each of them."""
        return self.ask(verb, list(given), *([one] * self.size for one in more))

    def close(self) -> None:
        """Give back what the ranks hold."""
        self.gone = True
        for worker in getattr(getattr(self, "_ranks", None), "_workers", ()):
            ray.kill(worker)
        for group in self._pool.pgs or ():
            remove_placement_group(group)
        self._pool.pgs = None
        if self._ours and ray.is_initialized():
            ray.shutdown()
            self._ours = False


def _connect(settings: LearnerSettings) -> bool:
    """Join a Ray cluster, or start one on this machine; whether it is ours to end."""
    if ray.is_initialized():
        return False
    if address := settings.verl.address:
        ray.init(address=address, log_to_driver=False)
        return False
    if settings.verl.nodes > 1:
        raise RecipeError(
            f"learner.verl.nodes is {settings.verl.nodes}, and no Ray cluster is named",
            hint="learner.verl.address = 'auto' joins the one of this machine (ray start, ray symmetric-run)",
        )
    cpu = get_device_name() == "cpu"
    say(f"starting {settings.verl.ranks} processes that learn: half a minute or more")
    ray.init(
        num_gpus=settings.verl.ranks if cpu else None,  # a processor has none: places are counted by these names
        num_cpus=max(settings.verl.ranks + 2, os.cpu_count() or 1),
        include_dashboard=False,
        log_to_driver=False,
    )
    return True


def _config(folder: str, settings: LearnerSettings, targets: Sequence[str], *, half: bool) -> TrainingWorkerConfig:
    """The recipe in verl's words."""
    wanted, computed = settings.verl, "bf16" if half else "fp32"
    return TrainingWorkerConfig(
        model_type=KIND if wanted.tree else "language_model",
        model_config=HFModelConfig(
            path=folder,
            use_remove_padding=False,
            enable_gradient_checkpointing=settings.checkpointing and not wanted.tree,
            load_tokenizer=False,
            override_config={"attn_implementation": "sdpa"},
            lora_rank=settings.lora_rank,
            lora_alpha=int(settings.lora_alpha),
            target_modules=list(targets),
        ),
        engine_config=FSDPEngineConfig(
            strategy="fsdp2",
            model_dtype="fp32",
            dtype="bfloat16" if half else "float32",
            use_torch_compile=False,
            mixed_precision={"param_dtype": computed, "reduce_dtype": "fp32", "buffer_dtype": "fp32"},
            fsdp_size=wanted.shard or -1,
            offload_policy=wanted.offload == "states",
            ulysses_sequence_parallel_size=wanted.sequence,
            use_no_sync_for_gradient_accumulation=False,  # it keeps whole gradients on every GPU
            use_dynamic_bsz=True,
            max_token_len_per_gpu=settings.micro_tokens,
            infer_max_token_len_per_gpu=settings.micro_tokens,
            micro_batch_size_per_gpu=1,
        ),
        optimizer_config=FSDPOptimizerConfig(
            lr=settings.rate,
            betas=tuple(settings.betas),
            weight_decay=settings.weight_decay,
            clip_grad=settings.clip_norm or float("inf"),
            total_training_steps=max(settings.steps, 1),
            lr_warmup_steps=0,
        ),
        checkpoint_config=CheckpointConfig(),
        profiler_config=None,
        auto_select_engine_optim_fn=None,
    )


def _told(error: RayError) -> RecipeError:
    """What broke inside a rank, in words."""
    cause = getattr(error, "cause", None) or error
    lines = [line for line in str(cause).splitlines() if line.strip()]
    told = lines[-1].strip()[:300] if lines else type(cause).__name__
    if "out of memory" in str(error):
        return RecipeError(
            f"a process that learns has no memory left: {told}",
            hint="a smaller learner.micro_tokens, learner.checkpointing = true, learner.verl.offload = 'states',"
            " or more GPUs",
        )
    return RecipeError(
        f"a process that learns failed: {told}", hint="its log is below Ray's folder, /tmp/ray by default"
    )
