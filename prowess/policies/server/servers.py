"""Several vLLM servers that answer as one: a question is a future, and conversations that begin alike go to one.

One that is lost leaves the circle, and its questions go to the others with their seeds. It comes back before the next
step, once it answers and was given the weights. Others join and leave by the file of addresses, if there is one.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.errors import PolicyError, PolicyGone, ProwessError, RecipeError
from prowess.policies.endpoint.address import shown
from prowess.policies.server.connection import Model, Refused, ServerConnection, on_loop
from prowess.policies.server.known import Known, heard, known, line_to
from prowess.policies.server.settings import ServerSettings, addresses
from prowess.policies.server.traffic import Meter, Traffic
from prowess.policies.vllm.question import Answer, Question
from prowess.policies.vllm.routing import Router
from prowess.text.plural import counted
from prowess.text.terminal import say

_held: dict[str, str] = {}
"""By server: what this process has given it whole, in place of what was there before."""


@dataclass(slots=True, kw_only=True)
class Place:
    """A server in the circle, or one that was."""

    known: Known
    line: ServerConnection
    state: Literal["plays", "lost", "left"] = "plays"
    given: str = ""
    """What it was given last by whoever plays, by its name; empty for what it was started with."""
    meter: Meter = field(default_factory=Meter)
    asked: dict[str, tuple[Answer, Future[None]]] = field(default_factory=dict)
    """What is under way, by the answers' names."""


class Servers:
    """They answer questions, with the weights that they were given last. Thread-safe."""

    def __init__(self, settings: ServerSettings, *, stops: tuple[int, ...], limit: int) -> None:
        self.settings = settings
        found = known(settings)
        self._places = [Place(known=one, line=line_to(one.url, settings)) for one in found]
        self.limit = min(limit, *(one.limit for one in found))
        self.model = Model(name=found[0].model)
        """What they play now."""
        self._base = self.model.name
        self._stops = stops
        self._router = Router()
        self._numbers = itertools.count()
        self._lost = 0

    def __repr__(self) -> str:
        asked = sum(len(one.asked) for one in self._places)
        return f"Servers({', '.join(one.known.url for one in self.playing)}, {asked} asked)"

    @property
    def playing(self) -> list[Place]:
        """Those in the circle."""
        return [one for one in self._places if one.state == "plays"]

    @property
    def known(self) -> list[Known]:
        """What those in the circle have told of themselves."""
        return [one.known for one in self.playing]

    @property
    def size(self) -> int:
        return len(self.playing)

    @property
    def writing(self) -> list[str]:
        """Which of them make text of tokens."""
        return [one.line.url for one in self.playing if one.line.writes]

    @property
    def work(self) -> Traffic:
        """What they have done, all together."""
        return sum((one.meter.read() for one in self._places), start=Traffic(lost=self._lost))

    def ask(self, question: Question, *, of: Known | None = None) -> Answer:
        """The reply to come, of one of them, if it is named; a PolicyError if this question alone cannot be
        answered."""
        answer = Answer(f"answer {next(self._numbers)}")
        if not self.holds(self.model):
            answer.set_exception(
                PolicyGone(f"{self!r}: they were given other weights since", hint="one run to a server")
            )
            return answer
        named = [one for one in self.playing if one.known == of]
        try:
            place = named[0] if named else self._chosen(question)
        except PolicyGone as error:
            answer.set_exception(error)
            return answer
        self._send(place, answer, question, self.model)
        return answer

    def abort(self, answer: Answer) -> None:
        """Break off a reply that is under way; one that is there already is fine."""
        for place in self._places:
            _, said = place.asked.get(answer.name, (answer, None))
            if said is not None:
                said.cancel()  # the connection ends, and the server hears it
        _settle(answer, PolicyError("the reply was broken off"))

    def play(self, give: Callable[[], Model]) -> None:
        """Let somebody give them other weights once nothing is under way, and ask for those from then on. Who was
        lost and is there again, or is new, is given them, too."""
        wait([answer for one in self._places for answer, _ in list(one.asked.values())])
        self._router.forget()
        self._gather()
        self.model = give()
        for one in self.playing:
            one.given = self.model.name if self.model.name != self._base else ""
            if self.model.salt:
                _held[one.line.url] = self.model.salt

    def holds(self, model: Model) -> bool:
        """Whether they still have it: what is given whole is gone where somebody has given them something else."""
        return not model.salt or all(_held.get(one.line.url) == model.salt for one in self.playing)

    def has(self, model: Model) -> bool:
        """Whether all of them were given it, or began with it."""
        name = model.name if model.name != self._base else ""
        return self.holds(model) and all(one.given == name for one in self.playing)

    def order(self, path: str, asked: Mapping[str, Any], *, hint: str) -> None:
        """Have all of them do something, all at once. Who is gone leaves the circle; of others, whoever plays meets
        the first that fails."""
        places = self.playing
        begun = [on_loop(one.line.order(path, asked)) for one in places]
        wait(begun)
        for place, done in zip(places, begun, strict=True):
            error = done.exception()
            if isinstance(error, PolicyGone) and not isinstance(error, Refused) and self._lose(place, error):
                continue
            if isinstance(error, PolicyError):
                raise PolicyGone(error.message, hint=hint) from None
            if error is not None:
                raise error

    # ------------------------------------------------------------------------------------------------- the circle

    def _chosen(self, question: Question) -> Place:
        """Who has read this beginning, or has the least to do."""
        out = {number for number, one in enumerate(self._places) if one.state != "plays"}
        if len(out) == len(self._places):
            raise PolicyGone(f"{self!r}: no server is left", hint="start one, and the same command goes on")
        return self._places[self._router.of(question.opening, [len(one.asked) for one in self._places], out=out)]

    def _lose(self, place: Place, error: ProwessError) -> bool:
        """Take a server out of the circle; not where it is the only one, as then nobody could go on."""
        if place.state != "plays":
            return self.size > 0
        if self.size == 1:
            return False
        place.state = "lost"
        self._lost += 1
        say(f"warning: {error.message}; {counted(self.size, 'server')} left")
        if self.size < self.settings.least:
            raise PolicyGone(
                f"{counted(self.size, 'server')} left, and sampling.server.least is {self.settings.least};"
                f" the last lost: {error.message}",
                hint="start it again, and the same command goes on",
            )
        return True

    def _gather(self) -> None:
        """Let those join that were lost and are there again, or are new in the file of addresses; and those leave
        that are no longer in it."""
        urls = self._addresses()
        for one in self._places:
            if one.line.url not in urls:
                one.state = "left"
        here = {one.line.url for one in self.playing}
        absent = [url for url in urls if url not in here]
        if not absent:
            return
        for url, told in zip(absent, heard(absent, self.settings), strict=True):
            if problem := self._unfit(told):
                if not isinstance(told, PolicyGone):  # who is not there yet is no news
                    say(f"warning: {problem}; the others go on without it")
                continue
            assert isinstance(told, Known)
            self._places = [place for place in self._places if place.line.url != url]
            self._places.append(Place(known=told, line=line_to(url, self.settings)))
            _held.pop(url, None)
            say(f"note: the server {url} plays, too")

    def _unfit(self, one: Known | ProwessError) -> str:
        """Why a server cannot join, or nothing."""
        if isinstance(one, ProwessError):
            return one.message
        if one.model != self._base:
            return f"the server {one.url} plays '{shown(one.model, '')}', and the others '{shown(self._base, '')}'"
        if one.limit < self.limit:
            return f"the server {one.url} takes {one.limit} tokens a conversation, and the others {self.limit}"
        return ""

    def _addresses(self) -> list[str]:
        """Where servers may be now. A file that cannot be read, or is empty, changes nothing."""
        try:
            return addresses(self.settings)
        except RecipeError as error:
            say(f"warning: {error.message}; the servers stay as they are")
            return [one.line.url for one in self._places if one.state != "left"]

    # ------------------------------------------------------------------------------------------------- a question

    def _send(self, place: Place, answer: Answer, question: Question, model: Model) -> None:
        said = on_loop(self._say(place, answer, question, model))
        place.asked[answer.name] = answer, said
        answer.add_done_callback(lambda _: place.asked.pop(answer.name, None))
        if answer.done():
            place.asked.pop(answer.name, None)

    async def _say(self, place: Place, answer: Answer, question: Question, model: Model) -> None:
        again = 0
        place.meter.begin()
        try:
            heard = await place.line.say(question, model, self._stops)
            again = heard.again
            _settle(answer, heard.reply)
        except PolicyGone as gone:
            self._ask_another(place, answer, question, model, gone)
        except BaseException as problem:
            _settle(answer, problem if isinstance(problem, ProwessError) else PolicyError("the reply was broken off"))
            if not isinstance(problem, ProwessError):
                raise
        finally:
            place.meter.end(again)

    def _ask_another(self, place: Place, answer: Answer, question: Question, model: Model, gone: PolicyGone) -> None:
        """Have another server answer, with the same seed; nobody else can where somebody must see to it first."""
        try:
            if isinstance(gone, Refused) or answer.done() or not self._lose(place, gone):
                _settle(answer, gone)
                return
            other = self._chosen(question)
        except PolicyGone as error:
            _settle(answer, error)
            return
        self._send(other, answer, question, model)
        place.asked.pop(answer.name, None)


def _settle(answer: Answer, what: Any) -> None:
    """Answer, or fail; one that was broken off is settled already."""
    with suppress(InvalidStateError):
        if isinstance(what, BaseException):
            answer.set_exception(what)
        else:
            answer.set_result(what)
