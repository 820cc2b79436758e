"""Grading is fair: what was asked for passes, however it was done."""

from __future__ import annotations

from collections import Counter

import pytest
from playing import Desk, program_of, tasks_of
from prowess_desk.engine.family import Family
from prowess_desk.families import FAMILIES

LOGIN = """
def login(app):
    passwords = {one["account_name"]: one["password"] for one in apis.supervisor.show_account_passwords()}
    me = apis.supervisor.show_profile()
    name = me["phone_number"] if app == "phone" else me["email"]
    return apis[app].login(username=name, password=passwords[app])["access_token"]
""".replace("apis[app]", "getattr(apis, app)")

WAYS = {
    "gather_files": """
token = login("files")
apis.files.create_directory(access_token=token, directory_path={target!r})
for path in apis.files.show_directory(access_token=token, directory_path={source!r})["files"]:
    text = apis.files.show_file(access_token=token, file_path=path)["content"]
    if {phrase!r} in text:
        new = {target!r} + "/" + path.split("/")[-1]
        apis.files.create_file(access_token=token, file_path=new, content=text)
        apis.files.delete_file(access_token=token, file_path=path)
""",
    "prune_library": """
token = login("music")
for number in range(100):
    for song in apis.music.show_song_library(access_token=token, page_limit=1, page_index=0):
        apis.music.remove_song_from_library(access_token=token, song_id=song["song_id"])
        kept = kept + [song["song_id"]] if number else [song["song_id"]]
for song in kept:
    if apis.music.show_song(access_token=token, song_id=song)["release_date"] >= "{year}":
        apis.music.add_song_to_library(access_token=token, song_id=song)
""",
}
"""Another way than the expert's: copied and deleted instead of moved; all taken out, and put back what stays."""

SAYS_A_NEW_NUMBER = {"order_open_note_items", "fulfil_order_request"}
"""Families whose mails name the order that was placed: its number is what was asked for."""


@pytest.mark.parametrize("name", WAYS)
def test_another_way_passes(name: str) -> None:
    for _, case in tasks_of(FAMILIES[name], 2):
        desk = Desk(case)
        assert desk.run(LOGIN + WAYS[name].format(**case.values) + "\napis.supervisor.complete_task()") == ""
        assert desk.verdict().failed == (), case.values


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_the_ids_of_new_rows_do_not_matter(family: Family) -> None:
    _, case = tasks_of(family, 1)[0]
    desk = Desk(case)
    for kind in desk.state.kinds():
        desk.state[kind]._last += 7  # as if seven had been made and deleted before
    complete = f"apis.supervisor.complete_task({'answer=answer' if family.asks else ''})"
    assert desk.run(f"{program_of(family)}\n\nanswer = {family.program.call.format(**case.values)}\n{complete}") == ""
    assert desk.verdict().success is (family.name not in SAYS_A_NEW_NUMBER)


@pytest.mark.parametrize(
    "name", ["gather_files", "collect_joint_order", "upgrade_replaced_reviews", "review_favourites"]
)
def test_what_tells_rows_apart_tells_them_apart(name: str) -> None:
    for _, case in tasks_of(FAMILIES[name], 1):
        for state in (case.start, case.goal):
            for kind in state.kinds():
                keys = Counter(
                    tuple(getattr(row, field) for field in getattr(kind, "KEY", ("id",))) for row in state[kind]
                )
                assert keys.most_common(1)[0][1] == 1 if keys else True, kind
