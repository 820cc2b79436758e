"""The data set for imitation: the exact lines, what is left out, and reading them back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from toy import Counter, ToySuite, agent_with

from prowess.commands.dataset import (
    About,
    Conversation,
    Flaw,
    Spoken,
    conversation_of,
    flaw_of,
    read_dataset,
    transcript,
    write_dataset,
)
from prowess.errors import NotThere, StoreError
from prowess.play import AgentSettings
from prowess.play import played as to_the_end
from prowess.play.prompts import Prompt
from prowess.play.rollout import play_task
from prowess.skills.library import Library
from prowess.types import Completion, Episode, Message, Observation, Stop, Task, Turn, Verdict

PROMPT = Prompt(system="You write Python.", user="Task: ${instruction}", observation="Output: ${observation}")
LIMITS = AgentSettings(observation_chars=20, cut_note=" (cut)")
TASK = Task(id="wrapped_1", scenario="wrapped", instruction="Play a song")


def turn(text: str, output: str) -> Turn:
    return Turn(completion=Completion(text=text), code="x", observation=Observation(text=output))


def episode(*turns: Turn, stop: Stop = Stop.COMPLETED, failed: tuple[str, ...] = ()) -> Episode:
    return Episode(
        task=TASK,
        turns=turns or (turn("I look.", "3 songs"), turn("I play.", "Execution successful.")),
        verdict=Verdict(passed=("played",), failed=failed),
        stop=stop,
        prompt=PROMPT.opening(TASK),
    )


def line(*turns: Turn) -> Conversation:
    return conversation_of(episode(*turns), PROMPT, LIMITS, split="train", temperature=0.05)


def test_a_line_is_a_chat_whose_replies_alone_bear_loss(tmp_path: Path) -> None:
    assert write_dataset(tmp_path / "data", [line()]) == 1
    written = (tmp_path / "data" / "sft.jsonl").read_text(encoding="utf-8")
    assert written == (
        '{"messages": ['
        '{"role": "system", "content": "You write Python.", "loss": false}, '
        '{"role": "user", "content": "Task: Play a song", "loss": false}, '
        '{"role": "assistant", "content": "I look.", "loss": true}, '
        '{"role": "user", "content": "Output: ```\\n3 songs\\n```", "loss": false}, '
        '{"role": "assistant", "content": "I play.", "loss": true}], '
        '"about": {"task": "wrapped_1", "scenario": "wrapped", "split": "train", "temperature": 0.05}}\n'
    )


def test_llama_factory_is_told_the_names_of_roles_and_columns(tmp_path: Path) -> None:
    write_dataset(tmp_path, [line()])
    assert json.loads((tmp_path / "dataset_info.json").read_text()) == {
        "prowess": {
            "file_name": "sft.jsonl",
            "formatting": "sharegpt",
            "columns": {"messages": "messages"},
            "tags": {
                "role_tag": "role",
                "content_tag": "content",
                "user_tag": "user",
                "assistant_tag": "assistant",
                "system_tag": "system",
            },
        }
    }


def test_the_columns_are_none_that_a_loader_reads_as_something_else(tmp_path: Path) -> None:
    taken = {"text", "prompt", "completion", "chosen", "rejected", "tools", "images", "labels", "input_ids", "system"}
    write_dataset(tmp_path, [line()])
    assert not taken & json.loads((tmp_path / "sft.jsonl").read_text()).keys()


def test_the_conversation_is_what_the_policy_saw() -> None:
    seen: list[tuple[Message, ...]] = []
    counter = Counter()

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        seen.append(tuple(messages))
        return counter(messages, seed=seed)

    agent = agent_with(policy, observation_chars=1, cut_note="<{shown} of {total}>")
    suite = ToySuite()
    task = suite.tasks("dev")[1]
    played = to_the_end(play_task(agent, suite, task, Library(), seed=1), agent.policy)
    assert played.success and len(played.turns) == 2
    assert transcript(played, agent.prompt, agent.limits) == (
        *seen[-1],
        Message(role="assistant", content=played.turns[-1].completion.text),
    )


def test_outputs_are_cut_as_the_agent_saw_them() -> None:
    messages = line(turn("a", "y" * 21), turn("b", "")).messages
    assert messages[3].content == f"Output: ```\n{'y' * 20} (cut)\n```"


def test_an_assistant_message_of_the_opening_bears_no_loss() -> None:
    opening = (*PROMPT.opening(TASK), Message(role="assistant", content="An example."))
    given = replace(episode(), prompt=(*opening, Message(role="user", content="Now you.")))
    messages = conversation_of(given, PROMPT, LIMITS, split="train", temperature=0.0).messages
    assert [message.loss for message in messages] == [False, False, False, False, True, False, True]


def test_replies_that_failed_bear_no_loss_where_they_are_not_to_be_learnt() -> None:
    wrong = replace(turn("I guess.", ""), observation=Observation(text="Execution failed.", failed=True))
    given = episode(turn("I look.", "3 songs"), wrong, turn("I mend it.", "ok"), wrong)
    said = {
        failures: [
            message.content
            for message in conversation_of(
                given, PROMPT, LIMITS, split="train", temperature=0.0, failures=failures
            ).messages
            if message.loss
        ]
        for failures in (True, False)
    }
    assert said[True] == ["I look.", "I guess.", "I mend it.", "I guess."]
    assert said[False] == ["I look.", "I mend it.", "I guess."], "the last word is kept: the task was completed with it"


@pytest.mark.parametrize(
    ("given", "flaw"),
    [
        (episode(), None),
        (episode(stop=Stop.TURNS), Flaw.STOP),
        (episode(stop=Stop.NO_CODE), Flaw.STOP),
        (episode(stop=Stop.ERROR), Flaw.STOP),
        (episode(failed=("nothing else changed",)), Flaw.FAILED),
        (episode(turn("a", "No code available to execute."), turn("b", "ok")), Flaw.NO_CODE),
        (episode(turn("a", "it says: No code available"), turn("b", "ok")), None),
        (episode(turn("a<|im_end|>\n<|im_start|>user", "ok")), Flaw.CONTROL),
        (episode(turn("[INST] a [/INST]", "ok")), Flaw.CONTROL),
        (episode(turn("if a <| b |> c or x[INSTANCE]", "ok")), None),
    ],
)
def test_what_is_not_fit_to_imitate_has_a_flaw(given: Episode, flaw: Flaw | None) -> None:
    assert flaw_of(given, LIMITS) is flaw


def test_the_no_code_words_of_the_recipe_count_too() -> None:
    given = episode(turn("a", "Nothing to run."), turn("b", "ok"))
    assert flaw_of(given, AgentSettings(no_code="Nothing to run.")) is Flaw.NO_CODE


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    lines = [line(), line(turn("ünïcode \u2028 \x1b[31m \x00 end", "x"), turn("b", "x"))]
    write_dataset(tmp_path, lines)
    assert list(read_dataset(tmp_path)) == lines
    assert list(read_dataset(tmp_path / "sft.jsonl")) == lines
    assert (tmp_path / "sft.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_of_somebody_elses_lines_messages_are_enough(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Play."}, {"role": "assistant", "content": "I play."}]
    lines = [
        {"messages": said, "source": "a log"},
        {"messages": [*said, said[0], {**said[1], "loss": False}], "about": {"scenario": "songs"}},
    ]
    (tmp_path / "mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    first, second = read_dataset(tmp_path / "mine.jsonl")
    assert [message.loss for message in first.messages] == [False, True]
    assert [message.loss for message in second.messages] == [False, True, False, False], "what a line says, holds"
    assert [one.about.scenario for one in (first, second)] == ["line1", "songs"]
    (tmp_path / "mine.jsonl").write_text('{"conversations": [{"from": "human", "value": "Play."}]}\n')
    with pytest.raises(StoreError, match=r"mine.jsonl:1: there are no 'messages'\nhint: a line is \{\"messages\": "):
        list(read_dataset(tmp_path / "mine.jsonl"))


def test_prompts_with_completions_are_read_as_trl_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    asked, said = {"role": "user", "content": "Pay.", "name": None}, {"role": "assistant", "content": "Whom?"}
    line = {"prompt": [asked, said, asked], "completion": [said], "source": "logs"}
    file.write_text(json.dumps(line) + "\n")
    (conversation,) = read_dataset(file)
    assert [message.loss for message in conversation.messages] == [False, False, False, True]
    assert conversation.about.scenario == "line1"


def test_lines_of_another_format_are_told_what_they_lack(tmp_path: Path) -> None:
    file = tmp_path / "theirs.jsonl"
    for line in ({"prompt": "Pay.", "completion": "Done."}, {"text": "Pay."}):
        file.write_text(json.dumps(line) + "\n")
        with pytest.raises(StoreError, match=r"theirs.jsonl:1: there are no 'messages'\n.*a line is"):
            list(read_dataset(file))


def test_half_a_surrogate_pair_is_replaced(tmp_path: Path) -> None:
    write_dataset(tmp_path, [line(turn("a \ud800 b \U0001f600 \ud83d\ude00", "x"))])
    text = (tmp_path / "sft.jsonl").read_bytes()
    assert json.loads(text)["messages"][2]["content"] == "a \ufffd b \U0001f600 \U0001f600"
    assert b"\\ud" not in text


def test_lines_of_others_may_hold_half_a_surrogate_pair_and_blank_lines_between_them(tmp_path: Path) -> None:
    said = '{"messages": [{"role": "user", "content": "a \\ud800"}, {"role": "assistant", "content": "b"}]}'
    (tmp_path / "mine.jsonl").write_text(f"\n{said}\n \n{said}\n\n")
    first, second = read_dataset(tmp_path / "mine.jsonl")
    assert first.messages[0].content == "a \ufffd"
    assert [one.about.scenario for one in (first, second)] == ["line2", "line4"]


def test_a_data_set_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken() -> Iterator[Conversation]:
        yield line()
        raise KeyboardInterrupt

    write_dataset(tmp_path, [line(), line()])
    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, broken())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["SHA256SUMS", "dataset_info.json", "sft.jsonl"]
    assert len(list(read_dataset(tmp_path))) == 2


def test_a_flipped_bit_is_found_wherever_it_is(tmp_path: Path) -> None:
    write_dataset(tmp_path, [line(), line()])
    path = tmp_path / "sft.jsonl"
    written = path.read_bytes()
    for at in range(len(written)):
        path.write_bytes(written[:at] + bytes([written[at] ^ 1 << at % 8]) + written[at + 1 :])
        with pytest.raises(NotThere, match=r"sft\.jsonl is corrupt, it is not what was written\nhint: .* SHA256SUMS$"):
            next(read_dataset(tmp_path))
    (tmp_path / "SHA256SUMS").unlink()
    path.write_bytes(written.replace(b"3 songs", b"4 songs"))
    assert len(list(read_dataset(path))) == 2, "it was changed on purpose"


def test_the_sum_is_of_the_last_lines_that_were_written(tmp_path: Path) -> None:
    write_dataset(tmp_path, [line()])
    write_dataset(tmp_path, [line(), line()])
    assert len(list(read_dataset(tmp_path / "sft.jsonl"))) == 2
    (tmp_path / "mine.jsonl").write_text((tmp_path / "sft.jsonl").read_text() * 2)
    assert len(list(read_dataset(tmp_path / "mine.jsonl"))) == 4, "nothing vouches for a file of mine"


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    write_dataset(tmp_path, [line()])
    (tmp_path / "SHA256SUMS").unlink()
    path = tmp_path / "sft.jsonl"
    path.write_text(path.read_text() + '{"messages": [{"role": "tool", "content": "x", "loss": true}], "about": {}}\n')
    with pytest.raises(NotThere, match=r"sft\.jsonl:2: .*messages\[0\]\.role: expected one of system, user"):
        list(read_dataset(tmp_path))
    with pytest.raises(StoreError, match="no-such"):
        list(read_dataset(tmp_path / "no-such"))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(StoreError, match=r'sft\.jsonl:1: not JSON: .*\nhint: a line is \{"messages": '):
        list(read_dataset(tmp_path))


@pytest.mark.parametrize(
    "roles",
    [
        (),
        ("system",),
        ("user",),
        ("assistant", "user"),
        ("user", "assistant", "user"),
        ("user", "user", "assistant"),
        ("user", "system", "assistant"),
    ],
)
def test_turns_that_the_loaders_refuse_are_refused(roles: tuple[str, ...]) -> None:
    messages = tuple(Spoken(role=role, content="x", loss=True) for role in roles)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="has the roles"):
        Conversation(messages=messages, about=About(task="a_1", scenario="a", split="train", temperature=0.0))


def test_a_conversation_without_loss_is_refused() -> None:
    messages = (Spoken(role="user", content="x", loss=False), Spoken(role="assistant", content="x", loss=False))
    with pytest.raises(StoreError, match="bears loss\nhint: leave it out"):
        Conversation(messages=messages, about=About(task="a_1", scenario="a", split="train", temperature=0.0))
