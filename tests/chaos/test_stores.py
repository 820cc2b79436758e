"""Processes that share a skill store, killed at random moments: nothing that was told is lost, and nothing is there
twice."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from killing import Commands, kill, orphans, same
from working import WORK, counts, played, sound

from prowess.run import Run
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]

WRITER = Path(__file__).parent.parent / "store/db/writer.py"
TOKEN = "a token for this test alone"
CLIENTS = 4


def test_working_alone(prowess: Commands, draw: Random) -> None:
    work = (*WORK, "--store", "OUT.db")
    whole = prowess.whole("whole", *work)
    for cut in prowess.killed(*work, draw=draw, whole=whole, times=6):
        same(prowess.place / "whole", cut, "rounds.jsonl", "queue.jsonl")
        assert counts(prowess.place / f"{cut.name}.db") == counts(prowess.place / "whole.db") != {}
        sound(prowess, f"{cut.name}.db")


def test_three_processes_working_with_one_store(prowess: Commands, draw: Random) -> None:
    work = (*WORK, "--store", "shared.db")
    seeds = {"a": "1", "b": "2", "c": "3"}

    def start(name: str) -> subprocess.Popen[str]:
        return prowess.start(name, *work, "--set", f"seed={seeds[name]}")

    before = orphans()
    working, ended, kills = {name: start(name) for name in seeds}, set[str](), 0
    deadline = time.monotonic() + 150
    while working:
        time.sleep(draw.uniform(0.5, 6))
        for name, process in list(working.items()):
            if process.poll() is not None:
                assert working.pop(name).communicate()[1] is not None and process.returncode == 0, name
                ended.add(name)
        if working and kills < 8 and time.monotonic() < deadline:
            name = draw.choice(sorted(working))
            kill(working[name])
            working[name].communicate()
            kills += working[name].returncode != 0
            print(f"work in {name}: {'killed' if working[name].returncode else 'it had ended'}")
            working[name] = start(name)
    assert orphans(before, patience=10) == set()
    told = sum((played(prowess.place / name) for name in seeds), Counter[str]())
    for name in seeds:
        assert len(list(Run.open(prowess.place / name).episodes())) == 12
    rows = counts(prowess.place / "shared.db").values()
    assert {"offered": sum(row[1] for row in rows), "masked": sum(row[2] for row in rows)} == {
        "offered": told["offered"],
        "masked": told["masked"],
    }
    assert sum(row[3] for row in rows) == told["called"] > 0
    assert kills >= 2
    sound(prowess, "shared.db")


SERVED = '''
def double(n: int) -> int:
    """Twice a number."""
    return 2 * n
'''


async def calls(url: str, first: int, answered: list[int]) -> None:
    """Call the skill with one number after the other until the server is gone."""
    try:
        async with Client(StreamableHttpTransport(url, auth=TOKEN), timeout=60) as client:
            for n in count(first):
                found = await client.call_tool("double", {"n": n})
                assert found.structured_content == {"result": 2 * n}
                answered.append(n)
    except Exception as gone:  # noqa: BLE001 (however the end of a server looks to its clients)
        print(f"a client: {type(gone).__name__}: {gone}")


async def load(url: str, server: subprocess.Popen[str], seconds: float) -> list[int]:
    """Some clients at once, and the server killed so many seconds after the first answer; what was answered."""
    answered: list[int] = []
    asking = [asyncio.create_task(calls(url, 1000 * client, answered)) for client in range(CLIENTS)]
    while not answered and not all(task.done() for task in asking):
        await asyncio.sleep(0.05)
    await asyncio.sleep(seconds)
    kill(server)
    await asyncio.gather(*asking)
    return answered


def test_a_server_under_load_and_a_writer_beside_it(prowess: Commands, draw: Random) -> None:
    path = prowess.place / "skills.db"
    with Store.open(path) as store:
        (skill,) = skills_in(SERVED)
        digest = store.propose(skill, Provenance(run="r", episode="r/t/0", task="t", world="desk")).digest
        store.move(digest, Status.VERIFIED, Status.PROBATION, Status.ACTIVE, actor=Actor.PERSON)
    prowess.environment["PROWESS_SERVE_TOKEN"] = TOKEN
    before, answers, written = orphans(), list[int](), list[str]()
    for number in range(3):
        server = prowess.start("serve", "skills", "serve", "--http", "--port", "0", "--store", "skills.db")
        writer = subprocess.Popen(
            [sys.executable, str(WRITER), "store", str(path), f"w{number}", "100000"], stdout=subprocess.PIPE, text=True
        )
        assert server.stderr and writer.stdout
        assert server.stderr.readline() == "prowess: starting to serve skills.db\n"
        url = server.stderr.readline().partition(" at ")[2].strip()
        answers.append(len(asyncio.run(load(url, server, draw.uniform(0.1, 2)))))
        writer.kill()
        written += [line.strip() for line in writer.stdout.readlines() if line.endswith("\n")]
        for process in (server, writer):
            process.communicate()
        print(f"serve {number}: {answers[-1]} answers, {len(written)} skills written")
        assert orphans(before, patience=10) == set()
    assert min(answers) > 0 and written
    with Store.open(path) as store:
        uses = Counter(usage.run for usage in store.usages(digest))
        assert store.statistics(digest).called == sum(uses.values())
        # Each answer was counted before it was given, once; a call under way as its server ended may be there besides.
        assert sum(answers) <= sum(uses.values()) <= sum(answers) + CLIENTS * len(answers)
        assert len({usage.episode for usage in store.usages(digest)}) == sum(uses.values())
        names = Counter(entry.name for entry in store.entries(heads=False))
        assert [names[name] for name in written] == [1] * len(written)
    sound(prowess, "skills.db")
