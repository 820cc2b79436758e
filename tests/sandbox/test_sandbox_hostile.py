"""Hostile programs: contained as root and as an ordinary user, with namespaces and without.

The programs are in attacks.txt. Each runs beside a sibling interpreter, which must still work afterwards, and is
followed by a fresh episode, which must know nothing of it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from attacks import ATTACKS, SETTINGS, Attack, booty, trial, trials
from configurations import NOBODY, REPOSITORY, open_to_all, run_by_nobody
from promises import CHANCE, HEAD

from prowess.sandbox import SandboxSettings, open_sandbox

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["namespaces", "plain"])
def outcomes(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Every attack, launched by the user who runs the tests."""
    return trials(namespaces=request.param == "namespaces")


@pytest.fixture(scope="module", params=["namespaces", "plain"])
def outcomes_for_nobody(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    """Every attack, launched by the user nobody, in a process of its own."""
    with open_to_all(("attacks.py", "attacks.txt")) as folder:
        done = run_by_nobody(folder, "attacks.py", request.param)
        told: dict[str, Any] = json.loads(done)
        assert told["uid"] == NOBODY
        return dict(told["wrong"])


@pytest.mark.xdist_group("hostile")
@pytest.mark.parametrize("name", [attack.name for attack in ATTACKS])
def test_it_is_contained(outcomes: dict[str, list[str]], name: str) -> None:
    assert outcomes[name] == []


@pytest.mark.xdist_group("hostile to nobody")
@pytest.mark.parametrize("name", [attack.name for attack in ATTACKS])
def test_it_is_contained_for_an_ordinary_user(outcomes_for_nobody: dict[str, list[str]], name: str) -> None:
    assert outcomes_for_nobody[name] == []


@pytest.mark.parametrize(
    "code",
    [
        "with open(SECRET_FILE) as file: print(file.read())",
        "import os\nprint(os.environ)",
        "import os\nescaped(os.listdir('/'))\n1 / 0",
    ],
)
def test_the_trial_notices_what_gets_through(code: str) -> None:
    """Without a jail these do get through: the trial is not blind."""
    sandbox = open_sandbox(SandboxSettings(kind="unsafe", **SETTINGS))
    with booty() as names:
        found = trial(sandbox, Attack("reads without a jail", code), names)
    assert [what[:11] for what in found] == ["got through"]


def test_the_table_in_the_docs_counts_every_program_in_each_configuration() -> None:
    page = (REPOSITORY / "docs/sandbox.md").read_text()
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in page.splitlines() if line.startswith("| ")
    ]
    shown = {row[0]: row[1:] for row in rows}
    assert tuple(shown["hostile programs"]) == HEAD
    for group, count in Counter(attack.group for attack in ATTACKS).items():
        assert shown[group] == [f"{count} of {count}"] * 4, "python tests/sandbox/promises.py makes the table"
    assert len(shown[CHANCE]) == 4
