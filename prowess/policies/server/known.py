"""What servers tell of themselves before they are asked anything: their model, and whether they take weights."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from functools import cache
from typing import Any

from prowess.errors import PolicyError, PolicyGone, ProwessError, RecipeError
from prowess.policies.endpoint.address import shown
from prowess.policies.server.connection import Refused, ServerConnection, on_loop
from prowess.policies.server.settings import ServerSettings, addresses

LOAD, UNLOAD, RELOAD = "/v1/load_lora_adapter", "/v1/unload_lora_adapter", "/collective_rpc"
"""What weights are given by: an adapter beside the server's model, or a model in its place."""
BARE = "--skip-tokenizer-init --disable-log-stats"
"""What has a server send tokens and do nothing else with them, as an engine of ours: no text made, nothing counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a server tells of itself."""

    url: str
    model: str
    """The model that it was started with."""
    limit: int
    """The longest conversation, in tokens."""
    root: str = ""
    """Where that model lies, over there; empty where it is not told."""


@cache
def line_to(url: str, settings: ServerSettings) -> ServerConnection:
    """Connections live as long as this process does."""
    return ServerConnection(url, settings)


def together(work: list[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Have things done at once, and wait for all of them; the first error is raised once all are over."""
    begun = [on_loop(one) for one in work]
    wait(begun)
    return [one.result() for one in begun]


def known(settings: ServerSettings) -> list[Known]:
    """What each server tells of itself; a RecipeError if one is not there, or cannot be given weights."""
    urls = addresses(settings)
    told = heard(urls, settings)
    for one in told:
        if isinstance(one, Refused):
            raise RecipeError(one.message, hint=one.hint)
        if isinstance(one, RecipeError):
            raise one
    missing = [one for one in told if isinstance(one, PolicyGone | PolicyError)]
    if missing and (not settings.urls_file or len(told) - len(missing) < settings.least):
        raise RecipeError(missing[0].message, hint=f"start it: {command(settings)}") from None
    return alike([one for one in told if isinstance(one, Known)])


def heard(urls: Sequence[str], settings: ServerSettings) -> list[Known | ProwessError]:
    """What each server tells of itself; or why it does not, or cannot be given weights."""
    return together([_heard(line_to(url, settings), settings) for url in urls])


def alike(found: list[Known]) -> list[Known]:
    """They must all play one model."""
    if odd := [one.model for one in found if one.model != found[0].model]:
        names = " and ".join(f"'{shown(name, '')}'" for name in (found[0].model, odd[0]))
        raise RecipeError(f"the servers play different models: {names}")
    return found


async def _heard(line: ServerConnection, settings: ServerSettings) -> Known | ProwessError:
    try:
        told = _known(line, await line.read("/v1/models"))
        paths = await _routes(line)
    except ProwessError as error:
        return error
    wanted = LOAD if settings.weights == "adapter" else RELOAD
    if paths and wanted not in paths:
        return RecipeError(
            f"{line!r} takes no weights while it runs: it has no {wanted}",
            hint=f"start it so: {command(settings)}",
        )
    return told


def command(settings: ServerSettings) -> str:
    """How a server is started that can be given weights."""
    if settings.weights == "adapter":
        start = "VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 vllm serve MODEL --enable-lora --max-lora-rank RANK"
    else:
        start = "VLLM_SERVER_DEV_MODE=1 vllm serve MODEL"
    return f"{start} --logprobs-mode processed_logprobs --generation-config vllm {BARE}"


async def _routes(line: ServerConnection) -> frozenset[str]:
    """What can be asked of it; nothing where it does not tell."""
    try:
        told = await line.read("/openapi.json")
    except (PolicyError, PolicyGone):
        return frozenset()
    paths = told.get("paths") if isinstance(told, dict) else None
    return frozenset(paths if isinstance(paths, dict) else ())


def _known(line: ServerConnection, told: Any) -> Known:
    """The model that is not an adapter on another one."""
    models = told.get("data") if isinstance(told, dict) else None
    for one in models if isinstance(models, list) else ():
        match one:
            case {"id": str(name), "max_model_len": int(limit)} if not one.get("parent") and limit > 1:
                root = one.get("root")
                return Known(url=line.url, model=name, limit=limit, root=root if isinstance(root, str) else "")
    raise RecipeError(
        f"{line!r} does not say which model it plays, and how long a conversation may be", hint="is it vLLM's?"
    )
