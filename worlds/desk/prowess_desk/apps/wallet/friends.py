"""APIs on people and friends."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.wallet import rows
from prowess_desk.apps.wallet.app import PERSON, somebody_else, wallet
from prowess_desk.apps.wallet.rows import WalletAccount
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Query, conflict, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import card, matches


@wallet.api(returns=[PERSON])
def search_users(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """Search everybody who has an account by words of name or e-mail address."""
    found = [person for person in ctx.state[Person] if matches(query, person.name, person.email)]
    return [card(person) for person in page(found, page_index, page_limit)]


@wallet.api(returns=[PERSON])
def show_friends(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List your friends in this app."""
    friends = [ctx.state[Person][id] for id in ctx.state[WalletAccount][ctx.me.id].friend_ids]
    found = [person for person in friends if matches(query, person.name, person.email)]
    return [card(person) for person in page(found, page_index, page_limit)]


@wallet.api(returns={"message": "Friend added.", "email": "string"})
def add_friend(ctx: Ctx, email: Annotated[str, "e-mail address of the person"]) -> Json:
    """Add somebody to your friends in this app."""
    person = somebody_else(ctx, email)
    if person.id in ctx.state[WalletAccount][ctx.me.id].friend_ids:
        conflict(f"{person.name} is already your friend.")
    rows.add_friend(ctx.state, ctx.me.id, person.id)
    return {"message": "Friend added.", "email": person.email}


@wallet.api(returns={"message": "Friend removed.", "email": "string"})
def remove_friend(ctx: Ctx, email: Annotated[str, "e-mail address of the person"]) -> Json:
    """Remove somebody from your friends in this app."""
    person = somebody_else(ctx, email)
    if person.id not in ctx.state[WalletAccount][ctx.me.id].friend_ids:
        conflict(f"{person.name} is not your friend.")
    rows.remove_friend(ctx.state, ctx.me.id, person.id)
    return {"message": "Friend removed.", "email": person.email}
