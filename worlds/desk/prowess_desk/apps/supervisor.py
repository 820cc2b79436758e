"""The supervisor: whom the agent works for, their passwords, and the way to say that the task is done."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.engine.api import App, Ctx, OneOf, conflict
from prowess_desk.engine.people import APPS_WITH_LOGIN, password

supervisor = App("supervisor", "The person you work for: their profile, account passwords and the task at hand.")


@supervisor.api(
    login=False,
    returns={"first_name": "string", "last_name": "string", "email": "string", "phone_number": "string"},
)
def show_profile(ctx: Ctx) -> Json:
    """Show your supervisor's name, e-mail address, phone number and birthday."""
    me = ctx.me
    return {
        "first_name": me.first,
        "last_name": me.last,
        "email": me.email,
        "phone_number": me.phone,
        "birthday": me.birthday.isoformat(),
    }


@supervisor.api(login=False, returns=[{"street": "string", "city": "string"}])
def show_addresses(ctx: Ctx) -> Json:
    """Show your supervisor's home address."""
    return [{"street": ctx.me.address, "city": ctx.me.city}]


@supervisor.api(login=False, returns=[{"account_name": "music", "password": "string"}])
def show_account_passwords(ctx: Ctx) -> Json:
    """Show your supervisor's password for each app. The user name is the e-mail address; for phone, the number."""
    universe = ctx.session.universe
    return [{"account_name": app, "password": password(universe, ctx.me, app)} for app in APPS_WITH_LOGIN]


@supervisor.api(login=False, returns={"instruction": "string", "datetime": "string"})
def show_active_task(ctx: Ctx) -> Json:
    """Show the task at hand and the current date and time."""
    return {"instruction": ctx.session.instruction, "datetime": ctx.now.isoformat()}


@supervisor.api(login=False, returns={"message": "Marked the active task complete."})
def complete_task(
    ctx: Ctx,
    answer: Annotated[
        str | int | float | bool | list[str | int | float] | None, "the answer, if the task asks for one"
    ] = None,
    status: Annotated[str, "success, or fail if the task cannot be done", OneOf(("success", "fail"))] = "success",
) -> Json:
    """Mark the task as complete, with the answer if one is asked for. This ends the task."""
    if ctx.session.completed:
        conflict("The task is already marked complete.")
    ctx.session.completed = True
    ctx.session.status = status
    ctx.session.answer = answer
    return {"message": "Marked the active task complete."}
