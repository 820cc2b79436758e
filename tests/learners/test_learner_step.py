"""Learning from a batch: what is changed, what is told, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from small_models import batch, brain_of, sample_of, small

from prowess.errors import RecipeError
from prowess.learners import torch as torch_learner
from prowess.learners.likelihood import Likelihood
from prowess.learners.losses import LossSettings
from prowess.learners.optimiser import rate_at
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.types import Sample

FAST = LearnerSettings(rate=1e-2)


def learner(settings: LearnerSettings = FAST, loss: LossSettings | None = None, **model: Any) -> TorchLearner:
    return TorchLearner(brain_of(small(**model)), settings, loss)


def weights(one: TorchLearner) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in one.model.named_parameters()}


def told(metrics: dict[str, float]) -> dict[str, float]:
    """Without what differs between equal runs, or is only told again."""
    return {name: value for name, value in metrics.items() if "second" not in name and name != "learn/checkpointing"}


@pytest.mark.parametrize("aggregate", ["sequence", "token"])
def test_micro_batches_of_any_size_make_the_same_step(aggregate: Any) -> None:
    loss = LossSettings(aggregate=aggregate)
    whole = learner(replace(FAST, micro_tokens=10_000), loss)
    pieces = learner(replace(FAST, micro_tokens=20), loss)
    before = weights(whole)
    one, many = whole.step(batch(), per=3), pieces.step(batch(), per=3)
    assert one["learn/grad_norm"] == pytest.approx(many["learn/grad_norm"], rel=1e-5)
    assert one["learn/loss"] == pytest.approx(many["learn/loss"], rel=1e-5)
    moved = max(float((value - before[name]).abs().max()) for name, value in weights(whole).items())
    apart = max(float((value - weights(pieces)[name]).abs().max()) for name, value in weights(whole).items())
    assert moved > 5e-3 and apart < 1e-4


def test_a_step_shows_how_many_samples_it_has_learnt_from() -> None:
    shown: list[tuple[int, int, int]] = []
    settings = replace(FAST, micro_tokens=1)  # a micro-batch for each
    mine = TorchLearner(brain_of(small()), settings, watch=lambda *seen: shown.append(seen))
    mine.step(batch(), per=3)
    assert shown == [(0, done, len(batch())) for done in range(len(batch()) + 1)]
    mine.step(batch()[:1])
    assert shown[-2:] == [(1, 0, 1), (1, 1, 1)]


def test_a_step_is_the_papers_objective_on_the_models_own_log_probabilities() -> None:
    """Sum over samples of the mean over said tokens of A * log-probability, by `per`: one plain step of AdamW on it."""
    mine = learner(replace(FAST, clip_norm=0.0))
    model = small()
    rule = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    total = torch.zeros(())
    for sample in batch():
        logprobs = model(input_ids=torch.tensor([sample.tokens])).logits[0].log_softmax(-1)
        said = [place for place, one in enumerate(sample.mask) if one]
        total = total - sum(sample.weights[p] * logprobs[p - 1, sample.tokens[p]] for p in said) / len(said) / 3
    total.backward()
    expected = torch.nn.utils.get_total_norm([one.grad for one in model.parameters()])
    rule.step()
    metrics = mine.step(batch(), per=3)
    assert metrics["learn/grad_norm"] == pytest.approx(float(expected), rel=1e-4)
    for name, one in model.named_parameters():
        assert torch.allclose(one, weights(mine)[name], atol=2e-4), name


def test_what_was_rewarded_becomes_likelier_and_what_was_punished_does_not() -> None:
    good, bad = sample_of(20, seed=1, weight=1.0), sample_of(21, seed=2, weight=-1.0)
    mine = learner(replace(FAST, rate=3e-3))
    before = [sum(row) for row in mine.logprobs([good, bad])]
    for _ in range(3):
        mine.step([good, bad])
    after = [sum(row) for row in mine.logprobs([good, bad])]
    assert after[0] > before[0] + 1 and after[1] < before[1] - 1


def test_imitation_learns_a_sequence_by_heart() -> None:
    sample = sample_of(30)
    mine = learner(FAST, LossSettings(kind="imitate"))
    first = mine.loss([sample])
    for _ in range(40):
        metrics = mine.step([sample])
    assert first > 4 and metrics["learn/loss"] < 0.1 and mine.loss([sample]) < 0.1


def test_metrics_say_what_happened() -> None:
    metrics = learner().step(batch(), per=3)
    said = sum(sum(sample.mask) for sample in batch())
    assert metrics["learn/tokens"] == said
    assert metrics["learn/skipped"] == 0.0 and metrics["learn/rate"] == 1e-2
    assert metrics["learn/fed"] < sum(len(sample.tokens) for sample in batch())
    assert metrics["learn/tokens_per_second"] > 0
    assert 0 < metrics["learn/entropy"] < math.log(96)
    assert metrics["learn/ratio"] == pytest.approx(1.0)
    assert metrics["learn/mismatch"] > 0


def test_what_samples_share_is_computed_once_and_told_and_changes_nothing() -> None:
    begun = sample_of(30)
    ends = [(n, (begun.tokens[0] + n) % 96) for n in range(4)]
    group = [replace(begun, tokens=(*begun.tokens[:25], *last, *begun.tokens[27:])) for last in ends]
    shared, alone = learner(), learner(replace(FAST, micro_tokens=1))
    one, other = shared.step(group), alone.step(group)
    fed = 29  # the last token is said, and asked about only
    assert other["learn/fed"] == 4 * fed and other["learn/shared"] == 0
    assert one["learn/fed"] == 25 + 4 * (fed - 25) and one["learn/shared"] == pytest.approx(75 / (4 * fed))
    assert one["learn/tokens"] == other["learn/tokens"] and one["learn/loss"] == pytest.approx(other["learn/loss"])
    assert one["learn/grad_norm"] == pytest.approx(other["learn/grad_norm"], rel=1e-5)


def test_a_batch_without_advantages_computes_nothing_shares_nothing_and_changes_nothing() -> None:
    mine = learner()
    before = weights(mine)
    flat = mine.step([replace(sample, weights=(0.0,) * len(sample.tokens)) for sample in batch()])
    told = ("learn/fed", "learn/shared", "learn/loss", "learn/grad_norm", "learn/skipped")
    assert [flat[name] for name in told] == [0.0] * 5 and mine.steps == 1
    assert all(torch.equal(value, before[name]) for name, value in weights(mine).items())


def test_the_samplers_log_probabilities_agree_with_the_learners() -> None:
    mine = learner()
    exact = [replace(one, logprobs=row) for one, row in zip(batch(), mine.logprobs(batch()), strict=True)]
    assert mine.step(exact)["learn/mismatch"] < 1e-5


def test_unknown_log_probabilities_of_the_sampler_are_not_compared() -> None:
    unknown = [replace(sample, logprobs=(0.0,) * len(sample.tokens)) for sample in batch()]
    assert "learn/mismatch" not in learner().step(unknown)


def test_a_sample_nobody_said_is_imitated_beside_those_that_were_and_hides_nothing_of_them() -> None:
    mine = learner(loss=LossSettings(tis=2.0))
    exact = [replace(one, logprobs=row) for one, row in zip(batch(), mine.logprobs(batch()), strict=True)]
    shown = replace(batch()[0], logprobs=(0.0,) * len(batch()[0].tokens))
    assert mine.step([*exact, shown])["learn/mismatch"] < 1e-5
    far = [replace(one, logprobs=tuple(value - 1.0 for value in one.logprobs)) for one in exact]
    assert learner().step([*far, shown])["learn/mismatch"] == pytest.approx(1.0, rel=1e-3)


def test_several_updates_of_a_batch_compare_with_the_weights_before_the_first() -> None:
    mine = learner(replace(FAST, epochs=2, minibatches=3))
    metrics = mine.step(batch(), per=3)
    assert metrics["learn/ratio"] != pytest.approx(1.0, abs=1e-3)
    assert metrics["learn/clip_high"] + metrics["learn/clip_low"] > 0
    assert metrics["learn/tokens"] == 2 * sum(sum(sample.mask) for sample in batch())


def test_a_batch_smaller_than_its_minibatches_makes_as_many_as_it_can() -> None:
    told = [learner(replace(FAST, minibatches=count)).step(batch(), per=3) for count in (len(batch()), 99)]
    assert [one["learn/loss"] for one in told] == [told[0]["learn/loss"]] * 2


def test_minibatches_divide_by_their_share_of_the_rollouts() -> None:
    """With a rate of 0 nothing changes, so the two halves' gradients are of one size with the whole's."""
    still = replace(FAST, rate=0.0)
    whole = learner(still).step(batch(), per=3)["learn/loss"]
    halves = learner(replace(still, minibatches=2)).step(batch(), per=3)["learn/loss"]
    assert halves == pytest.approx(whole, rel=1e-4)


@pytest.mark.parametrize("rank", [0, 4])
def test_the_kl_is_measured_from_the_start_and_holds_the_weights_back(rank: int) -> None:
    settings = replace(FAST, lora_rank=rank)
    free, held = learner(settings, LossSettings(kl=1e-9)), learner(settings, LossSettings(kl=5.0))
    assert free.step(batch())["learn/kl"] == pytest.approx(0, abs=1e-9)
    held.step(batch())
    for _ in range(8):
        loose, tight = free.step(batch()), held.step(batch())
    assert loose["learn/kl"] > 2 * tight["learn/kl"] > 0


def test_without_a_kl_no_start_is_kept() -> None:
    assert learner()._start == []


def test_samples_that_teach_nothing_are_not_fed_but_counted() -> None:
    flat = sample_of(25, seed=9, weight=0.0)
    alone, beside = learner(), learner()
    one = alone.step([sample_of(12)], per=2)
    two = beside.step([sample_of(12), flat], per=2)
    assert one["learn/fed"] == two["learn/fed"] and one["learn/loss"] == two["learn/loss"]
    by_token = LossSettings(aggregate="token")
    short, long = learner(FAST, by_token), learner(FAST, by_token)
    ratio = short.step([sample_of(12)])["learn/loss"] / long.step([sample_of(12), flat])["learn/loss"]
    assert ratio == pytest.approx((sum(sample_of(12).mask) + sum(flat.mask)) / sum(sample_of(12).mask))


def test_a_batch_without_any_signal_changes_nothing() -> None:
    mine = learner()
    before = weights(mine)
    metrics = mine.step([sample_of(25, weight=0.0)])
    assert metrics["learn/loss"] == 0 and metrics["learn/grad_norm"] == 0 and metrics["learn/skipped"] == 0
    assert all(torch.equal(value, before[name]) for name, value in weights(mine).items())
    assert mine.steps == 1


def test_long_gradients_are_shortened() -> None:
    def move(clip: float) -> float:
        mine = learner(replace(FAST, clip_norm=clip))
        shown = mine.optimiser.change
        norms: list[float] = []

        def change(rate: float) -> None:
            grads = [one.grad for one in mine.optimiser.masters.values() if one.grad is not None]
            norms.append(float(torch.nn.utils.get_total_norm(grads)))
            shown(rate)

        mine.optimiser.change = change  # type: ignore[method-assign]
        mine.step(batch())
        return norms[0]

    assert move(0.01) == pytest.approx(0.01, rel=1e-3)
    assert move(0.0) > 0.1


def test_gradient_checkpointing_changes_nothing_but_memory() -> None:
    plain, again = learner(), learner(replace(FAST, checkpointing=True))
    assert told(plain.step(batch())) == pytest.approx(told(again.step(batch())), rel=1e-5)
    assert all(torch.allclose(value, weights(plain)[name], atol=1e-5) for name, value in weights(again).items())


@pytest.mark.parametrize("checkpointing", [False, True])
def test_with_checkpointing_layers_are_computed_twice_and_looks_cost_no_more(checkpointing: bool) -> None:
    mine = learner(replace(FAST, checkpointing=checkpointing))
    seen: list[Any] = []
    mine.model.model.layers[1].mlp.register_forward_pre_hook(lambda *given: seen.append(given))
    mine.step(batch())
    assert len(seen) == 1 + checkpointing
    mine.logprobs(batch()[:1])
    assert len(seen) == 2 + checkpointing


def test_a_model_without_layers_for_checkpointing_is_refused() -> None:
    model = small()
    model.model.layers = torch.nn.ModuleList()
    with pytest.raises(RecipeError, match="no layers for checkpointing"):
        TorchLearner(brain_of(model), replace(FAST, checkpointing=True))


def opt() -> Any:
    """Drops out by a function, by default."""
    from transformers import OPTConfig, OPTForCausalLM

    shape = {"hidden_size": 32, "word_embed_proj_dim": 32, "ffn_dim": 64, "max_position_embeddings": 64}
    return OPTForCausalLM(OPTConfig(vocab_size=96, num_hidden_layers=2, num_attention_heads=4, layerdrop=0.3, **shape))


def gemma() -> Any:
    """Attends in a way of its own, so that its sequences are not packed."""
    from transformers import Gemma2Config, Gemma2ForCausalLM

    shape = {"hidden_size": 32, "intermediate_size": 64, "head_dim": 8, "max_position_embeddings": 64}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "query_pre_attn_scalar": 8, "attention_dropout": 0.3}
    return Gemma2ForCausalLM(Gemma2Config(vocab_size=96, num_hidden_layers=2, **shape, **heads))


def mixtral() -> Any:
    """Adds noise to what chooses its experts."""
    from transformers import MixtralConfig, MixtralForCausalLM

    shape = {"hidden_size": 32, "intermediate_size": 64, "max_position_embeddings": 64, "num_local_experts": 4}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "router_jitter_noise": 0.3}
    return MixtralForCausalLM(MixtralConfig(vocab_size=96, num_hidden_layers=2, **shape, **heads))


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("make", [opt, gemma, mixtral])
def test_whatever_a_family_does_in_training_mode_alone_is_not_done(
    make: Callable[[], Any], checkpointing: bool
) -> None:
    found = []
    for seed in (1, 2):
        torch.manual_seed(0)
        mine = TorchLearner(brain_of(make()), replace(FAST, checkpointing=checkpointing))
        nll = -sum(map(sum, mine.logprobs(batch()))) / sum(sum(sample.mask) for sample in batch())
        torch.manual_seed(seed)
        found.append(told(mine.step(batch())))
        assert found[-1]["learn/nll"] == pytest.approx(nll, rel=1e-5)
    assert found[0] == found[1]


def test_dropout_stays_off_so_that_probabilities_are_the_samplers() -> None:
    first, second = learner(attention_dropout=0.5), learner(attention_dropout=0.5)
    torch.manual_seed(1)
    one = told(first.step(batch()))
    torch.manual_seed(2)
    assert one == told(second.step(batch()))


def test_the_same_batches_give_the_same_weights_bit_for_bit() -> None:
    first, second = learner(), learner()
    for mine in (first, second):
        for seed in range(3):
            mine.step(batch(seed=seed))
    assert all(torch.equal(value, weights(second)[name]) for name, value in weights(first).items())


def test_the_model_is_left_as_the_sampler_wants_it() -> None:
    mine = learner()
    mine.step(batch())
    assert not mine.model.training and mine.model.config._attn_implementation == "sdpa"
    assert all(one.grad is None for one in mine.model.parameters())


def test_a_model_that_mixes_sequences_gets_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = learner()
    monkeypatch.setattr("prowess.learners.torch.packable", lambda model: False)
    careful = learner()
    assert not careful.packed and usual.packed
    assert told(careful.step(batch())) == pytest.approx(told(usual.step(batch())), rel=1e-4)


def test_a_model_that_cannot_attend_to_a_stream_gets_one_sequence_at_a_time() -> None:
    from transformers import FalconConfig, FalconForCausalLM  # wants a mask from whatever attends

    torch.manual_seed(0)
    shape = {"vocab_size": 96, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    mine = TorchLearner(brain_of(FalconForCausalLM(FalconConfig(**shape)).eval()), replace(FAST, rate=1e-3))
    assert not mine.packed and mine.step(batch())["learn/grad_norm"] > 0


def test_a_model_that_turns_by_the_longest_sequence_gets_one_at_a_time() -> None:
    turns = {"rope_theta": 100.0, "factor": 4.0, "original_max_position_embeddings": 16}
    factors = {"short_factor": [1.0] * 4, "long_factor": [4.0] * 4}
    mine = learner(rope_parameters={"rope_type": "longrope", **turns, **factors})
    samples = [sample_of(12, seed=1), sample_of(40, seed=2)]
    nll = -sum(map(sum, mine.logprobs(samples))) / sum(sum(sample.mask) for sample in samples)
    assert mine.step(samples)["learn/nll"] == pytest.approx(nll, rel=1e-5)


def test_a_model_with_logits_of_its_own_kind_is_refused() -> None:
    model = small()
    forward = model.forward

    def louder(*given: Any, **named: Any) -> Any:
        out = forward(*given, **named)
        out.logits = out.logits * 2
        return out

    model.forward = louder
    with pytest.raises(RecipeError, match="LlamaForCausalLM changes its logits"):
        TorchLearner(brain_of(model), FAST)


# ----------------------------------------------------------------------------------------------------------- bfloat16


def test_weights_in_half_precision_do_not_lose_small_steps() -> None:
    settings = LearnerSettings(rate=1e-5, dtype="bfloat16")
    mine = learner(settings)
    assert all(one.dtype == torch.bfloat16 for one in mine.model.parameters())
    assert mine.model.model.rotary_emb.inv_freq.dtype == torch.float32
    start = {name: one.detach().clone() for name, one in mine.optimiser.masters.items()}
    for _ in range(3):
        mine.step(batch())
    name = "model.layers.0.mlp.up_proj.weight"
    moved = (mine.optimiser.masters[name].detach() - start[name]).abs()
    assert 1e-5 < float(moved.max()) < 4e-5
    assert torch.equal(mine.optimiser.masters[name].bfloat16(), mine.weights.parameters[name])


def test_a_model_may_be_handed_to_another_learner() -> None:
    brain = brain_of(small())
    first, second = (TorchLearner(brain, replace(FAST, dtype="bfloat16")) for _ in range(2))
    alone = learner(replace(FAST, dtype="bfloat16"))
    assert told(second.step(batch())) == told(alone.step(batch()))
    assert all(one.grad is None for one in first.optimiser.masters.values())


# ------------------------------------------------------------------------------------------------------------- refusals


def test_an_empty_batch_is_refused() -> None:
    with pytest.raises(RecipeError, match="no samples"):
        learner().step([])


def test_a_sample_longer_than_the_context_is_refused_with_both_numbers() -> None:
    with pytest.raises(RecipeError, match=r"71 tokens .* context is 64"):
        learner().step([sample_of(72)])


def test_an_update_that_is_not_a_number_is_skipped_and_several_in_a_row_end_it() -> None:
    mine = learner(replace(FAST, patience=3))
    poisoned = [replace(sample, weights=(math.nan,) * len(sample.tokens)) for sample in batch()]
    before = weights(mine)
    assert mine.step(poisoned)["learn/skipped"] == 1
    assert mine.step(poisoned)["learn/skipped"] == 1
    assert all(torch.equal(value, before[name]) for name, value in weights(mine).items())
    assert mine.step(batch())["learn/skipped"] == 0
    mine.step(poisoned)
    mine.step(poisoned)
    with pytest.raises(RecipeError, match="3 updates in a row were skipped"):
        mine.step(poisoned)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("CUDA error: out of memory"),
        RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory"),
    ],
)
def test_running_out_of_memory_names_the_setting_that_helps(
    monkeypatch: pytest.MonkeyPatch, error: RuntimeError
) -> None:
    mine = learner(replace(FAST, micro_tokens=4096))

    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("prowess.learners.torch.likelihood", full)
    with pytest.raises(RecipeError) as caught:
        mine.step(batch())
    longest = max(len(sample.tokens) for sample in batch())
    least = next(tokens for tokens in (4096 >> times for times in range(12)) if tokens < longest)
    assert f"micro_tokens {least}:" in caught.value.message and f"({least // 2})" in caught.value.hint
    assert mine.done == 0, "as it was before the step: it can be saved"


@pytest.mark.parametrize("rank", [0, 4])
def test_where_memory_runs_out_micro_batches_are_halved_and_the_step_is_the_same(
    rank: int, caplog: pytest.LogCaptureFixture
) -> None:
    settings = replace(FAST, lora_rank=rank)
    small, large = (learner(replace(settings, micro_tokens=tokens)) for tokens in (64, 256))
    samples = [sample_of(30 + number, seed=number, weight=(-1.0) ** number) for number in range(16)]
    fits = [small.step(samples), small.step(samples)]
    passes: list[int] = []

    def crowded(_: Any, inputs: tuple[torch.Tensor, ...]) -> None:
        passes.append(inputs[0].shape[-2])
        if len(passes) > 1 and passes[-1] > 64:  # the first pass fits: its gradients are to be forgotten
            raise torch.OutOfMemoryError("CUDA out of memory")

    large.model.model.layers[-1].register_forward_pre_hook(crowded)
    told = [large.step(samples), large.step(samples)]
    assert max(passes) > 64 and [one["learn/micro_tokens"] for one in told] == [64, 64]
    assert [one["learn/loss"] for one in told] == [one["learn/loss"] for one in fits]
    assert all(torch.equal(value, weights(small)[name]) for name, value in weights(large).items())
    assert [record.args for record in caplog.records] == [(256,), (128,)]


def greedy(new: torch.Tensor, old: torch.Tensor, weights: torch.Tensor, *_: object) -> torch.Tensor:
    """A loss that wants memory for each token."""
    if len(new) > 100:
        raise torch.OutOfMemoryError("CUDA out of memory")
    return -(new - old).exp() * weights


def test_where_a_loss_of_somebody_elses_meets_the_lack_micro_batches_are_halved_too() -> None:
    mine = learner(replace(FAST, micro_tokens=256), LossSettings(kind="test_learner_step:greedy"))
    samples = [sample_of(30 + number, seed=number, weight=(-1.0) ** number) for number in range(16)]
    assert mine.step(samples)["learn/micro_tokens"] < 256


def test_where_the_longest_sample_does_not_fit_its_layers_are_computed_again_and_the_step_is_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Halving helps no sample that is longer than a micro-batch as it is."""
    asked, crowded = (learner(replace(FAST, micro_tokens=20, checkpointing=again)) for again in (True, False))
    samples = [sample_of(30 + number, seed=number, weight=(-1.0) ** number) for number in range(4)]
    fits = asked.step(samples)

    def full(module: Any, *_: Any) -> None:
        if "forward" not in vars(module):  # computed once, so that all of it is kept
            raise torch.OutOfMemoryError("CUDA out of memory")

    for layer in crowded.model.model.layers:
        layer.register_forward_pre_hook(full)
    told = crowded.step(samples)
    assert (told["learn/checkpointing"], told["learn/micro_tokens"]) == (1.0, 20.0)
    assert told["learn/loss"] == fits["learn/loss"]
    assert all(torch.equal(value, weights(asked)[name]) for name, value in weights(crowded).items())
    assert len(caplog.records) == 1 and "checkpointing from now on" in caplog.text
    assert crowded.step(samples)["learn/checkpointing"] == 1.0 and len(caplog.records) == 1


def test_where_memory_runs_out_after_a_change_layers_are_computed_again_and_the_step_is_the_same() -> None:
    """The batch is cut up by then, and what the ratios need was computed with weights that are gone."""
    settings = replace(FAST, micro_tokens=256, minibatches=2)
    asked, crowded = (learner(replace(settings, checkpointing=again)) for again in (True, False))
    samples = [sample_of(30 + number, seed=number, weight=(-1.0) ** number) for number in range(8)]
    fits, change = asked.step(samples), crowded.optimiser.change
    changed: list[float] = []

    def full(module: Any, *_: Any) -> None:
        if changed and "forward" not in vars(module):
            raise torch.OutOfMemoryError("CUDA out of memory")

    for layer in crowded.model.model.layers:
        layer.register_forward_pre_hook(full)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowded.optimiser, "change", lambda rate: (changed.append(rate), change(rate)))
        told = crowded.step(samples)
    assert len(changed) == 2 and (told["learn/checkpointing"], told["learn/micro_tokens"]) == (1.0, 256.0)
    assert told["learn/loss"] == fits["learn/loss"]
    assert all(torch.equal(value, weights(asked)[name]) for name, value in weights(crowded).items())


def test_memory_that_runs_out_for_good_after_a_change_is_told_and_leaves_it_between_two_steps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mine = learner(replace(FAST, micro_tokens=256, epochs=2))
    mine.step(batch())
    mine.save(whole := tmp_path / "whole")
    real, change = torch_learner.likelihood, mine.optimiser.change
    changed: list[float] = []

    def crowded(*args: Any, **kwargs: Any) -> Likelihood:
        if changed:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return real(*args, **kwargs)

    monkeypatch.setattr(torch_learner, "likelihood", crowded)
    monkeypatch.setattr(mine.optimiser, "change", lambda rate: (changed.append(rate), change(rate)))
    with pytest.raises(RecipeError, match="micro_tokens 256:"):
        mine.step(batch())
    assert len(changed) == 1
    assert mine.done is None
    mine.load(whole)
    assert mine.done == 1


def test_other_failures_are_not_taken_for_a_lack_of_memory() -> None:
    sample = Sample(tokens=(1, 2, 400), weights=(0, 0, 1.0), logprobs=(0, 0, 0))
    with pytest.raises((RuntimeError, IndexError)) as caught:
        learner().step([sample])
    assert "memory" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong", [{"rate": -1.0}, {"micro_tokens": 0}, {"epochs": 0}, {"betas": (0.9, 1.0)}, {"temperature": 0.0}]
)
def test_settings_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RecipeError, match=next(iter(wrong))):
        LearnerSettings(**wrong)


# ----------------------------------------------------------------------------------------------------------- the rate


def test_the_rate_climbs_and_falls() -> None:
    settings = LearnerSettings(rate=1.0, schedule="cosine", warmup=0.1, steps=20)
    rates = [rate_at(step, settings) for step in range(20)]
    assert rates[:3] == [0.5, 1.0, 1.0] and rates[11] == pytest.approx(0.5) and 0 < rates[19] < 0.01
    assert rates[2:] == sorted(rates[2:], reverse=True)


def test_a_cosine_without_its_length_is_refused_before_anything_is_learnt() -> None:
    with pytest.raises(RecipeError, match="steps is 0"):
        learner(replace(FAST, schedule="cosine"))


def test_the_learner_follows_the_schedule() -> None:
    mine = learner(LearnerSettings(rate=1e-2, warmup=2))
    assert [mine.step(batch())["learn/rate"] for _ in range(3)] == [5e-3, 1e-2, 1e-2]
