"""The API on the balance, and whether it covers a sum."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.wallet.app import wallet
from prowess_desk.apps.wallet.rows import WalletAccount
from prowess_desk.engine.api import Ctx, conflict
from prowess_desk.engine.reading import money


def enough(ctx: Ctx, cents: int) -> None:
    have = ctx.state[WalletAccount][ctx.me.id].cents
    if have < cents:
        conflict(f"Your balance of {money(have):.2f} does not cover {money(cents):.2f}.")


@wallet.api(returns={"balance": 100.0})
def show_balance(ctx: Ctx) -> Json:
    """Show your balance."""
    return {"balance": money(ctx.state[WalletAccount][ctx.me.id].cents)}
