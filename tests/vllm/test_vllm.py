"""The policy on a real vLLM: the same tokens and probabilities as ours, weights that follow, conversations apart.

Engines take a while to start: tests that want the same ones stand together.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from prowess.errors import ContextOverflow, PolicyError, PolicyGone, RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny
from prowess.play.concurrency import play_all
from prowess.policies.engines import dismiss
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings, VllmSettings, device_memory
from prowess.policies.scripted import Scripted
from prowess.policies.taught import taught
from prowess.policies.vllm.player import VllmPlayer
from prowess.policies.vllm.policy import VllmPolicy
from prowess.policies.vllm.question import Question
from prowess.types import Completion, Message, Request, Sample

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
SHAPE = TinySettings(layers=2, hidden=128, heads=4, kv_heads=2, inner=96, vocab=400, positions=512, spread=0.2)
SPEAK = SamplingSettings(engine="vllm", reply_tokens=20, context_tokens=300, rows=16, cache_gb=0.25)
GPU = torch.cuda.is_available()
NEAR = 0.08 if GPU else 1e-4
"""How far apart log-probabilities may be: rounding of half precision on a GPU, of full precision elsewhere."""


def brain(seed: int = 3) -> Brain:
    made = make_tiny(TEXTS, SHAPE, seed=seed)
    if GPU:
        made.model.to(device="cuda", dtype=torch.bfloat16)
    return made


def messages(text: str = "Add an alarm at 7", *turns: str) -> tuple[Message, ...]:
    roles = ("user", "assistant")
    return tuple(Message(role=roles[n % 2], content=one) for n, one in enumerate((text, *turns)))


def ask(key: str, text: str = "Add an alarm at 7", seed: int = 0) -> Request:
    return Request(key=key, messages=messages(text), seed=seed)


def one_sample(reply: Completion, weight: float = 1.0) -> Sample:
    return Sample(
        tokens=reply.prompt + reply.tokens,
        weights=(0.0,) * len(reply.prompt) + (weight,) * len(reply.tokens),
        logprobs=(0.0,) * len(reply.prompt) + reply.logprobs,
    )


def gap(some: Any, others: Any) -> float:
    return max(abs(one - other) for one, other in zip(some, others, strict=True))


def test_it_says_what_our_own_sampler_says() -> None:
    mine = brain()
    theirs = VllmPlayer(mine, SPEAK).policy().at(0.0)(messages(), seed=1)
    ours = LocalPolicy(mine, SPEAK).at(0.0)(messages(), seed=1)
    assert theirs.prompt == ours.prompt and theirs.counted == "exact"
    if not GPU:
        assert theirs.tokens == ours.tokens and theirs.text == ours.text
        assert gap(theirs.logprobs, ours.logprobs) < NEAR


def test_over_many_blocks_every_token_is_ours_and_what_was_said_is_not_read_again() -> None:
    """Keys and values lie in blocks of 16 tokens, of 128 on a processor; slots are asked for at their ends alone."""
    mine = brain()
    mine.chat.stop_ids = frozenset()
    speak = replace(SPEAK, reply_tokens=300, context_tokens=500)
    policy = VllmPlayer(mine, speak).policy()
    said = [policy.ask(ask(f"k{n}", seed=n)) for n in range(8)]
    replies = [one.result() for one in said]
    assert {len(one.tokens) for one in replies} == {300}
    learner = TorchLearner(mine, LearnerSettings(), LossSettings(), speak)
    found = learner.logprobs([one_sample(one) for one in replies])
    apart = [
        abs(one - other)
        for reply, all_ in zip(replies, found, strict=True)
        for one, other in zip(reply.logprobs, all_[-300:], strict=True)
    ]
    assert sum(apart) / len(apart) < NEAR / 2 and max(apart) < 3 * NEAR, "among 2,400 some are rounded far apart"
    before = policy.tally.kept
    more = (*messages(), Message(role="assistant", content=replies[0].text), Message(role="user", content="go on"))
    policy.ask(Request(key="k0", messages=more, seed=0)).result()
    assert policy.tally.kept - before >= (len(replies[0].prompt) + 300) // 128 * 128


def test_a_reply_ends_at_the_chats_tokens_and_at_no_others() -> None:
    """vLLM also reads ends from the model's description, where other ones may stand than the chat has."""
    mine = brain()
    first = VllmPlayer(mine, SPEAK).policy().at(0.0)(messages(), seed=1).tokens
    mine.model.config.eos_token_id = mine.model.generation_config.eos_token_id = first[0]
    again = VllmPlayer(mine, SPEAK).policy().at(0.0)(messages(), seed=1)
    assert first[0] not in mine.chat.stop_ids and again.tokens == first
    mine.chat.stop_ids = frozenset([first[0]])
    assert VllmPlayer(mine, SPEAK).policy().at(0.0)(messages(), seed=1).tokens == first[:1]


def test_a_seed_is_a_reply_whoever_else_is_asked() -> None:
    policy = VllmPlayer(brain(), SPEAK).policy()
    alone = policy(messages(), seed=5)
    assert policy(messages(), seed=5).tokens == alone.tokens
    assert policy(messages(), seed=6).tokens != alone.tokens
    crowd = [policy.ask(ask(f"k{n}", seed=n)) for n in range(12)]
    if not GPU:  # there, sizes of batches choose kernels, and kernels round
        assert crowd[5].result().tokens == alone.tokens


def test_more_prompts_than_fit_into_a_pass_are_all_read() -> None:
    speak = replace(SPEAK, prefill_tokens=32, context_tokens=100)
    policy = VllmPlayer(brain(), speak).policy()
    asked = [
        policy.ask(ask(f"k{n}", f"Add an alarm at {n}, {n} times. Like every song by Juno.", n)) for n in range(12)
    ]
    assert len({one.result().prompt for one in asked}) == 12
    assert sum(len(one.result().prompt) for one in asked) > 5 * 32, "several passes"


def test_log_probabilities_are_the_learners_and_stay_so_as_it_learns() -> None:
    for rank in (0, 4):
        learner = TorchLearner(
            brain(), LearnerSettings(rate=1e-2, lora_rank=rank), LossSettings(), replace(SPEAK, temperature=0.7)
        )
        learner.settings = replace(learner.settings, temperature=0.7)
        for _ in range(3):
            policy: Any = learner.policy()
            samples = [one_sample(policy(messages(), seed=n), (-1.0) ** n) for n in range(6)]
            for sample, found in zip(samples, learner.logprobs(samples), strict=True):
                assert gap(sample.logprobs, found) < NEAR
            figures = learner.step(samples)
            assert figures["learn/mismatch"] < NEAR


def test_in_a_crowd_that_reads_and_speaks_at_once_every_token_is_the_learners() -> None:
    """Turns come whenever a reply is there, so that passes are mixed: vLLM's full CUDA graphs gave garbage there."""
    rows = 256 if GPU else 16
    learner = TorchLearner(brain(), LearnerSettings(), LossSettings(), replace(SPEAK, rows=rows, reply_tokens=40))
    policy: Any = learner.policy()
    texts = [f"Add an alarm at {n}" + " and a song" * (n % 9) for n in range(2 * rows)]
    first = [policy.ask(ask(f"k{n}", text, seed=n)) for n, text in enumerate(texts)]
    said = [one.result() for one in first]
    again = []
    for n, (text, reply) in enumerate(zip(texts, said, strict=True)):
        more = (*messages(text), Message(role="assistant", content=reply.text), Message(role="user", content="go on"))
        again.append(policy.ask(Request(key=f"k{n}", messages=more, seed=n)))
    samples = [one_sample(reply) for reply in (*said, *(one.result() for one in again))]
    for sample, found in zip(samples, learner.logprobs(samples), strict=True):
        assert gap(sample.logprobs, found) < 3 * NEAR  # the largest of twenty thousand, on a GPU


def test_a_policy_holds_its_weights_apart_until_the_next_one_is_made() -> None:
    learner = TorchLearner(brain(), LearnerSettings(rate=0.05), LossSettings(), SPEAK)
    policy: Any = learner.policy()
    before = policy.at(0.0)(messages(), seed=1)
    learner.step([one_sample(before, -1.0)])
    assert policy.apart and policy.at(0.0)(messages(), seed=1).tokens == before.tokens
    after: Any = learner.policy()
    assert after.at(0.0)(messages(), seed=1).tokens != before.tokens


def test_what_older_weights_read_is_not_used_again() -> None:
    """A long common beginning is remembered; under other weights it must be read anew."""
    mine = brain()
    mirror = VllmPlayer(mine, SPEAK)
    long = messages("alarm " * 200)
    mirror.policy()(long, seed=1)
    warm = mirror.policy()
    assert warm(long, seed=1) and warm.figures()["play/cached"] == 0.0
    assert warm(long, seed=2) and warm.figures()["play/cached"] > 0.25


def test_a_next_turn_goes_on_from_the_tokens_that_were_said() -> None:
    policy = VllmPlayer(brain(), SPEAK).policy()
    first = policy.ask(ask("a")).result()
    more = (*messages(), Message(role="assistant", content=first.text), Message(role="user", content="go on"))
    second = policy.ask(Request(key="a", messages=more, seed=2)).result()
    assert second.prompt[: len(first.prompt) + len(first.tokens)] == first.prompt + first.tokens


def test_a_conversation_that_is_too_long_is_told_and_hurts_no_other() -> None:
    policy = VllmPlayer(brain(), SPEAK).policy()
    long, short = policy.ask(ask("long", "alarm " * 400)), policy.ask(ask("short"))
    with pytest.raises(ContextOverflow, match="at most 299 leave room"):
        long.result()
    assert short.result().tokens


def test_conversations_go_on_without_waiting_for_each_other() -> None:
    policy = VllmPlayer(brain(), SPEAK).policy()

    def talk(number: int) -> Iterator[Request]:
        said = messages(f"Add an alarm at {number}")
        for turn in range(1 + number % 3):
            reply: Any = yield Request(key=f"{number}", messages=said, seed=100 * number + turn)
            said = (*said, Message(role="assistant", content=reply.text), Message(role="user", content="more"))
        return number, turn

    plays: Any = [lambda n=n: talk(n) for n in range(40)]
    assert sorted(found for _, found in play_all(policy, plays, workers=4)) == [(n, n % 3) for n in range(40)]
    assert not policy._talks and not any(hand.asked for hand in policy.engine._hands)


def test_what_is_forgotten_is_broken_off_and_the_engine_goes_on() -> None:
    policy = VllmPlayer(brain(), SPEAK).policy()
    futures = [policy.ask(ask(f"{n}", seed=n)) for n in range(16)]
    for n in range(16):
        policy.forget(f"{n}")
    ended = 0
    for future in futures:
        with suppress(PolicyError):
            ended += bool(future.result(timeout=30))
    assert ended < 16 and policy(messages(), seed=1).tokens
    policy.close()
    with pytest.raises(PolicyGone, match="closed"):
        policy(messages(), seed=1)


def test_equal_shapes_share_the_engines_and_each_model_its_weights() -> None:
    one, two = brain(1), brain(2)
    first = VllmPlayer(one, SPEAK)
    second = VllmPlayer(two, replace(SPEAK, temperature=0.5))
    assert second.engines is first.engines and first.engines.alive
    for mirror, mine in ((second, two), (first, one), (second, two)):
        theirs = mirror.policy().at(0.0)(messages(), seed=1)
        assert theirs.tokens == LocalPolicy(mine, SPEAK).at(0.0)(messages(), seed=1).tokens or GPU


def test_a_model_that_is_taught_speaks_until_something_fails() -> None:
    policy = taught(VllmPlayer(brain(), SPEAK).policy(), Scripted(lambda said: "Like this."))
    failing = Request(key="b", messages=messages("go", "x", "Execution failed. Traceback: ..."), seed=0)
    own, told = policy.ask(ask("a")).result(), policy.ask(failing).result()  # type: ignore[attr-defined]
    assert own.tokens and not own.teacher
    assert (told.text, told.teacher) == ("Like this.", True)
    assert policy.rows == SPEAK.rows  # type: ignore[attr-defined]


def test_a_question_that_vllm_refuses_is_told_alone() -> None:
    engines = VllmPlayer(brain(), SPEAK).engines
    odd = engines.ask(Question(tokens=(1,) * 400, seed=0, temperature=1.0, room=5))
    with pytest.raises(PolicyError, match="vLLM refused"):
        odd.result(timeout=30)
    assert engines.ask(Question(tokens=(1, 2, 3), seed=0, temperature=1.0, room=5)).result(timeout=30).tokens


def test_what_ends_a_reply_is_known_by_vllms_numbers() -> None:
    from vllm.v1.engine import FinishReason

    from prowess.policies.vllm.engine import BROKEN

    assert {str(one) for one in FinishReason if one in BROKEN} == {"abort", "error"}


def test_an_engine_that_breaks_in_the_middle_of_a_pass_tells_why() -> None:
    """On the engine itself, in this process: what a GPU out of memory does to it."""
    from prowess.policies.vllm.engine import Engine

    engine = Engine(replace(VllmPlayer(brain(), SPEAK).engines.shape, cache_bytes=2**27))

    def wreck(vllm: Any) -> None:
        def step() -> None:
            raise RuntimeError("CUDA out of memory. Tried to allocate")

        vllm.engine_core.get_output = step

    engine.change(wreck)
    waiting = [engine.ask(Question(tokens=(1, 2, 3), seed=n, temperature=1.0, room=5)) for n in range(3)]
    for future in waiting:
        with pytest.raises(RecipeError, match="vLLM stopped: RuntimeError: CUDA out of memory") as told:
            future.result(timeout=30)
        assert "sampling.cache_gb" in told.value.hint
    assert not engine.alive
    engine.close()


def test_all_passes_in_which_somebody_is_read_are_counted_as_such() -> None:
    """On the engine itself: 8 prompts of 90 tokens who ask at once, in passes of at most 300."""
    from prowess.policies.vllm.engine import Engine

    engine = Engine(replace(VllmPlayer(brain(), SPEAK).engines.shape, cache_bytes=2**27, prefill_tokens=100))
    asked: list[Any] = []

    def all_at_once(_: object) -> None:
        for n in range(8):
            asked.append(engine.ask(Question(tokens=(n + 1,) * 90, seed=n, temperature=1.0, room=10)))

    engine.change(all_at_once)
    assert all(one.result().tokens for one in asked)
    assert 3 <= engine.work.reading_passes < engine.work.passes, "720 tokens"
    engine.close()


def test_an_engine_ends_at_once_however_patient_those_who_wait_have_to_be() -> None:
    from prowess.policies.vllm.batching import Admission
    from prowess.policies.vllm.engine import Engine

    engine = Engine(replace(VllmPlayer(brain(), SPEAK).engines.shape, cache_bytes=2**27))
    engine._patience = Admission(cost=1e9)
    talking = engine.ask(Question(tokens=(1, 2, 3), seed=0, temperature=1.0, room=engine.shape.limit - 4))
    while not engine.work.passes:
        time.sleep(0.001)
    engine.close()
    with pytest.raises(PolicyGone, match="the engine was closed"):
        talking.result(timeout=1)
    assert engine.work.passes < 20, "it did not talk to the end first"


def test_engines_that_are_dismissed_end_and_others_start_when_they_are_wanted() -> None:
    player = VllmPlayer(brain(), SPEAK)
    said, engines = player.policy()(messages(), seed=3).tokens, player.engines
    dismiss()
    assert not engines.alive
    assert player.policy()(messages(), seed=3).tokens == said and player.engines is not engines


@pytest.mark.skipif(not GPU, reason="only on a GPU can vLLM give memory back")
def test_asleep_it_holds_no_memory_and_awake_it_plays_the_same() -> None:
    settings = replace(SPEAK, cache_gb=2.0, vllm=VllmSettings(sleep=True))
    mirror = VllmPlayer(brain(), settings)
    before = mirror.policy().at(0.0)(messages(), seed=1)
    awake = torch.cuda.mem_get_info()[0]
    mirror.rest()
    assert torch.cuda.mem_get_info()[0] > awake + 1.5 * 2**30
    policy: VllmPolicy = mirror.policy()
    assert policy.at(0.0)(messages(), seed=1).tokens == before.tokens


def test_an_adapter_is_swapped_beside_the_models_own_weights() -> None:
    """A is in place of the merged weights, to rounding, and the prefix cache of the last adapter is not used."""
    settings = replace(SPEAK, vllm=VllmSettings(weights="adapter"))
    learner = TorchLearner(brain(), LearnerSettings(rate=5e-2, lora_rank=4), LossSettings(), settings)
    said = []
    for _ in range(3):
        policy: Any = learner.policy()
        samples = [one_sample(policy(messages("alarm " * 200), seed=n), (-1.0) ** n) for n in range(4)]
        said.append(samples[0].tokens)
        for sample, found in zip(samples, learner.logprobs(samples), strict=True):
            assert gap(sample.logprobs, found) < NEAR
        learner.step(samples)
    assert said[0] != said[2]


def test_several_engines_answer_as_one_and_keep_what_begins_alike_together() -> None:
    settings = replace(SPEAK, vllm=VllmSettings(engines=2))
    mine = brain()
    policy = VllmPlayer(mine, settings).policy()
    alone = LocalPolicy(mine, SPEAK).at(0.0)
    many = [policy.at(0.0).ask(ask(f"{n}", f"Add an alarm at {n % 4}")) for n in range(24)]
    for n, future in enumerate(many):
        reply = future.result(timeout=60)
        assert GPU or reply.tokens == alone(messages(f"Add an alarm at {n % 4}"), seed=0).tokens
    assert sorted(policy.engine._router._engines.values()) == [0, 0, 1, 1]
    assert all(hand.work.passes for hand in policy.engine._hands)
    with torch.no_grad():
        for one in mine.model.parameters():
            one.add_(torch.randn_like(one) * 0.05)
    changed = VllmPlayer(mine, settings).policy().at(0.0)
    said = [changed.ask(ask(f"{n}", f"Add an alarm at {n}")).result(timeout=60).tokens for n in range(4)]
    assert GPU or said == [alone(messages(f"Add an alarm at {n}"), seed=0).tokens for n in range(4)]


def test_engines_end_with_whoever_started_them(tmp_path: Path) -> None:
    """Killed, not closed: no process, and no GPU's memory, stays behind."""
    program = tmp_path / "plays.py"
    program.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_vllm import SPEAK, VllmPlayer, brain\n"
        "if __name__ == '__main__':\n"
        "    print(VllmPlayer(brain(), SPEAK).engines._hands[0].process.pid, flush=True)\n"
        "    time.sleep(300)\n"
    )
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        engine = int(started.stdout.readline())
        os.kill(engine, 0)
        started.kill()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{engine}").exists() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not Path(f"/proc/{engine}").exists()


def test_too_small_a_cache_is_told_with_what_to_do() -> None:
    with pytest.raises(RecipeError, match="vLLM stopped") as told:
        VllmPlayer(brain(), replace(SPEAK, cache_gb=0.0001))
    assert "cache_gb" in told.value.hint


def test_too_large_a_cache_is_told_with_what_to_do_and_another_engine_starts() -> None:
    """On a GPU its memory really runs out; on a processor vLLM looks first."""
    whole = device_memory(next(brain().model.parameters()).device) / 2**30
    with pytest.raises(RecipeError, match="vLLM stopped") as told:
        VllmPlayer(brain(), replace(SPEAK, cache_gb=2 * whole))
    assert "a smaller sampling.cache_gb" in told.value.hint
    assert VllmPlayer(brain(), SPEAK).policy()(messages(), seed=1).tokens


def test_a_process_that_dies_is_told_to_all_who_wait_and_replaced() -> None:
    mirror = VllmPlayer(brain(), SPEAK)
    policy = mirror.policy()
    waiting = [policy.ask(ask(f"{n}", "alarm " * 200)) for n in range(16)]
    mirror.engines._hands[0].process.kill()
    told = [future.exception(timeout=30) for future in waiting]
    assert any("a process of vLLM ended with exit code -9" in str(one) for one in told)
    dead = mirror.engines
    assert not dead.alive
    assert mirror.policy()(messages(), seed=1).tokens and mirror.engines is not dead
