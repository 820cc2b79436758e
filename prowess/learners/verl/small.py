"""A small copy of a model that lies elsewhere: what its family computes can be tried on it, on a processor."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import torch

LAYERS = 2


def small_copy(model: Any) -> Any:
    """The same model with two layers and any weights. The model itself may be without weights."""
    config = deepcopy(model.config)
    layers = min(LAYERS, int(config.num_hidden_layers))
    config.num_hidden_layers = layers
    if kinds := getattr(config, "layer_types", None):
        config.layer_types = kinds[:layers]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        made = type(model)(config)
    return made.to(torch.float32).eval()
