"""The families that may be learnt from, in files by app or by the apps that they bring together."""

from __future__ import annotations

from prowess_desk.engine.family import by_name
from prowess_desk.families.train import (
    alarms,
    files,
    files_with_phone,
    music,
    music_with_notes_and_files,
    music_with_phone,
    notes,
    notes_with_files,
    notes_with_phone,
    phone,
    playlists,
    splits,
    splits_with_notes_and_files,
    splits_with_phone,
    splits_with_wallet,
    starter,
    todo,
    todo_with_money,
    todo_with_notes_and_files,
    todo_with_phone,
    wallet,
    wallet_with_notes_and_files,
    wallet_with_phone,
)

_FOUND = by_name(
    alarms.FAMILIES,
    files.FAMILIES,
    files_with_phone.FAMILIES,
    music.FAMILIES,
    music_with_notes_and_files.FAMILIES,
    music_with_phone.FAMILIES,
    notes.FAMILIES,
    notes_with_files.FAMILIES,
    notes_with_phone.FAMILIES,
    phone.FAMILIES,
    playlists.FAMILIES,
    splits.FAMILIES,
    splits_with_notes_and_files.FAMILIES,
    splits_with_phone.FAMILIES,
    splits_with_wallet.FAMILIES,
    starter.FAMILIES,
    todo.FAMILIES,
    todo_with_money.FAMILIES,
    todo_with_notes_and_files.FAMILIES,
    todo_with_phone.FAMILIES,
    wallet.FAMILIES,
    wallet_with_notes_and_files.FAMILIES,
    wallet_with_phone.FAMILIES,
)
_ORDER = """
like_artist playlist_from_genre most_played_by_artist rate_album trim_playlist follow_playlist_artists
merge_two_playlists total_sent_since approve_from_person like_by_note deny_large_requests collect_from_relation
pay_relation remind_debtors collect_from_texters text_relation silence_early_alarms new_number count_mentions
delete_old_texts answer_missed_calls add_up_note extend_list_note tag_notes_mentioning phone_numbers_note
delete_by_extension gather_files receipts_total complete_backup finish_due_tasks raise_priority tasks_from_checklist
move_overdue owed_in_group expense_without_one settle_group_debts comment_on_bills queue_setlist save_tipped_albums
best_rated_listed file_voice_messages clear_idle_alarms lead_alarm alarms_from_timetable purge_long_voices
archive_stale_notes pin_only_these copy_note_per_contact archived_notes_to_files expenses_from_tasks
match_group_to_note tick_off_payers left_after_bills balance_left_without largest_top_up_card renew_card_from_note
cover_debts_exactly merge_contacts longest_circle adopt_texters voice_to_group forget_low_rated raters_of_song
artists_by_note every_genre_playlist transcribe_voice_messages log_missing_day refresh_price_file
compare_with_backup absent_from_expenses withdraw_comments misplaced_payments texted_expense_groups
pack_idle_folders delete_hollow_folders file_by_year missing_papers friends_of_one_kind merge_sent_requests
reword_comments hide_payments_in_note restart_group group_as_in_note drop_settled_groups opposite_debts cue_song
queue_recommendations trade_albums albums_by_stars prefix_note_titles fullest_checklist drop_rare_tags
tick_off_done_items clear_project_archive projects_from_note fold_rare_labels reopen_yesterdays sync_steps_with_file
reset_routine_task last_remark_before purge_done_mentions fill_tape_side over_budget_categories phone_plan_charge
pay_tasks_in_turn like_minded_contact tell_their_tasks group_of_payers plan_for_silent unlike_unheard
weekday_of_missed_calls new_since_payback photos_by_trip weekend_tasks_to_monday deadlines_of_requests
running_out_soon birthdays_to_come merge_same_notes alarm_doubles closest_playlists notes_unlike_files
countdown_alarms fill_dinner_queue invite_by_template evening_for_group minutes_for_client complete_song_lines
ask_for_open_lines slot_into_today hashtag_playlist text_parts_paid returned_in_comments tasks_from_voices
unbooked_wallet_payments gaps_in_numbering card_tasks_in_step stale_group_emails share_by_nights bill_with_tip
cancel_paid_requests part_ways letter_for_person note_about_person paid_by_speaker course_to_project rota_for_group
group_from_deposits first_too_dear playlist_chart afford_small_requests debtor_at_place top_texters months_in_notes
labels_from_titles wallet_names expense_spellings project_that_drags whose_turn_to_pay files_per_folder genre_share
join_parts split_by_genre repeated_requests tasks_in_their_place
""".split()
"""The order in which scenarios are drawn: it decides what a run plays, so a new family goes to the end."""
assert len(_ORDER) == len(_FOUND), f"families without a place in the order: {_FOUND.keys() - set(_ORDER)}"

FAMILIES = tuple(_FOUND[name] for name in _ORDER)
