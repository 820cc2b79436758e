"""APIs on the wish list."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.app import PRODUCT, ProductId, product_with, shop, shown_product
from prowess_desk.apps.shop.rows import Product, WishItem
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, conflict, missing, page


@shop.api(returns=[PRODUCT])
def show_wish_list(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the products on your wish list, first added first; paginated."""
    found = page(ctx.state[WishItem].of(ctx.me.id), page_index, page_limit)
    return [shown_product(ctx.state[Product][item.product_id]) for item in found]


@shop.api(returns={"message": "string", "product_id": 1})
def add_to_wish_list(ctx: Ctx, product_id: ProductId) -> Json:
    """Add a product to your wish list."""
    product = product_with(ctx, product_id)
    if any(item.product_id == product_id for item in ctx.state[WishItem].of(ctx.me.id)):
        conflict(f"'{product.name}' is already on your wish list.")
    rows.wish(ctx.state, ctx.me.id, product_id)
    return {"message": f"'{product.name}' is on your wish list.", "product_id": product_id}


@shop.api(returns={"message": "string", "product_id": 1})
def remove_from_wish_list(ctx: Ctx, product_id: ProductId) -> Json:
    """Remove a product from your wish list."""
    if all(item.product_id != product_id for item in ctx.state[WishItem].of(ctx.me.id)):
        missing("product on your wish list", product_id)
    rows.unwish(ctx.state, ctx.me.id, product_id)
    return {"message": "Removed from your wish list.", "product_id": product_id}
