"""What a recipe may say about vLLM servers that play for a learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from prowess.errors import RecipeError, check_range
from prowess.policies.endpoint.address import check_key_name, check_url


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Servers elsewhere (`vllm serve`), and how weights get there."""

    urls: tuple[str, ...] = ("http://localhost:8000",)
    """The servers' addresses. Several share the conversations."""
    urls_file: str = ""
    """A file with an address a line, in place of `urls`. It is read again before each step: servers may come and go."""
    least: int = 1
    """The fewest servers to go on with. One that is lost comes back before the next step, once it answers."""
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
        if not self.urls and not self.urls_file:
            raise RecipeError("urls is empty", hint="allowed: addresses such as http://localhost:8000")
        _check_urls(self.urls, "urls")
        check_key_name(self.key_env)
        if self.there and not self.folder:
            raise RecipeError(f"there is '{self.there}', and folder is empty", hint="folder names it as seen here")
        check_range(self, 1, "tries", "least")
        if not self.urls_file and self.least > len(self.urls):
            raise RecipeError(
                f"least is {self.least}, and urls names {len(self.urls)}", hint="allowed: at most as many"
            )
        check_range(self, 0.001, "timeout_seconds", most=86_400)


def place_of(url: str) -> str:
    """An address without what every path begins with, however it is written."""
    return url.rstrip("/").removesuffix("/v1").rstrip("/")


def addresses(settings: ServerSettings) -> list[str]:
    """Where servers may be now."""
    if not settings.urls_file:
        return [place_of(url) for url in settings.urls]
    path = Path(settings.urls_file).expanduser()
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise RecipeError(
            f"sampling.server.urls_file {path} cannot be read: {error}", hint="it names a server's address a line"
        ) from None
    urls = tuple(line for line in lines if line and not line.startswith("#"))
    if not urls:
        raise RecipeError(f"sampling.server.urls_file {path} names no server", hint="it names an address a line")
    _check_urls(urls, str(path))
    return [place_of(url) for url in urls]


def _check_urls(urls: Sequence[str], name: str) -> None:
    for url in urls:
        check_url(url, name=name)
        if "?" in url or "#" in url:
            raise RecipeError(f"{name} holds a question mark or a #", hint="allowed: such as http://localhost:8000")
    places = [place_of(url) for url in urls]
    if double := sorted({place for place in places if places.count(place) > 1}):
        raise RecipeError(f"{name} names {double[0]} twice", hint="each server once")
