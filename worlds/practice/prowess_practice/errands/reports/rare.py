"""What the tables make and nobody, or hardly anybody, has the data for."""

from __future__ import annotations

RARE: tuple[str, ...] = (
    "archived_note_latest_by_task_label_of_open_tasks_until_due_date",
    "task_with_steps_sum_likes_by_month_of_received_payments_until_created_at",
    "tagged_note_spread_steps_by_state_of_tasks_until_created_at",
    "file_in_new_folder_number_by_state_of_tasks_over_priority",
    "extend_file_spread_amount_by_way_of_transactions_from_created_at",
    "task_with_steps_number_by_called_person_of_calls_made_over_duration",
    "copied_note_most_amount_by_asked_person_of_sent_requests_over_amount",
    "voice_names_titles_by_month_of_tasks_with_due_date",
    "archived_note_share_by_month_of_tasks_with_due_date",
    "text_latest_by_task_label_of_tasks_in_project",
    "task_comment_spread_lines_by_year_of_all_notes_from_updated_at",
    "voice_earliest_by_folder_name_of_files_until_created_at",
    "replace_note_number_by_genre_of_liked_albums",
    "tagged_note_latest_by_stars_of_song_reviews",
    "replace_note_both_by_month_of_done_tasks_and_all_notes",
    "task_with_steps_difference_by_month_of_transactions_and_received_texts",
    "tasks_for_spread_steps_by_state_of_tasks_until_created_at",
    "alarms_for_sum_steps_by_state_of_tasks_in_project",
    "tasks_for_fewest_lines_by_year_of_all_notes_until_created_at",
    "titled_notes_for_earliest_by_folder_name_of_files_until_created_at",
    "tasks_for_most_size_by_extension_of_files_below",
    "tasks_for_most_tracks_by_genre_of_library_albums_until_release_date",
)
