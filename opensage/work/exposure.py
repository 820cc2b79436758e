"""What of the retrieved skills an episode is shown, and what is held back as a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opensage.seeds import draw
from opensage.types import LibraryView, Retriever, Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What an episode was played with; an episode itself says what it was shown."""

    place: int
    """In the stream."""
    root: str = ""
    """The snapshot its skills come from."""
    masked: tuple[str, ...] = ()
    """Names retrieved and held back."""
    scores: Mapping[str, float] = field(default_factory=dict)


class Masking:
    """A retriever that holds some skills back, for one episode, and remembers which."""

    def __init__(self, retrieve: Retriever, *, share: float, seed: int) -> None:
        self._retrieve, self._share, self._seed = retrieve, share, seed
        self.masked: tuple[str, ...] = ()

    def __call__(self, library: LibraryView, task: Task, /) -> Sequence[Skill]:
        found = self._retrieve(library, task)
        held = {skill.name for skill in found if draw(self._seed, "mask", skill.name).random() < self._share}
        self.masked = tuple(skill.name for skill in found if skill.name in held)
        return [skill for skill in found if skill.name not in held]
