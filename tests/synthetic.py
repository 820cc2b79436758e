"""Made-up episodes for the tests of measures, reports and `show`: plausible and seeded."""

from __future__ import annotations

from collections.abc import Iterator

from prowess.files.codec import Played
from prowess.seeds import draw
from prowess.types import (
    Completion,
    Episode,
    Message,
    Observation,
    Origin,
    Skill,
    Stop,
    Task,
    Turn,
    Use,
    Verdict,
)

FAMILIES = ("playlist_of_month", "pay_back", "archive_mail", "reorder_item", "split_bill", "clean_notes")
CODE = '''import re

def pay_people(names: list[str], amount: float) -> int:
    """Pay every named contact the same amount and return how many were paid."""
    token = apis.wallet.login(username=apis.supervisor.show_profile()["email"])["access_token"]
    people = apis.phone.search_contacts(access_token=token, query=",".join(names))
    for person in people:
        apis.wallet.create_payment(access_token=token, to=person["email"], amount=amount)
    return len(people)

print(pay_people(["Ada", "Bo"], 12.5))
'''


def task(scenario: str = "pay_back", number: int = 1, difficulty: int = 1) -> Task:
    return Task(
        id=f"{scenario}_{number}",
        scenario=scenario,
        instruction=f"Pay Ada and Bo back what I owe them for dinner number {number}.",
        facts={"date": "2026-03-01", "name": "Cleo Martin"},
        difficulty=difficulty,
    )


def skill(name: str, of: Task, apis: int = 2) -> Skill:
    return Skill(
        name=name,
        source=f'def {name}(names: list[str]) -> int:\n    """Pay every named contact."""\n    return len(names)\n',
        imports=("import re",),
        docstring="Pay every named contact.",
        apis=("phone.search_contacts", "wallet.create_payment", "wallet.login")[:apis],
        origin=Origin(task=of.id, scenario=of.scenario, turn=1, instruction=of.instruction),
    )


def episode(
    of: Task,
    *,
    success: bool = True,
    turns: int = 4,
    tokens: int = 100,
    offered: tuple[str, ...] = (),
    used: tuple[str, ...] = (),
    learned: tuple[Skill, ...] = (),
    error: str = "",
) -> Episode:
    plays = tuple(
        Turn(
            completion=Completion(
                text=f"I will look at the wallet first.\n```python\n{CODE}```",
                prompt_tokens=900 + 200 * n,
                reply_tokens=tokens,
                counted="reported",
            ),
            code=CODE,
            observation=Observation(
                text="2" if n else "Execution failed. Traceback:\nKeyError: 'email'",
                failed=not n,
                done=n == turns - 1,
                apis=("wallet.login", "phone.search_contacts"),
            ),
        )
        for n in range(turns)
    )
    return Episode(
        task=of,
        turns=plays,
        verdict=Verdict(
            passed=("payments were made", "nothing else changed") if success else ("nothing else changed",),
            failed=() if success else ("payments were made",),
        ),
        stop=Stop.ERROR if error else Stop.COMPLETED,
        offered=offered,
        called=tuple(Use(name=name, turn=0, origin=f"{of.scenario}_1") for name in used),
        learned=learned,
        prompt=(Message(role="system", content="You are an agent."), Message(role="user", content=of.instruction)),
        error=error,
        seconds=1.5,
    )


def evaluation(
    *, seed: int = 0, runs: int = 3, scenarios: int = 19, skilful: float = 0.75, splits: tuple[str, ...] = ("dev",)
) -> Iterator[Played]:
    """An evaluation of a middling agent: siblings alike, skills reused from the second task on, a few errors."""
    for split in splits:
        for index in range(scenarios):
            name = f"{FAMILIES[index % len(FAMILIES)]}_{index}"
            difficulty = 1 + index % 3
            for run in range(runs):
                chance = draw(seed, split, name, run)
                ease = min(0.98, max(0.05, draw(seed, split, name).gauss(skilful - 0.1 * difficulty, 0.3)))
                library: tuple[Skill, ...] = ()
                for number in (1, 2, 3):
                    of = task(name, number, difficulty)
                    broke = chance.random() < 0.012
                    offered = tuple(each.name for each in library)
                    used = offered[:1] if offered and chance.random() < 0.85 else ()
                    new = () if used and chance.random() < 0.9 else (skill(f"{name}_v{number}", of, 1 + index % 4),)
                    library += new
                    played = episode(
                        of,
                        success=chance.random() < ease,
                        turns=max(1, round(chance.gauss(5 + 3 * difficulty - (3 if used else 0), 2))),
                        tokens=max(20, round(chance.gauss(120, 30))),
                        offered=offered,
                        used=used,
                        learned=new,
                        error="WorldError: the wallet's ledger did not open" if broke else "",
                    )
                    yield Played(run=run, split=split, episode=played)
