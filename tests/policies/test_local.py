"""The local policy: exact log-probabilities, a cache that changes nothing, and batches that equal their parts."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import pytest

from prowess.errors import ContextOverflow, PolicyError, RecipeError
from prowess.models import Brain
from prowess.models.chat import Chat
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings
from prowess.types import BatchPolicy, Completion, Message, Request

TEXTS = ["Like every song by Juno Halloway on music.", "Output:\n\n```\n5\n\n```", "print(apis.music.songs())"] * 4
SYSTEM = Message(role="system", content="Write Python. " * 12)
torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

SHORT = SamplingSettings(reply_tokens=12, context_tokens=512)


@cache
def llama() -> Brain:
    sizes = {"layers": 2, "hidden": 32, "heads": 4, "kv_heads": 2, "inner": 48, "vocab": 400, "positions": 512}
    brain = make_tiny(TEXTS, TinySettings(**sizes, piece=2, spread=0.3), seed=1)
    return replace(brain, chat=Chat(brain.chat.tokenizer, stops=range(40, 70)))  # so that replies end at all lengths


@cache
def qwen2() -> Brain:
    return other("Qwen2")


@cache
def qwen3() -> Brain:
    return other("Qwen3", head_dim=16)


def other(family: str, **more: Any) -> Brain:
    import transformers

    config = getattr(transformers, f"{family}Config")(
        vocab_size=len(llama().chat.tokenizer),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=1,
        max_position_embeddings=512,
        initializer_range=0.3,
        tie_word_embeddings=False,
        **more,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        model = getattr(transformers, f"{family}ForCausalLM")(config)
    return Brain(model=model.eval(), chat=llama().chat, name=family)


FAMILIES = pytest.mark.parametrize("brain", [llama, qwen2, qwen3])


def ask(key: str, *contents: str, seed: int = 0) -> Request:
    """A conversation that begins with the system message and a user's."""
    roles = ("user", "assistant")
    told = (Message(role=roles[number % 2], content=text) for number, text in enumerate(contents))
    return Request(key=key, messages=(SYSTEM, *told), seed=seed)


def on(request: Request, answer: Completion | PolicyError, content: str, seed: int) -> Request:
    """The same conversation, one turn further."""
    assert isinstance(answer, Completion)
    said = Message(role="assistant", content=answer.text)
    return replace(request, messages=(*request.messages, said, Message(role="user", content=content)), seed=seed)


def played(policy: LocalPolicy, requests: Sequence[Request], turns: int = 3) -> list[list[Completion]]:
    """Every conversation over some turns, with observations of different lengths."""
    said: list[list[Completion]] = [[] for _ in requests]
    for turn in range(turns):
        answers = policy.replies(requests)
        for number, answer in enumerate(answers):
            assert isinstance(answer, Completion)
            said[number].append(answer)
        requests = [
            on(request, answer, "Output: " + "7, " * (number % 5), seed=100 * turn + number)
            for number, (request, answer) in enumerate(zip(requests, answers, strict=True))
        ]
    return said


def many(size: int) -> list[Request]:
    return [
        ask(f"c{number}", f"Play song {number % 7}" + " again" * (number % 4), seed=number) for number in range(size)
    ]


def reference(brain: Brain, completion: Completion, temperature: float = 1.0) -> Any:
    """The log-probabilities of a reply by one plain forward pass over the whole conversation."""
    tokens = torch.tensor([[*completion.prompt, *completion.tokens]])
    with torch.no_grad():
        spread = torch.log_softmax(brain.model(input_ids=tokens).logits.float() / temperature, dim=-1)
    places = torch.arange(len(completion.prompt), tokens.shape[1])
    return spread[0, places - 1, tokens[0, places]]


@FAMILIES
def test_logprobs_are_those_of_one_forward_pass_over_the_whole_conversation(brain: Any) -> None:
    for talk in played(LocalPolicy(brain(), SHORT), many(9)):
        for completion in talk:
            assert completion.counted == "exact" and len(completion.logprobs) == len(completion.tokens)
            torch.testing.assert_close(
                torch.tensor(completion.logprobs), reference(brain(), completion), atol=1e-4, rtol=0
            )


@FAMILIES
def test_a_conversation_only_grows(brain: Any) -> None:
    for talk in played(LocalPolicy(brain(), SHORT), many(5)):
        for before, after in pairwise(talk):
            seen = before.prompt + before.tokens
            assert after.prompt[: len(seen)] == seen and len(after.prompt) > len(seen)


@FAMILIES
def test_the_kept_cache_gives_the_tokens_that_reading_everything_again_gives(brain: Any) -> None:
    kept = played(LocalPolicy(brain(), SHORT), many(6))
    forgetful = LocalPolicy(brain(), replace(SHORT, rows=1))  # one conversation at a time pushes out the one before
    again = played(forgetful, many(6))
    assert forgetful.tally.kept == 0
    for one, other in zip(kept, again, strict=True):
        assert [completion.tokens for completion in one] == [completion.tokens for completion in other]
        assert [completion.prompt for completion in one] == [completion.prompt for completion in other]


@FAMILIES
def test_thirty_two_conversations_at_once_equal_each_alone(brain: Any) -> None:
    together = played(LocalPolicy(brain(), SHORT), many(32))
    for number, request in enumerate(many(32)):
        if number % 8 and number != 31:
            continue
        policy = LocalPolicy(brain(), SHORT)
        for turn, wanted in enumerate(together[number]):
            alone = policy.replies([request])[0]
            assert isinstance(alone, Completion) and alone.tokens == wanted.tokens
            torch.testing.assert_close(torch.tensor(alone.logprobs), torch.tensor(wanted.logprobs), atol=1e-4, rtol=0)
            request = on(request, alone, "Output: " + "7, " * (number % 5), seed=100 * turn + number)


def test_the_same_requests_in_the_same_order_give_the_same_bits() -> None:
    assert played(LocalPolicy(llama(), SHORT), many(12)) == played(LocalPolicy(llama(), SHORT), many(12))


def test_a_policy_that_has_forgotten_everything_is_as_new() -> None:
    policy = LocalPolicy(llama(), SHORT)
    first = played(policy, many(12))
    for request in many(12):
        policy.forget(request.key)
    assert played(policy, many(12)) == first


def test_another_seed_says_something_else_and_the_order_of_requests_does_not_matter() -> None:
    one, same, another = LocalPolicy(llama(), SHORT).replies(
        [ask("a", "Hi", seed=1), ask("b", "Hi", seed=1), ask("c", "Hi", seed=2)]
    )
    assert one == same != another
    swapped = LocalPolicy(llama(), SHORT).replies([ask("c", "Hi", seed=2), ask("a", "Hi", seed=1)])
    assert [answer.tokens for answer in swapped] == [another.tokens, one.tokens]  # type: ignore[union-attr]


def test_a_turn_reads_only_what_is_new_and_a_group_shares_its_prompt() -> None:
    policy = LocalPolicy(llama(), SHORT)
    group = [ask(f"g{number}", "Play song 3", seed=number) for number in range(8)]
    answers = policy.replies(group)
    prompt = len(answers[0].prompt)  # type: ignore[union-attr]
    assert policy.tally.prefilled == prompt and policy.tally.shared == 7 * prompt
    before = policy.tally.prefilled
    heard = policy.replies([on(request, answer, "5", 9) for request, answer in zip(group, answers, strict=True)])
    # each row reads its last word, which nobody has read yet, and the glue; nothing of the prompt or the reply
    glue = sum(
        len(later.prompt) - len(first.prompt) - len(first.tokens) + 1  # type: ignore[union-attr]
        for first, later in zip(answers, heard, strict=True)
    )
    assert policy.tally.prefilled - before == glue < 8 * 12
    assert policy.tally.kept == sum(len(first.prompt) + len(first.tokens) - 1 for first in answers)  # type: ignore[union-attr]


def test_different_prompts_share_the_system_message_within_a_turn_and_with_conversations_under_way() -> None:
    policy = LocalPolicy(llama(), SHORT)
    policy.replies([ask("a", "Play song 3"), ask("b", "Delete the alarm"), ask("c", "Pay Juno")])
    system = len(llama().chat.opening([SYSTEM, Message(role="user", content="")]))
    assert policy.tally.shared >= 2 * (system - 20)
    shared = policy.tally.shared
    late = policy.replies([ask("d", "Write a note")])[0]
    assert policy.tally.shared - shared >= system - 20
    torch.testing.assert_close(torch.tensor(late.logprobs), reference(llama(), late), atol=1e-4, rtol=0)  # type: ignore[union-attr,arg-type]


def test_conversations_come_and_go_without_disturbing_each_other() -> None:
    policy = LocalPolicy(llama(), SHORT)
    requests = many(10)
    answers = policy.replies(requests)
    for number in (0, 3, 4):
        policy.forget(f"c{number}")
    some = [on(requests[number], answers[number], "Output: 1", number) for number in (9, 1, 6)]
    fresh = [ask("new", "Something else", seed=3)]
    later = policy.replies([*some, *fresh])
    rest = policy.replies([on(requests[number], answers[number], "Output: 2", number) for number in (2, 5, 7, 8)])
    for completion in (*later, *rest):
        assert isinstance(completion, Completion)
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def in_and_out(policy: LocalPolicy, size: int, turns: int, seed: int) -> dict[str, list[Completion]]:
    """Conversations that join between passes of others, rest for some between their turns, and leave at the end."""
    luck = random.Random(seed)
    asked = {request.key: request for request in many(size)}
    said: dict[str, list[Completion]] = {key: [] for key in asked}
    back = {key: luck.randrange(30) for key in asked}
    now = 0
    while back or policy._going or policy._waiting:
        for key in [key for key, when in back.items() if when <= now]:
            del back[key]
            policy.admit(asked[key])
        for key, answer in policy.advance().items():
            assert isinstance(answer, Completion)
            said[key].append(answer)
            number = len(said[key])
            if number == turns:
                policy.forget(key)
            else:
                asked[key] = on(asked[key], answer, "Output: " + "7, " * (int(key[1:]) % 5), seed=100 * number)
                back[key] = now + luck.randrange(9)
        now += 1
    return said


@FAMILIES
@pytest.mark.parametrize(
    "settings",
    [SHORT, replace(SHORT, rows=5), replace(SHORT, prefill_tokens=7), replace(SHORT, prefill_tokens=7, rows=30)],
    ids=["roomy", "few rows", "short reads", "both"],
)
def test_conversations_that_join_and_leave_between_passes_get_the_replies_they_get_alone(
    brain: Any, settings: SamplingSettings
) -> None:
    policy = LocalPolicy(brain(), settings)
    found = in_and_out(policy, 24, 3, seed=1)
    assert all(len(talk) == 3 for talk in found.values())
    for talk in found.values():
        for completion in talk:
            torch.testing.assert_close(
                torch.tensor(completion.logprobs), reference(brain(), completion), atol=1e-4, rtol=0
            )
    alone = LocalPolicy(brain(), SHORT)
    for request in many(24)[::7]:
        for number, wanted in enumerate(found[request.key], start=1):
            [answer] = alone.replies([request])
            assert isinstance(answer, Completion) and answer.tokens == wanted.tokens
            request = on(request, answer, "Output: " + "7, " * (int(request.key[1:]) % 5), seed=100 * number)
    assert not policy._seats and not policy._engine.slots.rows  # type: ignore[union-attr]


def test_conversations_that_come_and_go_alike_get_the_same_bits() -> None:
    one, other = (in_and_out(LocalPolicy(llama(), replace(SHORT, rows=9)), 24, 3, seed=2) for _ in range(2))
    assert one == other


def test_a_pass_is_shared_by_those_who_speak_and_those_who_read() -> None:
    policy = LocalPolicy(replace(llama(), chat=_endless()), replace(SHORT, reply_tokens=12))
    policy.admit(ask("a", "Play song 3", seed=1))
    for _ in range(5):
        assert policy.advance() == {}
    policy.admit(ask("b", "Delete the alarm", seed=2))
    ended = [policy.advance() for _ in range(12)]
    assert [sorted(one) for one in ended] == [[]] * 6 + [["a"]] + [[]] * 4 + [["b"]]
    assert policy.tally.passes == 17 and policy.tally.decoded == 24


def test_a_conversation_forgotten_in_the_middle_of_its_reply_leaves_the_others_as_they_are() -> None:
    policy = LocalPolicy(llama(), replace(SHORT, prefill_tokens=30))
    for request in (*many(9), ask("c0-too", "Play song 0", seed=44), ask("c0-three", "Play song 0", seed=45)):
        policy.admit(request)
    policy.forget("c8")
    found = dict(policy.advance())
    policy.forget("c0")  # two others wait for what it reads
    while policy._going or policy._waiting:
        found |= policy.advance()
        policy.forget("c3")
    assert sorted(found) == ["c0-three", "c0-too", "c1", "c2", "c4", "c5", "c6", "c7"]
    for completion in found.values():
        assert isinstance(completion, Completion)
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def test_where_memory_is_short_conversations_wait_and_the_slots_stay_within_it() -> None:
    each = 2 * 2 * 16 * 4 * (512 + 256)  # keys and values, layers, width, bytes, tokens
    policy = LocalPolicy(replace(llama(), chat=_endless()), replace(SHORT, cache_gb=4 * each / 2**30, reply_tokens=300))
    requests = [ask(f"m{number}", "Hi " * (number * 9 % 31), seed=number) for number in range(12)]
    for request in requests:
        policy.admit(request)
    most, found = 0, dict[str, Completion | PolicyError]()
    while len(found) < 12:
        found |= policy.advance()
        slots = policy._engine.slots  # type: ignore[union-attr]
        most = max(most, sum(one.numel() * one.element_size() for one in (*slots._keys, *slots._values)))
    assert most <= 4 * each + each, "the row of the bin besides"
    for completion in found.values():
        assert isinstance(completion, Completion)
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def test_a_model_that_attends_in_its_own_way_is_played_in_that_way() -> None:
    eager = replace(other("Qwen2"), name="eager")
    eager.model.set_attn_implementation("eager")
    own, stock = (in_and_out(LocalPolicy(brain, SHORT), 8, 2, seed=3) for brain in (eager, other("Qwen2")))
    assert eager.model.config._attn_implementation == "eager"
    assert [[one.tokens for one in talk] for talk in own.values()] == [
        [one.tokens for one in talk] for talk in stock.values()
    ]


def test_a_newcomer_takes_a_seat_and_whoever_sat_there_keeps_what_they_know() -> None:
    policy = LocalPolicy(llama(), SHORT)
    requests = many(4)
    answers = policy.replies(requests)
    policy.replies([ask("new", "Something else", seed=3)])
    before = policy.tally.prefilled
    later = policy.replies([on(requests[each], answers[each], "Output: 1", each) for each in range(4)])
    assert policy.tally.prefilled - before < 100  # nobody was read again
    for answer in later:
        assert isinstance(answer, Completion)
        torch.testing.assert_close(torch.tensor(answer.logprobs), reference(llama(), answer), atol=1e-4, rtol=0)


@pytest.mark.parametrize(("over", "gone", "back"), list(permutations(range(3))))
def test_newcomers_find_a_seat_beside_those_who_come_back_and_one_that_sits_there_silent(
    over: int, gone: int, back: int
) -> None:
    policy = LocalPolicy(llama(), replace(SHORT, context_tokens=300))
    requests = many(3)
    answers = policy.replies(requests)
    later = [on(requests[each], answers[each], "Output: 1", each) for each in range(3)]
    assert isinstance(policy.replies([on(requests[over], answers[over], "x" * 400, 1)])[0], ContextOverflow)
    policy.forget(f"c{gone}")  # the one that has outgrown the context keeps its seat
    for answer in policy.replies([ask("new", "Something else", seed=3), later[back]]):
        assert isinstance(answer, Completion)
        torch.testing.assert_close(torch.tensor(answer.logprobs), reference(llama(), answer), atol=1e-4, rtol=0)
    assert policy.tally.kept == len(answers[back].prompt) + len(answers[back].tokens) - 1  # type: ignore[union-attr]


@pytest.mark.parametrize("survivor", range(4))
def test_the_last_conversation_moves_to_the_front_with_what_it_knows(survivor: int) -> None:
    policy = LocalPolicy(llama(), SHORT)
    requests = many(4)
    answers = policy.replies(requests)
    for each in {0, 1, 2, 3} - {survivor}:
        policy.forget(f"c{each}")
    answer = policy.replies([on(requests[survivor], answers[survivor], "Output: 1", 5)])[0]
    assert isinstance(answer, Completion) and policy.tally.kept
    torch.testing.assert_close(torch.tensor(answer.logprobs), reference(llama(), answer), atol=1e-4, rtol=0)


def test_conversations_of_very_different_lengths_are_sorted_and_stay_themselves() -> None:
    policy = LocalPolicy(llama(), SHORT)
    lengths = [104 if each % 5 == 0 else each % 7 for each in range(40)]
    requests = [ask(f"l{each}", "Hi " * (2 + length), seed=each) for each, length in enumerate(lengths)]
    answers = policy.replies(requests)
    assert {policy._seats[slot] for slot in range(1, 9)} == {f"l{each}" for each in range(0, 40, 5)}
    for request, answer in zip(requests, answers, strict=True):
        assert isinstance(answer, Completion) and answer.prompt == llama().chat.opening(request.messages)
        torch.testing.assert_close(torch.tensor(answer.logprobs), reference(llama(), answer), atol=1e-4, rtol=0)
    again = [on(request, answer, "5", 1) for request, answer in zip(requests, answers, strict=True)][::3]
    for answer in policy.replies(again):
        assert isinstance(answer, Completion)
        torch.testing.assert_close(torch.tensor(answer.logprobs), reference(llama(), answer), atol=1e-4, rtol=0)


def test_a_history_that_was_changed_is_read_from_the_beginning() -> None:
    policy = LocalPolicy(llama(), SHORT)
    policy.replies([ask("a", "Hi")])
    changed = policy.replies([ask("a", "Hi", "something I never said", "go on", seed=4)])[0]
    assert (
        changed == LocalPolicy(llama(), SHORT).replies([ask("b", "Hi", "something I never said", "go on", seed=4)])[0]
    )


def test_greedy_takes_the_likeliest_token_whatever_the_seed() -> None:
    policy = LocalPolicy(llama(), replace(SHORT, temperature=0.0))
    one, other = policy.replies([ask("a", "Hi", seed=1), ask("b", "Hi", seed=2)])
    assert isinstance(one, Completion) and isinstance(other, Completion) and one.tokens == other.tokens
    tokens = torch.tensor([[*one.prompt, *one.tokens]])
    best = llama().model(input_ids=tokens).logits.argmax(-1)[0, len(one.prompt) - 1 : -1]
    assert best.tolist() == list(one.tokens)
    torch.testing.assert_close(torch.tensor(one.logprobs), reference(llama(), one), atol=1e-4, rtol=0)


def test_logprobs_are_recorded_at_the_temperature_and_before_top_p() -> None:
    policy = LocalPolicy(llama(), replace(SHORT, temperature=0.7, top_p=0.6))
    for completion in policy.replies(many(8)):
        assert isinstance(completion, Completion)
        torch.testing.assert_close(
            torch.tensor(completion.logprobs), reference(llama(), completion, 0.7), atol=1e-4, rtol=0
        )


def test_tokens_are_drawn_as_often_as_their_chances_say() -> None:
    from prowess.models.sampler import choose

    logits = torch.tensor([0.5, 0.3, 0.15, 0.05, 0.0]).log().expand(4000, 5)
    draws = [(number + 0.5) / 4000 for number in range(4000)]
    tokens = choose(logits, draws, temperature=1.0, top_p=1.0).tokens
    assert tokens.bincount(minlength=5).tolist() == [2000, 1200, 600, 200, 0]
    nucleus = choose(logits, draws, temperature=1.0, top_p=0.7).tokens
    assert nucleus.bincount(minlength=5).tolist() == [2500, 1500, 0, 0, 0]
    edge = choose(logits[:2], [0.0, 1.0 - 2.0**-53], temperature=1.0, top_p=1.0).tokens
    assert edge.tolist() == [0, 3]


def test_replies_end_at_a_stop_token_and_at_the_limit() -> None:
    replies = [completion for talk in played(LocalPolicy(llama(), SHORT), many(32)) for completion in talk]
    stops = llama().chat.stop_ids
    assert any(reply.tokens[-1] in stops for reply in replies) and any(len(reply.tokens) == 12 for reply in replies)
    for reply in replies:
        assert not set(reply.tokens[:-1]) & stops
        assert len(reply.tokens) == 12 or reply.tokens[-1] in stops
        assert reply.reply_tokens == len(reply.tokens) and reply.prompt_tokens == len(reply.prompt)


def test_a_conversation_that_outgrows_the_context_fails_alone() -> None:
    small = LocalPolicy(llama(), replace(SHORT, context_tokens=180))
    fine, long, tight = small.replies([ask("a", "Hi"), ask("b", "x" * 200), ask("c", "Hello ")])
    assert isinstance(long, ContextOverflow) and "at most 179" in str(long)
    assert isinstance(fine, Completion) and isinstance(tight, Completion)
    assert len(tight.prompt) + len(tight.tokens) <= 180
    with pytest.raises(ContextOverflow):
        small((SYSTEM, Message(role="user", content="x" * 200)), seed=1)


def test_one_conversation_can_be_continued_as_by_any_policy() -> None:
    policy = LocalPolicy(llama(), SHORT)
    assert isinstance(policy, BatchPolicy)
    request = ask("a", "Hi", seed=6)
    assert policy(request.messages, seed=6) == policy.replies([request])[0]


def test_more_conversations_than_rows_are_played_in_batches() -> None:
    few, everyone = LocalPolicy(llama(), replace(SHORT, rows=3)), LocalPolicy(llama(), SHORT)
    for one, other in zip(played(few, many(8)), played(everyone, many(8)), strict=True):
        assert [completion.tokens for completion in one] == [completion.tokens for completion in other]


def test_a_small_memory_makes_small_batches() -> None:
    each = 2 * 2 * 16 * 4 * (512 + 256)  # keys and values, layers, width, bytes, tokens
    policy = LocalPolicy(llama(), replace(SHORT, cache_gb=3 * each / 2**30))
    played(policy, many(8), turns=1)
    everyone = LocalPolicy(llama(), SHORT)
    played(everyone, many(8), turns=1)
    assert policy.tally.passes > 2 * everyone.tally.passes - 12


def test_long_prompts_are_read_in_parts() -> None:
    policy = LocalPolicy(llama(), replace(SHORT, prefill_tokens=10))
    for completion in policy.replies(many(4)):
        assert isinstance(completion, Completion)
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def test_replies_longer_than_the_first_room_go_on() -> None:
    policy = LocalPolicy(replace(llama(), chat=_endless()), replace(SHORT, reply_tokens=330))
    for completion in policy.replies(many(3)):
        assert isinstance(completion, Completion) and len(completion.tokens) == 330
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def _endless() -> Any:
    chat = Chat(llama().chat.tokenizer)
    chat.stop_ids = frozenset()
    return chat


def test_the_model_is_left_as_it_was() -> None:
    brain = other("Qwen2", attention_dropout=0.5)
    brain.model.train()
    brain.model.lm_head.eval()
    before = {name: value.clone() for name, value in brain.model.state_dict().items()}
    first = LocalPolicy(brain, SHORT).replies(many(4))
    assert brain.model.training and not brain.model.lm_head.training
    assert all(torch.equal(value, before[name]) for name, value in brain.model.state_dict().items())
    assert LocalPolicy(brain, SHORT).replies(many(4)) == first  # no dropout while playing
    loss = brain.model(input_ids=torch.tensor([[1, 2, 3]]), labels=torch.tensor([[1, 2, 3]])).loss
    loss.backward()  # and it can still be trained


def test_a_broken_turn_is_forgotten_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = LocalPolicy(llama(), SHORT)
    requests = many(3)
    answers = policy.replies(requests)
    further = [on(request, answer, "5", 1) for request, answer in zip(requests, answers, strict=True)]
    with monkeypatch.context() as patch:
        patch.setattr(policy._sampler(), "_forward", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            policy.replies(further)
    for completion in policy.replies(further):
        assert isinstance(completion, Completion)
        torch.testing.assert_close(torch.tensor(completion.logprobs), reference(llama(), completion), atol=1e-4, rtol=0)


def test_two_requests_with_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="same key"):
        LocalPolicy(llama(), SHORT).replies([ask("a", "Hi"), ask("a", "Ho")])


def test_models_that_attend_in_other_ways_are_refused() -> None:
    odd = other("Qwen2")
    odd.model.config.layer_types = ["linear_attention", "full_attention"]
    with pytest.raises(RecipeError, match="layers of linear_attention"):
        LocalPolicy(odd, SHORT)


@pytest.mark.parametrize(
    ("name", "value"), [("temperature", -1.0), ("top_p", 0.0), ("reply_tokens", 0), ("rows", 0), ("cache_gb", -1.0)]
)
def test_settings_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(RecipeError, match=name):
        SamplingSettings(**{name: value})


@pytest.mark.parametrize("value", [2.5, 0.005])
def test_a_temperature_that_vllm_would_refuse_or_change_is_told_at_once(value: float) -> None:
    """It refuses every conversation above 2, and below 0.01 samples, and tells log-probabilities, at 0.01."""
    assert SamplingSettings(temperature=value).temperature == value
    with pytest.raises(RecipeError, match=rf"temperature is {value}, and vLLM"):
        SamplingSettings(engine="vllm", temperature=value)
    with pytest.raises(RecipeError, match=rf"temperature is {value}, and vLLM"):
        replace(SamplingSettings(engine="vllm"), temperature=value)
    for fine in (0.0, 0.01, 2.0):
        assert SamplingSettings(engine="vllm", temperature=fine).temperature == fine


def test_the_settings_can_be_read_without_torch() -> None:
    code = (
        "import sys, prowess.policies.local, prowess.models.load, prowess.models.smollm2;"
        "print(sorted({'torch', 'transformers', 'tokenizers'} & sys.modules.keys()))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
