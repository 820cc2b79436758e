"""The Hugging Face hub: asked whether it answers, rather than again and again for each file of a model."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

from prowess.errors import RecipeError
from prowess.text.terminal import say

SECONDS = 5.0
"""How long it may take to answer."""
TRIES = 2
"""A network that is there may lose one question; one that is not there says so at once."""


@cache
def answers() -> bool:
    """Whether the hub answers, as far as this process is concerned. Its own client tries six times for every file of a
    model, half a minute in all."""
    from huggingface_hub import constants, get_session

    for _ in range(TRIES):
        # Whatever its client calls it: no network, no name, a time-out, HF_HUB_OFFLINE.
        with suppress(Exception):
            get_session().head(constants.ENDPOINT, timeout=SECONDS)
            return True
    return False


def source_of(name: str, revision: str = "", *, instead: Iterable[str] = ()) -> Path | str:
    """Where a hub model comes from: from the hub, by its name, or, if that does not answer, from its cache's folder.
    `instead` are models that need no hub."""
    if answers():
        return name
    from huggingface_hub import constants, snapshot_download

    try:
        return Path(snapshot_download(name, revision=revision or None, local_files_only=True))
    except Exception as error:
        version = f" at '{revision}'" if revision else ""
        raise RecipeError(
            f"the model '{name}'{version} is no folder here and not in {constants.HF_HUB_CACHE}, and "
            f"{constants.ENDPOINT} does not answer",
            hint="check the network (HF_ENDPOINT and HF_HUB_OFFLINE count, too); a folder needs none, nor do "
            + ", ".join(instead),
        ) from error


def tell_fetching(name: str, revision: str = "") -> None:
    """Say that a model's weights are about to be fetched, and from where: nothing else is seen of it, and it may be
    long."""
    from huggingface_hub import constants, try_to_load_from_cache

    files = ("model.safetensors", "model.safetensors.index.json")
    kept = [try_to_load_from_cache(name, file, revision=revision or None) for file in files]
    if not any(isinstance(each, str) for each in kept):
        say(f"note: fetching the model '{name}' from {constants.ENDPOINT}")
