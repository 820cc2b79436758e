"""What there is of AppWorld in a place, by a look at its files: nothing is started, and no task's text is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import RecipeError
from prowess.worlds.registry import Health
from prowess_appworld.place import SETUP, Installation, home, installed_package, installed_version, place_in
from prowess_appworld.tasks import SPLITS, ids_of

NAME = "AppWorld"
APPS = (
    *("admin", "amazon", "api_docs", "file_system", "gmail", "phone", "simple_note", "splitwise", "spotify"),
    *("supervisor", "todoist", "venmo"),
)
DATA_VERSION = "0.1.0"
"""The release of the data that belongs to the package's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """What a place holds."""

    version: str
    """The installed release; empty when there is none."""
    apps: bool
    """The package's encrypted apps were unpacked."""
    splits: Mapping[str, int]
    """How many tasks each split lists."""
    official: int
    """Tasks with AppWorld's own evaluation program."""
    replay: int
    """Tasks with the calls of the reference solution."""

    @property
    def tasks(self) -> int:
        return sum(self.splits.values())


def inventory_of(place: Installation) -> Inventory:
    """Look at a place."""
    ids = {split: ids_of(place.data, split) for split in SPLITS}
    truths = [place.data / "tasks" / id / "ground_truth" for each in ids.values() for id in each]
    return Inventory(
        version=installed_version(place.environment),
        apps=apps_unpacked(place.environment),
        splits={split: len(each) for split, each in ids.items() if each},
        official=sum((truth / "evaluation.py").is_file() for truth in truths),
        replay=sum((truth / "api_calls.json").is_file() for truth in truths),
    )


def apps_unpacked(environment: Path) -> bool:
    """True when the package's apps are there in the clear."""
    apps = installed_package(environment) / "apps"
    return all((apps / app / "apis.py").is_file() for app in APPS)


def damage_in(data: Path) -> str:
    """The first thing that is missing in a data folder; empty when it is whole."""
    if not data.is_dir():
        return "there is no folder 'data'"
    try:
        version = (data / "base_dbs" / "version.txt").read_text(encoding="utf-8").strip()
    except OSError:
        return "base_dbs/version.txt is missing"
    if version != DATA_VERSION:
        return f"it is release {version[:20]!r} of the data, wanted is {DATA_VERSION}"
    for app in APPS:
        if not (data / "base_dbs" / f"{app}.db").is_file():
            return f"base_dbs/{app}.db is missing"
    if not any(ids_of(data, split) for split in SPLITS):
        return "no split is listed in datasets/"
    for split in SPLITS:
        for id in ids_of(data, split):
            task = data / "tasks" / id
            needed = [task / "specs.json", *(task / "dbs" / f"{app}.jsonl" for app in APPS)]
            if lost := next((path for path in needed if not path.is_file()), None):
                return f"{lost.relative_to(data)} of split {split} is missing"
    return ""


def health() -> Iterator[Health]:
    """What `prowess doctor` says about AppWorld."""
    place = place_in(home())
    found = inventory_of(place)
    if not (found.version or found.splits):
        detail = "not installed: the benchmark of the paper, played like the embedded world"
        yield Health(what=NAME, state="missing", detail=detail, remedy=SETUP)
        return
    splits = ", ".join(f"{split} {count}" for split, count in found.splits.items())
    detail = f"{found.version or 'not installed'} in {home()}; data: {splits or 'none'}"
    if found.splits:
        detail += f"; official evaluation of {found.official}, by replay of {found.replay} of {found.tasks} tasks"
    try:
        place.check()
        trouble = "" if found.apps else "its apps are not unpacked"
    except RecipeError as problem:
        trouble = problem.message
    yield Health(
        what=NAME,
        state="limited" if trouble else "ok",
        detail=f"{detail}; {trouble}" if trouble else detail,
        remedy=SETUP if trouble else "",
    )
