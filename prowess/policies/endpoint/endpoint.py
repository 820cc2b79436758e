"""The policy: how often to try, and how long to wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prowess.errors import ContextOverflow, PolicyError, PolicyGone, ProwessError, RecipeError, Unanswered
from prowess.policies.endpoint.chat import request_of
from prowess.policies.endpoint.connection import EndpointConnection
from prowess.policies.endpoint.failure import Failure
from prowess.policies.endpoint.meter import Meter
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.seeds import draw
from prowess.types import Completion, Message


class Endpoint:
    """A served model as a policy; many threads may share one."""

    def __init__(self, settings: EndpointSettings) -> None:
        if not settings.model:
            raise RecipeError("the policy 'endpoint' needs a model", hint="--set policy.endpoint.model=...")
        self.settings = settings
        self.meter = Meter(settings)
        """What replies have cost, of all copies together."""
        self._line = EndpointConnection(settings)

    def __repr__(self) -> str:
        return f"Endpoint({self.settings.model!r} at {self.settings.url!r})"

    def at(self, temperature: float) -> Endpoint:
        """The same model at another temperature, over the same connections and within the same limit."""
        other = object.__new__(Endpoint)
        other.settings, other._line = replace(self.settings, temperature=temperature), self._line
        other.meter = self.meter
        return other

    def close(self) -> None:
        """Hang up: every request under way, waiting or pausing ends at once with a PolicyError."""
        self._line.close()

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        request = request_of(self.settings, messages, seed)
        tries, late = self.settings.tries, 0
        # The place is kept while pausing: a server that asks for patience should see fewer requests, not others.
        with self._line.place():
            self.meter.check()
            for number in range(1, tries + 1):
                outcome = self._line.send(request, messages)
                if isinstance(outcome, Completion):
                    self.meter.add(outcome)
                    return outcome
                failure = outcome
                late += failure.late
                pause = self._pause(failure, number, seed)
                if number == tries or late == self.settings.late_tries or pause is None:
                    break
                self._line.tell_once(f"note: {self!r}: {failure.message}; {self._patience()}")
                self._line.pause(pause)
        self._line.check_open()
        raise self._error(failure, number)

    def _patience(self) -> str:
        tries, late = self.settings.tries, self.settings.late_tries
        sooner = f", {late} times where no answer comes in time" if late < tries else ""
        return f"each request is tried {tries} times{sooner}"

    def _pause(self, failure: Failure, number: int, seed: int) -> float | None:
        """How long to wait before the next try; None for no next try."""
        settings = self.settings
        longest = settings.longest_pause_seconds
        if not failure.passing or (failure.asked_pause or 0) > longest:
            return None
        jitter = draw(seed, "endpoint", number).uniform(0.5, 1.0)  # many threads must not come back as one
        backoff = min(settings.pause_seconds * 2 ** min(number - 1, 30), longest) * jitter
        return backoff if failure.asked_pause is None else failure.asked_pause + settings.pause_seconds * (1 - jitter)

    def _error(self, failure: Failure, tries: int) -> ProwessError:
        kind = ContextOverflow if failure.overflow else PolicyGone if failure.lasting else PolicyError
        if kind is PolicyError and failure.passing:
            kind = Unanswered
        times = f" ({tries} tries)" if tries > 1 else ""
        asked = failure.asked_pause or 0
        impatient = f", and asks for a pause of {asked:.0f} s" if asked > self.settings.longest_pause_seconds else ""
        hint = f"{failure.hint} (then the same command goes on)" if failure.lasting else failure.hint
        return kind(f"{self!r}: {failure.message}{impatient}{times}", hint=hint)
