"""APIs on reviews of products."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.shop import rows
from prowess_desk.apps.shop.app import ProductId, product_with, shop
from prowess_desk.apps.shop.rows import Review
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Span, conflict, invalid, missing, page
from prowess_desk.engine.people import Person

Stars = Annotated[int, "stars, 1 worst, 5 best", Span(1, 5)]

REVIEW: Json = {
    "review_id": 1,
    "product_id": 1,
    "author": {"name": "string", "email": "string"},
    "stars": 4,
    "title": "string",
    "text": "string",
    "written_at": "2025-01-31T10:00:00",
}


def _review(ctx: Ctx, review: Review) -> Json:
    author = ctx.state[Person][review.author]
    return {
        "review_id": review.id,
        "product_id": review.product_id,
        "author": {"name": author.name, "email": author.email},
        "stars": review.stars,
        "title": review.title,
        "text": review.text,
        "written_at": review.written_at.isoformat(),
    }


def _my_review(ctx: Ctx, review_id: int) -> Review:
    review = ctx.state[Review].get(review_id)
    if review is None or review.author != ctx.me.id:
        missing("review of yours", review_id)
    return review


@shop.api(returns=[REVIEW])
def list_product_reviews(ctx: Ctx, product_id: ProductId, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the reviews of a product, newest first; paginated."""
    found = sorted(ctx.state[Review].of(product_with(ctx, product_id).id), key=lambda one: one.written_at, reverse=True)
    return [_review(ctx, one) for one in page(found, page_index, page_limit)]


@shop.api(returns=[REVIEW])
def list_my_reviews(ctx: Ctx, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the reviews you wrote, newest first; paginated."""
    found = sorted((one for one in ctx.state[Review] if one.author == ctx.me.id), key=lambda one: one.written_at)
    return [_review(ctx, one) for one in page(found[::-1], page_index, page_limit)]


@shop.api(returns={"message": "string", "review_id": 1})
def write_review(
    ctx: Ctx,
    product_id: ProductId,
    stars: Stars,
    title: Annotated[str, "title of the review"] = "",
    text: Annotated[str, "the review"] = "",
) -> Json:
    """Write a review of a product; one per product."""
    product = product_with(ctx, product_id)
    if any(one.author == ctx.me.id for one in ctx.state[Review].of(product.id)):
        conflict(f"You have already reviewed '{product.name}': update that review.")
    made = rows.review(ctx.state, ctx.me.id, product.id, stars, title, text)
    return {"message": f"Your review of '{product.name}' is published.", "review_id": made.id}


@shop.api(returns={"message": "string", "review_id": 1})
def update_review(
    ctx: Ctx,
    review_id: Annotated[int, "id of your review"],
    stars: Annotated[int | None, "new stars", Span(1, 5)] = None,
    title: Annotated[str | None, "new title"] = None,
    text: Annotated[str | None, "new text"] = None,
) -> Json:
    """Change stars, title or text of a review you wrote."""
    given = {"stars": stars, "title": title, "text": text}
    fields = {name: value for name, value in given.items() if value is not None}
    if not fields:
        invalid("Give at least one of stars, title, text.")
    ctx.state[Review].change(_my_review(ctx, review_id).id, **fields)
    return {"message": "Review updated.", "review_id": review_id}


@shop.api(returns={"message": "string", "review_id": 1})
def delete_review(ctx: Ctx, review_id: Annotated[int, "id of your review"]) -> Json:
    """Delete a review you wrote."""
    ctx.state[Review].remove(_my_review(ctx, review_id).id)
    return {"message": "Review deleted.", "review_id": review_id}
