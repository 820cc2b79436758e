"""The documentation of every app and API, as the agent reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from prowess.types import Json
from prowess_desk.engine.api import Api, App, Ctx, PageIndex, PageLimit, missing, page

WORDS = 100
"""Words of a query that are looked for."""


def api_docs_of(apps: Mapping[str, App]) -> App:
    """The app that documents these apps, and itself."""
    app = App("api_docs", "Search and read the documentation of every app and API.")
    apps = {**apps, "api_docs": app}

    def named(app_name: str, api_name: str) -> Api:
        if app_name not in apps:
            missing("app", app_name)
        if api_name not in apps[app_name].apis:
            missing(f"API in the {app_name} app", api_name)
        return apps[app_name].apis[api_name]

    @app.api(login=False, returns=[{"name": "music", "description": "string"}])
    def show_app_descriptions(ctx: Ctx) -> Json:
        """List every app with a line on what it is for."""
        return [{"name": each.name, "description": each.about} for each in apps.values()]

    @app.api(login=False, returns=[{"name": "login", "description": "string"}])
    def show_api_descriptions(ctx: Ctx, app_name: Annotated[str, "name of the app"]) -> Json:
        """List every API of an app with a line on what it does."""
        if app_name not in apps:
            missing("app", app_name)
        return [{"name": each.name, "description": each.about} for each in apps[app_name].apis.values()]

    @app.api(login=False, returns={"app_name": "music", "api_name": "login", "parameters": [], "response_schemas": {}})
    def show_api_doc(
        ctx: Ctx,
        app_name: Annotated[str, "name of the app"],
        api_name: Annotated[str, "name of the API"],
    ) -> Json:
        """Show one API in full: its parameters and what it answers."""
        return named(app_name, api_name).doc

    @app.api(login=False, returns=[{"app_name": "music", "api_name": "login", "description": "string"}])
    def search_api_docs(
        ctx: Ctx,
        query: Annotated[str, "words to look for"],
        page_index: PageIndex = 0,
        page_limit: PageLimit = 5,
    ) -> Json:
        """Search every API by the words of its name and description, best match first."""
        words = query.lower().replace("_", " ").split()[:WORDS]
        ranked = []
        for each in (api for known in apps.values() for api in known.apis.values()):
            text = f"{each.app} {each.name} {each.about}".lower().replace("_", " ")
            hits = sum(word in text for word in words)
            if hits:
                ranked.append((-hits, each.app, each.name, each.about))
        rows = [{"app_name": app, "api_name": name, "description": about} for _, app, name, about in sorted(ranked)]
        return page(rows, page_index, page_limit)

    return app
