"""Files through their APIs: paths, directories, copies, moves and archives."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from household import answer
from prowess_desk.apps.files import Directory, File, files, home, parent
from prowess_desk.data.files import generate
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, State

NOW = datetime(2025, 5, 18, 12)
ADA, BEN = people(1)[:2]
HOME = home(ADA)


class Desk:
    """Ada has ~/docs with seven files and ~/docs/old with one."""

    def __init__(self) -> None:
        names = [*(f"docs/plan-{n}.txt" for n in range(1, 8)), "docs/old/plan-0.txt"]
        kept = [
            File(
                id=n,
                owner=ADA.id,
                path=f"{HOME}/{name}",
                content=f"total: {n}.50",
                created_at=NOW - timedelta(days=n),
                updated_at=NOW - timedelta(days=n),
            )
            for n, name in enumerate(names, 1)
        ]
        folders = [
            Directory(id=n, owner=ADA.id, path=f"{HOME}/{name}", created_at=NOW)
            for n, name in enumerate(("docs", "docs/old"), 1)
        ]
        self.state = State.over([Base(Person, (ADA, BEN)), Base(File, kept), Base(Directory, folders)], NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {("files", "ada"): ADA.id, ("files", "ben"): BEN.id}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(files.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_directory_shows_what_lies_in_it(desk: Desk) -> None:
    assert desk("show_directory") == {"directory_path": HOME, "directories": [f"{HOME}/docs"], "files": []}
    assert len(desk("show_directory", directory_path="~/docs/")["files"]) == 7
    assert len(desk("show_directory", directory_path="docs", recursive=True)["files"]) == 8
    assert desk.refused("show_directory", directory_path="~/none") == 404
    assert desk.refused("show_directory", token="x") == 401


def test_nobody_reaches_outside_their_home(desk: Desk) -> None:
    path = f"{HOME}/docs/plan-1.txt"
    assert desk.refused("show_file", token="ben", file_path=path) == 403
    assert desk.refused("show_file", token="ben", file_path="~/docs/plan-1.txt") == 404
    assert desk.refused("show_file", file_path=f"{HOME}/../x/plan.txt") == 422
    assert desk.refused("create_file", file_path="/etc/passwd") == 403
    assert desk.refused("show_directory", directory_path="/home") == 403
    assert desk.refused("show_directory", directory_path=f"{HOME}x") == 403


def test_a_search_reads_names_and_if_asked_contents(desk: Desk) -> None:
    assert len(desk("search_files", query="PLAN txt")) == 5
    assert len(desk("search_files", query="plan", page_index=1)) == 3
    assert [one["file_id"] for one in desk("search_files", query="plan", directory_path="~/docs/old")] == [8]
    assert desk("search_files", query="total") == []
    assert [one["file_id"] for one in desk("search_files", query="3.50", in_content=True)] == [3]
    assert [one["file_id"] for one in desk("search_files", sort_by="-created_at", page_limit=2)] == [1, 2]


def test_a_file_is_written_changed_and_deleted(desk: Desk) -> None:
    desk("create_file", file_path="~/docs/new.txt", content="a")
    assert desk.refused("create_file", file_path="~/docs/new.txt") == 409
    assert desk.refused("create_file", file_path="~/docs", overwrite=True) == 409
    assert desk.refused("create_file", file_path="~/none/new.txt") == 404
    desk("append_to_file", file_path="~/docs/new.txt", text="b")
    assert desk("show_file", file_path="docs/new.txt")["content"] == "a\nb"
    desk("update_file", file_path="~/docs/new.txt", content="")
    desk("append_to_file", file_path="~/docs/new.txt", text="b")
    assert desk("show_file", file_path="docs/new.txt")["content"] == "b"
    desk("create_file", file_path="~/docs/new.txt", content="c", overwrite=True)
    desk("update_file", file_path=f"{HOME}/docs/plan-1.txt", content="d")
    assert desk("show_file", file_path="~/docs/plan-1.txt")["size"] == 1
    desk("delete_file", file_path="~/docs/new.txt")
    assert desk("file_exists", file_path="~/docs/new.txt") == {"exists": False}
    assert desk.refused("delete_file", file_path="~/docs/new.txt") == 404


def test_copying_leaves_the_file_and_moving_takes_it(desk: Desk) -> None:
    desk("copy_file", file_path="~/docs/plan-1.txt", destination_path="~/docs/old/plan-1.txt")
    assert desk("file_exists", file_path="~/docs/plan-1.txt")["exists"]
    assert desk.refused("move_file", file_path="~/docs/plan-1.txt", destination_path="~/docs/old/plan-1.txt") == 409
    assert desk.refused("move_file", file_path="~/docs/plan-2.txt", destination_path="~/docs/plan-2.txt") == 409
    desk("move_file", file_path="~/docs/plan-2.txt", destination_path="~/docs/old/plan-1.txt", overwrite=True)
    assert not desk("file_exists", file_path="~/docs/plan-2.txt")["exists"]
    moved = desk("show_file", file_path="~/docs/old/plan-1.txt")
    assert (moved["file_id"], moved["content"]) == (2, "total: 2.50")
    listed = desk("show_directory", directory_path="~/docs/old")["files"]
    assert listed == [f"{HOME}/docs/old/plan-0.txt", f"{HOME}/docs/old/plan-1.txt"]


def test_directories_are_made_with_those_above_and_deleted_when_empty_or_asked(desk: Desk) -> None:
    desk("create_directory", directory_path="~/a/b")
    assert desk.refused("create_directory", directory_path="~/a") == 409
    assert desk("directory_exists", directory_path="~/a") == {"exists": True}
    assert desk.refused("delete_directory", directory_path="~/a") == 409
    desk("delete_directory", directory_path="~/a/b")
    desk("delete_directory", directory_path="~/docs", recursive=True)
    assert desk("show_directory", recursive=True)["directories"] == [f"{HOME}/a"]
    assert desk("show_directory", recursive=True)["files"] == []
    assert desk.refused("delete_directory", directory_path="~", recursive=True) == 403


def test_an_archive_holds_all_below_a_directory(desk: Desk) -> None:
    assert desk.refused("compress_directory", directory_path="~/docs/old", archive_path="~/old.tar") == 422
    arguments = {"directory_path": "~/docs/old", "archive_path": "~/docs/old/in.zip"}
    assert desk.refused("compress_directory", **arguments, delete_directory=True) == 409
    desk("compress_directory", directory_path="~/docs/old", archive_path="~/old.zip", delete_directory=True)
    assert json.loads(desk("show_file", file_path="~/old.zip")["content"]) == {"plan-0.txt": "total: 8.50"}
    assert not desk("directory_exists", directory_path="~/docs/old")["exists"]


def test_every_file_of_a_universe_lies_in_a_directory_of_its_owner() -> None:
    everyone = people(7)
    kept, folders = (base.rows.values() for base in generate(7, everyone, NOW))
    known = {(one.owner, one.path) for one in folders}
    assert all((file.owner, parent(file.path)) in known for file in kept)
    paths = [(file.owner, file.path) for file in kept]
    assert len(paths) == len(set(paths))
    receipts = [file for file in kept if "/receipts/" in file.path]
    for receipt in receipts:
        lines = dict(line.split(": ") for line in receipt.content.splitlines())
        assert float(lines["total"]) > 0 and receipt.path.endswith(f"{lines['date']}-{lines['vendor']}.txt")
