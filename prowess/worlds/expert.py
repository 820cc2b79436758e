"""What experts have in common: how they are set, the replies that they plan, and what they take of a conversation.

An expert is a policy that knows how its world's tasks are done. It shows that to others: `collect` keeps what it
plays, and in `teach` it mends what a model gets wrong. It keeps nothing between calls, so it works out at every call
how far its plan has come:

    plan = [Step(thought="I look.", code="..."), Step(thought="Now I know.", code="...")]
    talk = heard(messages)
    step = plan[len(talk.replies)] if follows(talk.replies, plan) else ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from prowess.errors import RecipeError, unknown
from prowess.seeds import derive
from prowess.types import Message

STYLES: Mapping[str, str] = {
    "brisk": "writes a function and calls it",
    "careful": "looks at the result before it completes the task",
    "scholar": "reads the documentation first",
    "student": "reads much, and learns from its own skills",
    "observer": "reads much, and looks at the data before it acts",
    "layered": "builds small functions first",
    "scout": "looks at some data first",
    "mender": "makes a mistake, and mends it",
    "forgetful": "uses nothing of the library",
    "hasty": "cuts corners: its functions fail later",
}
"""How experts play, by name. An expert may take several names for one style."""
GOOD = ("brisk", "careful", "scholar", "layered", "scout", "mender")
"""What is worth imitating and short enough for any model; `student` and `observer` read much, the others are to be
unlearnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertSettings:
    """How the expert plays."""

    styles: tuple[str, ...] = GOOD
    """The styles of the expert. One is drawn for each conversation; a style named twice is drawn twice as often."""
    salt: int = 0
    """Another salt gives other draws of style and words."""

    def __post_init__(self) -> None:
        if not self.styles:
            raise RecipeError("styles is empty; one must be named", hint=f"known: {', '.join(sorted(STYLES))}")
        for name in self.styles:
            if name not in STYLES:
                raise unknown("style of the expert", name, STYLES)

    def at(self, temperature: float) -> ExpertSettings:
        """The expert in another mood: temperature only changes its draws of style and words."""
        return replace(self, salt=derive(self.salt, f"{temperature:.4f}"))

    def draws(self, opening: str) -> Random:
        """The draws for a conversation. The first of them chooses its style."""
        return Random(derive(self.salt, opening))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One reply the expert has in mind."""

    thought: str
    code: str
    slips: bool = False
    """True when it is meant to fail, to be mended by the next."""

    @property
    def reply(self) -> str:
        return f"{self.thought}\n```python\n{self.code}\n```"


GIVEN_UP = Step(thought="I cannot do this.", code='apis.supervisor.complete_task(status="fail")')
"""The last word of an expert that knows no further."""


def follows(replies: Sequence[str], steps: Sequence[Step]) -> bool:
    """Whether replies are those of the steps, as far as both go."""
    return all(reply == step.reply for reply, step in zip(replies, steps, strict=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation, as an expert reads it."""

    opening: str
    """The message that tells the task and what the library offers."""
    replies: Sequence[str]
    outputs: Sequence[str]
    """What the replies printed, one for each."""


def heard(messages: Sequence[Message]) -> Talk:
    """The parts of a conversation.

    >>> heard([Message(role="user", content="Task: ..."), Message(role="assistant", content="Done.")])
    Talk(opening='Task: ...', replies=['Done.'], outputs=[])
    """
    opening, *outputs = [message.content for message in messages if message.role == "user"]
    replies = [message.content for message in messages if message.role == "assistant"]
    return Talk(opening=opening, replies=replies, outputs=outputs)
