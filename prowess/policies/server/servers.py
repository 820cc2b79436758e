"""Several vLLM servers that answer as one: a question is a future, and conversations that begin alike go to one."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from prowess.errors import PolicyError, PolicyGone, ProwessError, RecipeError
from prowess.policies.endpoint.address import shown
from prowess.policies.server.connection import Model, Refused, ServerConnection, on_loop
from prowess.policies.server.settings import ServerSettings
from prowess.policies.vllm.question import Answer, Question
from prowess.policies.vllm.routing import Router


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """How long somebody was waited for, and how long they waited all together; how often was asked again."""

    busy: float = 0.0
    waited: float = 0.0
    again: int = 0

    def __add__(self, more: Traffic) -> Traffic:
        return Traffic(busy=self.busy + more.busy, waited=self.waited + more.waited, again=self.again + more.again)

    def since(self, before: Traffic) -> Traffic:
        """What has been done since then."""
        return Traffic(
            busy=self.busy - before.busy, waited=self.waited - before.waited, again=self.again - before.again
        )

    def figures(self, *, seconds: float, said: int, engines: int) -> dict[str, float]:
        """What so many servers did in so many seconds, in which they said so many tokens."""
        return {
            "play/engine_idle": max(0.0, 1 - self.busy / engines / seconds),
            "play/rows": self.waited / max(self.busy / engines, 1e-9),
            "play/pass_ms": 1000 * self.waited / max(1, said),
            "play/again": float(self.again),
        }


class Meter:
    """Measures the traffic with one server; one thread tells it."""

    def __init__(self) -> None:
        self._so_far = Traffic()
        self._under_way = 0
        self._since = time.perf_counter()

    def begin(self) -> None:
        """A question is on its way."""
        self._note(+1, 0)

    def end(self, again: int) -> None:
        """It was answered, or never will be."""
        self._note(-1, again)

    def read(self) -> Traffic:
        """All until now, with what is under way."""
        seconds, talking = time.perf_counter() - self._since, self._under_way
        return self._so_far + Traffic(busy=seconds if talking else 0.0, waited=seconds * talking)

    def _note(self, more: int, again: int) -> None:
        self._so_far = self.read() + Traffic(again=again)
        self._under_way += more
        self._since = time.perf_counter()


LOAD, UNLOAD, RELOAD = "/v1/load_lora_adapter", "/v1/unload_lora_adapter", "/collective_rpc"
"""What weights are given by: an adapter beside the server's model, or a model in its place."""
BARE = "--skip-tokenizer-init --disable-log-stats"
"""What has a server send tokens and do nothing else with them, as an engine of ours: no text made, nothing counted."""


_held: dict[str, str] = {}
"""By server: what this process has given it whole, in place of what was there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a server tells of itself."""

    model: str
    """The model that it was started with."""
    limit: int
    """The longest conversation, in tokens."""
    root: str = ""
    """Where that model lies, over there; empty where it is not told."""


class Servers:
    """They answer questions, with the weights that they were given last. Thread-safe."""

    def __init__(self, settings: ServerSettings, *, stops: tuple[int, ...], limit: int) -> None:
        self.settings = settings
        self._lines = [line_to(url, settings) for url in settings.urls]
        self.known = known(settings)
        self.limit = min(limit, *(one.limit for one in self.known))
        self.model = Model(name=self.known[0].model)
        """What they play now."""
        self._stops = stops
        self._meters = [Meter() for _ in self._lines]
        self._router = Router()
        self._numbers = itertools.count()
        self._under_way: list[dict[str, tuple[Answer, Future[None]]]] = [{} for _ in self._lines]

    def __repr__(self) -> str:
        return f"Servers({', '.join(self.settings.urls)}, {sum(map(len, self._under_way))} asked)"

    @property
    def size(self) -> int:
        return len(self._lines)

    @property
    def writing(self) -> list[str]:
        """Which of them make text of tokens."""
        return [line.url for line in self._lines if line.writes]

    @property
    def work(self) -> Traffic:
        """What they have done, all together."""
        return sum((meter.read() for meter in self._meters), start=Traffic())

    def ask(self, question: Question, *, of: int | None = None) -> Answer:
        """The reply to come, of one of them by its number, if it is given; a PolicyError if this question alone cannot
        be answered."""
        number = self._router.of(question.opening, [len(one) for one in self._under_way]) if of is None else of
        answer = Answer(f"{number}/{next(self._numbers)}")
        if not self.holds(self.model):
            answer.set_exception(
                PolicyGone(f"{self!r}: they were given other weights since", hint="one run to a server")
            )
            return answer
        said = on_loop(self._say(number, answer, question, self.model))
        self._under_way[number][answer.name] = answer, said
        answer.add_done_callback(lambda _: self._under_way[number].pop(answer.name, None))
        return answer

    def abort(self, answer: Answer) -> None:
        """Break off a reply that is under way; one that is there already is fine."""
        number = int(answer.name.split("/")[0])
        _, said = self._under_way[number].get(answer.name, (answer, None))
        if said is not None:
            said.cancel()  # the connection ends, and the server hears it
        _settle(answer, PolicyError("the reply was broken off"))

    def play(self, give: Callable[[], Model]) -> None:
        """Let somebody give them other weights once nothing is under way, and ask for those from then on."""
        wait([answer for one in self._under_way for answer, _ in list(one.values())])
        self._router.forget()
        self.model = give()
        if self.model.salt:
            _held.update({line.url: self.model.salt for line in self._lines})

    def holds(self, model: Model) -> bool:
        """Whether they still have it: what is given whole is gone where somebody has given them something else."""
        return not model.salt or all(_held.get(line.url) == model.salt for line in self._lines)

    def order(self, path: str, asked: Mapping[str, Any], *, hint: str) -> None:
        """Have all of them do something, all at once; whoever plays meets the first that fails."""
        try:
            together([line.order(path, asked) for line in self._lines])
        except PolicyError as error:
            raise PolicyGone(error.message, hint=hint) from None

    async def _say(self, number: int, answer: Answer, question: Question, model: Model) -> None:
        meter, again = self._meters[number], 0
        meter.begin()
        try:
            heard = await self._lines[number].say(question, model, self._stops)
            again = heard.again
            _settle(answer, heard.reply)
        except BaseException as problem:
            _settle(answer, problem if isinstance(problem, ProwessError) else PolicyError("the reply was broken off"))
            if not isinstance(problem, ProwessError):
                raise
        finally:
            meter.end(again)


def _settle(answer: Answer, what: Any) -> None:
    """Answer, or fail; one that was broken off is settled already."""
    with suppress(InvalidStateError):
        if isinstance(what, BaseException):
            answer.set_exception(what)
        else:
            answer.set_result(what)


# --------------------------------------------------------------------------------------------- before anything is asked


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
    lines = [line_to(url, settings) for url in settings.urls]
    try:
        told = together([line.read("/v1/models") for line in lines])
        routes = together([_routes(line) for line in lines])
    except Refused as error:
        raise RecipeError(error.message, hint=error.hint) from None
    except (PolicyError, PolicyGone) as error:
        raise RecipeError(error.message, hint=f"start it: {command(settings)}") from None
    found = [_known(line, one) for line, one in zip(lines, told, strict=True)]
    wanted = LOAD if settings.weights == "adapter" else RELOAD
    for line, paths in zip(lines, routes, strict=True):
        if paths and wanted not in paths:
            raise RecipeError(
                f"{line!r} takes no weights while it runs: it has no {wanted}",
                hint=f"start it so: {command(settings)}",
            )
    if odd := [one.model for one in found if one.model != found[0].model]:
        names = " and ".join(f"'{shown(name, '')}'" for name in (found[0].model, odd[0]))
        raise RecipeError(f"the servers play different models: {names}")
    return found


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
                return Known(model=name, limit=limit, root=root if isinstance(root, str) else "")
    raise RecipeError(
        f"{line!r} does not say which model it plays, and how long a conversation may be", hint="is it vLLM's?"
    )
