"""The policy `endpoint` on a real vLLM server: the same replies as ours, and errors in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

pytest.importorskip("torch")

from serving import serving

from prowess.errors import ContextOverflow, PolicyGone, RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.endpoint.endpoint import Endpoint
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.policies.engines import check_engine
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings
from prowess.policies.server.settings import ServerSettings
from prowess.types import Completion, Message, Sample

pytestmark = pytest.mark.slow

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
SHAPE = TinySettings(layers=2, hidden=128, heads=4, kv_heads=2, inner=96, vocab=400, positions=512, spread=0.2)
ASKED = (Message(role="user", content="Add an alarm at 7"),)


@pytest.fixture(scope="module")
def brain() -> Brain:
    return make_tiny(TEXTS, SHAPE, seed=3)


@pytest.fixture(scope="module")
def served(brain: Brain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndpointSettings]:
    """A server with the model, and how to reach it."""
    folder: Path = tmp_path_factory.mktemp("served")
    learner = TorchLearner(brain, LearnerSettings(rate=0.0), LossSettings(), SamplingSettings())
    learner.step([Sample(tokens=(5, 6, 7), weights=(0.0, 1.0, -1.0), logprobs=(0.0, -1.0, -1.0))])
    learner.save(folder / "model")  # a checkpoint, moments and all: any server takes it as it is
    with serving(folder / "model", folder / "log") as url:
        yield EndpointSettings(url=f"{url}/v1", model="mine", reply_tokens=20, tries=1)


def told(settings: EndpointSettings, *, seed: int = 1, asked: tuple[Message, ...] = ASKED) -> Completion:
    with closing(Endpoint(settings)) as policy:
        return policy(asked, seed=seed)


def test_a_server_says_what_our_own_sampler_says(served: EndpointSettings, brain: Brain) -> None:
    theirs = told(replace(served, temperature=0.0))
    ours = LocalPolicy(brain, SamplingSettings(temperature=0.0, reply_tokens=20))(ASKED, seed=1)
    shown = brain.chat.tokenizer.decode(ours.tokens, skip_special_tokens=True)  # a server drops control tokens
    assert theirs.text.strip() == shown.strip()
    assert (theirs.prompt_tokens, theirs.reply_tokens) == (ours.prompt_tokens, ours.reply_tokens)


def test_a_seed_is_a_reply(served: EndpointSettings) -> None:
    assert told(served, seed=5).text == told(served, seed=5).text != told(served, seed=6).text


def test_too_long_a_conversation_and_a_wrong_name_are_told(served: EndpointSettings) -> None:
    with pytest.raises(ContextOverflow):
        told(served, asked=(Message(role="user", content="alarm " * 400),))
    with pytest.raises(PolicyGone, match="nobody"):
        told(replace(served, model="nobody"))


@pytest.mark.parametrize(("weights", "wanted"), [("adapter", "load_lora_adapter"), ("whole", "collective_rpc")])
def test_as_an_engine_it_is_refused_with_the_command_that_starts_one(
    served: EndpointSettings, weights: Literal["adapter", "whole"], wanted: str
) -> None:
    """It was started without what lets it be given weights."""
    server = ServerSettings(urls=(served.url,), weights=weights)
    with pytest.raises(RecipeError, match=wanted) as caught:
        check_engine(SamplingSettings(engine="server", server=server))
    assert "vllm serve MODEL" in caught.value.hint
