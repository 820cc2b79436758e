"""Functions the expert's programs share. They are shown to the agent as source, so they are written as it would write."""

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


TOOLBOX: Mapping[str, Callable[..., Any]] = {"login": login, "all_pages": all_pages}
