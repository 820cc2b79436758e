"""From a skill's provenance back to the very turn that wrote it, where the run's folder is still there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from opensage.errors import OpensageError
from opensage.run import Run
from opensage.skills.canon import canonical
from opensage.skills.record import Provenance, Version
from opensage.types import Episode, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The turn of an episode in which a version was written."""

    folder: Path
    """Of the run."""
    episode: Episode
    number: int
    """Of the turn, counted from 0."""

    @property
    def turn(self) -> Turn:
        return self.episode.turns[self.number]


def moment_of(version: Version, provenances: Iterable[Provenance], places: Iterable[Path]) -> Moment | None:
    """The first turn that can still be read of those that wrote a version; `places` are folders that hold runs."""
    homes = tuple(places)
    for provenance in provenances:
        if provenance.kind != "episode" or not provenance.task:
            continue
        for folder in folders(provenance.run, homes):
            try:
                found = _in(Run.open(folder), provenance, version)
            except OpensageError:  # damaged, or of another version: the review goes on without it
                continue
            if found:
                return Moment(folder=folder, episode=found, number=provenance.turn)
    return None


def folders(run: str, places: Iterable[Path]) -> Iterator[Path]:
    """Where a run of this name may lie: under each of the places, by its whole name or its last part."""
    if not run or "\0" in run:
        return
    named = Path(run)
    for folder in dict.fromkeys(path for place in places for path in (place / named, place / named.name)):
        if (folder / "run.json").is_file():
            yield folder


def _in(run: Run, provenance: Provenance, version: Version) -> Episode | None:
    """The episode of a run that wrote these very words at that turn."""
    keys = sorted(run.keys(), key=lambda key: provenance.scenario not in key)  # by name, the likely files first
    for key in keys:
        for played in run.episodes(key):
            episode = played.episode
            if episode.task.id != provenance.task or provenance.turn >= len(episode.turns):
                continue
            for skill in episode.learned:
                if skill.name == version.name and canonical(skill.source) == version.source:
                    return episode
    return None
