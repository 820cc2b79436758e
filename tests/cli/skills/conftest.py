"""A store with skills that wait, and the command line on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from shelf import HOSTILE, PAY, SONGS, Result, Run, propose

from prowess.cli import main
from prowess.store.db import Store
from prowess.store.record import Status, Trial, Usage, Verification


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "skills.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    ticks = count(1_700_000_000)
    with Store.open(path, clock=lambda: float(next(ticks))) as store:
        yield store
        assert store.rebuild(verify=True) == ()


@pytest.fixture
def waiting(store: Store) -> Store:
    """Two in review, one near promotion."""
    pay = propose(store, PAY, Status.VERIFIED, Status.REVIEW, why="irreversible: a person must look")
    store.verify(
        Verification(digest=pay, check="structure", verdict="pass", by="1"),
        Verification(digest=pay, check="leak", verdict="fail", evidence={"constant": "[red]5\x1b[0m"}, by="1"),
        Verification(digest=pay, check="transfer", verdict="abstain", evidence="no sibling", by="1"),
    )
    store.test(Trial(digest=pay, call="pay_people(names=['Ann'], amount=5)", answers=({"api": "x"},), expected=1))
    propose(store, HOSTILE, Status.VERIFIED, Status.REVIEW)
    songs = propose(store, SONGS, Status.VERIFIED, Status.PROBATION)
    store.use(Usage(episode=f"e{n}", digest=songs, called=1, success=True) for n in range(3))
    store.use([Usage(episode="m", digest=songs, arm="masked", success=False)])
    return store


@pytest.fixture
def run(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `prowess skills ...` on the store of the test, from its folder."""
    monkeypatch.chdir(path.parent)
    monkeypatch.setenv("PROWESS_SKILLS", str(path))
    monkeypatch.setenv("COLUMNS", "120")

    def run(*words: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["prowess", "skills", *words])
        with pytest.raises(SystemExit) as left:
            main()
        shown = capsys.readouterr()
        return Result(code=int(left.value.code or 0), out=shown.out, err=shown.err)

    return run
