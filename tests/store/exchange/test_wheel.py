"""The wheel: the same bytes each time, installed offline into a fresh environment, its functions and tests run."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from prowess.errors import RecipeError, StoreError
from prowess.store.db import Store
from prowess.store.exchange import export_wheel
from prowess.store.exchange.wheel import wheel_of
from prowess.store.record import Provenance, Trial
from prowess.types import Skill

FIRST = Provenance(run="r1", episode="r1/t1/0", task="t1", world="desk")
SONGS = '''def top_songs(user: str, limit: int = 3) -> list[str]:
    """The titles a user likes best."""
    return [song["title"] for song in apis.music.list_songs(user=user)][:limit]'''
ANSWER = {"api": "music.list_songs", "arguments": {"user": "ada"}, "answer": [{"title": "A"}, {"title": "B"}]}


def filled(path: Path) -> tuple[Store, list[str]]:
    store = Store.open(path)
    songs = store.propose(Skill(name="top_songs", source=SONGS), FIRST).digest
    store.test(Trial(digest=songs, call="top_songs('ada', 1)", answers=(ANSWER,), expected=["A"]))
    low = store.propose(Skill(name="double", source="def double(x: float):\n    return 2 * x"), FIRST).digest
    four = store.propose(
        Skill(name="four", source="def four(x: float, /):\n    return double(double(x))"), FIRST, dependencies=[low]
    ).digest
    store.test(Trial(kind="example", digest=four, call="four(2)", expected=8))
    twice = [
        store.propose(Skill(name="same", source=f"def same(): return {n}"), FIRST, namespace=n).digest for n in "12"
    ]
    return store, [songs, four, *twice]


def test_the_same_skills_make_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("a.db", "b.db"):
        store, digests = filled(tmp_path / name)
        with store:
            made.append(wheel_of(store, digests))
            assert wheel_of(store, digests[:1]).file != made[0].file
    assert made[0].content == made[1].content
    assert made[0].file.startswith("prowess_skills-0.1+")


def test_what_is_no_function_and_what_is_no_name_are_refused(tmp_path: Path) -> None:
    store, digests = filled(tmp_path / "a.db")
    with store:
        broken = store.propose(Skill(name="f", source="def f(:"), FIRST).digest
        with pytest.raises(StoreError, match="does not define the function"):
            wheel_of(store, [broken])
        for name in ("../x", "class", "1x", ""):
            with pytest.raises(RecipeError, match="cannot name a package"):
                wheel_of(store, digests, name=name)
        with pytest.raises(RecipeError, match="is not the version"):
            wheel_of(store, digests, version="1/..")


USE = """
import prowess_skills as package

class Music:
    def list_songs(self, user):
        return [{"title": f"{user} {n}"} for n in range(5)]

class Apis:
    music = Music()

skills = package.connect(Apis())
print(skills.top_songs("bo", limit=2), skills.four(1.5))
for call in (lambda: skills.top_songs("bo", limit="2"), lambda: skills.top_songs(), lambda: skills.four("1")):
    try:
        call()
    except TypeError as error:
        print(error)
try:
    package.connect().top_songs("bo")
except RuntimeError as error:
    print(error)
print(package.NAMES == tuple(sorted(package.NAMES)), len(package.NAMES))
print([getattr(skills, name)() for name in package.NAMES if name.startswith("same_")])
"""


@pytest.mark.slow
def test_it_installs_offline_into_a_fresh_environment_and_runs_with_its_tests(tmp_path: Path) -> None:
    store, digests = filled(tmp_path / "a.db")
    with store:
        path = export_wheel(store, digests, tmp_path / "out")
    assert zipfile.ZipFile(path).testzip() is None
    venv.create(tmp_path / "env", with_pip=False)
    python = str(tmp_path / "env" / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-index", "--quiet", str(path)], check=True, capture_output=True)

    used = subprocess.run([python, "-I", "-c", USE], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert used.stderr == ""
    assert used.stdout.splitlines()[:6] == [
        "['bo 0', 'bo 1'] 6.0",
        "top_songs(): limit must be integer, not '2'",
        "missing a required argument: 'user'",
        "four(): x must be number, not '1'",
        "this skill calls apis.music: give what answers it to connect(apis)",
        "True 4",
    ]
    assert sorted(used.stdout.splitlines()[6]) == sorted("[1, 2]")
    test = [python, "-I", "-m", "prowess_skills.selftest"]
    passed = subprocess.run(test, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (passed.returncode, passed.stdout) == (0, "4 skills, 2 of 2 recorded calls passed\n")

    installed = next((tmp_path / "env").rglob("top-songs.py"))
    installed.write_text(installed.read_text().replace("[:limit]", ""))
    failed = subprocess.run(test, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert failed.returncode == 1
    assert "top_songs: top_songs('ada', 1) returned ['A', 'B'], recorded was ['A']" in failed.stderr
    collected = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "prowess_skills"],
        env={"PYTHONPATH": str(installed.parents[2])},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "1 failed" in collected.stdout, collected.stdout + collected.stderr
