"""The data set for imitation: one conversation per line, in chat format, saying of every message whether it bears loss.

    {"messages": [{"role": "system",    "content": "You are an assistant ...", "loss": false},
                  {"role": "user",      "content": "Task: ...",                "loss": false},
                  {"role": "assistant", "content": "I look first. ```python ...", "loss": true},
                  {"role": "user",      "content": "Output: ...",              "loss": false},
                  {"role": "assistant", "content": "Done. ```python ...",      "loss": true}],
     "about": {"task": "wrapped.0_1", "scenario": "wrapped.0", "split": "train", "temperature": 0.05}}

After the system message user and assistant take turns and the assistant has the last word: TRL and LLaMA-Factory both
load that (docs/guide/data.md says with which settings). They read roles, not flags, and come to the same: loss on the
agent's own turns alone, because the worked example of the prompt is part of the system message. Only replies that
failed and were left out of the loss (`collect.failures`) are theirs to learn all the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from prowess.errors import NotThere, StoreError
from prowess.files.codec import from_json, line_of, page_of, parsed, to_json
from prowess.files.disk import storing, write_whole
from prowess.files.sums import SUMS, damage_in, write_sums
from prowess.play import AgentSettings, cut
from prowess.play.prompts import Prompt
from prowess.text.invisible import paired
from prowess.types import Episode, Json, Message, Stop

FILE = "sft.jsonl"
INFO = "dataset_info.json"
NAME = "prowess"
"""What LLaMA-Factory calls the data set: `dataset: prowess`."""

LINE = 'a line is {"messages": [{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}]}'
"""What a data set holds at the least."""

NO_CODE = "No code available"
"""How a world's answer to a block without code begins."""

_CONTROL = re.compile(r"<[|｜][^<>\s]{1,60}[|｜]>|\[/?INST\]")
"""What tokenizers read as the end of a message or the start of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A message, and whether a model should learn to say it."""

    role: Literal["system", "user", "assistant"]
    content: str
    loss: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Where a conversation comes from."""

    task: str
    scenario: str
    split: str
    temperature: float
    """The policy's temperature when it was played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One line of the data set."""

    messages: tuple[Spoken, ...]
    about: About

    def __post_init__(self) -> None:
        roles = [message.role for message in self.messages]
        turns = roles[1:] if roles[:1] == ["system"] else roles
        if not turns or turns != ["user", "assistant"] * (len(turns) // 2):
            raise StoreError(
                f"the conversation of {self.about.task} has the roles {', '.join(roles) or 'none'}",
                hint="a system message if any, then user and assistant in turns, the assistant last",
            )
        if not any(message.loss for message in self.messages):
            raise StoreError(
                f"no message of the conversation of {self.about.task} bears loss",
                hint='leave it out of the file, or say "loss": true of what the assistant is to learn to say',
            )


class Flaw(StrEnum):
    """Why an episode is not fit to be imitated."""

    STOP = "stop"
    """It did not end by the agent completing the task."""
    FAILED = "failed"
    """A check on the final state failed."""
    NO_CODE = "no_code"
    """Somewhere the world saw no code to execute."""
    CONTROL = "control"
    """A reply holds a chat control token such as `<|im_end|>`: a tokenizer would end the message there."""


def flaw_of(episode: Episode, limits: AgentSettings, *, checked: bool = True) -> Flaw | None:
    """What keeps an episode out of the data set, or None."""
    if episode.stop is not Stop.COMPLETED:
        return Flaw.STOP
    if checked and not episode.verdict.success:
        return Flaw.FAILED
    no_code = (NO_CODE, limits.no_code)
    if any(turn.observation and turn.observation.text.startswith(no_code) for turn in episode.turns):
        return Flaw.NO_CODE
    if any(_CONTROL.search(turn.completion.text) for turn in episode.turns):
        return Flaw.CONTROL
    return None


def transcript(episode: Episode, prompt: Prompt, limits: AgentSettings) -> tuple[Message, ...]:
    """The conversation as the model saw it, up to and with its last reply.

    An episode holds the opening, the replies and the outputs; the words around an output are the prompt's, and how much
    of it is shown is the limits', so both must be those that the episode was played with.
    """
    messages = list(episode.prompt)
    for number, turn in enumerate(episode.turns):
        messages.append(Message(role="assistant", content=turn.completion.text))
        if turn.observation and number + 1 < len(episode.turns):
            messages.append(prompt.reaction(episode.task, cut(turn.observation.text, limits)))
    return tuple(messages)


def conversation_of(
    episode: Episode, prompt: Prompt, limits: AgentSettings, *, split: str, temperature: float, failures: bool = True
) -> Conversation:
    """An episode as a line of the data set: the agent's replies bear loss, the opening and the outputs do not.

    Without `failures`, nor do replies whose code failed: they are there to be mended by the next. Where a teacher
    stepped in, only what the teacher said does.
    """
    given = len(episode.prompt)
    helped = any(turn.completion.teacher for turn in episode.turns)
    spared = {
        given + 2 * number
        for number, turn in enumerate(episode.turns)
        if (helped and not turn.completion.teacher)
        or (not failures and number + 1 < len(episode.turns) and turn.observation and turn.observation.failed)
    }
    return Conversation(
        messages=tuple(
            Spoken(
                role=message.role,
                content=paired(message.content),  # half a pair would stop the loaders at that line
                loss=number >= given and message.role == "assistant" and number not in spared,
            )
            for number, message in enumerate(transcript(episode, prompt, limits))
        ),
        about=About(task=episode.task.id, scenario=episode.task.scenario, split=split, temperature=temperature),
    )


def write_dataset(folder: str | Path, conversations: Iterable[Conversation]) -> int:
    """Write `sft.jsonl`, and beside it the `dataset_info.json` that LLaMA-Factory asks for and the sum of the lines;
    returns how many these are.

    Lines are written as they come, so the iterable may be longer than memory; the file appears whole or not at all.
    """
    folder = Path(folder)
    path, temporary = folder / FILE, folder / f".{FILE}.tmp"
    count = 0
    with storing(path):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("w", encoding="utf-8", newline="\n") as lines:
                for conversation in conversations:
                    lines.write(line_of(to_json(conversation)) + "\n")
                    count += 1
                lines.flush()
                os.fsync(lines.fileno())
            (folder / SUMS).unlink(missing_ok=True)  # of the lines that were there
            os.replace(temporary, path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        write_whole(folder / INFO, page_of(_INFO))
        write_sums(folder, [FILE])
    return count


def read_dataset(path: str | Path) -> Iterator[Conversation]:
    """The conversations of a data set, one by one; `path` is its file or the folder that `write_dataset` wrote.

    Of somebody else's lines `messages` are enough: the assistant's bear loss, and other columns are left alone. So are
    `prompt` and `completion`, lists of messages as TRL has them: the assistant's of the second bear loss. Blank lines
    are passed over. A file that has a sum beside it and is not what was written is refused.
    """
    path = file_in(path)
    with storing(path):
        damage = damage_in(path.parent, among=path.name.__eq__) if (path.parent / SUMS).exists() else ""
    if damage:
        raise NotThere(
            f"{path.parent}: {damage}",
            hint=f"copy it again, or collect again (--force); if you changed it on purpose, remove its {SUMS}",
        )
    with storing(path), path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                conversation = from_json(Conversation, _filled(parsed(line), number))
            except StoreError as error:
                hint = LINE if error.message.startswith(("cannot read", "not JSON")) else error.hint
                raise NotThere(f"{path}:{number}: {error.message}", hint=hint) from None
            yield conversation


def file_in(path: str | Path) -> Path:
    """The file of a data set that is named by its file or its folder."""
    return Path(path) / FILE if Path(path).is_dir() else Path(path)


def _filled(line: Json, number: int) -> Json:
    """A line with what only ours say of themselves: without it, a line is a scenario of its own."""
    if not isinstance(line, Mapping):
        return line
    name, messages, about, opening = f"line{number}", line.get("messages"), line.get("about") or {}, 0
    if messages is None and isinstance(line.get("prompt"), list) and isinstance(line.get("completion"), list):
        messages, opening = [*line["prompt"], *line["completion"]], len(line["prompt"])
    if messages is None:
        raise StoreError("there are no 'messages'", hint=LINE)
    if isinstance(messages, list):
        messages = [
            {
                "loss": one.get("role") == "assistant" and place >= opening,
                **{key: _whole(value) for key, value in one.items() if value is not None},
            }
            if isinstance(one, Mapping)
            else one
            for place, one in enumerate(messages)
        ]
    if isinstance(about, Mapping):
        about = {"task": name, "scenario": name, "split": "", "temperature": 0.0, **about}
    return {"messages": messages, "about": about}


def _whole(value: Json) -> Json:
    return paired(value) if isinstance(value, str) else value


_INFO = {
    NAME: {
        "file_name": FILE,
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
