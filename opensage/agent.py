"""The agent: plays one task by writing Python, with what its library offers, and keeps what worked.

The loop of the paper (section 3; SPEC of the method in docs/concepts.md), with three deliberate differences: retrieved
skills are smoke-run one by one and only those that fail are left out (the authors drop all of them); a use is a call
seen in the execution trace (theirs: the name is mentioned); and a broken world is recorded on the episode, not raised.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from opensage.breaks import tell_breaks
from opensage.errors import (
    ContextOverflow,
    OpensageError,
    PolicyError,
    PolicyGone,
    RecipeError,
    Unanswered,
    WorldError,
    blamed,
    check_range,
    told,
)
from opensage.prompts import Prompt
from opensage.seeds import derive
from opensage.skills.apart import apart
from opensage.skills.extract import GIVEN, mentions, names_in, overwritten, skills_in
from opensage.skills.library import Library
from opensage.tokens import estimate, estimated
from opensage.types import (
    Completion,
    Defining,
    Episode,
    Message,
    Observation,
    Origin,
    Policy,
    Request,
    Retriever,
    Skill,
    Stop,
    Tape,
    Task,
    Turn,
    Use,
    Verdict,
    World,
)

R = TypeVar("R")
Play = Generator[Request, Completion, R]
"""Something under way: gives a conversation that waits for a reply, is sent the reply, ends with its result."""

TAPES = 3
"""Recorded calls kept of one skill."""

UNGRADED = Verdict(passed=(), failed=())


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """Limits and words of the agent; the defaults are the paper's."""

    prompt: str = "skill"
    """`skill`, the plain baseline `react`, `brief` for tiny models, or the path of a Markdown template."""
    turns: int = 40
    """Replies before the episode is stopped and graded as it stands."""
    repeats: int = 0
    """Turns in a row with the same code and the same observation that end an episode, graded as it stands; 0: none."""
    reply_tokens: int = 1500
    """New tokens in one reply."""
    episode_tokens: int = 0
    """New tokens in all replies after which an episode is stopped and graded as it stands; 0 for no limit."""
    context_tokens: int = 28_048
    """Length of the conversation at which the episode is stopped and graded as it stands."""
    observation_chars: int = 12_000
    """Characters of output shown to the agent; the rest is cut, with a note."""
    cut_note: str = "\n... (cut: {shown} of {total} characters are shown)"
    """The note, with places for the two numbers."""
    no_code: str = "No code available to execute."
    """What is recorded when a reply holds no python block; the episode ends there."""
    smoke: Literal["each", "all"] = "each"
    """Whether a skill that does not load is left out alone, or all retrieved skills with it (the authors' way)."""
    use: Literal["trace", "mention"] = "trace"
    """What counts as use of a skill: a call in the execution trace, or its name in the code (the authors' way)."""
    learn: bool = True
    """Whether functions that ran without error are saved as skills."""

    def __post_init__(self) -> None:
        check_range(self, 1, "turns", "reply_tokens", "context_tokens", "observation_chars")
        if self.repeats < 2 and self.repeats:
            raise RecipeError(f"repeats is {self.repeats}; it must be 0 (never) or at least 2")
        if self.episode_tokens < 0:
            raise RecipeError(f"episode_tokens is {self.episode_tokens}; it must be 0 (no limit) or more")
        try:
            self.cut_note.format(shown=0, total=0)
        except (KeyError, IndexError, ValueError):
            raise RecipeError(f"cut_note is {self.cut_note!r}; its places are {{shown}} and {{total}}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who plays: a policy, what it is offered, how it is told, and how far it may go."""

    policy: Policy
    retrieve: Retriever
    prompt: Prompt
    limits: AgentSettings = field(default_factory=AgentSettings)
    retriever: str = "the retriever"
    """What `retrieve` is called where it goes wrong."""

    def play(self, task: Task, world: World, library: Library, *, seed: int) -> Episode:
        """Play a task to its end and grade it. Whatever breaks is recorded on the episode; nothing is raised."""
        return played(self.steps(task, world, library, seed=seed), self.policy)

    def steps(self, task: Task, world: World, library: Library, *, seed: int) -> Play[Episode]:
        """The same, reply by reply: gives the conversation that waits for one, is sent it, ends with the episode."""
        table = _Table(self, task, world, seed)
        started = time.perf_counter()
        verdict, error = UNGRADED, ""
        try:
            table.offer(_retrieved(self, library, task))
            stop = yield from table.play()
            verdict = _returned(world.evaluate(), Verdict, "evaluate")
        except OpensageError as problem:
            stop, error = Stop.ERROR, f"{type(problem).__name__}: {problem}"
        except (Exception, SystemExit) as problem:  # noqa: BLE001 (the edge of a stranger's world)
            stop, error = Stop.ERROR, f"{WorldError.__name__}: {told(problem)}"
        return Episode(
            task=task,
            turns=tuple(table.turns),
            verdict=verdict,
            stop=stop,
            offered=tuple(table.offered),
            dropped=tuple(table.dropped),
            called=tuple(table.called),
            learned=tuple(table.learned.values()),
            prompt=table.opening,
            error=error,
            tapes=tuple(table.tapes()),
            seed=seed,
            seconds=time.perf_counter() - started,
        )

    def at(self, temperature: float | None) -> Agent:
        """The agent with its policy at another temperature, where one is given and the policy knows of any."""
        cooled: Callable[[float], Policy] | None = getattr(self.policy, "at", None)
        return self if temperature is None or cooled is None else replace(self, policy=cooled(temperature))

    def hang_up(self) -> None:
        """End what is under way with the model, if the policy can: called when the work is interrupted."""
        close = getattr(self.policy, "close", None)
        if close:
            close()


class _Table:
    """One episode under way: what lies on the table while it is played."""

    def __init__(self, agent: Agent, task: Task, world: World, seed: int) -> None:
        self.agent, self.task, self.world, self.seed = agent, task, world, seed
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
        if self.agent.limits.smoke == "all" and len(loaded) < len(retrieved):
            loaded = []
        self.offered = {skill.name: skill for skill in loaded}
        self.dropped = [skill.name for skill in retrieved if skill.name not in self.offered]
        self._settle(retrieved)
        self.opening = self.agent.prompt.opening(self.task, loaded)

    def play(self) -> Play[Stop]:
        """Turns until the task is complete or a limit is reached."""
        limits = self.agent.limits
        messages = self.opening
        said = 0
        for number in range(limits.turns):
            try:
                completion = yield Request(
                    key=f"{self.task.id}#{self.seed}", messages=messages, seed=derive(self.seed, number)
                )
            except ContextOverflow:
                return Stop.CONTEXT
            completion = _counted(completion, messages)
            code = code_in(completion.text)
            if not code:
                nothing = Observation(text=limits.no_code, failed=True)
                self.turns.append(Turn(completion=completion, code="", observation=nothing))
                return Stop.NO_CODE
            observation = self._execute(code)
            self.turns.append(Turn(completion=completion, code=code, observation=observation))
            self._note(number, code, observation)
            if observation.done:
                return Stop.COMPLETED
            if self._repeats(limits.repeats):
                return Stop.REPEATS
            said += completion.reply_tokens
            if 0 < limits.episode_tokens <= said:
                return Stop.TOKENS
            reaction = self.agent.prompt.reaction(self.task, cut(observation.text, limits))
            if _size(completion, reaction) > limits.context_tokens:
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
        observation = _returned(run(code), Observation, name)
        _returned(observation.text, str, f"{name}(...).text")
        tell_breaks(observation.breaks)
        if observation.tapes:  # kept on the episode, once
            self._tapes += observation.tapes
            observation = replace(observation, tapes=())
        return observation

    def _note(self, number: int, code: str, observation: Observation) -> None:
        """Record the skills this block used and, if it ran without error, those it made."""
        if self.agent.limits.use == "mention":
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
            if self.agent.limits.learn:
                origin = Origin(
                    task=self.task.id, scenario=self.task.scenario, turn=number, instruction=self.task.instruction
                )
                for skill in skills_in(code, origin=origin, known=self.offered, earlier=self._ran):
                    self.learned[skill.name] = skill
                    self._homes[skill.name] = self._blocks - 1
            self._ran.append(code)


def _returned(value: object, kind: type[R], call: str) -> R:
    """What a world returned, if it is of the kind it should be: anything else could be neither shown nor recorded."""
    if not isinstance(value, kind):
        raise WorldError(
            f"the world's {call} is of type {type(value).__name__}; it must be {kind.__name__}",
            hint="`opensage check MODULE:SUITE` tells what else breaks the contract",
        )
    return value


def _retrieved(agent: Agent, library: Library, task: Task) -> list[Skill]:
    """What a retriever chose, if it is skills; of those with one name the first, which is the better one."""
    with blamed(agent.retriever, hint=""):
        given: object = agent.retrieve(library, task)
        found: list[object] = list(given) if isinstance(given, Iterable) else [given]
    skills: dict[str, Skill] = {}
    for one in found:
        if not isinstance(one, Skill):
            raise RecipeError(
                f"{agent.retriever} gave a {type(one).__name__}; it must give skills",
                hint="a retriever gets the library and the task, and returns some of library.skills, best first",
            )
        skills.setdefault(one.name, one)
    return list(skills.values())


def _counted(completion: object, messages: Sequence[Message]) -> Completion:
    """What a policy said, if it said something; its length is estimated where the policy has not counted."""
    text: object = completion.text if isinstance(completion, Completion) else completion
    if not isinstance(completion, Completion) or not isinstance(text, str):
        raise PolicyError(
            f"the policy's reply is of type {type(text).__name__}; it must be Completion, with its text",
            hint="from opensage.types import Completion, and return Completion(text=...)",
        )
    if completion.prompt_tokens or completion.reply_tokens:
        return completion
    return estimated(completion, messages)


def played(play: Play[R], policy: Policy) -> R:
    """Play with one policy to the end, giving each conversation its reply."""
    try:
        request = next(play)
        while True:
            try:
                completion = policy(request.messages, seed=request.seed)
            except PolicyGone:
                play.close()
                raise
            except OpensageError as problem:
                request = play.throw(problem)  # recorded where it is thrown
            except Exception as problem:  # noqa: BLE001 (the edge of a stranger's policy)
                kind = Unanswered if isinstance(problem, OSError) else PolicyError  # connections and time-outs
                request = play.throw(kind(f"the policy raised {told(problem)}"))
            else:
                request = play.send(completion)
    except StopIteration as end:
        result: R = end.value
        return result


def code_in(reply: str) -> str:
    """The first python block of a reply; one that is not terminated counts, too. In a list its code is indented as its
    fence is, which is not meant for Python.

    >>> code_in("Let me see.\\n```python\\nprint(1)\\n```\\nand\\n```python\\nprint(2)\\n```")
    'print(1)'
    >>> code_in("```python\\nprint(1)")
    'print(1)'
    >>> code_in("1. First:\\n   ```python\\n   if x:\\n       print(1)\\n   ```")
    'if x:\\n    print(1)'
    >>> code_in("no code"), code_in("```\\nprint(1)\\n```")
    ('', '')
    """
    block = r"(^[^\S\n]+)?```(?:python|py)[^\S\n]*\n(.*?)(?:^[^\S\n]*```|\Z)"
    match = re.search(block, reply, flags=re.DOTALL | re.MULTILINE | re.I)
    if not match or not match.group(2).strip():
        return ""
    indent, code = match.group(1) or "", match.group(2).strip("\n")
    lines = code.split("\n")
    if indent and all(line.startswith(indent) for line in lines if line.strip()):
        return "\n".join(line.removeprefix(indent) for line in lines)
    return code


def cut(text: str, limits: AgentSettings) -> str:
    """What the agent is shown of an output."""
    if len(text) <= limits.observation_chars:
        return text
    shown = text[: limits.observation_chars]
    return shown + limits.cut_note.format(shown=len(shown), total=len(text))


def _size(completion: Completion, reaction: Message) -> int:
    """How long the conversation is with the next observation."""
    return completion.prompt_tokens + completion.reply_tokens + estimate(reaction.content)
