"""Policies: what continues a conversation. Which one plays is a line of the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.errors import RecipeError
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.types import Json

WITH_MODEL = frozenset({"local", "server", "taught", "vllm"})
"""Policies that play the model of the recipe."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings:
    """Who plays."""

    name: str = "expert"
    """`expert` (the world's own), `endpoint` (a served model), `local` (the model of [model], with the engine of
    [sampling]), `vllm` and `server` (the same with that engine), `taught` (the same, and the expert takes over after a
    mistake), `scripted` (says `options.replies` in order), or yours as `module:function`. Yours is called with the
    recipe."""
    endpoint: EndpointSettings = field(default_factory=EndpointSettings)
    """The server, for the policy `endpoint`."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """Options of `scripted`, or of a policy of yours, which finds them in `recipe.policy.options`."""

    def __post_init__(self) -> None:
        replies = self.options.get("replies")
        texts = isinstance(replies, list | tuple) and all(isinstance(reply, str) for reply in replies)
        if self.name == "scripted" and not (replies and texts):
            given = "not given" if replies is None else repr(replies)[:40]
            raise RecipeError(
                f"options.replies is {given}; the policy 'scripted' needs a list of texts, what it says turn by turn",
                hint="""--set 'policy.options={replies = ["first reply", "second reply"]}'""",
            )
