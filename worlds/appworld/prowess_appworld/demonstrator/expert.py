"""A policy that plays AppWorld's train and dev tasks as a good skill-writing model would: demonstrations to imitate.

It knows the reference solutions of a scenario's three tasks and works out of them one program (`program.py`). What it
says is what a model would say that found this program by itself: it reads documentation, logs in, reads and prints what
it needs, writes typed functions, reuses those that its library offers, and completes the task. Everything it says is
executed for real, by the ordinary agent in the sandbox; it sees and changes nothing itself. It is given no task's name:
it knows its task by the instruction and the supervisor.
"""

from __future__ import annotations

import ast
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from prowess.errors import PolicyError, unknown
from prowess.text.complaint import failed, trouble_in
from prowess.text.syntax import tree_of
from prowess.text.tokens import estimated
from prowess.types import Completion, Message, Task
from prowess.worlds.expert import GIVEN_UP, ExpertSettings, Step, Talk, follows, heard
from prowess_appworld.demonstrator.blocks import HELPERS, Block, Writer
from prowess_appworld.demonstrator.calls import Routes, reference_of, routes_in
from prowess_appworld.demonstrator.program import Program, program_of
from prowess_appworld.demonstrator.stages import Sibling, aligned
from prowess_appworld.demonstrator.trace import record
from prowess_appworld.place import Installation
from prowess_appworld.pool import Pool
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.tasks import moment_of, splits_of, tasks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What the expert understood of a conversation's opening."""

    program: Program
    task: int
    routes: Routes
    offered: Mapping[str, tuple[str, ...]]
    """Functions of the library, with their parameters."""
    rng: Random

    @property
    def writer(self) -> Writer:
        return Writer(program=self.program, task=self.task, routes=self.routes, offered=self.offered)

    @property
    def apis(self) -> list[tuple[str, str]]:
        """What will be called and is not in the library, in order."""
        found = [
            (part.stage.app, part.stage.api)
            for part in self.program.parts
            if part.here[self.task] and part.function not in self.offered
        ]
        return list(dict.fromkeys(found)) if self.writer.name not in self.offered else []

    def pick(self, *sentences: str) -> str:
        return self.rng.choice(sentences)


def brisk(job: Job) -> list[Step]:
    """Writes and calls at once, and completes with the last block where nothing is left to look at."""
    steps = _blocks(job, whole=True)
    if len(steps) == 1 and not (job.program.answer is not None and job.program.answer.literal):
        code = f"{steps[0].code}\n{job.writer.completing()}"
        return [replace(steps[0], code=code)]
    return [*_docs(job, 2), *steps, _finish(job)]


def careful(job: Job) -> list[Step]:
    """Looks at the documents of what it will change, and completes in a reply of its own."""
    return [*_docs(job, 3), *_blocks(job, whole=True), _finish(job)]


def scholar(job: Job) -> list[Step]:
    """Reads the list of an app's APIs first, then their documents."""
    apps = list(dict.fromkeys(app for app, _ in job.apis if app != "supervisor"))
    listing = []
    if apps:
        code = "\n".join(
            f'for api in apis.api_docs.show_api_descriptions(app_name="{app}"):\n    print(api["name"])'
            for app in apps[:2]
        )
        listing = [
            Step(
                thought=job.pick("First I look at what these apps can do.", "Let me see the APIs there are."), code=code
            )
        ]
    return [*listing, *_docs(job, 4), *_blocks(job, whole=True), _finish(job)]


def layered(job: Job) -> list[Step]:
    """Functions for the steps rather than one for all of them."""
    return [*_docs(job, 2), *_blocks(job, whole=False), _finish(job)]


def scout(job: Job) -> list[Step]:
    """Tries its helpers on the account before it writes more."""
    if "login" in job.offered or not any(part.stage.signed for part in job.program.parts):
        return careful(job)
    app = next(part.stage.app for part in job.program.parts if part.stage.signed)
    code = f'{HELPERS["login"]}\n\n\nprint("logged in:", bool(login(app="{app}")))'
    first = Step(
        thought=job.pick(
            "I start with a helper that other tasks can use, too.", "A log-in that works for every app comes first."
        ),
        code=code,
    )
    with_login = replace(job, offered={**job.offered, "login": ("app",)})
    return [first, *_docs(job, 2), *_blocks(with_login, whole=True), _finish(job)]


def mender(job: Job) -> list[Step]:
    """Misnames an argument, reads the documentation, and defines the function again, corrected."""
    steps = _blocks(job, whole=True)
    right = steps[0].code
    call = re.search(r"apis\.(\w+)\.(\w+)\(([^()]*\baccess_token=)", right) or re.search(
        r"all_pages\(\s*apis\.(\w+)\.(\w+),\s*(access_token=)", right
    )
    if call is None or "def " not in right:
        return careful(job)
    at = right.index("access_token=", call.start())
    wrong = f"{right[:at]}token={right[at + len('access_token=') :]}"
    slip = replace(steps[0], code=wrong, slips=True)
    look = Step(thought="An argument was wrong. I read the documentation.", code=_doc(call[1], call[2]))
    mended = replace(steps[0], thought="The parameter is called access_token. I define it again, corrected.")
    return [slip, look, mended, *steps[1:], _finish(job)]


def forgetful(job: Job) -> list[Step]:
    """Never looks at the library and writes everything anew."""
    return brisk(replace(job, offered={}))


STYLES: Mapping[str, Callable[[Job], list[Step]]] = {
    "brisk": brisk,
    "careful": careful,
    "scholar": scholar,
    "layered": layered,
    "scout": scout,
    "mender": mender,
    "forgetful": forgetful,
    "hasty": forgetful,
}
"""By the names that all experts share; a hasty one of AppWorld is a forgetful one."""


def _blocks(job: Job, *, whole: bool) -> list[Step]:
    writer = job.writer
    if job.program.whole and writer.name in job.offered:
        whole = True
    elif any(part.function in job.offered for part in job.program.parts):
        whole = False  # what the library offers is used, in whichever style it was written
    blocks = [writer.whole()] if whole and job.program.whole else writer.pieces()
    return [Step(thought=_thought(job, block), code=block.code) for block in blocks]


def _thought(job: Job, block: Block) -> str:
    words = []
    if block.reused:
        names = ", ".join(f"`{name}`" for name in block.reused)
        words.append(job.pick(f"My library has {names}.", f"I can reuse {names}.", f"{names} will do for this."))
    if block.read:
        words.append(job.pick("I take the values from the output above.", "The output above tells which ones."))
    acts = any(not part.stage.reads for part in block.parts)
    if block.defined and acts:
        words.append(
            job.pick("I write it as a function that takes what varies.", "Now a function for what is to be done.")
        )
    elif block.defined:
        words.append(job.pick("I write functions that read what I need.", "First I need to see the data."))
    elif not words:
        words.append(job.pick("Next step.", "I go on with it."))
    return " ".join(words)


def _docs(job: Job, most: int) -> list[Step]:
    wanted = job.apis
    acts = [key for key in wanted if not job.routes.apis[key].reads]
    chosen = [key for key in wanted if key in acts[:2] or key in wanted[: max(0, most - len(acts[:2]))]][:most]
    if not chosen:
        return []
    code = "\n".join(_doc(app, api) for app, api in chosen)
    return [
        Step(
            thought=job.pick("I read the documentation of what I need.", "Let me check how these APIs are called."),
            code=code,
        )
    ]


def _doc(app: str, api: str) -> str:
    return f'print(apis.api_docs.show_api_doc(app_name="{app}", api_name="{api}"))'


def _finish(job: Job) -> Step:
    words = ("That is done.", "Everything is in place.", "The task is complete.")
    if job.program.answer is not None:
        words = ("I have the answer.", "That answers the question.", "This is what was asked.")
    return Step(thought=job.pick(*words), code=job.writer.completing())


class AppWorldExpert:
    """The policy. Between calls it keeps nothing of a conversation, only what it worked out of the references."""

    def __init__(self, appworld: AppWorldSettings, settings: ExpertSettings, shared: Study | None = None) -> None:
        for name in settings.styles:
            if name not in STYLES:
                raise unknown("style of AppWorld's expert", name, STYLES)
        self._appworld = appworld
        self.settings = settings
        self._study = shared or Study(appworld.place)

    def at(self, temperature: float) -> AppWorldExpert:
        """The expert in another mood: temperature only changes its draws of style and words."""
        return AppWorldExpert(self._appworld, self.settings.at(temperature), self._study)

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        return estimated(Completion(text=self._next(heard(messages)).reply), messages)

    def close(self) -> None:
        """End AppWorld's processes. May be called twice."""
        self._study.close()

    def _next(self, talk: Talk) -> Step:
        rng = self.settings.draws(talk.opening)
        task = self._study.task_told(talk.opening)
        program = self._study.program(task)
        job = Job(
            program=program,
            task=[sibling.id for sibling in program.scenario.siblings].index(task.id),
            routes=self._study.routes,
            offered=offered_in(talk.opening),
            rng=rng,
        )
        plan = STYLES[rng.choice(self.settings.styles)](job)
        replies, outputs = talk.replies, talk.outputs
        for number, output in enumerate(outputs):
            own = number < len(plan) and replies[number] == plan[number].reply
            if own and failed(output) and not plan[number].slips:
                return GIVEN_UP
            if not own and (trouble := trouble_in(output)):
                steps, since = careful(replace(job, offered={})), replies[number + 1 :]
                steps[0] = replace(steps[0], thought=f"{trouble} {steps[0].thought}")
                if not follows(since, steps):
                    continue  # somebody tried to mend it before
                return GIVEN_UP if any(map(failed, outputs[number + 1 :])) else steps[min(len(since), len(steps) - 1)]
        if follows(replies, plan):
            return plan[len(replies)] if len(replies) < len(plan) else _finish(job)
        for place in range(1, len(replies)):  # where it took over from somebody else
            if follows(since := replies[place:], steps := careful(job)):
                return steps[min(len(since), len(steps) - 1)]
        return careful(job)[0]


class Study:
    """The tasks with their references, and the programs worked out of them; shared by all moods of an expert."""

    def __init__(self, place: Installation) -> None:
        place.check()
        self._place = place
        self._lock = threading.Lock()
        self._pool: Pool | None = None
        self._programs: dict[str, Program] = {}
        self.routes = routes_in(place.data)
        self._tasks = [task for split in splits_of(place.data) for task in tasks_of(place.data, split)]

    def task_told(self, opening: str) -> Task:
        """The task that a conversation is about."""
        found = [task for task in self._tasks if opening.rstrip().endswith(task.instruction.rstrip())]
        for fact in ("email", "date and time"):  # a short prompt may leave them out
            found = [task for task in found if task.facts[fact] in opening] or found
        if len({task.scenario for task in found}) != 1:
            raise PolicyError(f"the expert does not know the task '{opening.rpartition('Task: ')[2][:200]}'")
        return found[0]

    def program(self, task: Task) -> Program:
        """The program of a task's scenario, worked out once."""
        with self._lock:
            if task.scenario not in self._programs:
                siblings = [self._sibling(each) for each in self._tasks if each.scenario == task.scenario]
                self._programs[task.scenario] = program_of(aligned(siblings))
            return self._programs[task.scenario]

    def close(self) -> None:
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None

    def _sibling(self, task: Task) -> Sibling:
        data = self._place.data
        if self._pool is None:
            self._pool = Pool(self._place, warm=0)
        reference = reference_of(data, self.routes, task.id)
        with closing(self._pool.open(task.id)) as host:
            steps = record(host, self.routes, reference)
        file = data / "tasks" / task.id / "ground_truth" / "public_data.json"
        values = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        last = steps[-1]
        return Sibling(
            id=task.id,
            instruction=task.instruction,
            now=datetime.fromisoformat(moment_of(data, task.id)),
            email=task.facts["email"],
            values=values,
            steps=tuple(step for step in steps if step.api != "complete_task"),
            answer=last.arguments.get("answer"),
            asks="answer" in last.arguments,
        )


def offered_in(opening: str) -> dict[str, tuple[str, ...]]:
    """The functions that an opening shows, in full or by their first lines, with the names of their parameters."""
    found = {}
    blocks = re.findall(r"^(`{3,})python\n(.*?)^\1", opening, flags=re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^def \w+\(.*\).*$", opening, flags=re.MULTILINE)
    for text in (*(block for _, block in blocks), *(f"{line.rstrip().rstrip(':')}: ..." for line in lines)):
        try:
            tree = tree_of(text)
        except SyntaxError:
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = tuple(argument.arg for argument in node.args.args)
    return found
