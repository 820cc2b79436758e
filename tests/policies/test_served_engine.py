"""vLLM's server as the engine, where it misbehaves: a stand-in that does so on request. A real one is in tests/vllm."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("openai")

from stand_in import ASKED, Answer, Body, StandIn, said, servers

from prowess.errors import PolicyError, PolicyGone, ProwessError, RecipeError, StoreError, Unanswered
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.endpoint.address import is_local
from prowess.policies.engines import check_engine
from prowess.policies.sampling import SamplingSettings
from prowess.policies.server.connection import Model, Refused
from prowess.policies.server.known import known, line_to
from prowess.policies.server.player import ServerPlayer
from prowess.policies.server.servers import Servers
from prowess.policies.server.settings import ServerSettings
from prowess.policies.server.traffic import Meter, Traffic
from prowess.policies.vllm.question import Question
from prowess.types import Message

SECRET = "very-secret-0123456789"


@pytest.fixture
def there() -> Iterator[StandIn]:
    stand_in = StandIn()
    yield stand_in
    stand_in.close()


def failure(stand_in: StandIn, answer: Answer | Callable[[], Answer], **more: Any) -> ProwessError:
    stand_in.says = [answer]
    with pytest.raises(ProwessError) as caught:
        servers(stand_in, **more).ask(ASKED).result(timeout=20)
    return caught.value


def test_a_question_goes_there_as_tokens_and_comes_back_as_tokens(there: StandIn) -> None:
    there.says = [(200, said(0, 9)[1] | {"usage": {"prompt_tokens_details": {"cached_tokens": 2}}})]
    reply = servers(there).ask(replace(ASKED, seed=2**63 + 7)).result(timeout=20)
    assert (reply.tokens, reply.logprobs, reply.cached) == ((0, 9), (-1.0, -1.0), 2)
    (asked,) = there.bodies("/v1/completions")
    wanted = {"model": "mine", "prompt": [1, 2, 3], "max_tokens": 4, "temperature": 1.0, "seed": 7, "logprobs": 0}
    plain = {"top_p": 1.0, "top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0}  # or as the model's description says
    ends = {"stop_token_ids": [9], "ignore_eos": True, "skip_special_tokens": False}
    assert asked == wanted | plain | ends | {"return_token_ids": True, "return_tokens_as_token_ids": True}


def test_what_it_tells_of_itself_is_heard_and_limits_hold(there: StandIn) -> None:
    assert [(one.model, one.limit) for one in known(ServerSettings(urls=(there.url,)))] == [("mine", 300)]
    assert servers(there).limit == 200
    there.told = {"data": [{"id": "mine", "max_model_len": 128}]}
    assert servers(there).limit == 128


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"data": []}, "does not say which model"),
        ({"data": [{"id": "a", "parent": "b", "max_model_len": 9}]}, "does not say which model"),
        ({"data": [{"id": "a", "max_model_len": -5}]}, "does not say which model"),
        ({"data": [{"id": "a", "max_model_len": True}]}, "does not say which model"),
        ([1], "does not say which model"),
        ('"no server"', "does not say which model"),
        ("{no json", "no JSON"),
    ],
)
def test_a_server_that_is_none_of_vllms_is_refused(there: StandIn, told: Body, wrong: str) -> None:
    there.told = told
    with pytest.raises(RecipeError, match=wrong):
        servers(there)


def test_servers_without_what_gives_them_weights_or_with_different_models_are_refused(there: StandIn) -> None:
    there.routes = []
    assert servers(there), "one that does not tell its routes may have them"
    there.routes = ["/v1/completions"]
    with pytest.raises(RecipeError, match="takes no weights") as caught:
        servers(there)
    assert "--enable-lora" in caught.value.hint
    with pytest.raises(RecipeError, match="/collective_rpc") as caught:
        servers(there, weights="whole")
    assert "VLLM_SERVER_DEV_MODE=1" in caught.value.hint
    there.routes = ["/v1/load_lora_adapter"]
    other = StandIn(model="other\x1b]0;mine\x07\n" + "x" * 400)
    with pytest.raises(RecipeError, match="'mine' and 'other ]0;mine x") as caught:
        servers(there, other)
    assert caught.value.message.isprintable() and len(caught.value.message) < 300
    other.close()


def test_nobody_there_is_told_at_once_with_the_command_that_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.monotonic()
    with pytest.raises(RecipeError, match=r"no connection to the server http://127\.0\.0\.1:9") as caught:
        check_engine(SamplingSettings(engine="server", server=ServerSettings(urls=("http://127.0.0.1:9/v1",))))
    assert "vllm serve MODEL" in caught.value.hint and time.monotonic() - begun < 5
    assert caught.value.hint.endswith("--skip-tokenizer-init --disable-log-stats"), "what nobody reads is not made"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ((400, {"error": {"message": "too hot"}}), PolicyError, "status 400 to /v1/completions: too hot"),
        ((404, {"error": {"message": "no model mine"}}), PolicyGone, "no model mine"),
        ((401, {"error": "who are you"}), Refused, "who are you"),
        ((403, {"message": "not you"}), Refused, "not you"),
        ((429, {"detail": {"message": "too many"}}), Unanswered, "too many"),
        ((500, "boom"), Unanswered, "status 500"),
        ((200, "[" * 200_000), PolicyError, "no JSON"),
        ((0, ""), PolicyGone, "no connection"),
        ((200, "x" * 400), PolicyError, "no JSON"),
        ((200, "{x"), PolicyError, "no JSON"),
        ((200, {"choices": []}), PolicyError, "no completion"),
        ((200, {"choices": [{"text": "x"}]}), PolicyGone, "tells no token ids"),
        (said(5, 6, logprobs=[-1.0]), PolicyError, "do not belong together"),
        (said(5, 6, logprobs=[-1.0, None]), PolicyError, "do not belong together"),
        (said(5, 6, logprobs=[-1.0, float("nan")]), PolicyError, "do not belong together"),
        (said(5, 6, logprobs=[-1.0, -(10**400)]), PolicyError, "do not belong together"),
        (said(5, 6, finish_reason="abort"), Unanswered, "broke a reply off"),
        (said(5, True, logprobs=[-1.0, -1.0]), PolicyError, "do not belong together"),
        (said(5, -6), PolicyError, "do not belong together"),
        (said(1, 2, 3, 4, 5), PolicyError, "do not belong together"),
        (said(), PolicyError, "before it began"),
    ],
)
def test_what_goes_wrong_is_told_as_what_it_is(there: StandIn, answer: Answer, kind: type, words: str) -> None:
    error = failure(there, answer)
    assert type(error) is kind and words in error.message and len(error.message) < 400


def test_a_request_is_sent_again_and_that_is_counted(there: StandIn) -> None:
    there.says = [(503, "busy"), (503, "busy"), said(5)]
    some = servers(there, tries=3)
    assert some.ask(ASKED).result(timeout=30).tokens == (5,)
    assert some.work.figures(seconds=1.0, said=1, engines=1)["play/again"] == 2
    bodies = there.bodies("/v1/completions")
    assert bodies[0] == bodies[1] == bodies[2], "with the same seed, so that the reply is the same"
    there.asked.clear()
    assert "(2 tries)" in failure(there, (500, "broken"), tries=2).message
    assert len(there.bodies("/v1/completions")) == 2
    message = failure(there, (400, "wrong"), tries=2).message
    assert "status 400" in message and "tries" not in message
    assert len(there.bodies("/v1/completions")) == 3, "that would hear the same"


def test_a_server_that_asks_for_a_pause_gets_it_within_reason(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    for pause, longest, low, high in (("0.8", 60.0, 0.8, 10.0), ("300", 0.1, 0.1, 10.0)):
        monkeypatch.setattr("prowess.policies.server.connection.LONGEST", longest)
        there.says, there.pause = [(429, "busy"), said(5)], pause
        there.asked.clear()
        begun = time.monotonic()
        assert servers(there, tries=2).ask(ASKED).result(timeout=60).tokens == (5,)
        assert low <= time.monotonic() - begun < high


def test_as_many_talk_at_once_as_are_asked(there: StandIn) -> None:
    together = threading.Barrier(120)

    def wait() -> Answer:
        together.wait(timeout=30)
        return said(5)

    there.says = [wait]
    some = servers(there)
    asked = [some.ask(replace(ASKED, seed=seed)) for seed in range(120)]
    assert all(one.result(timeout=60).tokens == (5,) for one in asked)


def test_a_server_that_hangs_is_not_waited_for_long_to_tell_of_itself(
    there: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.policies.server.connection.SOON", 0.3)
    there.slow = 3.0
    with pytest.raises(RecipeError, match=r"no answer in 0\.3 s"):
        servers(there)


def test_nothing_is_said_of_connections_when_a_process_ends(there: StandIn) -> None:
    work = (
        "from prowess.policies.server.known import known\n"
        "from prowess.policies.server.settings import ServerSettings\n"
        f"print(known(ServerSettings(urls=('{there.url}',)))[0].model)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", work], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "mine\n" and not done.stderr


def test_a_server_that_is_slow_or_gone_ends_nothing_for_ever(there: StandIn) -> None:
    released = threading.Event()

    def hang() -> Answer:
        released.wait(20)
        return said(5)

    error = failure(there, hang, timeout_seconds=0.3)
    assert type(error) is Unanswered and "no answer in 0.3 s" in error.message
    some = servers(there)
    waiting = some.ask(ASKED)
    some.abort(waiting)
    with pytest.raises(PolicyError, match="broken off"):
        waiting.result(timeout=5)
    some.abort(waiting)
    assert repr(some).endswith("0 asked)")
    time.sleep(0.1)
    done = some.work
    time.sleep(0.1)
    assert done.busy > 0 and some.work == done, "the connection has ended, and nobody is waited for"
    released.set()
    there.close()
    with pytest.raises(PolicyGone, match="no connection"):
        some.ask(ASKED).result(timeout=20)


def test_a_key_goes_to_the_server_and_into_no_error(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", SECRET)
    error = failure(there, (400, {"error": {"message": f"odd key {SECRET}\x1b[31m"}}), key_env="OUR_KEY")
    assert there.keys == {f"Bearer {SECRET}"}
    assert SECRET not in str(error) and "***" in error.message and "\x1b" not in error.message
    assert "check the key in OUR_KEY" in failure(there, (401, "no"), key_env="OUR_KEY").hint
    assert "NO_KEY is not set" in failure(there, (401, "no"), key_env="NO_KEY").hint


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed_elsewhere(there: StandIn, status: int) -> None:
    """A conversation would go to a stranger; and an order that became a question would be taken for done."""
    other = StandIn()
    error = failure(there, (status, f"{other.url}/v1/completions"))
    assert isinstance(error, PolicyGone) and f"it sends on to {other.url}" in error.message
    there.orders["/v1/load_lora_adapter"] = (status, f"{other.url}/v1/models")
    with pytest.raises(PolicyGone, match="sends on to"):
        servers(there).order("/v1/load_lora_adapter", {}, hint="")
    assert not other.asked and not other.keys
    other.close()


def test_an_answer_without_an_end_is_hung_up_on(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.policies.server.connection.MOST", 2**20)
    error = failure(there, (200, " " * 2**20 + json.dumps(said(5)[1])))
    assert type(error) is PolicyError and "/v1/completions with more than 1 MiB" in error.message
    assert "more than 1 MiB" in failure(there, (500, "x" * 2**21)).message
    there.says = [(200, " " * 2**19 + json.dumps(said(5)[1]))]
    assert servers(there).ask(ASKED).result(timeout=20).tokens == (5,)


def test_a_proxy_of_the_environment_is_used_elsewhere_and_a_netrc_nowhere(
    there: StandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine gpu.invalid login somebody password hidden\n")
    (tmp_path / "netrc").chmod(0o600)
    for name, value in {"NETRC": str(tmp_path / "netrc"), "http_proxy": there.url, "OUR_KEY": SECRET}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("no_proxy", raising=False)
    far = ServerSettings(urls=("http://gpu.invalid:8000",), key_env="OUR_KEY")
    assert known(far)[0].model == "mine" and there.keys == {f"Bearer {SECRET}"}
    there.keys.clear()
    assert known(replace(far, key_env="NO_KEY"))[0].model == "mine" and there.keys == {""}
    monkeypatch.setenv("no_proxy", "gpu.invalid")
    with pytest.raises(RecipeError, match="no connection"):
        known(replace(far, key_env="OTHER_KEY"))


def test_who_wants_a_key_or_sends_on_is_not_told_to_be_started(there: StandIn) -> None:
    for status, wanted in ((401, "NO_KEY is not set"), (403, "NO_KEY is not set"), (307, "answers itself")):
        there.models = (status, "no")
        with pytest.raises(RecipeError, match=f"status {status} to /v1/models") as caught:
            known(ServerSettings(urls=(there.url,), key_env="NO_KEY"))
        assert wanted in caught.value.hint


def test_an_address_may_be_written_in_several_ways_and_names_a_server_once(there: StandIn) -> None:
    for url in (there.url, f"{there.url}/", f"{there.url}/v1", f"{there.url}/v1/"):
        assert known(ServerSettings(urls=(url,)))[0].model == "mine"
        with pytest.raises(RecipeError, match="twice"):
            ServerSettings(urls=(f"{there.url}/v1", url))
    for wrong in (
        "http://somebody@one",
        "http://:word@one",
        "http://somebody:word@one",
        "http://[bad",
        "http://one:99999",
        "http://one:0",
        "http://one?key=1",
        "http://one/#v1",
        "one:80",
    ):
        with pytest.raises(RecipeError, match="urls"):
            ServerSettings(urls=(wrong,))


def test_what_is_on_this_machine_needs_no_proxy() -> None:
    near = ("http://localhost:1", "http://a.localhost", "http://127.0.0.1", "http://[::1]:8000", "http://0.0.0.0:1")
    assert all(is_local(url) for url in near)
    assert not any(is_local(url) for url in ("http://localhost.org", "http://10.0.0.1", "http://[fd00::1]:80"))


def test_each_server_is_compared_however_fast_they_answer(
    brain: Brain, there: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at_once(self: Servers, question: Question, **more: Any) -> Any:
        answer = asked(self, question, **more)
        answer.result(timeout=20)
        return answer

    asked = Servers.ask
    monkeypatch.setattr(Servers, "ask", at_once)
    other = StandIn()
    there.says = other.says = [said(5, logprobs=[0.0])]
    settings = ServerSettings(urls=(there.url, other.url), tries=1)
    ServerPlayer(brain, SamplingSettings(engine="server", server=settings, context_tokens=200)).policy()
    assert len(there.bodies("/v1/completions")) == len(other.bodies("/v1/completions")) == 1
    other.close()


def test_a_server_with_a_larger_vocabulary_is_told(brain: Brain, there: StandIn) -> None:
    settings = SamplingSettings(engine="server", server=ServerSettings(urls=(there.url,)), context_tokens=200)
    there.says = [said(5, 128_000)]
    with pytest.raises(RecipeError, match="it says token 128000, and the model has 271") as caught:
        ServerPlayer(brain, settings).policy()
    assert "recipe's model" in caught.value.hint


def test_a_connection_is_used_again_soon_or_never(there: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was idle for some seconds may be hung up on while an order is on its way, which is sent once."""
    monkeypatch.setattr("prowess.policies.server.connection.IDLE", 0.3)
    some = servers(there)
    for _ in range(3):
        some.order("/v1/load_lora_adapter", {}, hint="")
    assert there.calls == 1
    time.sleep(0.5)
    some.order("/v1/load_lora_adapter", {}, hint="")
    assert there.calls == 2


def test_weights_wait_for_what_is_under_way(there: StandIn) -> None:
    def slowly() -> Answer:
        time.sleep(0.5)
        return said(5)

    there.says = [slowly]
    some = servers(there)
    before = some.ask(ASKED)

    def give() -> Model:
        assert before.done()
        return Model(name="next", salt="salt")

    some.play(give)
    some.ask(ASKED).result(timeout=20)
    bodies = there.bodies("/v1/completions")
    assert [(one["model"], one.get("cache_salt")) for one in bodies] == [("mine", None), ("next", "salt")]
    assert repr(line_to(there.url, some.settings)) == f"the server {there.url}"
    assert line_to(there.url, some.settings) is line_to(there.url, some.settings), "players share connections"


def test_several_servers_share_conversations_and_those_that_begin_alike_stay_together() -> None:
    with ExitStack() as stack:
        two = [StandIn(), StandIn()]
        for one in two:
            stack.callback(one.close)
        some = servers(*two)
        asked = [replace(ASKED, opening=n % 4 + 1, tokens=(n % 4 + 1,)) for n in range(16)]
        for one in [some.ask(question) for question in asked]:
            one.result(timeout=20)
        heard = [{tuple(body["prompt"]) for body in one.bodies("/v1/completions")} for one in two]
    assert len(heard[0]) == len(heard[1]) == 2 and not heard[0] & heard[1]


def test_traffic_is_measured() -> None:
    meter = Meter()
    meter.begin()
    meter.begin()
    time.sleep(0.05)
    meter.end(1)
    meter.end(0)
    done = meter.read()
    assert 0.04 < done.busy < 0.5 and done.waited == pytest.approx(2 * done.busy, rel=0.1) and done.again == 1
    time.sleep(0.02)
    assert meter.read() == done, "nobody is waited for"
    told = (done + done).since(done).figures(seconds=2 * done.busy, said=10, engines=1)
    assert told["play/engine_idle"] == pytest.approx(0.5) and told["play/rows"] == pytest.approx(2, rel=0.1)
    assert told["play/pass_ms"] == pytest.approx(100 * done.waited)
    assert Traffic().figures(seconds=1.0, said=0, engines=2)["play/rows"] == 0
    two = Traffic(busy=3.0, waited=12.0, again=5).since(Traffic(busy=1.0, waited=4.0, again=3))
    told = two.figures(seconds=2.0, said=4, engines=2)
    assert told == {"play/engine_idle": 0.5, "play/rows": 8.0, "play/pass_ms": 2000.0} | {
        "play/again": 2.0,
        "play/servers": 2.0,
        "play/lost_servers": 0.0,
    }


# ------------------------------------------------------------------------------------------------------------- weights


TEXTS = ["Add an alarm at 7"] * 4
SHAPE = TinySettings(layers=1, hidden=64, heads=2, kv_heads=1, inner=64, vocab=300, positions=300)


@pytest.fixture
def brain(tmp_path: Path) -> Brain:
    made = make_tiny(TEXTS, SHAPE, seed=3)
    made.save(tmp_path / "model")
    return replace(made, name=str(tmp_path / "model"))


def learner(brain: Brain, server: StandIn, rank: int = 2, **more: Any) -> TorchLearner:
    """One whose server says what the model itself would, as far as that is compared."""
    settings = SamplingSettings(
        engine="server", server=ServerSettings(urls=(server.url,), tries=1, **more), context_tokens=200
    )
    server.says = [said(5, logprobs=[0.0])]
    return TorchLearner(brain, LearnerSettings(rate=0.1, lora_rank=rank), LossSettings(), settings)


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-in knows no probabilities; that they are compared is tried apart."""
    monkeypatch.setattr("prowess.policies.server.player.APART", 1e9)


def test_adapters_get_a_name_each_and_go_when_the_next_is_there(brain: Brain, there: StandIn, tmp_path: Path) -> None:
    place = tmp_path / "shared"
    learns = learner(brain, there, folder=str(place), there="/mnt/seen/")
    learns.policy()
    learns.policy()
    first, second = there.bodies("/v1/load_lora_adapter")
    token = next(place.iterdir()).name
    assert [one["lora_path"] for one in (first, second)] == [f"/mnt/seen/{token}/1", f"/mnt/seen/{token}/2"]
    assert first["lora_name"] != second["lora_name"]
    assert there.bodies("/v1/unload_lora_adapter") == [{"lora_name": first["lora_name"]}]
    assert [one.name for one in (place / token).iterdir()] == ["2"]
    files = {one.name: one for one in (place / token / "2").iterdir()}
    assert {*files} == {"adapter_config.json", "adapter_model.safetensors"}
    assert all(one.stat().st_mode & 0o044 == 0o044 for one in files.values()), "servers may be somebody else's"
    assert json.loads(files["adapter_config.json"].read_text())["r"] == 2
    assert there.bodies("/v1/completions")[-1]["model"] == first["lora_name"], "compared once, with the first"


def test_an_adapter_that_nobody_plays_with_any_more_goes_when_the_next_is_given(brain: Brain, there: StandIn) -> None:
    """Of an earlier training or evaluation in the same process: servers would gather them."""
    for _ in range(2):
        learner(brain, there).policy()
        gc.collect()
    first, second = (one["lora_name"] for one in there.bodies("/v1/load_lora_adapter"))
    assert there.bodies("/v1/unload_lora_adapter") == [{"lora_name": first}] and first != second


def test_a_server_that_was_started_again_is_given_the_next_weights_all_the_same(brain: Brain, there: StandIn) -> None:
    learns = learner(brain, there)
    learns.policy()
    there.orders["/v1/unload_lora_adapter"] = (404, {"error": {"message": "never heard of it"}})
    assert learns.policy()


def test_whole_models_are_loaded_in_place_and_remembered_apart(brain: Brain, there: StandIn) -> None:
    learns = learner(brain, there, rank=0, weights="whole")
    one, two = learns.policy(), learns.policy()
    assert one.engine is two.engine
    orders = there.bodies("/collective_rpc")
    assert [order["method"] for order in orders] == ["reload_weights"] * 2
    places = [Path(order["kwargs"]["weights_path"]) for order in orders]
    assert not places[0].exists() and {"config.json", "model.safetensors", "tokenizer.json"} <= {
        each.name for each in places[1].iterdir()
    }
    servers = two.engine
    assert isinstance(servers, Servers) and isinstance(servers.model, Model)
    assert servers.model.name == "mine" and servers.model.salt == "-".join(places[1].parts[-2:])


def test_whole_weights_are_played_by_who_gave_them_last_alone(brain: Brain, there: StandIn) -> None:
    """Somebody who was given them before would be answered with another one's, and not see it."""
    there.says = [said(5, logprobs=[0.0])]
    player, other = (ServerPlayer(brain, alone(there, weights="whole")) for _ in range(2))
    policy, asked = player.policy(), (Message(role="user", content="Add an alarm at 7"),)
    assert policy(asked, seed=1).tokens and player.policy() and len(there.bodies("/collective_rpc")) == 1
    other.policy()
    with pytest.raises(PolicyGone, match="given other weights since"):
        policy(asked, seed=1)
    assert player.policy()(asked, seed=1).tokens and len(there.bodies("/collective_rpc")) == 3


def test_who_learns_all_parameters_cannot_give_an_adapter(brain: Brain, there: StandIn) -> None:
    """Given none, the server would go on playing what it began with."""
    with pytest.raises(RecipeError, match="all parameters are learnt"):
        learner(brain, there, rank=0).policy()


def test_an_adapter_on_an_adapter_is_refused(brain: Brain, there: StandIn, tmp_path: Path) -> None:
    learner(brain, there).save(tmp_path / "adapter")
    on_it = replace(brain, name=str(tmp_path / "adapter"))
    with pytest.raises(RecipeError, match="is one already"):
        learner(on_it, there).policy()


def test_what_a_server_says_of_weights_is_told_with_what_to_do(brain: Brain, there: StandIn) -> None:
    there.orders["/v1/load_lora_adapter"] = (404, {"error": {"message": "No adapter found"}})
    with pytest.raises(PolicyGone, match="No adapter found") as caught:
        learner(brain, there).policy()
    assert "sampling.server.folder" in caught.value.hint


def test_a_folder_that_cannot_be_written_is_told(brain: Brain, there: StandIn, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="weights cannot be left"):
        learner(brain, there, folder=str(tmp_path / "file")).policy()


def test_a_server_is_not_asked_for_a_checkpoint_that_it_was_not_started_with(
    brain: Brain, there: StandIn, tmp_path: Path
) -> None:
    """It would play the model of before, and after a few steps nobody would see a difference."""
    place = tmp_path / "step-000001"
    TorchLearner(brain, LearnerSettings(), LossSettings(), SamplingSettings()).save(place)
    there.says = [said(5, logprobs=[0.0])]
    mine = replace(brain, name=str(place))
    settings = SamplingSettings(engine="server", server=ServerSettings(urls=(there.url,)), context_tokens=200)
    for root, good in (("/models/qwen", False), (str(place), True), ("/mnt/runs/step-000001", True), (None, True)):
        there.told["data"][0]["root"] = root
        if good:
            assert ServerPlayer(mine, settings).policy()
            continue
        with pytest.raises(RecipeError, match="was started with '/models/qwen'") as caught:
            ServerPlayer(mine, settings).policy()
        assert f"vllm serve {place}" in caught.value.hint and "'whole'" in caught.value.hint
        with pytest.raises(RecipeError, match="was started with"):
            TorchLearner(mine, LearnerSettings(lora_rank=2), LossSettings(), settings).policy()
        assert ServerPlayer(brain, settings).policy(), "what nobody learnt may lie anywhere"
        loaded = load(ModelSettings(name=str(place), device="cpu"))
        TorchLearner(loaded, LearnerSettings(lora_rank=2), LossSettings(), SamplingSettings()).save(tmp_path / "on it")
        with pytest.raises(RecipeError, match="step-000001' were learnt"):
            ServerPlayer(replace(loaded, name=str(tmp_path / "on it")), settings).policy()


def test_a_server_that_says_what_the_model_would_not_is_refused(
    brain: Brain, there: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.policies.server.player.APART", 0.25)
    with pytest.raises(RecipeError, match="from the model's own") as caught:
        learner(brain, there).policy()
    assert "recipe's model" in caught.value.hint


def test_what_was_left_for_servers_goes_with_who_played(brain: Brain, there: StandIn, tmp_path: Path) -> None:
    """A study of many recipes in one process would fill the disk with models."""
    there.says = [said(5, logprobs=[0.0])]
    settings = ServerSettings(urls=(there.url,), weights="whole", folder=str(tmp_path / "shared"))
    player = ServerPlayer(brain, SamplingSettings(engine="server", server=settings, context_tokens=200))
    policy = player.policy()
    del player
    gc.collect()
    assert len([*(tmp_path / "shared").glob("*/*")]) == 1, "who plays is still there, and a server may read it again"
    del policy
    gc.collect()
    assert not [*(tmp_path / "shared").iterdir()]


def alone(there: StandIn, **more: Any) -> SamplingSettings:
    server = ServerSettings(urls=(there.url,), tries=1, **more)
    return SamplingSettings(engine="server", server=server, context_tokens=200)


def test_an_adapter_is_left_as_a_checkpoint_holds_it_and_given_once_where_nobody_learns(
    brain: Brain, there: StandIn, tmp_path: Path
) -> None:
    learns = learner(brain, there, folder=str(tmp_path / "shared"))
    learns.policy()
    learns.save(tmp_path / "adapter")
    mine = replace(brain, name=str(tmp_path / "adapter"))
    player = ServerPlayer(mine, alone(there, folder=str(tmp_path / "shared")))
    assert player.policy() and player.policy()
    first, again = (Path(one["lora_path"]) for one in there.bodies("/v1/load_lora_adapter"))
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        saved = (tmp_path / "adapter" / name).read_bytes()
        assert (again / name).read_bytes() == saved
        assert (first / name).read_bytes() == saved or name == "adapter_config.json"
    one, other = (json.loads((place / "adapter_config.json").read_text()) for place in (first, again))
    assert one["lora_alpha"] == other["lora_alpha"] != 1 and one["target_modules"] == other["target_modules"]


@pytest.mark.parametrize("weights", ["adapter", "whole"])
def test_servers_that_run_as_somebody_else_may_read_what_is_left(
    brain: Brain, there: StandIn, tmp_path: Path, weights: str
) -> None:
    before = os.umask(0o077)
    try:
        place = tmp_path / "shared"
        place.mkdir(mode=0o755)
        learns = learner(brain, there, rank=2, folder=str(place), weights=weights)
        assert learns.policy()
        modes = {one.stat().st_mode & 0o777 for one in place.rglob("*") if one.is_dir()}
        assert modes == {0o755}
        assert {one.stat().st_mode & 0o777 for one in place.rglob("*") if one.is_file()} == {0o644}
    finally:
        os.umask(before)


def test_a_folder_may_be_written_as_people_do(
    brain: Brain, there: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for folder in ("~/two words", "zwölf", f"{tmp_path}/last/"):
        assert learner(brain, there, folder=folder).policy()
    paths = [Path(one["lora_path"]) for one in there.bodies("/v1/load_lora_adapter")]
    assert [one.parts[:-2] for one in paths] == [(tmp_path / name).parts for name in ("two words", "zwölf", "last")]


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_a_server_that_says_what_the_model_would_is_played_with(
    brain: Brain, there: StandIn, temperature: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the temperature that is asked for: at another one the gap is told, and what may be why."""
    import torch

    warmth = [temperature]

    def truly() -> Answer:
        asked = there.bodies("/v1/completions")[-1]
        assert asked["temperature"] == temperature and asked["max_tokens"] == 3
        tokens = (5, 6, 7)
        with torch.inference_mode():
            logits = brain.model(input_ids=torch.tensor([[*asked["prompt"], *tokens]])).logits[0, -4:-1]
        found = (logits / warmth[0]).log_softmax(-1)
        return said(*tokens, logprobs=[float(found[at, token]) for at, token in enumerate(tokens)])

    monkeypatch.setattr("prowess.policies.server.player.APART", 1e-4)
    there.says = [truly]
    opening = brain.chat.opening((Message(role="user", content="Print the numbers from 1 to 9."),))
    settings = replace(alone(there), temperature=temperature, context_tokens=len(opening) + 3)
    assert ServerPlayer(brain, settings).policy()
    warmth[0] = 2.0
    with pytest.raises(RecipeError, match="from the model's own") as caught:
        ServerPlayer(brain, settings).policy()
    assert ("--logprobs-mode processed_logprobs" in caught.value.hint) == (temperature != 1)


def test_a_shorter_context_of_the_server_is_told(
    brain: Brain, there: StandIn, capsys: pytest.CaptureFixture[str]
) -> None:
    ServerPlayer(brain, alone(there))
    assert not capsys.readouterr().err
    there.told["data"][0]["max_model_len"] = 120
    assert ServerPlayer(brain, alone(there)).policy().limit == 120
    assert "at most 120 tokens a conversation (--max-model-len), not 200" in capsys.readouterr().err


def test_a_server_that_makes_text_is_played_with_and_told_once(
    brain: Brain, there: StandIn, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.policies.server.player.APART", 1e9)
    there.says = [said(5, 6, text="")]
    assert ServerPlayer(brain, alone(there)).policy()
    assert not capsys.readouterr().err
    there.says = [said(5, 6)]
    player = ServerPlayer(brain, alone(there))
    assert player.policy() and player.policy()
    told = capsys.readouterr().err
    assert told.count("note: ") == 1 and f"({there.url}): --skip-tokenizer-init" in told
    there.says = [said(5, 6, text="")]  # started again, as it was told to be
    assert ServerPlayer(brain, alone(there)).policy()
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"urls": ()}, "urls is empty"),
        ({"there": "/x"}, "there is '/x', and folder is empty"),
        ({"key_env": "sk-secret"}, "key_env is not the name"),
        ({"timeout_seconds": 100_000}, "timeout_seconds is 100000"),
        ({"tries": 0}, "tries is 0"),
    ],
)
def test_settings_of_servers_that_mean_nothing_are_refused(given: dict[str, Any], wrong: str) -> None:
    with pytest.raises(RecipeError, match=wrong):
        ServerSettings(**given)
