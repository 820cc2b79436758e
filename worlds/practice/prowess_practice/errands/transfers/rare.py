"""Errands that the tables make and that are left out."""

from __future__ import annotations

CROSSED = frozenset(
    {
        "delete_playlists_of_oldest_songs_in_playlist_over_play_count",
        "mark_artist_lists_of_oldest_songs_in_playlist_over_duration",
        "playlist_of_genre_songs_of_oldest_songs_in_playlist_under_duration",
    }
)
"""Their programs give what they take another meaning on the way."""

RARE = frozenset(
    {
        "alarms_plain_tasks_of_emptiest_projects",
        "count_copies_not_with_note",
        "count_queued_songs_in_playlist",
        "count_songs_in_playlist_over_play_count_liked",
        "delete_latest_expenses_repeated_paid_by_me",
        "discard_library_albums_from_release_date_with_reviewed_song",
        "follow_artists_of_songs_in_album_kept",
        "frequent_number_by_year_of_song_reviews_until_created_at",
        "keep_album_songs_of_newest_library_songs_over_duration",
        "keep_albums_of_catalogue_songs_of_most_played_songs_of_genre",
        "lower_lonely_by_year_of_song_reviews_in_month_of_created_at",
        "mark_expenses_under_amount_repeated_paid_by_me",
        "newest_of_artist_songs_of_oldest_songs_in_playlist_under_duration",
        "note_pending_requests_over_amount_not_of_friend",
        "paths_of_oldest_files_with_note",
        "rate_queued_songs_liked_not_reviewed",
        "spread_number_by_month_of_the_last_change_of_all_notes_with_tag",
        "sum_of_amount_of_pending_requests_over_amount_not_of_friend",
        "tasks_library_albums_until_release_date_with_reviewed_song",
        "titles_of_library_songs_from_release_date_queued",
        "unlike_album_songs_of_most_played_songs_of_genre_until_release_date",
        "unlike_library_songs_until_release_date_on_kept_album_liked",
    }
)
"""Hardly anybody's data serves them."""
