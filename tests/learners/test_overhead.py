"""What a micro-batch costs beside its products: kernels that are started, and waits for the device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")

import torch
from small_models import batch, brain_of, small
from torch.utils._python_dispatch import TorchDispatchMode
from transformers.models.llama import modeling_llama

from prowess.learners import torch as learners
from prowess.learners.likelihood import learning
from prowess.learners.memory import watched
from prowess.learners.rotary import _same, turning
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import MicroBatch, TorchLearner
from prowess.policies.sampling import SamplingSettings

VIEWS = frozenset(
    "alias as_strided detach empty empty_like empty_strided expand new_empty permute select slice split "
    "split_with_sizes squeeze t transpose unbind unsqueeze view _unsafe_view".split()
)
"""What costs a device nothing."""


class Kernels(TorchDispatchMode):
    """Counts what is started on the device."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def __torch_dispatch__(self, call: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = call.__name__.partition(".")[0]
        self.seen[name] += name not in VIEWS
        return call(*args, **(kwargs or {}))


@pytest.mark.parametrize(("rank", "most"), [(0, 400), (4, 400)])
def test_a_micro_batch_starts_few_kernels(rank: int, most: int) -> None:
    settings = LearnerSettings(lora_rank=rank, dtype="bfloat16", micro_tokens=1)
    learner = TorchLearner(brain_of(small("qwen2", max_position_embeddings=256)), settings)
    started = []
    for count in (1, 3):
        with Kernels() as kernels:
            learner.step(batch(4)[:count])
        started.append(kernels.seen.total())
    assert (started[1] - started[0]) / 2 < most  # two layers: 377 and 376; they were 435 and 492


@pytest.mark.parametrize("family", ["llama", "qwen2"])
def test_nothing_waits_for_the_device_until_the_step_is_over(family: str) -> None:
    learner = TorchLearner(brain_of(small(family)), LearnerSettings(micro_tokens=40))
    streams = learner._streams(learner._pieces(batch()), known=True)
    assert len(streams) > 1
    with Kernels() as kernels, learning(learner.model, packed=True):
        for stream in streams:
            torch.autograd.backward(learner._loss(MicroBatch(stream=stream, old=None, reference=None), 1.0).value)
    assert kernels.seen["_local_scalar_dense"] == 0


# --------------------------------------------------------------------------------------------------------- turning


def test_queries_and_keys_are_turned_as_transformers_does_it() -> None:
    model: Any = small()
    own = modeling_llama.apply_rotary_pos_emb
    draw = torch.Generator().manual_seed(1)
    shapes = ((1, 4, 5, 8), (1, 2, 5, 8), (1, 5, 8), (1, 5, 8))
    query, key, cos, sin = (torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes)

    def told() -> list[torch.Tensor]:
        given = [query.clone().requires_grad_(), key.clone().requires_grad_()]
        out = modeling_llama.apply_rotary_pos_emb(*given, cos, sin)
        slopes = [torch.linspace(-1, 1, one.numel(), dtype=one.dtype).view(one.shape) for one in out]
        return [*out, *torch.autograd.grad(out, given, slopes)]

    before = told()
    with turning(model):
        assert modeling_llama.apply_rotary_pos_emb is not own
        now = told()
    assert modeling_llama.apply_rotary_pos_emb is own
    assert all(torch.allclose(one, other, atol=1e-12) for one, other in zip(now, before, strict=True))


def test_a_family_that_turns_otherwise_is_let_be() -> None:
    from transformers.models.cohere import modeling_cohere  # neighbours together
    from transformers.models.glm import modeling_glm  # a part of each head

    assert _same(modeling_llama.apply_rotary_pos_emb)
    assert not _same(modeling_glm.apply_rotary_pos_emb)
    assert not _same(modeling_cohere.apply_rotary_pos_emb)
    assert not _same(lambda q, k, cos, sin: (q * cos[:, None], k * cos[:, None]))


def test_models_that_turn_a_part_of_each_head_learn_as_they_compute() -> None:
    from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, Phi3Config, Phi3ForCausalLM

    shape = {"vocab_size": 96, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    words = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    turns = {"rope_type": "default", "rope_theta": 100.0, "partial_rotary_factor": 0.5}
    for config, build in ((Phi3Config, Phi3ForCausalLM), (GPTNeoXConfig, GPTNeoXForCausalLM)):
        torch.manual_seed(0)
        model: Any = build(
            config(**shape, **words, num_attention_heads=4, initializer_range=0.15, rope_parameters=turns)
        ).eval()
        (sample,) = batch(1)
        logits = model(input_ids=torch.tensor([sample.tokens])).logits[0].detach().log_softmax(-1)
        own = [float(logits[place - 1, token]) for place, token in enumerate(sample.tokens) if sample.mask[place]]
        (found,) = TorchLearner(brain_of(model), LearnerSettings()).logprobs([sample])
        assert [one for one, said in zip(found, sample.mask, strict=True) if said] == pytest.approx(own, abs=1e-4)


# ---------------------------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize(
    ("device", "shared", "calls", "told"),
    [
        ("cuda", True, ["reset", "empty"], {"learn/peak_gb": 3.0}),
        ("cuda", False, ["reset"], {"learn/peak_gb": 3.0}),
        ("cpu", True, [], {}),
    ],
)
def test_memory_is_told_on_a_gpu_and_given_back_where_it_is_shared(
    device: str, shared: bool, calls: list[str], told: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    found: dict[str, float] = {}
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", lambda device: seen.append("reset"))
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: 3 * 2**30)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: seen.append("empty"))
    with watched(torch.device(device), found, shared=shared):
        pass
    assert (seen, found) == (calls, told)


@pytest.mark.parametrize(("engine", "plays", "shared"), [("vllm", True, True), ("vllm", False, False)])
def test_a_device_is_shared_once_engines_play_on_it(
    engine: Any, plays: bool, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner: Any = TorchLearner(brain_of(small()), sampling=SamplingSettings(engine=engine))
    learner._player = SimpleNamespace(rest=lambda: None) if plays else None
    seen: list[bool] = []

    @contextmanager
    def watching(device: torch.device, told: dict[str, float], *, shared: bool) -> Iterator[None]:
        seen.append(shared)
        yield
        told["learn/peak_gb"] = 2.5

    monkeypatch.setattr(learners, "watched", watching)
    assert learner.step(batch())["learn/peak_gb"] == 2.5 and seen == [shared]
