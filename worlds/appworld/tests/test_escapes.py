"""What an agent's code must not reach: in AppWorld's own shell it does, through our adapter it does not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite
from test_same import said_by_appworld

HERE = Path(__file__).parent


def escapes(place: Path, task: str, scratch: Path) -> list[tuple[str, str]]:
    """Name and code of each program, with what an attacker may know put in."""
    found = []
    for part in (HERE / "escapes.txt").read_text(encoding="utf-8").split("\n=== ")[1:]:
        name, _, code = part.partition("\n")
        for word, value in (("{root}", place), ("{task}", task), ("{scratch}", scratch)):
            code = code.replace(word, str(value))
        found.append((name, code))
    return found


@pytest.mark.appworld
@pytest.mark.slow
def test_what_is_reached_in_appworlds_shell_is_not_reached_here(suite: AppWorldSuite, tmp_path: Path) -> None:
    place = AppWorldSettings().place
    task = suite.tasks("train")[0]
    programs = escapes(place.root, task.id, tmp_path / "theirs")
    theirs = {
        name: text.strip() == "reached"
        for (name, _), (_, text) in zip(
            programs[:-1], said_by_appworld(place, task.id, [code for _, code in programs[:-1]]), strict=True
        )
    }
    assert [name for name, reached in theirs.items() if not reached] == []  # what is contained here is no idle threat
    for name, code in escapes(place.root, task.id, tmp_path / "ours"):
        with closing(suite.open(task)) as world:
            text = world.execute(code).text
            assert text.strip() != "reached", name
            assert not world.done, name
            if "spoke" not in text:
                assert world.execute("print(len(apis.supervisor.show_profile()))").text == "6\n", name
            assert not world.evaluate().success, name
    assert not (tmp_path / "ours").exists()
