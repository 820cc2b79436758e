"""Where our parameters lie in vLLM's; that they are played with as they should be is tried in tests/vllm."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from prowess.errors import RecipeError
from prowess.policies.vllm.weights import places

torch = pytest.importorskip("torch")

ATTENTION = "model.layers.0.self_attn"


def test_parts_of_a_packed_parameter_are_found_in_their_order() -> None:
    whole = torch.arange(8 * 4).view(8, 4)
    model = SimpleNamespace(
        named_parameters=lambda: [(f"{ATTENTION}.qkv_proj.base_layer.weight", whole)],
        packed_modules_mapping={"qkv_proj": ["q_proj", "k_proj", "v_proj"]},
    )
    ours = {f"{ATTENTION}.{name}_proj.weight": torch.zeros(rows, 4) for name, rows in (("v", 2), ("q", 4), ("k", 2))}
    found = places(model, ours)
    assert [view[0, 0].item() for view in found.values()] == [24, 0, 16]


@pytest.mark.parametrize("layer", ["query_key_value", "wqkv"])
def test_a_layer_that_vllm_holds_in_another_order_is_refused_though_name_and_shape_fit(layer: str) -> None:
    name = f"transformer.h.0.attention.{layer}.weight"
    model = SimpleNamespace(
        named_parameters=lambda: [(name, torch.zeros(192, 64))], packed_modules_mapping={layer: [layer]}
    )
    with pytest.raises(RecipeError, match=f"vLLM keeps '{name}' of this model in a way not known here"):
        places(model, {name: torch.zeros(192, 64)})


def test_weights_that_only_vllm_has_are_refused_with_what_to_do() -> None:
    theirs = [("model.a.weight", torch.zeros(64, 4)), ("model.b.weight", torch.zeros(64, 4))]
    model = SimpleNamespace(named_parameters=lambda: theirs, packed_modules_mapping={})
    with pytest.raises(RecipeError, match=r"does not have: model\.b\.weight\nhint: sampling\.engine = 'local'"):
        places(model, {"model.a.weight": torch.zeros(64, 4)})
