"""LoRA through the merged weight: peft's gradients and folders, in a model without any layer of peft's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from small_models import batch, brain_of, small
from torch import nn

from prowess.errors import RecipeError, StoreError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models.adapter import Factors, merged

LORA = LearnerSettings(rate=1e-2, lora_rank=4)
IDS = torch.tensor([[1, 2, 3, 40, 5, 6]])


def learner(settings: LearnerSettings = LORA, loss: LossSettings | None = None, **model: Any) -> TorchLearner:
    return TorchLearner(brain_of(small(**model)), settings, loss)


def weights(one: TorchLearner) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in one.model.named_parameters()}


def gradients(mine: TorchLearner, samples: list[Any]) -> dict[str, torch.Tensor]:
    """What the masters get in a step."""
    seen: dict[str, torch.Tensor] = {}
    change = mine.optimiser.change

    def look(rate: float) -> None:
        seen.update({name: one.grad.clone() for name, one in mine.weights.masters.items() if one.grad is not None})
        change(rate)

    mine.optimiser.change = look  # type: ignore[method-assign]
    mine.step(samples)
    mine.optimiser.change = change  # type: ignore[method-assign]
    return seen


def test_the_adapted_weights_change_and_nothing_else() -> None:
    mine = learner()
    before = weights(mine)
    kinds = {type(part) for part in mine.model.modules()}
    mine.step(batch())
    mine.step(batch())
    changed = {name for name, value in weights(mine).items() if not torch.equal(value, before[name])}
    assert changed == set(mine.weights.parameters) and len(changed) == 2 * 7
    assert not any("lm_head" in name or "embed" in name for name in changed)
    assert {type(part) for part in mine.model.modules()} == kinds == {type(part) for part in small().modules()}
    assert not any("forward" in vars(part) for part in mine.model.modules())
    assert not any(one.requires_grad for one in mine.model.parameters())


def test_it_begins_as_the_model_it_adapts_and_the_same_every_time() -> None:
    plain, one, two = learner(LearnerSettings()), learner(), learner()
    assert one.logprobs(batch()) == plain.logprobs(batch())
    assert all(torch.equal(value, two.weights.masters[name]) for name, value in one.weights.masters.items())
    other = TorchLearner(brain_of(small()), LORA, seed=1)
    first = "model.layers.0.mlp.up_proj.a"
    assert not torch.equal(other.weights.masters[first], one.weights.masters[first])


def test_a_is_drawn_as_peft_draws_it() -> None:
    a = torch.cat([one.detach().flatten() * one.shape[1] ** 0.5 for name, one in drawn() if name.endswith(".a")])
    assert float(a.min()) == pytest.approx(-1, abs=0.01) and float(a.max()) == pytest.approx(1, abs=0.01)
    assert float(a.std()) == pytest.approx(3**-0.5, abs=0.02)  # even between -1 and 1
    assert not any(one.any() for name, one in drawn() if name.endswith(".b"))


def drawn() -> list[tuple[str, torch.Tensor]]:
    return list(learner(replace(LORA, lora_rank=16)).weights.masters.items())


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("family", ["llama", "qwen2"])  # the one without, the other with biases
def test_gradients_of_the_factors_are_pefts(family: str, checkpointing: bool, tmp_path: Path) -> None:
    from peft import PeftModel

    settings = replace(LORA, clip_norm=0.0, micro_tokens=20, checkpointing=checkpointing)
    mine = learner(settings, family=family)
    for _ in range(2):
        mine.step(batch())  # B is no longer zero
    mine.save(tmp_path / "one")
    theirs: Any = PeftModel.from_pretrained(small(family), tmp_path / "one", is_trainable=True)
    total = torch.zeros(())
    for sample in batch():
        logprobs = theirs(input_ids=torch.tensor([sample.tokens])).logits[0].log_softmax(-1)
        said = [place for place, one in enumerate(sample.mask) if one]
        total = total - sum(sample.weights[p] * logprobs[p - 1, sample.tokens[p]] for p in said) / len(said)
    (total / len(batch())).backward()
    expected = {name: one.grad for name, one in theirs.named_parameters() if one.grad is not None}
    found = gradients(mine, batch())
    assert len(found) == len(expected) == 2 * 2 * 7
    for name, value in found.items():
        path, letter = name.rsplit(".", 1)
        wanted = expected[f"base_model.model.{path}.lora_{letter.upper()}.default.weight"]
        assert wanted.abs().max() > 1e-3
        assert torch.allclose(value, wanted, atol=1e-5), name


def test_half_precision_learns_from_full_precision_factors() -> None:
    half, full = learner(replace(LORA, dtype="bfloat16")), learner()
    for seed in range(2):
        full.step(batch(seed=seed))
    for name, one in half.weights.masters.items():
        one.data.copy_(full.weights.masters[name])
    half.weights.publish()
    assert all(one.dtype == torch.float32 for one in half.weights.masters.values())
    assert all(one.dtype == torch.bfloat16 for one in half.model.parameters())
    one, two = (torch.cat([grad.flatten() for grad in gradients(mine, batch()).values()]) for mine in (half, full))
    assert torch.cosine_similarity(one, two, dim=0) > 0.999


def test_a_step_smaller_than_half_precision_can_tell_is_not_lost() -> None:
    mine = learner(replace(LORA, rate=1e-6, dtype="bfloat16"))
    start = {name: one.detach().clone() for name, one in mine.weights.masters.items()}
    for _ in range(3):
        mine.step(batch())
    moved = [float((one.detach() - start[name]).abs().max()) for name, one in mine.weights.masters.items()]
    assert 1e-6 < max(moved) < 4e-6


def test_the_merged_weight_is_rounded_once() -> None:
    frozen = torch.tensor([[1.0, 1.0]], dtype=torch.bfloat16)
    factors = Factors(a=torch.tensor([[0.011718, 0.011720]]), b=torch.tensor([[0.5]]), scale=2.0)
    assert merged(frozen, factors).tolist() == [[1.0078125, 1.015625]]  # 0.01172 alone would round to a tie


def test_of_what_is_added_nothing_is_lost_on_average() -> None:
    """Each number becomes one of its two neighbours in bfloat16, in shares that leave the mean where it was."""
    draw = torch.Generator().manual_seed(0)
    frozen = torch.randn(256, 512, generator=draw).mul_(0.02).bfloat16()
    gap = 2.0**-13  # between bfloat16 numbers of that size
    for added in (0.03 * gap, -0.03 * gap, 0.4 * gap, 3.7 * gap):
        factors = Factors(a=torch.full((1, 512), added / 2), b=torch.ones(256, 1), scale=2.0)
        whole, found = frozen.float() + added, merged(frozen, factors)
        apart = found.float() - whole
        assert bool((apart.abs() < whole.abs() * 2**-7 + 1e-9).all())
        assert float(apart.mean()) == pytest.approx(0, abs=0.05 * abs(added))
    nothing = Factors(a=torch.ones(1, 512), b=torch.zeros(256, 1), scale=2.0)
    assert torch.equal(merged(frozen, nothing), frozen)


def test_half_precision_takes_the_steps_of_full_precision_from_the_first_on() -> None:
    """What the model's weights have moved by, along what the factors say, at a rate for reinforcement."""
    wide: dict[str, Any] = {"hidden": 128, "intermediate_size": 256, "initializer_range": 0.02}
    mine = learner(replace(LORA, rate=3e-5, lora_rank=16, dtype="bfloat16"), **wide)
    for _ in range(2):
        mine.step(batch())
        said, moved = torch.zeros(()), torch.zeros(())
        for path, factors in mine.weights.factors.items():  # type: ignore[attr-defined]
            frozen = mine.weights.frozen[path].float()  # type: ignore[attr-defined]
            change = factors.scale * factors.b.detach() @ factors.a.detach()
            moved += ((mine.weights.layers[path].weight.float() - frozen) * change).sum()  # type: ignore[attr-defined]
            said += change.square().sum()
        assert float(moved / said) == pytest.approx(1, abs=0.1)


def test_the_length_of_the_gradient_is_that_of_the_factors() -> None:
    mine = learner(replace(LORA, clip_norm=0.01))
    told = mine.step(batch())
    assert told["learn/grad_norm"] > 0.05
    found = gradients(mine, batch())
    assert float(torch.nn.utils.get_total_norm(list(found.values()))) == pytest.approx(0.01, rel=1e-3)


def test_layers_are_chosen_by_the_ends_of_their_names() -> None:
    mine = learner(replace(LORA, lora_targets=("q_proj", "layers.1.mlp.up_proj")))
    paths = ("model.layers.0.self_attn.q_proj", "model.layers.1.self_attn.q_proj", "model.layers.1.mlp.up_proj")
    assert set(mine.weights.parameters) == {f"{path}.weight" for path in paths}


def test_layers_that_cannot_be_adapted_are_refused() -> None:
    with pytest.raises(RecipeError, match="unknown linear layer in lora_targets 'p_proj'") as caught:
        learner(replace(LORA, lora_targets=("up_proj", "p_proj")))
    assert "did you mean 'up_proj'" in caught.value.hint
    with pytest.raises(RecipeError, match="LoRA cannot adapt lm_head, the head"):
        learner(replace(LORA, lora_targets=("up_proj", "lm_head")))
    shared = small()
    shared.model.layers[1].mlp.up_proj.weight = shared.model.layers[0].mlp.up_proj.weight
    with pytest.raises(RecipeError, match=r"layers\.0\.mlp\.up_proj: its weight is also model\.layers\.1\.mlp"):
        TorchLearner(brain_of(shared), LORA)


def test_the_kl_needs_no_copy_of_a_start_that_is_the_model_itself() -> None:
    mine: Any = learner(loss=LossSettings(kl=0.1))
    assert [one.data_ptr() for one in mine._start] == [one.data_ptr() for one in mine.weights.frozen.values()]


# ------------------------------------------------------------------------------------------------------- the folder


def test_a_checkpoint_is_an_ordinary_adapter_folder(tmp_path: Path) -> None:
    from peft import PeftModel

    mine = learner()
    for seed in range(3):
        mine.step(batch(seed=seed))
    mine.save(tmp_path / "one")
    assert not (tmp_path / "one" / "model.safetensors").exists()
    theirs = PeftModel.from_pretrained(small(), tmp_path / "one")
    assert torch.allclose(theirs(IDS).logits, mine.model(IDS).logits, atol=1e-5)
    assert not torch.allclose(small()(IDS).logits, mine.model(IDS).logits, atol=0.1)


def test_the_description_names_the_layers_so_that_no_other_is_meant(tmp_path: Path) -> None:
    named = {}
    for number, targets in enumerate([(), ("layers.1.mlp.up_proj",)]):
        learner(replace(LORA, lora_targets=targets, lora_alpha=10)).save(tmp_path / str(number))
        config = json.loads((tmp_path / str(number) / "adapter_config.json").read_text())
        named[number] = config["target_modules"]
        assert config["r"] == 4 and config["lora_alpha"] == 10
    ends = ["down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"]
    assert named == {0: ends, 1: ["model.layers.1.mlp.up_proj"]}


def test_an_adapter_of_another_strength_is_refused(tmp_path: Path) -> None:
    learner().save(tmp_path / "one")
    with pytest.raises(StoreError, match="scales its adapter by 8, and the learner by 4"):
        learner(replace(LORA, lora_alpha=16)).start(tmp_path / "one")


def test_what_cannot_be_learnt_leaves_the_layers_as_they_were() -> None:
    mine: Any = learner()

    def broken(*_: Any) -> None:
        raise ArithmeticError

    layer: nn.Module = mine.model.get_submodule("model.layers.0.mlp.up_proj")
    layer.forward = broken
    with pytest.raises(ArithmeticError), mine.weights.gathering():
        raise ArithmeticError
    assert layer.forward is broken
    del layer.forward
    assert not any("forward" in vars(part) for part in mine.model.modules())
