"""What of a program's reading can be tried out before it is written."""

from __future__ import annotations

from prowess_desk.expert.looks import looks

PROGRAM = """
def sum_up(title: str, tag: str, since: str, project: str) -> int:
    token = login(app="notes")
    plan = read_note(title=title)
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    texts = [apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"] for note in notes]
    apis.notes.delete_note(access_token=token, note_id=notes[0]["note_id"])
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(one["project_id"] for one in projects if one["name"] == project)
    return len(all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False))
"""
CALL = "sum_up(title='Plan', tag='garden', since='2025-05-01', project='House')"


def test_what_is_read_is_read_with_the_tasks_values_and_three_rows_of_it() -> None:
    assert looks(PROGRAM, CALL) == [
        "print(read_note(title='Plan'))",
        "rows = apis.notes.list_notes(access_token=login(app=\"notes\"), tag='garden', page_limit=3)",
        "print(rows)",
        'print(apis.notes.show_note(access_token=login(app="notes"), note_id=rows[0]["note_id"]))',
    ], "three things; nothing is deleted"


def test_a_value_that_is_looked_up_first_is_left_out_or_taken_from_the_first_row() -> None:
    tasks = "\n".join(line for line in PROGRAM.splitlines() if "note" not in line)
    assert looks(tasks, CALL) == [
        'print(apis.todo.list_projects(access_token=login(app="todo"), page_limit=3))',
        'print(apis.todo.list_tasks(access_token=login(app="todo"), done=False, page_limit=3))',
    ], "list_tasks does without a project"
    one = tasks.replace("all_pages(apis.todo.list_tasks, ", "apis.music.show_playlist(").replace(
        "project_id", "playlist_id"
    )
    assert looks(one, CALL)[-1] == (
        'print(apis.music.show_playlist(access_token=login(app="music"), playlist_id=rows[0]["playlist_id"]))'
    )
