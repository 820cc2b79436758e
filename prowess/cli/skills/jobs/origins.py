"""From a skill's provenance back to the very turn that wrote it, where the run's folder is still there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from glob import escape
from pathlib import Path

from prowess.errors import ProwessError
from prowess.run import Run, is_run
from prowess.store.canon import canonical
from prowess.store.record import Provenance, Version
from prowess.types import Episode, Turn

_LONGEST = 255
"""Bytes of a folder's name, on any disk."""


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
        for run in runs_of(provenance, homes):
            try:
                for episode in episodes_of(run, provenance):
                    if provenance.turn < len(episode.turns) and _wrote(episode, version):
                        return Moment(folder=run.folder, episode=episode, number=provenance.turn)
            except ProwessError:  # damaged, or of another version of prowess: the review goes on without it
                continue
    return None


def runs_of(provenance: Provenance, places: Iterable[Path]) -> Iterator[Run]:
    """The runs that a provenance may mean: by the folder's name, in the places or one below, and by their birth."""
    name, _, born = provenance.run.rpartition("@") if "@" in provenance.run else (provenance.run, "", "")
    if provenance.kind != "episode" or not provenance.task or not name or "\0" in name or Path(name).name != name:
        return
    if len(name.encode(errors="replace")) > _LONGEST:  # a stranger's: to look for it raises
        return
    near = (path for place in places for path in (place / name, *place.glob(f"*/{escape(name)}")))
    for folder in dict.fromkeys(near):
        if is_run(folder):
            try:
                run = Run.open(folder)
            except ProwessError:
                continue
            if not born or run.about.created == born:
                yield run


def episodes_of(run: Run, provenance: Provenance) -> Iterator[Episode]:
    """The episodes of a run that played a provenance's task; files that are named for its scenario come first."""
    for key in sorted(run.keys(), key=lambda one: provenance.scenario not in one):
        for played in run.episodes(key):
            if played.episode.task.id == provenance.task:
                yield played.episode


def _wrote(episode: Episode, version: Version) -> bool:
    code = canonical(version.source, version.name)  # kept in another form, perhaps
    return any(one.name == version.name and canonical(one.source, one.name) == code for one in episode.learned)
