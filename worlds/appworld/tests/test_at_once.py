"""Many worlds at once: what one process does, no other sees, and none waits for another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from prowess_appworld.world import AppWorldSuite

from prowess.types import Task

CODE = """
me = apis.supervisor.show_profile()
password = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.simple_note.login(username=me["email"], password=password["simple_note"])["access_token"]
for number in range(5):
    apis.simple_note.create_note(title=f"mine {number}", content="x", access_token=token)
print(len(apis.simple_note.search_notes(query="mine", access_token=token, page_limit=20)))
token = apis.spotify.login(username=me["email"], password=password["spotify"])["access_token"]
print([apis.spotify.show_song(song_id=id)["title"] for id in range(1, 11)])
print(apis.spotify.show_recommendations(access_token=token)[0]["song_id"])
"""


@pytest.mark.slow
def test_worlds_of_one_task_say_the_same_at_once(suite: AppWorldSuite) -> None:
    task = suite.tasks("train")[0]

    def play(task: Task) -> str:
        with closing(suite.open(task)) as world:
            return world.execute(CODE).text

    with ThreadPoolExecutor(8) as threads:
        said = list(threads.map(play, [task] * 24))
    assert len(set(said)) == 1
    assert said[0].startswith("20\n["), said[0]
