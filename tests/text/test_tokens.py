"""The estimate of tokens is near what a real byte-pair tokenizer counts."""

from __future__ import annotations

import pytest

from prowess.text.tokens import estimate

CODE = '''def most_liked_song(access_token: str, genre: str) -> dict:
    """Return the most liked song of a genre in the user's library."""
    page_index, songs = 0, []
    while True:
        page = apis.music.show_song_library(access_token=access_token, page_index=page_index, page_limit=20)
        if not page:
            break
        songs.extend(page)
        page_index += 1
    songs = [song for song in songs if song["genre"] == genre]
    return max(songs, key=lambda song: song["like_count"])
'''
JSON = (
    '[{"song_id": 4051, "title": "Whispers of the Moon", "artists": [{"id": 17, "name": "Lily Moon"}], '
    '"rating": 4.5, "created_at": "2023-05-18T12:00:00"}]'
)
PROSE = (
    "I went on a trip with friends last weekend. I paid $120 for the hotel, and everyone should pay me back an equal "
    "share. Please send a payment request to each of them, with the note 'Hotel', and then mark the task as completed."
)
ERROR = (
    'Execution failed. Traceback:\n  File "<python-input>", line 3, in <module>\n    raise Exception("Response status '
    'code is 401: You are not authorized to access this API.")\n'
)


@pytest.mark.parametrize(
    ("text", "counted"),
    # Counted with the vocabulary cl100k and the cuts of Qwen2.5, where a number is its digits.
    [(CODE, 125), (JSON, 74), (PROSE, 54), (ERROR, 42)],
    ids=["code", "json", "prose", "error"],
)
def test_the_estimate_is_within_a_tenth_of_the_count(text: str, counted: int) -> None:
    assert estimate(text) == pytest.approx(counted, rel=0.1)


def test_nothing_is_no_token_and_anything_is_at_least_one() -> None:
    assert estimate("") == 0
    for text in ("a", " ", "\n", "7", "?", "é", "\ud800"):
        assert estimate(text) >= 1


def test_a_longer_text_is_never_fewer_tokens_by_the_page() -> None:
    assert estimate(CODE * 10) == pytest.approx(10 * estimate(CODE), rel=0.02)


def test_long_runs_are_read_in_linear_time() -> None:
    for text in (" " * 200_000, "=" * 200_000, "a" * 200_000, "\n " * 100_000, "aB" * 100_000):
        assert estimate(text) > 0
