"""Weights on their way to servers: left in a folder that they read, and told to them by its path.

FOLDER/prowess-1a2b3c4d/7/    what was learnt after seven givings; the one before goes once this is played
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from prowess.errors import PolicyGone, RecipeError, StoreError
from prowess.models import Brain
from prowess.models.adapter import ADAPTER, CONFIG, base_of, is_adapter
from prowess.policies.endpoint.address import shown
from prowess.policies.server.connection import Model
from prowess.policies.server.known import LOAD, RELOAD, UNLOAD
from prowess.policies.server.servers import Servers
from prowess.policies.server.settings import ServerSettings
from prowess.policies.server.source import Source

LEARNT = "learner.json"
"""What a learner leaves beside weights of its own."""
NO_ADAPTER = "sampling.server.weights = 'whole'"


_left: dict[tuple[str, ...], list[str]] = {}
"""By servers: adapters that they still have, and nobody plays with any more."""


class WeightSender:
    """Brings the weights of one model to servers."""

    def __init__(self, brain: Brain, source: Source, *, changing: bool, settings: ServerSettings) -> None:
        self._brain, self._source, self._settings = brain, source, settings
        self._changing = changing
        if settings.weights == "adapter":
            self._check_adapter()
        self._place: Path | None = None
        self._given: Model | None = None
        self._names: list[str] = []
        """Of the adapter that servers have of this one, if it is one."""
        self._count = 0
        self.seconds = 0.0
        """What giving the weights took, the last time."""

    def give(self, servers: Servers) -> Model:
        """Let servers have the weights as they are now; what requests call them from then on."""
        if self._given and not self._changing and servers.has(self._given):
            return self._given
        begun = time.perf_counter()
        base = servers.known[0].model
        if self._settings.weights == "adapter":
            self._check_started(servers)
        if self._settings.weights == "whole":
            given = self._whole(servers, base)
        elif self._source.adapts or is_adapter(self._brain.name):
            given = self._adapter(servers)
        else:
            given = Model(name=base)
        self.seconds = time.perf_counter() - begun
        self._given = given
        return given

    def _adapter(self, servers: Servers) -> Model:
        """An adapter of a name of its own, so that nothing of another one is remembered for it."""
        here, there = self._room(servers)
        with _leaving(here):
            if self._source.adapts:
                self._source.write_adapter(here)
            else:
                for name in (CONFIG, ADAPTER):
                    shutil.copyfile(Path(self._brain.name).expanduser() / name, here / name)
            _open_to_all(here)
        name = "-".join(here.parts[-2:])
        servers.order(LOAD, {"lora_name": name, "lora_path": there}, hint=self._unseen(there))
        for old in [*self._names, *_left.pop(self._settings.urls, ())]:
            with suppress(PolicyGone):  # a server that was started again has never heard of it
                servers.order(UNLOAD, {"lora_name": old}, hint="")
        self._names[:] = [name]
        self._clear(but=here)
        return Model(name=name)

    def _whole(self, servers: Servers, base: str) -> Model:
        """All weights, in place of those that are there; what was remembered under those is not found again."""
        here, there = self._room(servers)
        with _leaving(here):
            self._source.write(here)
            _open_to_all(here)
        asked = {"method": "reload_weights", "kwargs": {"weights_path": there}}
        servers.order(RELOAD, asked, hint=self._unseen(there))
        self._clear(but=here)
        return Model(name=base, salt="-".join(here.parts[-2:]))

    def _check_adapter(self) -> None:
        if self._changing and not self._source.adapts:
            raise RecipeError(
                "sampling.server.weights is 'adapter', and all parameters are learnt",
                hint=f"learner.lora_rank above 0, or {NO_ADAPTER}",
            )
        if self._source.adapts and is_adapter(self._brain.name):
            raise RecipeError(
                f"sampling.server.weights is 'adapter', and the model '{self._brain.name}' is one already",
                hint=f"train.start names it instead of model.name, or {NO_ADAPTER}",
            )

    def _check_started(self, servers: Servers) -> None:
        """Refuse weights that no server began with, and that none is given: after a few small steps they are too near
        to those of before for a comparison to tell them apart."""
        name = self._brain.name
        base = base_of(name) if is_adapter(name) else name
        if not (Path(base).expanduser() / LEARNT).is_file():
            return
        for one in servers.known:
            if one.root and Path(one.root).name != Path(base).name:
                root = shown(one.root, "")
                raise RecipeError(
                    f"all weights of '{base}' were learnt, and the server {one.url} was started with '{root}'",
                    hint=f"vllm serve {base}, or {NO_ADAPTER}",
                )

    # ------------------------------------------------------------------------------------------------- folders

    def _room(self, servers: Servers) -> tuple[Path, str]:
        """A new folder, and what servers call it. It goes with those who ask them, or with the process."""
        if self._place is None:
            self._place = _place(self._settings)
            weakref.finalize(servers, _leave, self._place, self._settings.urls, self._names)
        self._count += 1
        here = self._place / str(self._count)
        with _leaving(here):
            here.mkdir(parents=True)
            here.chmod(0o755)
        if not self._settings.there:
            return here, str(here)
        return here, f"{self._settings.there.rstrip('/')}/{self._place.name}/{here.name}"

    def _clear(self, *, but: Path) -> None:
        for one in but.parent.iterdir():
            if one != but:
                shutil.rmtree(one, ignore_errors=True)

    def _unseen(self, there: str) -> str:
        return f"can it read {there}? sampling.server.folder names a folder that both see, .there its path over there"


def _place(settings: ServerSettings) -> Path:
    """A folder of this player's own."""
    above = Path(settings.folder or tempfile.gettempdir()).expanduser().absolute()
    place = above / f"prowess-{secrets.token_hex(4)}"
    with _leaving(place):
        place.mkdir(parents=True)
        place.chmod(0o755)  # servers may run as somebody else
    return place


def _leave(place: Path, urls: tuple[str, ...], names: list[str]) -> None:
    """Nobody plays with it any more: the folder goes now, and the adapter once the next one is given."""
    shutil.rmtree(place, ignore_errors=True)
    _left.setdefault(urls, []).extend(names)


def _open_to_all(folder: Path) -> None:
    for one in folder.rglob("*"):  # safetensors lets nobody else read what it writes
        one.chmod(0o755 if one.is_dir() else 0o644)


@contextmanager
def _leaving(place: Path) -> Iterator[None]:
    """A disk that refuses is told in words."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise StoreError(
            f"weights cannot be left in {place}: {error}", hint="sampling.server.folder names another folder"
        ) from error
