"""APIs on groups and their members."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.splits import rows
from prowess_desk.apps.splits.app import PERSON, Email, GroupId, debts_in, my_group, shown_person, somebody, splits
from prowess_desk.apps.splits.rows import Group
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Query, conflict, forbidden, invalid, page
from prowess_desk.engine.reading import matches, oldest_first

_GROUP = {
    "group_id": 1,
    "name": "string",
    "creator": PERSON,
    "members": [PERSON],
    "created_at": "2025-01-31T10:00:00",
}


def _group(ctx: Ctx, group: Group) -> Json:
    return {
        "group_id": group.id,
        "name": group.name,
        "creator": shown_person(ctx, group.creator),
        "members": [shown_person(ctx, person) for person in group.member_ids],
        "created_at": group.created_at.isoformat(),
    }


def _free_name(ctx: Ctx, name: str, group_id: int = 0) -> str:
    if not name.strip():
        invalid("name must not be empty.")
    if any(group.name == name and group.id != group_id for group in ctx.state[Group].of(ctx.me.id)):
        conflict(f"You already have a group named '{name}'.")
    return name


@splits.api(returns=[_GROUP])
def show_groups(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the groups you are in, oldest first."""
    mine = oldest_first(ctx.state[Group].of(ctx.me.id))
    found = [group for group in mine if matches(query, group.name)]
    return [_group(ctx, group) for group in page(found, page_index, page_limit)]


@splits.api(returns=_GROUP)
def show_group(ctx: Ctx, group_id: GroupId) -> Json:
    """Show one of your groups."""
    return _group(ctx, my_group(ctx, group_id))


@splits.api(returns={"message": "Group created.", "group_id": 1})
def create_group(
    ctx: Ctx,
    name: Annotated[str, "name of the group, not one that another of your groups has"],
    member_emails: Annotated[list[str], "e-mail addresses of the others; you are a member anyway"],
) -> Json:
    """Create a group of you and others."""
    members = [somebody(ctx, email).id for email in member_emails]
    group = rows.create_group(ctx.state, ctx.me.id, _free_name(ctx, name), members)
    return {"message": "Group created.", "group_id": group.id}


@splits.api(returns={"message": "Group renamed.", "group_id": 1})
def rename_group(ctx: Ctx, group_id: GroupId, name: Annotated[str, "new name"]) -> Json:
    """Rename one of your groups."""
    my_group(ctx, group_id)
    rows.rename_group(ctx.state, group_id, _free_name(ctx, name, group_id))
    return {"message": "Group renamed.", "group_id": group_id}


@splits.api(returns={"message": "Group deleted.", "group_id": 1})
def delete_group(ctx: Ctx, group_id: GroupId) -> Json:
    """Delete a group you created, with its expenses, once nobody in it owes anything."""
    group = my_group(ctx, group_id)
    if group.creator != ctx.me.id:
        forbidden("Only its creator can delete a group.")
    if debts_in(ctx, group_id):
        conflict(f"Somebody in group '{group.name}' still owes something.")
    rows.delete_group(ctx.state, group_id)
    return {"message": "Group deleted.", "group_id": group_id}


@splits.api(returns={"message": "Member added.", "group_id": 1})
def add_member(ctx: Ctx, group_id: GroupId, email: Email) -> Json:
    """Add somebody to one of your groups."""
    group, person = my_group(ctx, group_id), somebody(ctx, email)
    if person.id in group.member_ids:
        conflict(f"{person.name} is already in group '{group.name}'.")
    rows.add_member(ctx.state, group_id, person.id)
    return {"message": "Member added.", "group_id": group_id}


@splits.api(returns={"message": "Member removed.", "group_id": 1})
def remove_member(ctx: Ctx, group_id: GroupId, email: Email) -> Json:
    """Remove somebody, or yourself, from one of your groups once they owe nothing and are owed nothing in it."""
    group, person = my_group(ctx, group_id), somebody(ctx, email)
    if person.id not in group.member_ids:
        conflict(f"{person.name} is not in group '{group.name}'.")
    if any(person.id in pair for pair in debts_in(ctx, group_id)):
        conflict(f"{person.name} is not settled up in group '{group.name}'.")
    rows.remove_member(ctx.state, group_id, person.id)
    return {"message": "Member removed.", "group_id": group_id}
