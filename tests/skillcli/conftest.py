"""A store with skills that wait, and what their authors should not have written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from opensage.skills.extract import skills_in
from opensage.skills.record import Actor, Provenance, Status, Trial, Usage, Verification
from opensage.skills.store import Store
from opensage.types import Origin, Skill

PAY = '''
def pay_people(names: list[str], amount: float) -> int:
    """Send an amount to each of these people and return how many were paid."""
    token = apis.supervisor.login(app="wallet")
    for name in names:
        apis.wallet.send_money(access_token=token, receiver=name, amount=amount)
    return len(names)
'''
SONGS = '''
def count_songs(artist: str) -> int:
    """Count the songs of an artist."""
    return len(apis.music.search_songs(query=artist))
'''
HOSTILE = '''
def tidy(text: str) -> str:
    """Tidy [bold red]up[/] \x1b[2J\x1b]0;owned\x07 \u202ethgir ot tfel[link=file:///etc/passwd]."""
    return text.strip("\u200b")
'''


def skill(code: str, task: str = "pay_1", turn: int = 1) -> Skill:
    instruction = "Pay \x1b[31mAnn and Bob 5 dollars"
    return skills_in(code, origin=Origin(task=task, scenario="pay", turn=turn, instruction=instruction))[-1]


def propose(store: Store, code: str, *steps: Status, run: str = "r1", why: str = "") -> str:
    """The digest of a skill in the store, after these steps."""
    found = store.propose(skill(code), Provenance(run=run, episode=f"{run}/pay_1/0", world="desk"))
    for step in steps:
        store.move(found.digest, step, actor=Actor.PERSON if step is Status.ACTIVE else Actor.GATE, why=why)
    return found.digest


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
