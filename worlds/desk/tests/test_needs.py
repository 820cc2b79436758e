"""What of a program is looked up for another call, and what is what it is about."""

from __future__ import annotations

from prowess_desk.expert.needs import Lookup, called, lookups

PROGRAM = '''
def login(app: str) -> str:
    profile = apis.supervisor.show_profile()
    return getattr(apis, app).login(username=profile["email"])["access_token"]


def text_tasks(project: str, receiver: str, folder: str) -> int:
    """Text the open tasks of a project to a contact."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(one["project_id"] for one in projects if one["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)
    people = apis.phone.show_contacts(access_token=login(app="phone"), query=receiver)
    number = people[0]["phone_number"]
    place = apis.files.show_directory(access_token=token, directory_path=folder)["directory_path"]
    for task in tasks:
        task_id = task["task_id"]
        apis.todo.mark_task_done(access_token=token, task_id=task["task_id"])
    for email in [one["email"] for one in people]:
        apis.mail.send(access_token=token, to_email=email)
    apis.files.create_file(access_token=token, file_path=place, content="")
    apis.phone.send_text_message(access_token=token, phone_number=number, text="")
    return len(tasks)
'''


def test_a_single_value_that_an_answer_gives_and_a_call_takes_is_looked_up() -> None:
    assert lookups(PROGRAM) == (
        Lookup(giver="todo.list_projects", argument="project_id", taker="todo.list_tasks"),
        Lookup(giver="phone.show_contacts", argument="phone_number", taker="phone.send_text_message"),
    ), "not what each row has, and nothing that people say themselves, as a path"


def test_calls_come_in_the_order_in_which_they_are_made() -> None:
    assert called(PROGRAM)[:3] == ("todo.list_projects", "todo.list_tasks", "phone.show_contacts")
    assert "supervisor.show_profile" not in called(PROGRAM)
