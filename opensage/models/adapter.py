"""Adapters: what LoRA has learnt, apart from the model it was learnt on.

    adapter_config.json  adapter_model.safetensors   an ordinary peft folder, which names its model, or
    base/                                            holds it, if that was made on the spot and is nowhere else

An adapter is put into the model and not merged: so it plays, bit for bit, as it did for its learner.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from opensage.errors import MissingExtra, RecipeError

CONFIG, ADAPTER, BASE = "adapter_config.json", "adapter_model.safetensors", "base"


def is_adapter(folder: str | Path) -> bool:
    """Whether a folder holds an adapter rather than a model."""
    return (Path(folder).expanduser() / CONFIG).is_file()


def base_of(folder: str | Path) -> str:
    """The model an adapter was made on, by the name or the path it is loaded with."""
    place = Path(folder).expanduser()
    if (place / BASE).is_dir():
        return str(place / BASE)
    try:
        found = json.loads((place / CONFIG).read_text(encoding="utf-8"))
        named = found.get("base_model_name_or_path")
    except (OSError, ValueError, AttributeError) as error:
        raise RecipeError(f"the adapter '{folder}' cannot be read: {error}") from None
    if not named or not isinstance(named, str):
        raise RecipeError(
            f"the adapter '{folder}' does not say which model it was made on",
            hint=f"name it in its {CONFIG} as base_model_name_or_path",
        )
    return named


def put_on(model: Any, folder: str | Path) -> None:
    """Put an adapter into its model, in place."""
    try:
        from peft import PeftConfig, get_peft_model, get_peft_model_state_dict, set_peft_model_state_dict
    except ImportError:
        raise MissingExtra(f"the adapter '{folder}'", "learn") from None
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    place = Path(folder).expanduser()
    try:
        config: Any = PeftConfig.from_pretrained(str(place))
        weights = load_file(place / ADAPTER)
    except (OSError, ValueError, TypeError, KeyError, SafetensorError) as error:
        raise RecipeError(f"the adapter '{folder}' cannot be read: {error}") from None
    if str(getattr(config.peft_type, "value", config.peft_type)) != "LORA":
        raise RecipeError(f"the adapter '{folder}' is of the kind {config.peft_type}", hint="allowed: LoRA")
    config.base_model_name_or_path = model.__dict__.get("name_or_path")
    config.inference_mode = True
    with torch.random.fork_rng(devices=[]):  # it draws weights, which are then replaced
        try:
            adapted: Any = get_peft_model(model, config)
        except ValueError as error:
            raise RecipeError(f"the adapter '{folder}' does not fit its model: {error}") from None
    wanted = {name: one.shape for name, one in get_peft_model_state_dict(adapted).items()}
    found = {name: one.shape for name, one in weights.items()}
    if odd := sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name)):
        raise RecipeError(
            f"the adapter '{folder}' does not fit its model: {odd[0]} and {len(odd) - 1} more differ",
            hint="it was made on another one",
        )
    set_peft_model_state_dict(adapted, weights)
    model.eval()
