"""The locks hold what the extras need, in the versions of the pins, with a digest of every file."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

ROOT = Path(__file__).parent.parent
_spec = importlib.util.spec_from_file_location("make_locks", ROOT / "locks/make_locks.py")
assert _spec
assert _spec.loader
make_locks = importlib.util.module_from_spec(_spec)
sys.modules["make_locks"] = make_locks
_spec.loader.exec_module(make_locks)

LOCKS = {lock.path: lock for lock in make_locks.LOCKS}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCKED = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))?(?P<digests>(?: --hash=sha256:[0-9a-f]{64})+)"
)
HERE = ["locks/installed.txt", "locks/learning.txt", "locks/developing.txt"]
"""What is installed where these tests run: the packages' own metadata say what else they need."""

every_lock = pytest.mark.parametrize("lock", LOCKS.values(), ids=list(LOCKS))


def entries(lock: make_locks.Lock) -> Iterator[re.Match[str]]:
    """The packages of a lock, and those of the locks that it includes."""
    text = (ROOT / lock.path).read_text(encoding="utf-8").replace(" \\\n    ", " ")
    for line in text.splitlines():
        if line.startswith("-r "):
            yield from entries(LOCKS[lock.besides])
        elif not line.startswith(("#", "--only-binary :all:")):
            found = LOCKED.fullmatch(line)
            assert found, f"{lock.path}: {line[:80]} is no version with digests"
            yield found


def locked(lock: make_locks.Lock, place: make_locks.Place) -> dict[str, str]:
    """The versions that a lock installs at a place."""
    return {
        one["name"]: one["version"]
        for one in entries(lock)
        if not one["marker"] or Marker(one["marker"]).evaluate(place.markers())
    }


def needed(lock: make_locks.Lock, place: make_locks.Place) -> set[NormalizedName]:
    """The packages that a lock's requirements come to at a place, those of included locks among them."""
    asked = {need for path in _chain(lock) for need in LOCKS[path].needs}
    found: set[tuple[NormalizedName, str]] = set()
    left = [Requirement(need) for need in asked]
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        for extra in {"", *one.extras}:
            if (name, extra) in found:
                continue
            found.add((name, extra))
            markers = {**place.markers(), "extra": extra}
            left += [need for need in _requirements(name) if not need.marker or need.marker.evaluate(markers)]
    return {name for name, _ in found} - {canonicalize_name("prowess")}


def _chain(lock: make_locks.Lock) -> list[str]:
    return [lock.path, *(_chain(LOCKS[lock.besides]) if lock.besides else [])]


@cache
def _requirements(name: NormalizedName) -> list[Requirement]:
    if name != "prowess":
        try:
            return [Requirement(text) for text in metadata.requires(name) or ()]
        except metadata.PackageNotFoundError:  # for another Python: what it needs is not known here
            return []
    extras = PROJECT["optional-dependencies"]
    own = [Requirement(text) for text in PROJECT["dependencies"]]
    for extra, texts in extras.items():
        for one in map(Requirement, texts):
            one.marker = Marker(f"extra == '{extra}'")
            own.append(one)
    return own


@every_lock
def test_a_lock_has_the_versions_of_its_pins(lock: make_locks.Lock) -> None:
    pins = lock.pinned()
    assert [one[0][:60] for one in entries(lock) if one["version"].removesuffix("+cpu") != pins.get(one["name"])] == []


@every_lock
def test_a_lock_has_what_is_asked_for_in_a_version_that_is_allowed(lock: make_locks.Lock) -> None:
    for place in lock.places():
        versions = locked(lock, place)
        asked = [Requirement(need) for need in lock.needs]
        asked += [
            one
            for need in asked
            if need.name == "prowess"
            for one in _requirements(canonicalize_name("prowess"))
            if not one.marker or any(one.marker.evaluate({"extra": extra}) for extra in need.extras)
        ]
        for one in asked:
            if one.name != "prowess":
                version = versions.get(canonicalize_name(one.name), "none")
                assert one.specifier.contains(version, prereleases=True), f"{lock.path}: {one}, and {version} is locked"


@pytest.mark.parametrize("path", HERE)
def test_a_lock_is_whole_and_has_nothing_to_spare(path: str) -> None:
    for place in LOCKS[path].places():
        assert set(locked(LOCKS[path], place)) == needed(LOCKS[path], place), place


def test_every_extra_and_every_pin_is_in_a_lock() -> None:
    asked = [need for lock in LOCKS.values() for need in map(Requirement, lock.needs) if need.name == "prowess"]
    extras = {extra for need in asked for extra in need.extras}
    assert extras == set(PROJECT["optional-dependencies"])
    for pins in {lock.pins for lock in LOCKS.values()}:
        held = {one["name"] for lock in LOCKS.values() if lock.pins == pins for one in entries(lock)}
        (any_lock, *_) = [lock for lock in LOCKS.values() if lock.pins == pins]
        assert set(any_lock.pinned()) - held == set()


def test_what_builds_prowess_is_locked_with_it() -> None:
    (builds,) = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for path in ("locks/installed.txt", "locks/vllm.txt", "locks/gpu.txt"):
        for place in LOCKS[path].places():
            assert f"hatchling=={locked(LOCKS[path], place)['hatchling']}" == builds


def test_torch_for_a_processor_has_a_build_for_every_place() -> None:
    lock = LOCKS["locks/learning.txt"]
    builds = make_locks.kept_builds(f"{lock.pinned()['torch']}+cpu")
    (torch,) = [one for one in entries(lock) if one["name"] == "torch"]
    assert torch["version"].endswith("+cpu")
    assert set(re.findall(r"sha256:(\w+)", torch["digests"])) == set(builds.values())
    assert len(builds) == len(lock.places())


def test_a_version_of_torch_without_digests_is_told_with_where_to_find_them() -> None:
    with pytest.raises(SystemExit, match=r"no digest of torch 9\.9\.9\+cpu\nhint: copy .* from PyTorch's page"):
        make_locks.kept_builds("9.9.9+cpu")
