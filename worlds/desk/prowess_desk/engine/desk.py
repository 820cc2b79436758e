"""The apps together: the one place that turns `app.api(arguments)` into an answer or a refusal."""

from __future__ import annotations

from collections.abc import Mapping

from prowess.types import Json
from prowess_desk.apps.api_docs import api_docs_of
from prowess_desk.apps.files import files
from prowess_desk.apps.mail import mail
from prowess_desk.apps.music import music
from prowess_desk.apps.notes import notes
from prowess_desk.apps.phone import phone
from prowess_desk.apps.shop import shop
from prowess_desk.apps.splits import splits
from prowess_desk.apps.supervisor import supervisor
from prowess_desk.apps.todo import todo
from prowess_desk.apps.wallet import wallet
from prowess_desk.engine.api import ApiError, App, Session
from prowess_desk.engine.tables import State

_LISTED = {app.name: app for app in (supervisor, music, wallet, shop, mail, phone, notes, files, todo, splits)}
APPS: Mapping[str, App] = {"api_docs": api_docs_of(_LISTED), **_LISTED}


def call(state: State, session: Session, app: str, api: str, arguments: Mapping[str, Json]) -> Json:
    """Answer one API call, or refuse with an ApiError."""
    if app not in APPS:
        raise ApiError(404, f"No app named '{app}' found.")
    if api not in APPS[app].apis:
        raise ApiError(404, f"No API named '{api}' found in the {app} app.")
    return APPS[app].apis[api].call(state, session, arguments)
