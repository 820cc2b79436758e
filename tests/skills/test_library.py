"""The library is an immutable value, and its folder never loses a skill nor accepts a changed one."""

from __future__ import annotations

import json
import os
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prowess.errors import StoreError
from prowess.skills.library import Library
from prowess.types import Origin, Skill


def skill(name: str, body: str = "1", *, scenario: str = "s", task: str = "s_1") -> Skill:
    return Skill(name=name, source=f"def {name}():\n    return {body}", origin=Origin(task=task, scenario=scenario))


texts = st.text(alphabet=st.characters(exclude_categories=()), max_size=20) | st.sampled_from(
    ["../../etc/passwd", "/", "..", ".", "", "a\nb", "A", "a", "index.json", "con", "a" * 400, "\r", "\u2028", "\ud800"]
)
anything = st.builds(
    Skill,
    name=texts,
    source=texts,
    imports=st.lists(texts, max_size=2).map(tuple),
    docstring=texts,
    apis=st.lists(texts, max_size=2).map(tuple),
    origin=st.builds(Origin, task=texts, scenario=texts, turn=st.integers(0, 40), instruction=texts),
)


def test_the_last_of_a_scenario_and_name_wins_in_the_place_of_the_first() -> None:
    library = Library().add(skill("f"), skill("g")).add(skill("f", "2", task="s_2"))
    assert [(s.name, s.origin.task) for s in library] == [("f", "s_2"), ("g", "s_1")]
    assert len(library) == 2


def test_one_name_in_two_scenarios_is_two_skills() -> None:
    library = Library().add(skill("f"), skill("f", "2", scenario="t"))
    assert [s.origin.scenario for s in library.named("f")] == ["s", "t"]
    assert library.named("absent") == ()


def test_adding_leaves_the_old_library_as_it_was() -> None:
    old = Library().add(skill("f"))
    new = old.add(skill("f", "2"))
    assert old.skills == (skill("f"),)
    assert new.skills == (skill("f", "2"),)
    assert old.add() is old
    with pytest.raises(FrozenInstanceError):
        old.skills = ()  # type: ignore[misc]


def test_merging_takes_the_skill_of_the_other_where_both_have_one() -> None:
    merged = Library((skill("f"), skill("g"))).merge(Library((skill("g", "2"), skill("h"))))
    assert merged.skills == (skill("f"), skill("g", "2"), skill("h"))


def test_the_digest_depends_on_content_and_not_on_order() -> None:
    one, two = skill("f"), skill("g")
    assert Library((one, two)).digest == Library((two, one)).digest
    assert Library((one, two)).digest != Library((one,)).digest
    assert Library((one,)).digest != Library((replace(one, docstring="new"),)).digest
    assert Library((one,)).digest != Library((replace(one, origin=replace(one.origin, turn=1)),)).digest
    assert Library().digest == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(st.lists(anything, max_size=6), st.lists(anything, max_size=6))
def test_adding_one_by_one_or_at_once_is_the_same(first: list[Skill], second: list[Skill]) -> None:
    library = Library()
    for each in [*first, *second]:
        library = library.add(each)
    assert library == Library().add(*first, *second) == Library(tuple(first)).merge(Library(tuple(second)))
    keys = [(s.origin.scenario, s.name) for s in library]
    assert len(keys) == len(set(keys))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(skills=st.lists(anything, max_size=5), more=st.lists(anything, max_size=5))
def test_any_library_comes_back_from_its_folder_and_nothing_is_written_elsewhere(
    tmp_path: Path, skills: list[Skill], more: list[Skill]
) -> None:
    folder = tmp_path / "in" / "library"
    for library in (Library(tuple(skills)), Library(tuple(skills)).add(*more)):
        library.save(folder)
        assert Library.load(folder) == library
        assert len(list(folder.iterdir())) == len(library) + 1
        assert [p.name for p in tmp_path.iterdir()] == ["in"]
        assert [p.name for p in folder.parent.iterdir()] == ["library"]


def test_a_saved_skill_reads_like_a_program(tmp_path: Path) -> None:
    Library(
        (
            Skill(
                name="top_songs",
                source="def top_songs():\n    return re",
                imports=("import re",),
                origin=Origin(task="wrapped_1", scenario="wrapped", turn=2, instruction="My\ntop 5?"),
            ),
        )
    ).save(tmp_path)
    (path,) = tmp_path.glob("*.py")
    assert path.name.startswith("wrapped.top_songs-")
    assert path.read_text() == (
        '# skill "top_songs"\n'
        '# from task "wrapped_1" of scenario "wrapped", turn 2\n'
        '# "My\\ntop 5?"\n'
        "import re\n\n\n"
        "def top_songs():\n    return re\n"
    )


def test_saving_again_removes_what_is_no_longer_listed_and_leaves_other_files(tmp_path: Path) -> None:
    Library((skill("f"), skill("g"))).save(tmp_path)
    (tmp_path / "notes.py").write_text("mine")
    Library((skill("f"), skill("h"))).save(tmp_path)
    assert sorted(p.name.split("-")[0] for p in tmp_path.glob("*.py")) == ["notes.py", "s.f", "s.h"]


@pytest.mark.parametrize("step", range(6))
def test_a_crash_at_any_write_leaves_the_old_library_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    old = Library((skill("f"), skill("g")))
    new = Library((skill("f", "2"), skill("h")))
    old.save(tmp_path)
    left = step
    unlink, rename = Path.unlink, os.replace

    def dying(real: object) -> object:
        def call(*args: object, **options: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
            return real(*args, **options)  # type: ignore[operator]

        return call

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", dying(rename))
        patch.setattr(Path, "unlink", dying(unlink))
        if step < 5:
            with pytest.raises(KeyboardInterrupt):
                new.save(tmp_path)
        else:
            new.save(tmp_path)
    assert Library.load(tmp_path) == (old if step < 3 else new)
    new.save(tmp_path)
    assert Library.load(tmp_path) == new


def test_an_edited_file_is_refused_and_named(tmp_path: Path) -> None:
    Library((skill("f"),)).save(tmp_path)
    (path,) = tmp_path.glob("*.py")
    path.write_text(path.read_text() + "# more\n")
    with pytest.raises(StoreError, match=f"{path.name}' was edited"):
        Library.load(tmp_path)


def test_an_edited_index_is_refused(tmp_path: Path) -> None:
    Library((skill("f"),)).save(tmp_path)
    path = tmp_path / "index.json"
    path.write_text(path.read_text().replace('"s_1"', '"s_2"'))
    with pytest.raises(StoreError, match="does not match its digest"):
        Library.load(tmp_path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("file", "../outside.py", "outside the library"),
        ("file", "/etc/passwd", "outside the library"),
        ("file", 3, "outside the library"),
        ("file", "absent.py", "misses the file"),
        ("line", "many", "not a library index"),
        ("name", 3, "not a library index"),
        ("origin", {"tasks": "x"}, "not a library index"),
    ],
)
def test_a_forged_index_is_refused(tmp_path: Path, key: str, value: object, message: str) -> None:
    folder = tmp_path / "library"
    Library((skill("f"),)).save(folder)
    (tmp_path / "outside.py").write_text("x")
    index = json.loads((folder / "index.json").read_text())
    index["skills"][0][key] = value
    (folder / "index.json").write_text(json.dumps(index))
    with pytest.raises(StoreError, match=message):
        Library.load(folder)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "not a library index"),
        ('{"format": 99, "skills": []}', "format 99, this version reads 1"),
        ('{"format": 1}', "not a library index"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_an_index_that_is_none_is_refused(tmp_path: Path, index: str, message: str) -> None:
    (tmp_path / "index.json").write_text(index)
    with pytest.raises(StoreError, match=message):
        Library.load(tmp_path)


def test_a_folder_without_an_index_is_no_library(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"has no index\.json"):
        Library.load(tmp_path / "absent")


def test_a_skill_file_that_is_a_link_is_refused(tmp_path: Path) -> None:
    Library((skill("f"),)).save(tmp_path / "library")
    (path,) = (tmp_path / "library").glob("*.py")
    path.rename(tmp_path / "elsewhere.py")
    path.symlink_to(tmp_path / "elsewhere.py")
    with pytest.raises(StoreError, match="outside the library"):
        Library.load(tmp_path / "library")


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file stands where a folder is needed"):
        Library().save(tmp_path / "file")
