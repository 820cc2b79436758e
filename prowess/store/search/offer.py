"""What is asked of a search, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prowess.store.record import Arm, Usage
from prowess.store.standing import Entry
from prowess.types import Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A request, with what is known of where it comes from."""

    instruction: str
    namespace: str | None = None
    """Where to look; everywhere unless said."""
    scenario: str = ""
    task: str = ""
    """Never offered what was written for this task and no other."""
    apis: frozenset[str] | None = None
    """What can be called; a skill that calls anything else is left out. Everything unless said."""
    seed: int = 0
    episode: str = ""
    """Draws (what is masked, what is explored) are this episode's own."""

    @classmethod
    def of(
        cls,
        task: Task,
        *,
        namespace: str | None = None,
        apis: frozenset[str] | None = None,
        seed: int = 0,
        episode: str = "",
    ) -> Query:
        return cls(
            instruction=task.instruction,
            namespace=namespace,
            scenario=task.scenario,
            task=task.id,
            apis=apis,
            seed=seed,
            episode=episode or task.id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One version that was found."""

    entry: Entry
    rank: int = 0
    """Among what was chosen, from 0; what comes along because it is called has the rank of its caller."""
    likeness: float = 0.0
    """How well it fits the request, 0 to 1."""
    score: float = 0.0
    """Likeness, weighed with its worth."""
    channels: Mapping[str, float] = field(default_factory=dict)
    """What each channel saw."""
    called_by: str = ""
    """The name of the chosen skill that needs it, where it was not found for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What an agent is shown, in an order in which it can be loaded, and what was held back."""

    offered: tuple[Hit, ...] = ()
    masked: tuple[Hit, ...] = ()

    @property
    def abstained(self) -> bool:
        """Nothing was good enough."""
        return not self.offered and not self.masked

    @property
    def skills(self) -> tuple[Skill, ...]:
        return tuple(hit.entry.skill for hit in self.offered)

    @property
    def digests(self) -> Mapping[str, str]:
        """The very versions, by name: shown or held back."""
        return {hit.entry.version.name: hit.entry.digest for hit in (*self.offered, *self.masked)}

    def uses(
        self,
        episode: str,
        *,
        success: bool,
        called: Mapping[str, int] | None = None,
        errors: Mapping[str, str] | None = None,
        task: str = "",
        run: str = "",
        turns: int = 0,
        tokens: int = 0,
    ) -> tuple[Usage, ...]:
        """The exposure and how it ended, for `Store.use`. What came along as a dependency counts when it was called."""
        calls, failed = called or {}, errors or {}

        def usage(hit: Hit, arm: Arm, *, called: int = 0, error: str = "") -> Usage:
            return Usage(
                episode=episode,
                digest=hit.entry.digest,
                arm=arm,
                task=task,
                run=run,
                rank=hit.rank,
                score=hit.score,
                called=called,
                error=error,
                success=success,
                turns=turns,
                tokens=tokens,
            )

        shown = ((hit, calls.get(hit.entry.version.name, 0)) for hit in self.offered)
        return (
            *(
                usage(hit, "offered", called=often, error=failed.get(hit.entry.version.name, ""))
                for hit, often in shown
                if often or not hit.called_by
            ),
            *(usage(hit, "masked") for hit in self.masked),
        )
