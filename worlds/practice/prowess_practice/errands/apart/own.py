"""What is done to the rows themselves whose texts are read apart, by what a row is."""

from __future__ import annotations

import re
from collections.abc import Mapping

from prowess_practice.errands.apart.use import Use, own_use


def _uses(app: str, table: str) -> tuple[Use, ...]:
    """Uses as a table has them, each a line `word; api; what it is given; do; about; kind`, an id by its name alone."""
    found = []
    for line in table.strip().splitlines():
        word, api, given, *said = (part.strip() for part in line.split(";"))
        given = re.sub(r"^(\w+_id)\b", r'\1=THING["\1"]', given)
        found.append(own_use(word, f"{app}.{api}", given, *said))
    return tuple(found)


_PHONE = 'phone_number=THING["sender"]["phone_number"]'
_RENAMED = 'file_path=THING, destination_path=f"FOLDER/{WHAT}.{ending}"'
OWN: Mapping[str, tuple[Use, ...]] = {
    "task_titles": _uses(
        "todo",
        """tick; mark_task_done; task_id; tick off the task that has it; tick off the tasks
        retitle; update_task; task_id, title=WHAT; change the title of that task to the WHAT alone; retitle the tasks
        redate; update_task; task_id, due_date=KEY; make the KEY the due date of that task; date the tasks; day
        relabel; label_task; task_id, label=KEY; give that task the KEY as a further label; label the tasks; word
        remark; add_comment; task_id, text=WHAT; write the WHAT as a comment under that task; comment on the tasks
        drop; delete_task; task_id; delete the task that has it; delete the tasks
        add_step; add_subtask; task_id, title=WHAT; add a subtask to that task, titled with the WHAT; extend the tasks
        """,
    ),
    "alarm_labels": _uses(
        "phone",
        """retime; update_alarm; alarm_id, time=KEY; set that alarm to the KEY; set the alarms; time
        relabel; update_alarm; alarm_id, label=WHAT; change the label of that alarm to the WHAT alone; label the alarms
        mute; update_alarm; alarm_id, is_enabled=False; switch off the alarm that has it; switch off the alarms
        drop; delete_alarm; alarm_id; delete the alarm that has it; delete the alarms
        resnooze; update_alarm; alarm_id, snooze_minutes=KEY; \
            make the KEY the minutes of snooze of that alarm; set the alarms; count
        """,
    ),
    "note_titles": _uses(
        "notes",
        """retitle; update_note; note_id, title=WHAT; change the title of that note to the WHAT alone; retitle the notes
        tag; tag_note; note_id, tag=KEY; tag that note with the KEY; tag the notes; word
        stow; archive_note; note_id; archive the note that has it; archive the notes
        pin; pin_note; note_id; pin the note that has it; pin the notes
        extend; append_to_note; note_id, text=WHAT; append the WHAT to that note as a line of its own; extend the notes
        drop; delete_note; note_id; delete the note that has it; delete the notes
        """,
    ),
    "playlist_titles": _uses(
        "music",
        """retitle; update_playlist; playlist_id, title=WHAT; \
            change that title to the WHAT alone; retitle the playlists
        publish; update_playlist; playlist_id, is_public=True; make the playlist that has it public; publish playlists
        drop; delete_playlist; playlist_id; delete the playlist that has it; delete the playlists
        """,
    ),
    "file_names": _uses(
        "files",
        """rename; move_file; RENAMED; \
            rename that file to the WHAT alone (in the same folder and with the same ending); rename the files
        drop; delete_file; file_path=THING; delete the file that has it; delete the files
        extend; append_to_file; file_path=THING, text=WHAT; append the WHAT to that file as a line; extend the files
        copy; copy_file; COPIED; \
            copy that file into my folder "~/backups", with the WHAT as the name of the copy (and the same ending);\
            copy the files
        """.replace("RENAMED", _RENAMED.replace("FOLDER", "{folder}")).replace(
            "COPIED", _RENAMED.replace("FOLDER", "~/backups")
        ),
    ),
    "expense_names": _uses(
        "splits",
        """redescribe; update_expense; expense_id, description=WHAT; \
            change that description to the WHAT alone; describe the expenses
        correct; update_expense; expense_id, amount=KEY; \
            make the KEY the amount of that expense (split equally, as before); correct the expenses; amount
        remark; add_expense_comment; expense_id, text=WHAT; comment on that expense with the WHAT; remark on expenses
        drop; delete_expense; expense_id; delete the expense that has it; delete the expenses
        """,
    ),
    "messages_to_me": _uses(
        "phone",
        """drop; delete_text_message; message_id; delete that message from my phone; delete the texts
        reply; send_text_message; PHONE, text=WHAT; text its sender the WHAT and nothing else; answer the texts
        say_back; send_voice_message; PHONE, transcript=WHAT; \
            leave its sender a voice message that says the WHAT and nothing else; answer the texts
        """.replace("PHONE", _PHONE),
    ),
    "request_notes": _uses(
        "wallet",
        """approve; approve_request; request_id; approve the request that has it; approve the requests
        deny; deny_request; request_id; deny the request that has it; deny the requests
        """,
    ),
    "my_request_notes": _uses(
        "wallet", "cancel; cancel_request; request_id; cancel the request that has it; cancel the requests"
    ),
    "project_names": _uses(
        "todo",
        """rename; update_project; project_id, name=WHAT; rename that project to the WHAT alone; rename the projects
        stow; update_project; project_id, archived=True; archive the project that has it; archive the projects
        drop; delete_project; project_id; delete the project that has it; delete the projects
        start; create_task; project_id, title=WHAT; \
            create a task in that project, titled with the WHAT; extend the projects
        """,
    ),
    "payment_notes": _uses(
        "wallet",
        """remark; add_transaction_comment; transaction_id, text=WHAT; \
            comment on that payment with the WHAT and nothing else; remark on the payments
        """,
    ),
    "group_names": _uses(
        "splits", "rename; rename_group; group_id, name=WHAT; rename that group to the WHAT alone; rename the groups"
    ),
}
