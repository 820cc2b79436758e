"""What a recipe may say about vLLM servers that play for a learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prowess.errors import RecipeError, check_range
from prowess.policies.endpoint.address import check_key_name, check_url


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Servers elsewhere (`vllm serve`), and how weights get there."""

    urls: tuple[str, ...] = ("http://localhost:8000",)
    """The servers' addresses. Several share the conversations."""
    weights: Literal["adapter", "whole"] = "adapter"
    """What the servers get after each step: the LoRA adapter, or the whole model."""
    folder: str = ""
    """The folder for it, which the servers can read. If empty, a temporary one, for servers on this machine."""
    there: str = ""
    """What the servers call that folder, if they see it by another path (in a container, for example)."""
    key_env: str = "VLLM_API_KEY"
    """The environment variable that holds the servers' key, if they ask for one."""
    timeout_seconds: float = 600.0
    """How long one try of one reply may take."""
    tries: int = 5
    """How often a request is sent before it is given up. Each pause is longer."""

    def __post_init__(self) -> None:
        if not self.urls:
            raise RecipeError("urls is empty", hint="allowed: addresses such as http://localhost:8000")
        for url in self.urls:
            check_url(url, name="urls")
            if "?" in url or "#" in url:
                raise RecipeError("urls holds a question mark or a #", hint="allowed: such as http://localhost:8000")
        places = [place_of(url) for url in self.urls]
        if double := sorted({place for place in places if places.count(place) > 1}):
            raise RecipeError(f"urls names {double[0]} twice", hint="each server once")
        check_key_name(self.key_env)
        if self.there and not self.folder:
            raise RecipeError(f"there is '{self.there}', and folder is empty", hint="folder names it as seen here")
        check_range(self, 1, "tries")
        check_range(self, 0.001, "timeout_seconds", most=86_400)


def place_of(url: str) -> str:
    """An address without what every path begins with, however it is written."""
    return url.rstrip("/").removesuffix("/v1").rstrip("/")
