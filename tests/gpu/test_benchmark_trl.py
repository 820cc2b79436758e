"""What TRL is given in benchmarks/gpu.py: conversations played in waves, and the ways it is tried with."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("transformers")

from prowess.models.tiny import TinySettings, make_tiny
from prowess.pipeline.parts import parts_of
from prowess.play.rollout import play_groups

ROOT = Path(__file__).parents[2]
SMALL = TinySettings(layers=1, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=128)
PROGRAMS = ("Look.\n```python\nprint(1 + 1)\n```", "Again.\n```python\nprint(2 + 2)\n```", "That is all.")


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))


class Scripted:
    """In place of vLLM's LLM: says the same programs in every conversation, token n with log-probability -n."""

    def __init__(self, chat: Any) -> None:
        self.chat = chat
        self.asked: list[int] = []
        """Conversations in each wave."""

    def generate(self, asked: list[dict[str, list[int]]], params: list[Any], *, use_tqdm: bool) -> list[Any]:
        self.asked.append(len(asked))
        assert len(asked) == len(params) and not use_tqdm
        return [self._said(one["prompt_token_ids"]) for one in asked]

    def _said(self, prompt: list[int]) -> Any:
        turn = sum(self.chat.text(self.chat.reply(text)) in self.chat.tokenizer.decode(prompt) for text in PROGRAMS)
        tokens = self.chat.reply(PROGRAMS[turn])
        logprobs = [{token: SimpleNamespace(logprob=-float(n))} for n, token in enumerate(tokens)]
        return SimpleNamespace(outputs=[SimpleNamespace(token_ids=list(tokens), logprobs=logprobs)])


@pytest.mark.slow
def test_rows_are_whole_conversations_marked_where_the_model_spoke(monkeypatch: pytest.MonkeyPatch) -> None:
    from gpu_cases import Case, chains, recipe
    from gpu_waves import Waves, columns, rows_of

    fake = ModuleType("vllm")
    fake.SamplingParams = SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", fake)
    chat = make_tiny(["a few words"] * 8, SMALL, seed=0).chat
    case = Case(part="B", model="", chains=2, group=2, turns=3, context=100_000, workers=2)
    llm = Scripted(chat)
    with parts_of(recipe(case)) as live:
        tasks = chains(case, live.suite.tasks("train"))
        agent = replace(live.agent, policy=Waves(llm, chat, case))
        groups = play_groups(agent, live.suite, tasks, size=case.group, seed=0, workers=case.workers)
    rows = rows_of(groups, 2, chat.end)
    assert len(rows) == case.replies == 8
    assert llm.asked == [4] * 6  # two tasks of three turns, all conversations in each wave
    episodes = [rollout.episodes[n] for group in groups for n in range(2) for rollout in group.rollouts]
    said = [chat.reply(text) for text in PROGRAMS]
    for row, episode in zip(rows, episodes, strict=True):
        first, last = episode.turns[0].completion, episode.turns[-1].completion
        assert tuple(row.prompt) == first.prompt
        assert (*row.prompt, *row.completion) == last.prompt + last.tokens
        assert [one for one, mine in zip(row.completion, row.said, strict=True) if mine] == [*sum(said, ())]
        assert [one for one, mine in zip(row.logprobs, row.said, strict=True) if mine] == [
            -float(n) for reply in said for n in range(len(reply))
        ]
        assert not any(one for one, mine in zip(row.logprobs, row.said, strict=True) if not mine)
    assert {*columns(rows)} == {"prompt_ids", "completion_ids", "logprobs", "env_mask"}


def test_ways_with_liger_are_tried_last_and_unknown_ones_refused() -> None:
    from gpu_cases import Case
    from gpu_trl import ways_in

    case = Case(part="B", model="", long_tries=("bfloat16:4:liger", "bfloat16:2", "bfloat16:2", "float32:2:again"))
    assert [*map(str, ways_in(case))] == [
        "bfloat16, 2 rows",
        "float32, 2 rows, activations computed again",
        "bfloat16, 4 rows, Liger",
    ]
    with pytest.raises(ValueError, match="names sleep; allowed: again, liger"):
        ways_in(replace(case, long_tries=("bfloat16:4:sleep",)))


def test_turns_that_warm_up_do_not_count_but_half_of_them_do() -> None:
    from gpu_cases import Case
    from gpu_tables import Outcome

    for count, left in ((1, [0]), (2, [1]), (3, [1, 2]), (5, [2, 3, 4])):
        turns = [{"seconds": n} for n in range(count)]
        outcome = Outcome(case=Case(part="B", model=""), contender="TRL", turns=turns)
        assert [turn["seconds"] for turn in outcome.counted()] == left
