"""A real vLLM server as the engine: the model's very probabilities, weights that follow, and errors in our words."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from serving import serving
from test_vllm_learns import MARKS, prowess

from prowess.errors import ContextOverflow, PolicyError, PolicyGone, RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.play.concurrency import play_all
from prowess.policies.engines import player_for
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings
from prowess.policies.server.known import BARE
from prowess.policies.server.player import ServerPlayer
from prowess.policies.server.settings import ServerSettings
from prowess.run import Run
from prowess.types import Completion, Message, Request, Sample

pytestmark = pytest.mark.slow

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
SHAPE = TinySettings(layers=2, hidden=128, heads=4, kv_heads=2, inner=96, vocab=400, positions=512, spread=0.2)
ASKED = (Message(role="user", content="Add an alarm at 7"),)
GPU = torch.cuda.is_available()
NEAR = 0.02 if GPU else 1e-4
"""How far apart log-probabilities may be: full precision on both sides, the server's on a GPU if there is one."""
BOTH = {"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1", "VLLM_SERVER_DEV_MODE": "1"}
FLAGS = (
    "--enable-lora",
    "--max-lora-rank",
    "8",
    "--logprobs-mode",
    "processed_logprobs",
    "--generation-config",
    "auto",
    *BARE.split(),
)
COOKED = {"do_sample": True, "top_k": 5, "top_p": 0.8, "repetition_penalty": 1.3, "temperature": 0.7}
PLAINLY = "def plainly():\n    from vllm import _custom_ops\n    _custom_ops._supports_onednn = False\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model, as it was before anybody learnt. Its description of how to sample is none of a learner's, as with many
    models, and the server is started without what would have it ignored."""
    place = tmp_path_factory.mktemp("base") / "model"
    make_tiny(TEXTS, SHAPE, seed=3).save(place)
    (place / "generation_config.json").write_text(json.dumps(COOKED))
    return place


@pytest.fixture(scope="module")
def url(folder: Path) -> Iterator[str]:
    """A server that takes both kinds of weights. On a processor its layers would keep a copy of theirs, laid out for
    oneDNN, and not follow: a plug-in, as vLLM loads them, tells it that there is no oneDNN."""
    plugin = folder.parent / "plugin"
    (plugin / "plain-0.dist-info").mkdir(parents=True)
    (plugin / "plain-0.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: plain\nVersion: 0\n")
    (plugin / "plain-0.dist-info/entry_points.txt").write_text("[vllm.general_plugins]\nplain = plain:plainly\n")
    (plugin / "plain.py").write_text(PLAINLY)
    path = os.pathsep.join(part for part in (str(plugin), os.environ.get("PYTHONPATH", "")) if part)
    with serving(folder, folder.parent / "log", *FLAGS, environment={**BOTH, "PYTHONPATH": path}) as found:
        yield found


def brain(folder: Path) -> Brain:
    return load(ModelSettings(name=str(folder), device="cpu"))


def speak(url: str, **more: object) -> SamplingSettings:
    server = ServerSettings(urls=(url,), tries=2)
    return SamplingSettings(
        engine="server", reply_tokens=20, context_tokens=300, rows=16, server=replace(server, **more)
    )


def one_sample(reply: Completion, weight: float = 1.0) -> Sample:
    return Sample(
        tokens=reply.prompt + reply.tokens,
        weights=(0.0,) * len(reply.prompt) + (weight,) * len(reply.tokens),
        logprobs=(0.0,) * len(reply.prompt) + reply.logprobs,
    )


def gap(learner: TorchLearner, reply: Completion) -> float:
    """How far the server's log-probabilities are from the learner's."""
    (found,) = learner.logprobs([one_sample(reply)])
    return max(abs(one - other) for one, other in zip(reply.logprobs, found[-len(reply.tokens) :], strict=True))


def test_it_says_what_our_own_sampler_says(url: str, folder: Path) -> None:
    mine = brain(folder)
    policy = ServerPlayer(mine, speak(url)).policy()
    theirs, ours = (one.at(0.0)(ASKED, seed=1) for one in (policy, LocalPolicy(mine, speak(url))))
    assert (theirs.prompt, theirs.tokens, theirs.text) == (ours.prompt, ours.tokens, ours.text)
    assert theirs.counted == "exact" and max(map(abs, map(float.__sub__, theirs.logprobs, ours.logprobs))) < NEAR
    warm = policy.at(0.5)(ASKED, seed=4)
    learner = TorchLearner(mine, LearnerSettings(temperature=0.5), LossSettings(), speak(url))
    assert gap(learner, warm) < NEAR, "log-probabilities are those at the temperature that was asked for"


def test_a_seed_is_a_reply_and_a_conversation_goes_on_as_tokens(url: str, folder: Path) -> None:
    policy = ServerPlayer(brain(folder), speak(url)).policy()
    first, again, other = (policy(ASKED, seed=seed) for seed in (5, 5, 6))
    assert first.tokens == again.tokens != other.tokens
    key = Request(key="k", messages=ASKED, seed=5)
    said = policy.ask(key).result()
    more = (*ASKED, Message(role="assistant", content=said.text), Message(role="user", content="go on"))
    then = policy.ask(replace(key, messages=more)).result()
    assert then.prompt[: len(said.prompt) + len(said.tokens)] == said.prompt + said.tokens


def test_no_text_is_made_of_tokens_and_they_are_those_of_a_server_that_makes_it(
    url: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whether a reply ended or was cut off."""
    mine = brain(folder)
    mine.chat.stop_ids = frozenset(range(0, 300, 20))

    def replies(where: str) -> list[Completion]:
        policy = ServerPlayer(mine, speak(where)).policy()
        return [policy(ASKED, seed=seed) for seed in range(24)]

    bare = replies(url)
    assert {len(one.tokens) == 20 for one in bare} == {True, False}
    assert "text that nobody reads" not in capsys.readouterr().err
    with serving(folder, tmp_path / "log", *FLAGS[: -len(BARE.split())], environment=BOTH) as wordy:
        told = replies(wordy)
    assert f"({wordy}): {BARE}" in capsys.readouterr().err
    assert [one.tokens for one in told] == [one.tokens for one in bare]
    for one, other in zip(told, bare, strict=True):
        assert max(map(abs, map(float.__sub__, one.logprobs, other.logprobs))) < NEAR


def test_many_talk_at_once_and_what_the_server_did_is_told(url: str, folder: Path) -> None:
    policy = ServerPlayer(brain(folder), speak(url)).policy()

    def play(number: int):  # type: ignore[no-untyped-def]
        reply = yield Request(key=f"k{number}", messages=ASKED, seed=number)
        return reply

    replies = dict(play_all(policy, [lambda n=n: play(n) for n in range(48)], workers=4))
    assert len(replies) == 48 and len({reply.tokens for reply in replies.values()}) > 40
    told = policy.figures()
    assert told["play/tokens_per_second"] > 0 and 0 <= told["play/engine_idle"] < 1 and told["play/rows"] > 4
    assert told["play/pass_ms"] > 0 and told["play/again"] == 0


@pytest.mark.parametrize("weights", ["adapter", "whole"])
def test_weights_follow_after_each_step(url: str, folder: Path, tmp_path: Path, weights: str) -> None:
    """What is asked after a step is answered with its weights, and nothing that was read under others is used."""
    mine = brain(folder)
    settings = speak(url, weights=weights, folder=str(tmp_path))
    rank = 4 if weights == "adapter" else 0
    learner = TorchLearner(mine, LearnerSettings(rate=0.05, lora_rank=rank), LossSettings(), settings)
    before = learner.policy()(ASKED, seed=7)
    assert gap(learner, before) < NEAR
    for step in range(2):
        learner.step([one_sample(learner.policy()(ASKED, seed=seed), weight=seed - 1.5) for seed in range(4)])
        reply = learner.policy()(ASKED, seed=7)
        assert gap(learner, reply) < NEAR
        if step == 0:
            assert gap(learner, before) > 0.3, "the step changed too little for this test to see"
    assert len([*tmp_path.glob("prowess-*/*")]) == 1, "what is played no more is gone"
    if weights == "whole":
        TorchLearner(brain(folder), LearnerSettings(), LossSettings(), settings).policy()  # as the others find it


def test_a_checkpoint_is_played(url: str, folder: Path, tmp_path: Path) -> None:
    learner = TorchLearner(brain(folder), LearnerSettings(rate=0.05, lora_rank=4), LossSettings(), SamplingSettings())
    learner.step([Sample(tokens=(5, 6, 7), weights=(0.0, 1.0, -1.0), logprobs=(0.0, -1.0, -1.0))])
    learner.save(tmp_path / "adapter")
    mine = brain(tmp_path / "adapter")
    player = player_for(mine, speak(url))
    said = player.policy()(ASKED, seed=1)
    assert gap(TorchLearner(mine, LearnerSettings(), LossSettings(), speak(url)), said) < NEAR
    assert isinstance(player, ServerPlayer) and player.policy() and player.sender._count == 1, "given once"


def test_what_is_broken_off_or_does_not_fit_hurts_one_conversation(url: str, folder: Path) -> None:
    policy = ServerPlayer(brain(folder), speak(url)).policy()
    with pytest.raises(ContextOverflow):
        policy((Message(role="user", content="alarm " * 400),), seed=1)
    asked = policy.ask(Request(key="k", messages=ASKED, seed=1))
    policy.forget("k")
    with pytest.raises(PolicyError, match="broken off"):
        asked.result(timeout=5)
    assert policy(ASKED, seed=1).tokens
    policy.close()
    with pytest.raises(PolicyGone, match="closed"):
        policy(ASKED, seed=1)


def test_a_server_with_another_model_is_refused(url: str) -> None:
    other = make_tiny(TEXTS, SHAPE, seed=4)
    with pytest.raises(RecipeError, match="from the model's own"):
        ServerPlayer(other, speak(url)).policy()


def test_a_folder_that_the_server_does_not_see_is_told(url: str, folder: Path, tmp_path: Path) -> None:
    settings = speak(url, folder=str(tmp_path), there="/nowhere")
    learner = TorchLearner(brain(folder), LearnerSettings(lora_rank=4), LossSettings(), settings)
    with pytest.raises(PolicyGone, match="load_lora_adapter") as caught:
        learner.policy()
    assert "/nowhere/prowess-" in caught.value.hint


def test_too_high_a_rank_is_told_in_the_servers_words(url: str, folder: Path) -> None:
    learner = TorchLearner(brain(folder), LearnerSettings(lora_rank=16), LossSettings(), speak(url))
    with pytest.raises(PolicyGone, match="16"):
        learner.policy()


RECIPE = """
name = "small"
[suite.desk]
part = "starter"
[agent]
prompt = "brief"
turns = 3
reply_tokens = 24
context_tokens = 290
[evaluate]
scenarios = 2
[train]
steps = 3
chains = 2
group = 4
overlap = true
[reward]
name = "marks:marks"
[learner]
rate = 1e-3
lora_rank = 4
[sampling]
engine = "server"
rows = 12
"""


def test_a_model_learns_from_what_a_server_played(
    url: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user does it: train one step ahead, and evaluate what was learnt, all with the server."""
    (tmp_path / "small.toml").write_text(f'{RECIPE}server.urls = ["{url}"]\n[model]\nname = "{folder}"\n')
    (tmp_path / "marks.py").write_text(MARKS)
    monkeypatch.syspath_prepend(str(tmp_path))
    with chdir(tmp_path):
        prowess("train", "small.toml", "--set", "train.start=base")
        steps = [entry.values for entry in Run.open("runs/small-train").metrics()]
        prowess("evaluate", "small.toml", "--checkpoint", "runs/small-train")
        played = [one.episode for one in Run.open("runs/small-evaluate").episodes()]
    assert len(steps) == 3 and all(step["play/errors"] == 0 and step["play/rows"] > 1 for step in steps)
    assert steps[0]["learn/mismatch"] < NEAR and steps[1]["learn/mismatch"] > 1e-4, "the second was played ahead"
    assert len(played) == 6 and all(turn.completion.logprobs for one in played for turn in one.turns)


def test_settings_that_do_not_go_together_are_refused(folder: Path) -> None:
    settings = speak("http://127.0.0.1:9")
    for wrong in ({"urls": ()}, {"urls": ("localhost",)}, {"there": "/x"}, {"tries": 0}):
        with pytest.raises(RecipeError):
            speak("http://127.0.0.1:9", **wrong)
    with pytest.raises(RecipeError, match="top_p"):
        replace(settings, top_p=0.9)
