"""Episodes of desk, played for real: what an agent wrote goes into a store, with the calls that were recorded."""

from __future__ import annotations

from collections.abc import Sequence

from prowess_desk.engine.family import source_of
from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.job import functions_of, written
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings

from prowess.play import Agent
from prowess.play.prompts import prompt_named
from prowess.policies.scripted import Scripted
from prowess.sandbox import Sandbox
from prowess.skills.library import Library
from prowess.store.db import Store, account_of
from prowess.store.gates.admission import Admission, admit
from prowess.store.gates.context import Context, words_in
from prowess.store.settings import GateSettings
from prowess.types import Episode, Policy, Skill, Task

LIKE = written(tuple(source_of(function) for function in functions_of(FAMILIES["like_artist"]).values()))
"""A good program: `login`, `all_pages` and `like_songs_by_artist`."""


class School:
    """A store, a sandbox and desk."""

    def __init__(self, sandbox: Sandbox, store: Store) -> None:
        self.store = store
        self.sandbox = sandbox
        self.suite = DeskSuite(DeskSettings(), sandbox)
        self.tasks = {task.id: task for split in self.suite.splits() for task in self.suite.tasks(split)}
        self.context = Context(sandbox=sandbox, vocabulary=words_in(self.suite.documents()))

    def play(
        self, task: Task, *blocks: str, policy: Policy | None = None, offered: Sequence[Skill] = (), run: str = "r"
    ) -> Episode:
        """Play a task with these blocks of code, or a policy, and tell the store."""
        replies = [f"So.\n```python\n{block}\n```" for block in (*blocks, "apis.supervisor.complete_task()")]
        agent = Agent(
            policy=policy or Scripted(replies), retrieve=lambda library, task: offered, prompt=prompt_named("skill")
        )
        world = self.suite.open(task)
        episode = agent.play(task, world, Library(), seed=1)
        world.close()
        assert not episode.error, episode.error
        self.store.take(account_of(episode, run=run, world="desk"))
        return episode

    def learn(self, code: str, call: str, task: str = "like_artist.0_1") -> Episode:
        """Play a task with one block that defines and calls."""
        episode = self.play(self.tasks[task], f"{code}\n\n\nprint({call})")
        assert not episode.turns[0].observation.failed, episode.turns[0].observation.text  # type: ignore[union-attr]
        return episode

    def admit(self, name: str, settings: GateSettings | None = None) -> Admission:
        return admit(self.store, self.store.resolve(name).digest, self.context, settings)

    def siblings(self, task: str) -> tuple[str, ...]:
        one = self.tasks[task]
        return tuple(
            other.instruction for other in self.tasks.values() if other.scenario == one.scenario and other.id != task
        )
