"""What is said in an episode: replies, the code in them, and what the agent is shown of an output."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prowess.errors import PolicyError
from prowess.play.settings import AgentSettings
from prowess.text.tokens import estimate, estimated
from prowess.types import Completion, Message


def code_in(reply: str) -> str:
    """The first python block of a reply; one that is not terminated counts, too. In a list its code is indented as its
    fence is, which is not meant for Python.

    >>> code_in("Let me see.\\n```python\\nprint(1)\\n```\\nand\\n```python\\nprint(2)\\n```")
    'print(1)'
    >>> code_in("```python\\nprint(1)")
    'print(1)'
    >>> code_in("1. First:\\n   ```python\\n   if x:\\n       print(1)\\n   ```")
    'if x:\\n    print(1)'
    >>> code_in("no code"), code_in("```\\nprint(1)\\n```")
    ('', '')
    """
    block = r"(^[^\S\n]+)?```(?:python|py)[^\S\n]*\n(.*?)(?:^[^\S\n]*```|\Z)"
    match = re.search(block, reply, flags=re.DOTALL | re.MULTILINE | re.I)
    if not match or not match.group(2).strip():
        return ""
    indent, code = match.group(1), match.group(2).strip("\n")
    lines = code.split("\n")
    if indent and all(line.startswith(indent) for line in lines if line.strip()):
        return "\n".join(line.removeprefix(indent) for line in lines)
    return code


def cut(text: str, limits: AgentSettings) -> str:
    """What the agent is shown of an output."""
    if len(text) <= limits.observation_chars:
        return text
    shown = text[: limits.observation_chars]
    return shown + limits.cut_note.format(shown=len(shown), total=len(text))


def reply_of(completion: object, messages: Sequence[Message]) -> Completion:
    """What a policy said, if it said something; its length is estimated where the policy has not counted."""
    text: object = completion.text if isinstance(completion, Completion) else completion
    if not isinstance(completion, Completion) or not isinstance(text, str):
        raise PolicyError(
            f"the policy's reply is of type {type(text).__name__}; it must be Completion, with its text",
            hint="from prowess.types import Completion, and return Completion(text=...)",
        )
    if completion.prompt_tokens or completion.reply_tokens:
        return completion
    return estimated(completion, messages)


def size(completion: Completion, reaction: Message) -> int:
    """How long the conversation is with the next observation."""
    return completion.prompt_tokens + completion.reply_tokens + estimate(reaction.content)
