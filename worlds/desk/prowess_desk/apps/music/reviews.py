"""APIs on reviews of songs."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.music import rows
from prowess_desk.apps.music.app import SongId, music, song_with
from prowess_desk.apps.music.rows import Song, SongReview
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Span, conflict, forbidden, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import card, oldest_first
from prowess_desk.engine.tables import State

ReviewId = Annotated[int, "id of the review"]
Rating = Annotated[int, "1 (bad) to 5 (excellent)", Span(1, 5)]

_REVIEW = {
    "review_id": 1,
    "song_id": 1,
    "song_title": "string",
    "rating": 5,
    "text": "string",
    "author": {"name": "string", "email": "string"},
    "created_at": "2025-01-31T10:00:00",
}


def _review(state: State, review: SongReview) -> dict[str, Json]:
    return {
        "review_id": review.id,
        "song_id": review.song,
        "song_title": state[Song][review.song].title,
        "rating": review.rating,
        "text": review.text,
        "author": card(state[Person][review.author]),
        "created_at": review.created_at.isoformat(),
    }


def _own_review(ctx: Ctx, review_id: int) -> SongReview:
    review = ctx.state[SongReview].get(review_id) or missing("review", review_id)
    if review.author != ctx.me.id:
        forbidden(f"Review {review_id} was written by somebody else.")
    return review


@music.api(returns=[_REVIEW])
def show_song_reviews(ctx: Ctx, song_id: SongId, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List everybody's reviews of a song, oldest first."""
    song_with(ctx.state, song_id)
    found = oldest_first(ctx.state[SongReview].of(("song", song_id)))
    return [_review(ctx.state, review) for review in page(found, page_index, page_limit)]


@music.api(returns=[_REVIEW])
def show_my_reviews(
    ctx: Ctx,
    min_rating: Annotated[int, "least rating", Span(1, 5)] = 1,
    max_rating: Annotated[int, "greatest rating", Span(1, 5)] = 5,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List the song reviews you wrote, oldest first."""
    mine = oldest_first(ctx.state[SongReview].of(ctx.me.id))
    found = [row for row in mine if min_rating <= row.rating <= max_rating]
    return [_review(ctx.state, review) for review in page(found, page_index, page_limit)]


@music.api(returns={"message": "Review saved.", "review_id": 1})
def review_song(
    ctx: Ctx, song_id: SongId, rating: Rating, text: Annotated[str, "what you think of it; may be empty"] = ""
) -> Json:
    """Rate a song you have not rated yet, with a text if you want."""
    song_with(ctx.state, song_id)
    if any(row.author == ctx.me.id for row in ctx.state[SongReview].of(("song", song_id))):
        conflict(f"You have already reviewed song {song_id}: use update_review.")
    return {"message": "Review saved.", "review_id": rows.review(ctx.state, ctx.me.id, song_id, rating, text).id}


@music.api(returns={"message": "Review updated.", "review_id": 1})
def update_review(
    ctx: Ctx,
    review_id: ReviewId,
    rating: Annotated[int | None, "new rating, or null to keep it", Span(1, 5)] = None,
    text: Annotated[str | None, "new text, or null to keep it"] = None,
) -> Json:
    """Change the rating or the text of one of your reviews."""
    _own_review(ctx, review_id)
    rows.change_review(ctx.state, review_id, rating=rating, text=text)
    return {"message": "Review updated.", "review_id": review_id}


@music.api(returns={"message": "Review deleted.", "review_id": 1})
def delete_review(ctx: Ctx, review_id: ReviewId) -> Json:
    """Delete one of your reviews."""
    _own_review(ctx, review_id)
    rows.delete_review(ctx.state, review_id)
    return {"message": "Review deleted.", "review_id": review_id}
