"""One episode under way: what was offered, said, seen, called and learnt so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from prowess.errors import ContextOverflow, WorldError
from prowess.play.play import Play
from prowess.play.prompts import Prompt
from prowess.play.settings import AgentSettings
from prowess.play.talk import code_in, cut, reply_of, size
from prowess.seeds import derive
from prowess.skills.apart import apart
from prowess.skills.extract import GIVEN, mentions, names_in, overwritten, skills_in
from prowess.types import (
    Defining,
    Message,
    Observation,
    Origin,
    Request,
    Skill,
    Stop,
    Tape,
    Task,
    Turn,
    Use,
    World,
)
from prowess.worlds.breaks import tell_breaks

R = TypeVar("R")

TAPES = 3
"""Recorded calls kept of one skill."""


class OpenEpisode:
    """One episode under way: what lies on the table while it is played."""

    def __init__(self, task: Task, world: World, *, prompt: Prompt, limits: AgentSettings, seed: int) -> None:
        self.task, self.world, self.prompt, self.limits, self.seed = task, world, prompt, limits, seed
        self.opening: tuple[Message, ...] = ()
        self.turns: list[Turn] = []
        self.offered: dict[str, Skill] = {}
        self.dropped: list[str] = []
        self.called: list[Use] = []
        self.learned: dict[str, Skill] = {}
        self._homes: dict[str, int] = {}
        self._tapes: list[Tape] = []
        self._blocks = 0
        self._injected: set[int] = set()
        self._ran: list[str] = []

    def offer(self, retrieved: Sequence[Skill]) -> None:
        """Load the retrieved skills into the world, leaving out what fails, and open the conversation."""
        retrieved = apart(retrieved)
        loaded = self._loaded([skill for skill in retrieved if skill.name not in GIVEN])
        if self.limits.smoke == "all" and len(loaded) < len(retrieved):
            loaded = []
        self.offered = {skill.name: skill for skill in loaded}
        self.dropped = [skill.name for skill in retrieved if skill.name not in self.offered]
        self._settle(retrieved)
        self.opening = self.prompt.opening(self.task, loaded)

    def play(self) -> Play[Stop]:
        """Turns until the task is complete or a limit is reached."""
        messages = self.opening
        said = 0
        for number in range(self.limits.turns):
            try:
                completion = yield Request(
                    key=f"{self.task.id}#{self.seed}", messages=messages, seed=derive(self.seed, number)
                )
            except ContextOverflow:
                return Stop.CONTEXT
            completion = reply_of(completion, messages)
            code = code_in(completion.text)
            if not code:
                nothing = Observation(text=self.limits.no_code, failed=True)
                self.turns.append(Turn(completion=completion, code="", observation=nothing))
                return Stop.NO_CODE
            observation = self._execute(code)
            self.turns.append(Turn(completion=completion, code=code, observation=observation))
            self._note(number, code, observation)
            if observation.done:
                return Stop.COMPLETED
            if self._repeats(self.limits.repeats):
                return Stop.REPEATS
            said += completion.reply_tokens
            if 0 < self.limits.episode_tokens <= said:
                return Stop.TOKENS
            reaction = self.prompt.reaction(self.task, cut(observation.text, self.limits))
            if size(completion, reaction) > self.limits.context_tokens:
                return Stop.CONTEXT
            messages += (Message(role="assistant", content=completion.text), reaction)
        return Stop.TURNS

    def _repeats(self, times: int) -> bool:
        """Whether the last so many turns ran the same code and saw the same."""
        seen = [(turn.code, turn.observation and turn.observation.text) for turn in self.turns[-times:]]
        return 0 < times == len(seen) == seen.count(seen[-1])

    def tapes(self) -> Iterator[Tape]:
        """The recorded calls of what was offered or learned, as it is defined now: the first few of each."""
        kept: Counter[str] = Counter()
        names = self.offered.keys() | self.learned.keys()
        for tape in self._tapes:
            if tape.name in names and self._homes.get(tape.name) == tape.block and kept[tape.name] < TAPES:
                kept[tape.name] += 1
                yield tape

    def _loaded(self, skills: list[Skill]) -> list[Skill]:
        """Those that load. One that ends its interpreter takes along what the others have defined: these begin anew."""
        at = 0
        while at < len(skills):
            seen = self._load(skills[at])
            if not (seen.failed or seen.apis):
                at += 1
                continue
            skills = [*skills[:at], *skills[at + 1 :]]
            at = 0 if seen.fatal else at
        return skills

    def _load(self, skill: Skill) -> Observation:
        self._homes |= dict.fromkeys(names_in(skill.code) or (), self._blocks)  # what it brings along moves in, too
        self._injected.add(self._blocks)
        return self._execute(skill.code, acts=False)

    def _settle(self, loaded: Sequence[Skill]) -> None:
        """Let every offered skill be what it is now, where another one brought the copy it was written with."""
        for skill in overwritten(tuple(self.offered.values()), loaded):
            self._load(skill)

    def _execute(self, code: str, *, acts: bool = True) -> Observation:
        """Run a block; one that does not act only defines, where the world can tell these apart."""
        self._blocks += 1
        world, name = self.world, "execute"
        run = world.execute
        if not acts and isinstance(world, Defining):
            run, name = world.define, "define"
        observation = returned(run(code), Observation, name)
        returned(observation.text, str, f"{name}(...).text")
        tell_breaks(observation.breaks)
        if observation.tapes:  # kept on the episode, once
            self._tapes += observation.tapes
            observation = replace(observation, tapes=())
        return observation

    def _note(self, number: int, code: str, observation: Observation) -> None:
        """Record the skills this block used and, if it ran without error, those it made."""
        if self.limits.use == "mention":
            names = [(name, "") for name in sorted(mentions(code, self.offered.keys()))]
        else:
            names = [(call.name, call.error) for call in observation.calls if call.block in self._injected]
        self.called += [
            Use(name=name, turn=number, origin=self.offered[name].origin.task, error=error)
            for name, error in names
            if name in self.offered
        ]
        if observation.fatal:
            self._ran.clear()
            offered = tuple(self.offered.values())
            for skill in offered:
                self._load(skill)
            self._settle(offered)
        elif not observation.failed:
            if self.limits.learn:
                origin = Origin(
                    task=self.task.id, scenario=self.task.scenario, turn=number, instruction=self.task.instruction
                )
                for skill in skills_in(code, origin=origin, known=self.offered, earlier=self._ran):
                    self.learned[skill.name] = skill
                    self._homes[skill.name] = self._blocks - 1
            self._ran.append(code)


def returned(value: object, kind: type[R], call: str) -> R:
    """What a world returned, if it is of the kind it should be: anything else could be neither shown nor recorded."""
    if not isinstance(value, kind):
        raise WorldError(
            f"the world's {call} is of type {type(value).__name__}; it must be {kind.__name__}",
            hint="`prowess check MODULE:SUITE` tells what else breaks the contract",
        )
    return value
