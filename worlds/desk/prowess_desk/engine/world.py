"""Desk as a suite of tasks, and one of its tasks opened as a world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

from prowess.errors import RecipeError, WorldError, unknown
from prowess.sandbox import ApiFailure, Interpreter, Sandbox
from prowess.seeds import derive, draw
from prowess.types import Json, Observation, Task, Verdict
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.case import SIBLINGS, Case, case_of
from prowess_desk.engine.desk import APPS, call
from prowess_desk.engine.drawn import Drawn
from prowess_desk.engine.family import Family
from prowess_desk.engine.grading import grade
from prowess_desk.engine.universe import NOW
from prowess_desk.families import FAMILIES
from prowess_desk.families.train import starter
from prowess_desk.practice import PACKAGE, drills, errands
from prowess_desk.settings import DeskSettings

SPLITS = ("train", "dev", "test_normal", "test_challenge")
STARTER = tuple(family.name for family in starter.FAMILIES)
"""Families small enough for a model of a few million parameters: one app, a short program, one or two values."""
UNIVERSES = {"all": 4, "starter": 48}
"""Universes per split: scenarios take turns, so that people and their data vary. A small model needs more of them: it
only learns to copy a name when it has seen too many to remember."""


class DeskSuite:
    """The embedded suite: scenario families over a simulated digital life.

    A task's id says what it is, `<family>.<number>_<sibling>`, so any task of any size of the suite can be opened. In
    the starter part, where a family is in every split, it reads `<family>.<split>-<number>_<sibling>`.
    """

    def __init__(self, settings: DeskSettings, sandbox: Sandbox) -> None:
        self._settings = settings
        self._sandbox = sandbox
        self._tasks: dict[str, Drawn[Task]] = {}

    def splits(self) -> Sequence[str]:
        return SPLITS if self._settings.part == "all" else SPLITS[:-1]

    def families(self, split: str) -> list[Family]:
        """The families of a split that the settings let through."""
        if split not in self.splits():
            raise unknown("split of desk", split, self.splits())
        names, levels, part = self._settings.families, self._settings.difficulties, self._settings.part
        return [
            family
            for family in FAMILIES.values()
            if (family.split == split if part == "all" else family.name in STARTER)
            and (not names or family.name in names)
            and (not levels or family.difficulty in levels)
        ]

    def tasks(self, split: str) -> Sequence[Task]:
        """Drawn once, as far as somebody looks: every step of a training asks, and each universe takes a while."""
        if split not in self._tasks:
            families = self.families(split)
            self._tasks[split] = Drawn(lambda: self._drawn(families, split))
        return self._tasks[split]

    def _drawn(self, families: Sequence[Family], split: str) -> Iterator[Task]:
        settings = self._settings
        kept = [family for family in families if settings.fresh and split == "train" and family.kept]
        shown = [family for family in families if family not in kept]
        if split == "train":
            yield from self._before()
        yield from self._scenarios(shown, split, settings.scenarios)
        yield from self._scenarios(kept, split, settings.fresh)
        if split == "train":
            yield from self._after()

    def _scenarios(self, families: Sequence[Family], split: str, count: int) -> Iterator[Task]:
        for number in range(count):
            for family in families:
                for sibling in range(SIBLINGS):
                    yield self._task(family, split, number, sibling)

    def _before(self) -> list[Task]:
        """Drills, and errands but for those that are kept."""
        kept, shown = bool(self._settings.fresh_errands), self._settings.errands
        return [
            *self._made("drills", lambda: drills().values(), self._settings.drills),
            *self._made("errands", lambda: (one for one in errands().values() if not (kept and one.kept)), shown),
        ]

    def _after(self) -> list[Task]:
        return self._made(
            "errands", lambda: (one for one in errands().values() if one.kept), self._settings.fresh_errands
        )

    def _made(self, what: str, families: Callable[[], Iterable[Family]], wanted: int) -> list[Task]:
        """The first of a shuffle, without those that nobody's data serves; then all again with other values."""
        found: list[Task] = []
        if not wanted:
            return found
        named = {family.name: family for family in families()}
        if not named:
            raise RecipeError(f"suite.desk.{what} is {wanted}, and the package {PACKAGE} is not installed")
        shuffled = draw(self._settings.seed, what).sample(sorted(named), len(named))
        barren = 0
        for number, name in ((number, name) for number in count() for name in shuffled):
            if len(found) == SIBLINGS * wanted:
                break
            if barren == len(named):
                raise RecipeError(
                    f"none of {len(named)} {what} finds data with seed {self._settings.seed}", hint="another seed"
                )
            barren += 1
            with suppress(WorldError):
                found += [self._task(named[name], "drill", number, sibling) for sibling in range(SIBLINGS)]
                barren = 0
        return found

    def documents(self) -> list[Json]:
        """What every API takes and answers, as the agent may read it."""
        return [api.doc for app in APPS.values() for api in app.apis.values()]

    def open(self, task: Task) -> DeskWorld:
        case = self._case(*self._parse(task.id))
        seed = derive(self._settings.seed, "world", task.id)
        interpreter = self._sandbox.open(seed=seed, now=NOW.isoformat())
        return DeskWorld(case, task, seed, interpreter)

    def case(self, task: Task) -> Case:
        """The case behind a task, for tests and for its author: it holds the answer."""
        return self._case(*self._parse(task.id))

    def _parse(self, id: str) -> tuple[Family, str, int, int]:
        try:
            scenario, sibling = id.rsplit("_", 1)
            name, place = scenario.rsplit(".", 1)
            split, _, number = place.rpartition("-")
            family = FAMILIES.get(name) or drills().get(name) or errands()[name]
            return family, split or family.split, int(number), int(sibling) - 1
        except (ValueError, KeyError):
            raise WorldError(
                f"'{id}' is not a task of desk",
                hint="ids read <family>.<number>_<1 to 3>, such as those of tasks(split)",
            ) from None

    def _case(self, family: Family, split: str, number: int, sibling: int) -> Case:
        seed = derive(self._settings.seed, "desk", split, number)
        universe = derive(self._settings.seed, "universe", split, number % UNIVERSES[self._settings.part])
        return case_of(family, seed, universe, sibling)

    def _task(self, family: Family, split: str, number: int, sibling: int) -> Task:
        case = self._case(family, split, number, sibling)
        order = draw(self._settings.seed, "wording", family.name, number).sample(
            range(len(family.wordings)), len(family.wordings)
        )
        wording = order[sibling % len(order)] if self._settings.wording == "mixed" else order[0]
        place = f"{number}" if self._settings.part == "all" else f"{split}-{number}"
        scenario = f"{family.name}.{place}"
        return Task(
            id=f"{scenario}_{sibling + 1}",
            scenario=scenario,
            instruction=family.say(case.values, wording),
            facts=facts_of(case),
            difficulty=family.difficulty,
        )


def facts_of(case: Case) -> Mapping[str, str]:
    """What the prompt may know of a case besides its instruction."""
    return {
        "date and time": NOW.strftime("%A %Y-%m-%d %H:%M"),
        "name": case.me.name,
        "email": case.me.email,
        "phone number": case.me.phone,
    }


class DeskWorld:
    """One task, opened once. The agent's code runs in the sandbox; state, answer and grading stay here."""

    def __init__(self, case: Case, task: Task, seed: int, interpreter: Interpreter) -> None:
        self._case = case
        self._interpreter = interpreter
        self._state = case.start.fork()
        self._session = Session(supervisor=case.me, instruction=task.instruction, universe=case.universe, seed=seed)

    @property
    def done(self) -> bool:
        return self._session.completed

    def execute(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, self._call), done=self.done)

    def define(self, code: str) -> Observation:
        return replace(self._interpreter.run(code, None), done=self.done)

    def evaluate(self) -> Verdict:
        session = self._session
        return grade(
            start=self._case.start,
            goal=self._case.goal,
            final=self._state,
            completed=session.completed and session.status == "success",
            asks=self._case.family.asks,
            expected=self._case.answer,
            answer=session.answer,
        )

    def close(self) -> None:
        self._interpreter.close()

    def _call(self, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
        try:
            return call(self._state, self._session, app, api, arguments)
        except ApiError as refusal:
            raise ApiFailure(str(refusal)) from None
