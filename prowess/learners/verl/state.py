"""Weights and moments of ranks on their way to files and back: PyTorch's distributed checkpoints, and safetensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch.distributed as dist
from safetensors import safe_open
from torch import Tensor
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_state_dict,
    set_model_state_dict,
    set_state_dict,
)
from torch.distributed.checkpoint.state_dict_loader import load as dcp_load
from torch.distributed.checkpoint.state_dict_saver import save as dcp_save

from prowess.learners.checkpoint import write_tensors
from prowess.learners.weights import WEIGHTS
from prowess.models.adapter import ADAPTER, Factors, merged

MODEL, MOMENTS = "model", "optimiser"
UNDER, A, B = ".base_layer.", ".lora_A.default.", ".lora_B.default."
"""How peft names an adapted layer's own weights, and its factors."""
OUTER = "base_model.model."
"""What peft puts before the names of a model's weights."""
LEARNT = StateDictOptions(ignore_frozen_params=True, strict=False)
"""A frozen model is where it was read from."""


# ------------------------------------------------------------------------------------- whole, as others read them


def write(engine: Any, folder: Path) -> None:
    """Write all weights into one file, gathered tensor by tensor, an adapter merged into them; rank 0 holds them."""
    weights = dict(_gathered(engine, lambda name: True))
    if dist.get_rank() == 0:
        write_tensors(folder / WEIGHTS, _once(engine, _merged(engine, weights)))
    dist.barrier()


def write_adapter(engine: Any, folder: Path) -> None:
    """Write the adapter alone, by peft's names."""
    weights = dict(_gathered(engine, lambda name: A in name or B in name))
    if dist.get_rank() == 0:
        write_tensors(folder / ADAPTER, {name.replace(".default.", "."): one for name, one in weights.items()})
    dist.barrier()


def read(engine: Any, folder: Path) -> None:
    """Take weights, or an adapter, from a folder; rank 0 reads them and sends the others their parts. Moments go."""
    weights: dict[str, Any] = {}
    if dist.get_rank() == 0:
        weights = dict(_adapter(folder) if engine._is_lora else _model(engine, folder))
    options = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True, strict=not engine._is_lora)
    with engine.train_mode():
        set_model_state_dict(engine.module, weights, options=options)
        engine.optimizer.state.clear()


def _gathered(engine: Any, wanted: Any) -> Iterator[tuple[str, Tensor]]:
    """Weights by name, whole, on rank 0; every rank takes part."""
    with engine.eval_mode():
        for name, one in engine.module.state_dict().items():
            if wanted(name):
                whole = one.full_tensor() if hasattr(one, "full_tensor") else one
                if dist.get_rank() == 0:
                    yield name, whole.detach().cpu()


def _merged(engine: Any, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """By transformers' names, what LoRA has learnt added."""
    if not engine._is_lora:
        return dict(weights)
    scale = engine.model_config.lora_alpha / engine.model_config.lora_rank
    out = {}
    for name, one in weights.items():
        if A in name or B in name:
            continue
        factor = name.replace(UNDER, A)
        if factor in weights and factor != name:
            pair = Factors(a=weights[factor].float(), b=weights[name.replace(UNDER, B)].float(), scale=scale)
            one = merged(one, pair)
        out[name.replace(UNDER, ".").removeprefix(OUTER)] = one
    return out


def _once(engine: Any, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Without a head that is the embedding."""
    tied = engine.model_config.hf_config.tie_word_embeddings
    return {name: one for name, one in weights.items() if not (tied and name == "lm_head.weight")}


def _model(engine: Any, folder: Path) -> Iterator[tuple[str, Tensor]]:
    own = engine.module.state_dict()
    for path in sorted(folder.glob("model*.safetensors")):
        with safe_open(path, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118 (it is no mapping)
                value = file.get_tensor(name).to(own[name].dtype)
                yield name, value
                if name == "model.embed_tokens.weight" and engine.model_config.hf_config.tie_word_embeddings:
                    yield "lm_head.weight", value


def _adapter(folder: Path) -> Iterator[tuple[str, Tensor]]:
    with safe_open(folder / ADAPTER, framework="pt") as file:
        for name in file.keys():  # noqa: SIM118 (it is no mapping)
            yield name.removesuffix(".weight") + ".default.weight", file.get_tensor(name)


# --------------------------------------------------------------------------------------- in parts, to go on with


def save(engine: Any, folder: Path) -> None:
    """Each rank writes its part of what is learnt, and of the moments."""
    with engine.train_mode():
        model, moments = get_state_dict(engine.module, engine.optimizer, options=LEARNT)
        dcp_save({MODEL: model, MOMENTS: moments}, checkpoint_id=folder)


def load(engine: Any, folder: Path) -> None:
    """Each rank reads its part, however many saved it."""
    with engine.train_mode():
        model, moments = get_state_dict(engine.module, engine.optimizer, options=LEARNT)
        found: dict[str, Any] = {MODEL: model, MOMENTS: moments}
        dcp_load(found, checkpoint_id=folder)
        set_state_dict(
            engine.module,
            engine.optimizer,
            model_state_dict=found[MODEL],
            optim_state_dict=found[MOMENTS],
            options=LEARNT,
        )
    dist.barrier()
