"""Which episodes and skills a page holds to be read: a bounded number, those first that tell most.

Episodes in which the runs differ come first, then broken and failed ones, then some that used a skill, and the first
of each scenario. They are chosen by their outcomes and only then read from the disk, so that a run of any size makes a
page of the same size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from prowess.figures.measure import Outcome
from prowess.report.view import View
from prowess.run import Run
from prowess.types import Episode, Skill

MOST_EPISODES = 60
DIFFERING = 32
FAILED = 16
"""So many of them are there because runs differ in them, and so many because they broke or failed."""
MOST_SKILLS = 40
MOST_LETTERS = 1_500_000
"""Of all episodes on the page."""
LONGEST = 4000
"""Letters of one reply or observation; the rest is cut with a note."""

Place = tuple[int, int]
"""An outcome: the number of its view, and its own there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A task that not all runs solved alike."""

    split: str
    task: str
    solved: tuple[float | None, ...]
    """The share of its episodes that each run solved; None where a run has not played it."""
    shown: tuple[int | None, ...]
    """An episode of each run, by its number there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeShown:
    """An episode that the page holds."""

    anchor: str
    run: str
    """The name of its run, and which repetition of it."""
    episode: Episode
    skills: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The anchors of the skills that it may name: by the task that wrote each, and its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillShown:
    """A skill that the page holds."""

    anchor: str
    run: str
    skill: Skill
    uses: int
    """Episodes that called it."""
    written: str = ""
    """The anchor of the episode that wrote it, if the page holds that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a page holds to be read, and where."""

    episodes: tuple[EpisodeShown, ...] = ()
    skills: tuple[SkillShown, ...] = ()
    played: int = 0
    saved: int = 0
    """Of so many episodes and skills in all."""
    at: Mapping[Place, str] = field(default_factory=dict)
    """The anchor of each outcome that is held."""


def contrasts(views: Sequence[View]) -> list[Contrast]:
    """Tasks that runs of one split did not solve alike, the clearest first."""
    seen: dict[tuple[str, str, int], dict[int, list[int]]] = defaultdict(dict)
    for number, view in enumerate(views):
        for index, one in enumerate(view.played):
            if not one.broken:
                seen[one.split, one.task, one.wording].setdefault(number, []).append(index)
    found: list[tuple[float, Contrast]] = []
    numbers = range(len(views))
    for (split, task, _), by in seen.items():
        shares = {n: sum(views[n].outcomes[i].success for i in indexes) / len(indexes) for n, indexes in by.items()}
        least, most = min(shares.values()), max(shares.values())
        if len(by) > 1 and least < most:
            clear = {n: share > (least + most) / 2 for n, share in shares.items()}
            shown = {
                n: next((i for i in indexes if views[n].outcomes[i].success == clear[n]), indexes[0])
                for n, indexes in by.items()
            }
            solved = tuple(map(shares.get, numbers))
            contrast = Contrast(split=split, task=task, solved=solved, shown=tuple(map(shown.get, numbers)))
            found.append((least - most, contrast))
    return [contrast for _, contrast in sorted(found, key=lambda pair: pair[0])]


def read(views: Sequence[View], differing: Iterable[Contrast]) -> Reading:
    """The episodes and skills for a page about these runs."""
    chosen = _chosen(views, differing)
    shown: list[EpisodeShown] = []
    skills: list[SkillShown] = []
    at: dict[Place, str] = {}
    letters = 0
    for number, view in enumerate(views):
        mine = sorted(index for n, index in chosen if n == number)
        writers = _writers(view, mine, MOST_SKILLS // len(views))
        found = _fetched(view, {*mine, *(index for index, _ in writers.values())})
        for index in mine:
            letters += _letters(found[index]) if index in found else 0
            if index in found and letters <= MOST_LETTERS:
                at[number, index] = f"e{len(at) + 1}"
        saved = _skills(view, writers, found, {index: at[number, index] for index in mine if (number, index) in at})
        anchors = {key: f"s{len(skills) + n}" for n, (_, keys) in enumerate(saved, start=1) for key in keys}
        skills += [replace(one, anchor=anchors[keys[0]]) for one, keys in saved]
        for index in mine:
            if (number, index) in at:
                one = view.outcomes[index]
                links = {key[1:]: anchor for key, anchor in anchors.items() if key[0] == _library(view, one)}
                run = f"{view.name} · {one.split} · run {one.run}"
                shown.append(EpisodeShown(anchor=at[number, index], run=run, episode=found[index], skills=links))
    return Reading(
        episodes=tuple(shown),
        skills=tuple(skills),
        played=sum(len(view.outcomes) for view in views),
        saved=sum(len(one.learned) for view in views for one in view.outcomes),
        at=at,
    )


def _chosen(views: Sequence[View], differing: Iterable[Contrast]) -> list[Place]:
    def firsts(of: Callable[[Outcome], str | None]) -> Iterator[Place]:
        """The first outcome of each kind, of all runs in turn."""
        return _turns([[(number, index) for index in _firsts(view, of)] for number, view in enumerate(views)])

    found: dict[Place, None] = {}
    for some, most in (
        (((n, i) for one in differing for n, i in enumerate(one.shown) if i is not None), DIFFERING),
        (firsts(lambda one: one.error.strip().partition("\n")[0] if one.broken else None), DIFFERING + FAILED // 2),
        (firsts(lambda one: None if one.success else one.scenario), DIFFERING + FAILED),
        (firsts(lambda one: one.stop.value), MOST_EPISODES),
        (firsts(lambda one: one.scenario if one.used else None), MOST_EPISODES - FAILED // 2),
        (firsts(lambda one: one.scenario), MOST_EPISODES),
        (firsts(lambda one: f"{one.run} {one.task}"), MOST_EPISODES),
    ):
        for place in some:
            if len(found) >= most:
                break
            found[place] = None
    return list(found)


def _firsts(view: View, of: Callable[[Outcome], str | None]) -> list[int]:
    found: dict[tuple[str, str], int] = {}
    for index, one in enumerate(view.outcomes):
        if (kind := of(one)) is not None:
            found.setdefault((one.split, kind), index)
    return list(found.values())


def _turns(lists: Sequence[Sequence[Place]]) -> Iterator[Place]:
    return (place for some in zip_longest(*lists) for place in some if place is not None)


def _fetched(view: View, indexes: Set[int]) -> dict[int, Episode]:
    """Some episodes, read from the disk. What a run at work has replaced by another meanwhile is left out."""
    lines: dict[str, dict[int, int]] = defaultdict(dict)
    for index in indexes:
        key, line = view.places[index]
        lines[key][line] = index
    run, found = Run.open(view.folder), {}
    for key, wanted in lines.items():
        for line, played in enumerate(run.episodes(key) if run.has(key) else ()):
            if line in wanted and played.episode.task.id == view.outcomes[wanted[line]].task:
                found[wanted[line]] = played.episode
    return found


# --- skills ---------------------------------------------------------------------------------------------------------

_Key = tuple[int, str, str]
"""A skill: the library it is in, the task that wrote it, and its name."""


def _library(view: View, one: Outcome) -> int:
    """Each repetition of an evaluation has a library of its own; a stream of work has one for all."""
    return 0 if view.about.command == "work" else one.run


def _writers(view: View, chosen: Sequence[int], most: int) -> dict[_Key, tuple[int, int]]:
    """The skills that were called most, and those of chosen episodes: which outcome wrote each, how many called it."""
    uses = Counter((_library(view, one), *called) for one in view.outcomes for called in one.called)
    wanted = dict.fromkeys(key for key, _ in uses.most_common(most))
    for one in (view.outcomes[index] for index in chosen):
        wanted |= dict.fromkeys((_library(view, one), one.task, name) for name, _ in one.learned)
    found: dict[_Key, tuple[int, int]] = {}
    for index, one in enumerate(view.outcomes):
        for name, _ in one.learned:
            key = (_library(view, one), one.task, name)
            if key in wanted:
                found[key] = (index, uses[key])
    return {key: found[key] for key in list(filter(found.__contains__, wanted))[:most]}


def _skills(
    view: View, writers: Mapping[_Key, tuple[int, int]], episodes: Mapping[int, Episode], at: Mapping[int, str]
) -> list[tuple[SkillShown, list[_Key]]]:
    """The skills of a run; versions that are alike letter by letter are one."""
    found: dict[tuple[str, str], tuple[SkillShown, list[_Key]]] = {}
    for key, (index, uses) in writers.items():
        learned = episodes[index].learned if index in episodes else ()
        for skill in (one for one in learned if one.name == key[2]):
            same = found.get((skill.name, skill.code))
            if same is None:
                one = SkillShown(anchor="", run=view.name, skill=skill, uses=uses, written=at.get(index, ""))
                found[skill.name, skill.code] = (one, [key])
            else:
                one = replace(same[0], uses=same[0].uses + uses, written=same[0].written or at.get(index, ""))
                found[skill.name, skill.code] = (one, [*same[1], key])
    return list(found.values())


def _letters(episode: Episode) -> int:
    """About so many letters an episode takes on the page."""
    return sum(
        min(len(turn.completion.text), LONGEST) + min(len(turn.observation.text) if turn.observation else 0, LONGEST)
        for turn in episode.turns
    )
