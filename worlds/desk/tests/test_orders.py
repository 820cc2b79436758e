"""Listings come in the order that their documentation says."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import pytest
from prowess_desk.engine.desk import APPS
from prowess_desk.engine.universe import universe
from prowess_practice.drills.direct_calls import function_of, played

ORDERED = {
    f"{app.name}.{name}": found[0] == "oldest"
    for app in APPS.values()
    for name, api in app.apis.items()
    if (found := re.findall(r"\b(oldest|newest|latest) first", api.doc["description"]))
}
MOMENTS = ("created_at", "written_at", "sent_at", "started_at", "placed_at", "requested_at")
WITHIN = {
    "music.show_song_reviews": ("song_id", "music.show_my_reviews"),
    "todo.list_comments": ("task_id", "todo.search_tasks"),
    "splits.show_expense_comments": ("expense_id", "splits.show_expenses"),
    "wallet.show_transaction_comments": ("transaction_id", "wallet.show_transactions"),
    "shop.list_product_reviews": ("product_id", "shop.search_products"),
}
"""Listings of what lies in a thing: what names it, and where it is found."""
OTHERWISE = {"mail.show_thread"}
"""It gives a mail with what came after it, not a listing."""
SELDOM = {"splits.show_expense_comments", "wallet.show_transaction_comments"}
"""In a universe nobody has said two things there."""
TABLES = [*ORDERED.keys() - OTHERWISE]


def listed(api: str, me: Any, state: Any, **given: Any) -> list[dict[str, Any]]:
    app = api.partition(".")[0]
    source = f'def listing(**given):\n    return all_pages(apis.{api}, access_token=login(app="{app}"), **given)\n'
    rows: list[dict[str, Any]] = played(function_of(source), state, me, given)
    return rows


@pytest.mark.parametrize("api", sorted(TABLES))
def test_a_listing_is_in_the_order_that_is_said(api: str) -> None:
    world = universe(6)
    seen = 0
    for me in world.people[:12]:
        state = world.state()
        given: list[dict[str, Any]] = [{}]
        if api in WITHIN:
            name, above = WITHIN[api]
            given = [{name: row[name]} for row in islice(listed(above, me, state), 40)]
        elif api == "mail.list_mails":
            given = [{"folder": "inbox"}]
        for arguments in given:
            rows = listed(api, me, state, **arguments)
            shown = [row.get("last_message", row) for row in rows]
            moments = [next(row[name] for name in MOMENTS if row.get(name)) for row in shown]
            assert moments == sorted(moments, reverse=not ORDERED[api]), (api, me.name, arguments)
            seen += len(moments) > 1
    assert bool(seen) == (api not in SELDOM), f"{api}: who has two rows"
