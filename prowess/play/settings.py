"""What a recipe may say about the agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, check_range


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """Limits and words of the agent; the defaults are the paper's."""

    prompt: str = "skill"
    """`skill`, the plain baseline `react`, `brief` for tiny models, or the path of a Markdown template."""
    turns: int = 40
    """The episode ends, and is graded, after so many replies."""
    repeats: int = 0
    """The episode ends, and is graded, after so many turns in a row with the same code and the same observation. 0 for
    no limit."""
    reply_tokens: int = 1500
    """New tokens in one reply."""
    episode_tokens: int = 0
    """The episode ends, and is graded, when its replies exceed this many tokens together. 0 for no limit."""
    context_tokens: int = 28_048
    """The episode ends, and is graded, when the conversation exceeds this many tokens."""
    observation_chars: int = 12_000
    """Characters of output shown to the agent; the rest is cut, with a note."""
    cut_note: str = "\n... (cut: {shown} of {total} characters are shown)"
    """The note, with places for the two numbers."""
    no_code: str = "No code available to execute."
    """The text that is recorded if a reply holds no python block. The episode ends there."""
    smoke: Literal["each", "all"] = "each"
    """Whether a skill that does not load is left out alone, or all retrieved skills with it (as the paper's authors
    do)."""
    use: Literal["trace", "mention"] = "trace"
    """What counts as use of a skill: a call in the execution trace, or its name in the code (as the paper's authors
    do)."""
    learn: bool = True
    """Whether functions that ran without error are saved as skills."""

    def __post_init__(self) -> None:
        check_range(self, 1, "turns", "reply_tokens", "context_tokens", "observation_chars")
        if self.repeats < 2 and self.repeats:
            raise RecipeError(f"repeats is {self.repeats}; it must be 0 (never) or at least 2")
        if self.episode_tokens < 0:
            raise RecipeError(f"episode_tokens is {self.episode_tokens}; it must be 0 (no limit) or more")
        try:
            self.cut_note.format(shown=0, total=0)
        except (KeyError, IndexError, ValueError):
            raise RecipeError(f"cut_note is {self.cut_note!r}; its places are {{shown}} and {{total}}") from None
