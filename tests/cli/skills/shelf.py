"""Skills for the tests of the commands: good ones, and what their authors should not have written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status
from prowess.types import Origin, Skill

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Result]
