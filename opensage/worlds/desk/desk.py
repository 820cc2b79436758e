"""The apps together: the one place that turns `app.api(arguments)` into an answer or a refusal."""

from __future__ import annotations

from collections.abc import Mapping

from opensage.types import Json
from opensage.worlds.desk.api import ApiError, App, Session
from opensage.worlds.desk.apps.api_docs import api_docs_of
from opensage.worlds.desk.apps.files import files
from opensage.worlds.desk.apps.mail import mail
from opensage.worlds.desk.apps.music import music
from opensage.worlds.desk.apps.notes import notes
from opensage.worlds.desk.apps.phone import phone
from opensage.worlds.desk.apps.shop import shop
from opensage.worlds.desk.apps.splits import splits
from opensage.worlds.desk.apps.supervisor import supervisor
from opensage.worlds.desk.apps.todo import todo
from opensage.worlds.desk.apps.wallet import wallet
from opensage.worlds.desk.tables import State

_LISTED = {app.name: app for app in (supervisor, music, wallet, shop, mail, phone, notes, files, todo, splits)}
APPS: Mapping[str, App] = {"api_docs": api_docs_of(_LISTED), **_LISTED}


def call(state: State, session: Session, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
    """Answer one API call, or refuse with an ApiError."""
    if app not in APPS:
        raise ApiError(404, f"No app named '{app}' found.")
    if api not in APPS[app].apis:
        raise ApiError(404, f"No API named '{api}' found in the {app} app.")
    return APPS[app].apis[api].call(state, session, arguments)
