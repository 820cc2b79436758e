"""Servers that are lost and found: who is gone leaves the circle, and comes back with the weights of now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("openai")

from stand_in import ASKED, StandIn, said, servers

from prowess.errors import PolicyGone, RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.sampling import SamplingSettings
from prowess.policies.server.connection import Model
from prowess.policies.server.settings import ServerSettings
from prowess.types import Message

LOAD, SAY = "/v1/load_lora_adapter", "/v1/completions"
SHAPE = TinySettings(layers=1, hidden=64, heads=2, kv_heads=1, inner=64, vocab=300, positions=300)


@pytest.fixture
def three() -> Iterator[list[StandIn]]:
    made = [StandIn() for _ in range(3)]
    for number, one in enumerate(made):
        one.says = [said(number)]
    yield made
    for one in made:
        one.close()


@pytest.fixture
def learner(three: list[StandIn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TorchLearner:
    """A learner whose adapter three servers play."""
    monkeypatch.setattr("prowess.policies.server.player.APART", 1e9)
    brain: Brain = make_tiny(["Add an alarm at 7"] * 4, SHAPE, seed=3)
    brain.save(tmp_path / "model")
    served = ServerSettings(urls=tuple(one.url for one in three), tries=1)
    settings = SamplingSettings(engine="server", server=served, context_tokens=200)
    named = replace(brain, name=str(tmp_path / "model"))
    return TorchLearner(named, LearnerSettings(rate=0.1, lora_rank=2), LossSettings(), settings)


def test_the_questions_of_a_server_that_is_lost_are_answered_by_the_others_with_their_seeds(
    three: list[StandIn], capsys: pytest.CaptureFixture[str]
) -> None:
    some = servers(*three)
    three[1].gone = True
    asked = [replace(ASKED, seed=seed, opening=seed + 1) for seed in range(30)]
    replies = [one.result(timeout=20) for one in [some.ask(question) for question in asked]]
    assert {reply.tokens[0] for reply in replies} == {0, 2}
    seeds = [body["seed"] for one in (three[0], three[2]) for body in one.bodies(SAY)]
    assert sorted(seeds) == list(range(30)), "each of them once"
    assert some.size == 2
    figures = some.work.figures(seconds=1.0, said=30, engines=some.size)
    assert (figures["play/servers"], figures["play/lost_servers"]) == (2.0, 1.0)
    told = capsys.readouterr().err
    assert told.count("warning: no connection to the server") == 1 and "; 2 servers left" in told


def test_the_last_server_that_is_lost_is_told_as_it_was(three: list[StandIn]) -> None:
    some = servers(*three)
    for one in three:
        one.gone = True
    with pytest.raises(PolicyGone, match="no connection to the server"):
        some.ask(ASKED).result(timeout=20)


def test_below_the_least_the_run_ends_in_words(three: list[StandIn]) -> None:
    some = servers(*three, least=3)
    three[0].gone = True
    with pytest.raises(PolicyGone, match=r"2 servers left, and sampling\.server\.least is 3") as ended:
        some.ask(ASKED).result(timeout=20)
    assert ended.value.hint == "start it again, and the same command goes on"
    with pytest.raises(RecipeError, match="least is 3, and urls names 2"):
        ServerSettings(urls=("http://a", "http://b"), least=3)


def test_one_that_comes_back_is_given_the_weights_before_it_is_asked(
    three: list[StandIn], learner: TorchLearner, capsys: pytest.CaptureFixture[str]
) -> None:
    lost = three[0]
    message = (Message(role="user", content="Add an alarm"),)
    assert learner.policy()(message, seed=1)
    lost.gone = True
    policy = learner.policy()
    assert [policy(message, seed=seed).tokens for seed in range(6)] and len(lost.bodies(LOAD)) == 2
    lost.gone = False
    lost.asked.clear()
    policy = learner.policy()
    assert f"note: the server {lost.url} plays, too" in capsys.readouterr().err
    for seed in range(12):
        policy(message, seed=seed)
    assert next(path for path, _ in lost.asked) == LOAD
    newest = lost.bodies(LOAD)[0]["lora_name"]
    assert {body["model"] for body in lost.bodies(SAY)} <= {newest}
    assert [one.bodies(LOAD)[-1]["lora_name"] for one in three] == [newest] * 3


def test_where_nobody_learns_one_that_comes_back_is_given_the_weights_all_the_same(three: list[StandIn]) -> None:
    some = servers(*three)
    model = Model(name="an adapter")
    some.play(lambda: model)
    assert some.has(model)
    three[2].gone = True
    some.order(LOAD, {}, hint="")
    assert some.size == 2 and some.has(model)
    three[2].gone = False
    seen = []
    some.play(lambda: seen.append(some.has(model)) or model)  # type: ignore[func-returns-value]
    assert seen == [False] and some.has(model) and some.size == 3


def test_servers_come_and_go_by_the_file_of_addresses(
    three: list[StandIn], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "servers.txt"
    file.write_text(f"# the first\n{three[0].url}\n\n{three[1].url}/v1\n")
    some = servers(urls_file=str(file))
    assert some.size == 2
    file.write_text("\n".join(one.url for one in three[1:]))
    base = some.model
    some.play(lambda: base)
    assert [one.url for one in some.known] == [three[1].url, three[2].url]
    assert capsys.readouterr().err == f"note: the server {three[2].url} plays, too\n"
    file.unlink()
    some.play(lambda: base)
    assert some.size == 2 and "cannot be read" in capsys.readouterr().err
    file.write_text("no address\n")
    some.play(lambda: base)
    assert some.size == 2 and "the servers stay as they are" in capsys.readouterr().err


def test_a_file_of_addresses_begins_with_those_that_are_there(three: list[StandIn], tmp_path: Path) -> None:
    file = tmp_path / "servers.txt"
    file.write_text("\n".join(one.url for one in three))
    three[1].gone = True
    assert servers(urls_file=str(file), least=2).size == 2
    with pytest.raises(RecipeError, match="no connection to the server"):
        servers(urls_file=str(file), least=3)
    file.write_text("")
    with pytest.raises(RecipeError, match="names no server"):
        servers(urls_file=str(file))


def test_one_that_plays_something_else_does_not_join(
    three: list[StandIn], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "servers.txt"
    file.write_text(three[0].url)
    some = servers(urls_file=str(file))
    three[1].told = {"data": [{"id": "another", "max_model_len": 300}]}
    three[2].told = {"data": [{"id": "mine", "max_model_len": 100}]}
    file.write_text("\n".join(one.url for one in three))
    base = some.model
    some.play(lambda: base)
    told = capsys.readouterr().err
    assert some.size == 1
    assert "plays 'another', and the others 'mine'; the others go on without it" in told
    assert "takes 100 tokens a conversation, and the others 200" in told
