"""APIs on the catalogue of products."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop.app import PRODUCT, ProductId, product_with, shop, shown_product
from prowess_desk.apps.shop.rows import CATEGORIES, Product
from prowess_desk.engine.api import Ctx, OneOf, PageIndex, PageLimit, Query, page
from prowess_desk.engine.reading import cents, matches

Category = Annotated[str | None, "only this category", OneOf(CATEGORIES)]
SORTS = ("name", "price", "-price", "rating", "-rating", "delivery_days")


@shop.api(returns=["string"])
def list_categories(ctx: Ctx) -> Json:
    """List the categories of products."""
    return list(CATEGORIES)


@shop.api(returns=[PRODUCT])
def search_products(
    ctx: Ctx,
    query: Query = "",
    category: Category = None,
    seller: Annotated[str | None, "only products of this seller"] = None,
    max_price: Annotated[float | None, "only products at this price or less"] = None,
    min_rating: Annotated[float | None, "only products rated this or more"] = None,
    sort_by: Annotated[str, "order of results; - for highest first", OneOf(SORTS)] = "name",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search the catalogue by words of name, category or seller, with filters; paginated."""
    most = cents(max_price) if max_price is not None else None
    found = [
        product
        for product in ctx.state[Product]
        if (category is None or product.category == category)
        and (seller is None or product.seller.lower() == seller.lower())
        and (most is None or product.price <= most)
        and (min_rating is None or product.rating >= min_rating)
        and (not query or matches(query, product.name, product.category, product.seller))
    ]
    key = sort_by.removeprefix("-")
    found.sort(key=lambda product: (getattr(product, key), product.id), reverse=sort_by[0] == "-")
    return [shown_product(product) for product in page(found, page_index, page_limit)]


@shop.api(returns=PRODUCT)
def show_product(ctx: Ctx, product_id: ProductId) -> Json:
    """Show one product."""
    return shown_product(product_with(ctx, product_id))
