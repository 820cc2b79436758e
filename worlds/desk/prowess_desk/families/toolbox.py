"""Functions the expert's programs share, shown to the agent as source and so written as it would write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

apis: Any = None
"""In the sandbox this is the door to the apps; here it only gives the name a meaning."""


def login(app: str) -> str:
    """Log in to an app with the supervisor's account and return the access token."""
    profile = apis.supervisor.show_profile()
    passwords = {entry["account_name"]: entry["password"] for entry in apis.supervisor.show_account_passwords()}
    username = profile["phone_number"] if app == "phone" else profile["email"]
    return getattr(apis, app).login(username=username, password=passwords[app])["access_token"]


def all_pages(api: Any, **arguments: Any) -> list:
    """Collect the results of every page of a paginated API."""
    results: list = []
    page_index = 0
    while True:
        page = api(page_index=page_index, page_limit=20, **arguments)
        results.extend(page)
        if len(page) < 20:
            return results
        page_index += 1


def contacts_who_are(relationship: str) -> list:
    """List the supervisor's phone contacts who are this to them, such as roommate or sibling."""
    token = login(app="phone")
    return all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship)


def contact_named(name: str) -> dict:
    """Find the supervisor's phone contact with exactly this name."""
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, query=name)
    return next(contact for contact in contacts if contact["name"] == name)


def read_note(title: str) -> dict:
    """Find the supervisor's note with exactly this title and return it with its content."""
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_id = next(note["note_id"] for note in found if note["title"] == title)
    return apis.notes.show_note(access_token=token, note_id=note_id)


TOOLBOX: Mapping[str, Callable[..., Any]] = {
    function.__name__: function for function in (login, all_pages, contacts_who_are, contact_named, read_note)
}
