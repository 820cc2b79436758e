"""The weights and moments of ranks, on their way to files and back: PyTorch's distributed checkpoints, and safetensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from safetensors import safe_open
from torch import Tensor
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_state_dict,
    set_model_state_dict,
    set_state_dict,
)

from prowess.learners.checkpoint import write_tensors
from prowess.learners.weights import WEIGHTS

MODEL, MOMENTS = "model", "optimiser"


def write(engine: Any, folder: Path) -> None:
    """Write all weights into one file, gathered tensor by tensor; rank 0 holds them."""
    tensors: dict[str, Tensor] = {}
    tied = engine.model_config.hf_config.tie_word_embeddings
    with engine.eval_mode():
        found, _ = engine.get_per_tensor_param()
        for name, value in found:
            if dist.get_rank() == 0 and not (tied and name == "lm_head.weight"):
                tensors[name] = value.detach().cpu()
    if dist.get_rank() == 0:
        write_tensors(folder / WEIGHTS, tensors)
    dist.barrier()


def read(engine: Any, folder: Path) -> None:
    """Take weights from files of a model; rank 0 reads them, and sends the others their parts."""
    weights: dict[str, Tensor] = {}
    if dist.get_rank() == 0:
        for path in sorted(folder.glob("model*.safetensors")):
            with safe_open(path, framework="pt") as file:
                weights |= {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (it is no mapping)
        own = engine.module.state_dict()
        for name in own.keys() - weights.keys():  # a head that is tied to the embedding
            weights[name] = weights["model.embed_tokens.weight"]
        weights = {name: value.to(own[name].dtype) for name, value in weights.items()}
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
    with engine.train_mode():
        set_model_state_dict(engine.module, weights, options=options)
        for state in engine.optimizer.state.values():
            state.clear()
        engine.optimizer.state.clear()


def save(engine: Any, folder: Path) -> None:
    """Each rank writes its part of weights and moments."""
    with engine.train_mode():
        model, moments = get_state_dict(engine.module, engine.optimizer)
        dcp.save({MODEL: model, MOMENTS: moments}, checkpoint_id=folder)


def load(engine: Any, folder: Path) -> None:
    """Each rank reads its part, however many saved it."""
    with engine.train_mode():
        model, moments = get_state_dict(engine.module, engine.optimizer)
        found = {MODEL: model, MOMENTS: moments}
        dcp.load(found, checkpoint_id=folder)
        set_state_dict(engine.module, engine.optimizer, model_state_dict=found[MODEL], optim_state_dict=found[MOMENTS])
        torch.distributed.barrier()
