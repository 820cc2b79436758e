"""What a recipe may say about a served model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from prowess.errors import RecipeError
from prowess.policies.endpoint.address import check_key_name, check_url
from prowess.types import Json, Prices

_OWN = {"api_key", "api-key", "authorization", "messages", "stream", "n"}
"""What `extra` may not say: keys belong in the environment, and a reply is one whole message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """A served model, and how patient to be with it."""

    model: str = ""
    """The model's name, as the server knows it."""
    url: str = "https://api.openai.com/v1"
    """Where the server's API begins; most end in `/v1`."""
    key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the key; it may be unset for a server on this machine."""
    temperature: float = 1.0
    """Sampling temperature; 0 is greedy."""
    top_p: float | None = None
    """Nucleus sampling; left to the server when none."""
    reply_tokens: int = 1500
    """The longest reply, in tokens; in a recipe `agent.reply_tokens` says it."""
    reply_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the server calls that limit; OpenAI's newer models want `max_completion_tokens`."""
    timeout_seconds: float = 300.0
    """How long one try may take in all."""
    tries: int = 5
    """How often a request is sent before the episode is given up."""
    late_tries: int = 2
    """How many of these may end without an answer in `timeout_seconds`: a server that hangs is given up sooner."""
    pause_seconds: float = 1.0
    """The pause before the second try; it doubles from try to try."""
    longest_pause_seconds: float = 120.0
    """The longest pause; a server that asks for more is not waited for."""
    concurrency: int = 16
    """How many requests may be under way at once."""
    send_seed: bool = True
    """Send each request's seed; false for servers that refuse it."""
    price_in: float = 0.0
    """What a million tokens cost that the model reads, in the currency of your price list. Tables and reports then show
    money beside tokens."""
    price_out: float = 0.0
    """What a million tokens cost that it writes."""
    budget: float = 0.0
    """The run ends once its replies cost so much; 0 for no limit. What is done is kept, and the same command with a
    larger budget goes on. Requests under way may go beyond it, `concurrency` at most."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Anything else the server takes, sent as it stands."""

    def __post_init__(self) -> None:
        check_url(self.url)
        check_key_name(self.key_env)
        if taken := sorted(key for key in self.extra if key.lower() in _OWN):
            raise RecipeError(f"extra may not hold {', '.join(taken)}", hint="the key is read from the environment")
        for name, good, allowed in (
            ("temperature", 0 <= self.temperature < math.inf, "0 or more"),
            ("top_p", self.top_p is None or 0 < self.top_p <= 1, "more than 0, at most 1"),
            ("reply_tokens", self.reply_tokens >= 1, "1 or more"),
            ("timeout_seconds", 0 < self.timeout_seconds <= 86_400, "more than 0, at most a day"),
            ("tries", self.tries >= 1, "1 or more"),
            ("late_tries", self.late_tries >= 1, "1 or more; beyond tries it says nothing"),
            ("pause_seconds", 0 <= self.pause_seconds <= 86_400, "0 or more, at most a day"),
            ("longest_pause_seconds", 0 <= self.longest_pause_seconds <= 86_400, "0 or more, at most a day"),
            ("concurrency", self.concurrency >= 1, "1 or more"),
            ("price_in", 0 <= self.price_in < math.inf, "0 or more"),
            ("price_out", 0 <= self.price_out < math.inf, "0 or more"),
            ("budget", 0 <= self.budget < math.inf, "0 or more"),
        ):
            if not good:
                raise RecipeError(f"{name} is {getattr(self, name)}", hint=f"allowed: {allowed}")
        if self.budget and not self.prices:
            raise RecipeError(
                f"budget is {self.budget:g}, and there is no price: nothing would count towards it",
                hint="policy.endpoint.price_in and price_out, for a million tokens each",
            )

    @property
    def prices(self) -> Prices:
        return Prices(read=self.price_in, written=self.price_out)
