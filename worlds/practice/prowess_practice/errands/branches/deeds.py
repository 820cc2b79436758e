"""What can be done in each app, once it is decided."""

from __future__ import annotations

from prowess_desk.apps.files import Directory, home
from prowess_desk.engine.family import Draw

from prowess_practice.errands.branches import parts
from prowess_practice.errands.branches.parts import (
    KINDS,
    BranchDeed,
    Choice,
    day,
    finding,
    money,
    number,
    part,
    pick,
    words,
)
from prowess_practice.errands.people.plan import PeopleSlot


def deed(word: str, apps: str, says: str, code: str, *slots: PeopleSlot, pays: bool = False) -> BranchDeed:
    """A deed, in short."""
    return BranchDeed(word=word, apps=tuple(apps.split()), says=says, code=part(code), slots=slots, pays=pays)


def on(
    word: str,
    says: str,
    kind: str,
    slot: str,
    *slots: PeopleSlot,
    api: str = "",
    given: str = "",
    where: str = "True",
    without: str = "",
    field: str = "",
    takes: str = "",
    pays: bool = False,
) -> BranchDeed:
    """A thing is found by its name, and an API is called with it."""
    one = KINDS[kind]
    found = field or one.id
    call = f"apis.{one.app}.{api or word}(access_token={one.app}_token, {takes or found}={found}{given})"
    first = pick(slot, kind, where, without)
    return deed(word, one.app, says, f"{finding(kind, slot, field)}{call}", first, *slots, pays=pays)


def some_folder(draw: Draw) -> str | None:
    """One of the person's folders."""
    found = [row.path for row in draw.state[Directory].of(draw.me.id)]
    return draw.rng.choice(found) if found else None


def _path(draw: Draw) -> str:
    folder = draw.rng.choice(("documents", "downloads", "photos"))
    return f"{home(draw.me)}/{folder}/{draw.rng.choice(('summary', 'outline', 'checklist', 'memo', 'inventory'))}.txt"


def _fresh(draw: Draw) -> str:
    return f"{home(draw.me)}/{draw.rng.choice(('drafts', 'scans', 'sketches', 'exports', 'taxes', 'recipes'))}"


def _archive(draw: Draw) -> str:
    return f"{home(draw.me)}/{draw.rng.choice(('packed', 'bundle', 'snapshot', 'safe-copy'))}.zip"


def _at(name: str, choose: Choice) -> PeopleSlot:
    return PeopleSlot(name=name, kind=str, choose=choose)


_KEPT = 'not one["archived"]'
_FILE = "access_token=files_token, file_path="

MUSIC = (
    on("like_song", 'like the song "{song_to_like}"', "song", "song_to_like", without="show_liked_songs"),
    on("unlike_song", 'take back my like of the song "{liked_song}"', "liked_song", "liked_song"),
    on(
        "add_song_to_library",
        'add the song "{song_to_keep}" to my song library',
        "song",
        "song_to_keep",
        without="show_song_library",
    ),
    on(
        "remove_song_from_library", 'remove the song "{song_to_drop}" from my song library', "kept_song", "song_to_drop"
    ),
    on("add_to_queue", 'put the song "{song_to_queue}" at the end of my play queue', "song", "song_to_queue"),
    on("play_playlist", 'play my playlist "{playlist_to_play}"', "playlist", "playlist_to_play", api="play"),
    on("play_album", 'play the album "{album_to_play}"', "album", "album_to_play", api="play"),
    deed(
        "set_volume",
        "music",
        "set the volume of the music player to {volume}",
        "apis.music.set_volume(access_token=music_token, volume=volume)",
        number("volume", 5, 12, 18, 33, 47, 62, 78, 91),
    ),
    deed(
        "clear_queue",
        "music",
        "empty the play queue of the music player",
        "apis.music.clear_queue(access_token=music_token)",
    ),
    deed(
        "skip_song",
        "music",
        "skip to the next song in the music player",
        'apis.music.skip(access_token=music_token, direction="next")',
    ),
    on(
        "follow_artist",
        'follow the artist "{artist_to_follow}" on music',
        "artist",
        "artist_to_follow",
        without="show_followed_artists",
    ),
    on("unfollow_artist", 'stop following the artist "{artist_to_leave}" on music', "followed", "artist_to_leave"),
    on(
        "open_playlist",
        'make my playlist "{private_playlist}" public',
        "playlist",
        "private_playlist",
        api="update_playlist",
        given=", is_public=True",
        where='not one["is_public"]',
    ),
    on(
        "rename_playlist",
        'rename my playlist "{old_playlist}" to "{new_name}"',
        "playlist",
        "old_playlist",
        words("new_name", parts.MIXES),
        api="update_playlist",
        given=", title=new_name",
    ),
    on("delete_playlist", 'delete my playlist "{playlist_to_delete}"', "playlist", "playlist_to_delete"),
    deed(
        "create_playlist",
        "music",
        'create an empty private playlist titled "{new_playlist}"',
        "apis.music.create_playlist(access_token=music_token, title=new_playlist)",
        words("new_playlist", parts.MIXES),
    ),
    on("like_album", 'like the album "{album_to_like}"', "album", "album_to_like", without="show_liked_albums"),
    on(
        "add_album_to_library",
        'put the album "{album_to_keep}" into my album library',
        "album",
        "album_to_keep",
        without="show_album_library",
    ),
    on(
        "review_song",
        'review the song "{song_to_rate}" with {stars} stars and no text',
        "song",
        "song_to_rate",
        number("stars", 2, 3, 4, 5),
        given=", rating=stars",
        without="show_my_reviews",
    ),
    on(
        "update_review",
        'change the text of my review of the song "{reviewed_song}" to "{verdict}"',
        "review",
        "reviewed_song",
        words("verdict", parts.VERDICTS),
        given=", text=verdict",
    ),
    on("delete_review", 'delete my review of the song "{song_of_review}"', "review", "song_of_review"),
)

PHONE = (
    on(
        "send_text_message",
        'send my contact "{receiver}" the text message "{message}"',
        "contact",
        "receiver",
        words("message", parts.MESSAGES),
        given=", text=message",
        field="phone_number",
    ),
    on(
        "send_voice_message",
        'leave my contact "{listener}" the voice message "{spoken}"',
        "contact",
        "listener",
        words("spoken", parts.MESSAGES),
        given=", transcript=spoken",
        field="phone_number",
    ),
    deed(
        "create_alarm",
        "phone",
        'set a new alarm with the label "{alarm_label}" for "{alarm_time}"',
        "apis.phone.create_alarm(access_token=phone_token, label=alarm_label, time=alarm_time)",
        words("alarm_label", parts.LABELS),
        words("alarm_time", parts.TIMES),
    ),
    on(
        "silence_alarm",
        'switch off my alarm "{active_alarm}"',
        "alarm",
        "active_alarm",
        api="update_alarm",
        given=", is_enabled=False",
        where='one["is_enabled"]',
    ),
    on(
        "move_alarm",
        'move my alarm "{alarm_to_move}" to "{new_time}"',
        "alarm",
        "alarm_to_move",
        words("new_time", parts.TIMES),
        api="update_alarm",
        given=", time=new_time",
    ),
    on("delete_alarm", 'delete my alarm "{alarm_to_delete}"', "alarm", "alarm_to_delete"),
    on(
        "update_contact",
        'change the address of my contact "{mover}" to "{new_address}"',
        "contact",
        "mover",
        words("new_address", parts.ADDRESSES),
        given=", address=new_address",
    ),
    on("delete_contact", 'delete "{old_contact}" from my phone contacts', "contact", "old_contact"),
    deed(
        "delete_last_text",
        "phone",
        'delete the latest text message that my contact "{texter}" sent me',
        finding("contact", "texter", "phone_number")
        + """\
texts = all_pages(
    apis.phone.show_text_messages,
    access_token=phone_token,
    phone_number=phone_number,
    direction="received",
)
latest = max(texts, key=lambda text: text["sent_at"])
apis.phone.delete_text_message(access_token=phone_token, message_id=latest["message_id"])
""",
        pick("texter", "contact"),
    ),
)

PAPERS = (
    deed(
        "create_note",
        "notes",
        'write a new note titled "{new_title}" with the content "{new_text}"',
        "apis.notes.create_note(access_token=notes_token, title=new_title, content=new_text)",
        words("new_title", parts.TITLES),
        words("new_text", parts.TEXTS),
    ),
    on(
        "append_to_note",
        'add to the end of my note "{note_to_extend}" the line "{new_line}"',
        "note",
        "note_to_extend",
        words("new_line", parts.TEXTS),
        given=", text=new_line",
        where=_KEPT,
    ),
    on("pin_note", 'pin my note "{note_to_pin}"', "note", "note_to_pin", where=f'{_KEPT} and not one["pinned"]'),
    on("archive_note", 'archive my note "{note_to_archive}"', "note", "note_to_archive", where=_KEPT),
    on(
        "tag_note",
        'tag my note "{note_to_tag}" with "{new_tag}"',
        "note",
        "note_to_tag",
        words("new_tag", parts.TAGS),
        given=", tag=new_tag",
    ),
    on("delete_note", 'delete my note "{note_to_delete}"', "note", "note_to_delete"),
    on(
        "duplicate_note",
        'duplicate my note "{note_to_copy}" under the title "{title_of_copy}"',
        "note",
        "note_to_copy",
        words("title_of_copy", "Spare copy|Version two|For the others|To keep"),
        given=", title=title_of_copy",
    ),
    deed(
        "create_file",
        "files",
        'create the file "{new_path}" with the content "{file_text}"',
        f"apis.files.create_file({_FILE}new_path, content=file_text)",
        _at("new_path", _path),
        words("file_text", parts.TEXTS),
    ),
    deed(
        "append_to_file",
        "files",
        'add to the end of my file "{file_to_extend}" the line "{file_line}"',
        f"apis.files.append_to_file({_FILE}file_to_extend, text=file_line)",
        pick("file_to_extend", "file", 'one["path"].endswith((".txt", ".md"))'),
        words("file_line", parts.TEXTS),
    ),
    deed(
        "delete_file",
        "files",
        'delete the file "{file_to_delete}"',
        f"apis.files.delete_file({_FILE}file_to_delete)",
        pick("file_to_delete", "file"),
    ),
    deed(
        "copy_file",
        "files",
        'copy the file "{file_to_copy}" to the same path with ".copy" at the end',
        'destination = f"{file_to_copy}.copy"\n'
        f"apis.files.copy_file({_FILE}file_to_copy, destination_path=destination)",
        pick("file_to_copy", "file"),
    ),
    deed(
        "move_file",
        "files",
        'move the file "{file_to_move}" into my home directory "~", under the same name',
        'destination = "~/" + file_to_move.split("/")[-1]\n'
        f"apis.files.move_file({_FILE}file_to_move, destination_path=destination)",
        pick("file_to_move", "file", 'one["path"].count("/") > 3'),
    ),
    deed(
        "compress_directory",
        "files",
        'compress the folder "{folder_to_pack}" into "{archive_path}" without deleting it',
        "apis.files.compress_directory("
        "access_token=files_token, directory_path=folder_to_pack, archive_path=archive_path)",
        _at("folder_to_pack", some_folder),
        _at("archive_path", _archive),
    ),
    deed(
        "create_directory",
        "files",
        'make a new folder "{new_folder}"',
        "apis.files.create_directory(access_token=files_token, directory_path=new_folder)",
        _at("new_folder", _fresh),
    ),
)


_OPEN, _VALID, _NAMED = 'not one["done"]', 'one["expiry_year"] > 2025', 'one["name"] != "Inbox"'


def _requests(word: str, says: str, listing: str, api: str, *, pays: bool = False) -> BranchDeed:
    """Something done with all pending requests."""
    return deed(
        word,
        "wallet",
        says,
        f'pending = all_pages(apis.wallet.{listing}, access_token=wallet_token, status="pending")\n'
        "for request in pending:\n"
        f'    apis.wallet.{api}(access_token=wallet_token, request_id=request["request_id"])',
        pays=pays,
    )


TODO = (
    deed(
        "create_task",
        "todo",
        'add the task "{new_task}" to my todo project "{project_for_task}"',
        finding("project", "project_for_task")
        + "apis.todo.create_task(access_token=todo_token, title=new_task, project_id=project_id)",
        pick("project_for_task", "project"),
        words("new_task", parts.CHORES),
    ),
    on("mark_task_done", 'mark my task "{task_to_finish}" as done', "task", "task_to_finish", where=_OPEN),
    on("reopen_task", 'reopen my completed task "{done_task}"', "task", "done_task", where='one["done"]'),
    on(
        "label_task",
        'label my task "{task_to_label}" as "{new_label}"',
        "task",
        "task_to_label",
        words("new_label", parts.TAGS),
        given=", label=new_label",
        where=_OPEN,
    ),
    on(
        "rank_task",
        'give my task "{task_to_rank}" the priority {new_priority}',
        "task",
        "task_to_rank",
        number("new_priority", 1, 2, 3),
        api="update_task",
        given=", priority=new_priority",
        where=_OPEN,
    ),
    on(
        "delay_task",
        'set the due date of my task "{task_to_delay}" to {due_day}',
        "task",
        "task_to_delay",
        day("due_day", 2, 40),
        api="update_task",
        given=", due_date=due_day",
        where=_OPEN,
    ),
    on(
        "add_comment",
        'write under my task "{task_in_question}" the comment "{comment}"',
        "task",
        "task_in_question",
        words("comment", parts.TEXTS),
        given=", text=comment",
        where=_OPEN,
    ),
    on(
        "add_subtask",
        'give my task "{task_with_steps}" the subtask "{step}"',
        "task",
        "task_with_steps",
        words("step", parts.CHORES),
        given=", title=step",
        where=_OPEN,
    ),
    on("delete_task", 'delete my task "{task_to_delete}"', "task", "task_to_delete"),
    deed(
        "move_task",
        "todo",
        'move my task "{task_to_move}" to the project "{target_project}"',
        finding("project", "target_project")
        + finding("task", "task_to_move")
        + "apis.todo.move_task(access_token=todo_token, task_id=task_id, project_id=project_id)",
        pick("task_to_move", "task"),
        pick("target_project", "project"),
    ),
    deed(
        "create_project",
        "todo",
        'create a todo project named "{new_project}" in the color "{new_color}"',
        "apis.todo.create_project(access_token=todo_token, name=new_project, color=new_color)",
        words("new_project", "Attic|Spring market|Night school|Bicycle tour|Photo wall|Balcony"),
        words("new_color", parts.COLORS),
    ),
    on(
        "paint_project",
        'give my todo project "{project_to_paint}" the color "{color}"',
        "project",
        "project_to_paint",
        words("color", parts.COLORS),
        api="update_project",
        given=", color=color",
        where=_NAMED,
    ),
    on(
        "archive_project",
        'archive my todo project "{old_project}"',
        "project",
        "old_project",
        api="update_project",
        given=", archived=True",
        where=_NAMED,
    ),
)

WALLET = (
    on(
        "send_payment",
        'pay my wallet friend "{payee}" with the note "{reason}" the sum of {amount} dollars',
        "friend",
        "payee",
        words("reason", parts.REASONS),
        money("amount", 2, 25),
        given=", amount=amount, note=reason",
        takes="receiver_email",
        pays=True,
    ),
    on(
        "request_payment",
        'request from my wallet friend "{debtor}" with the note "{purpose}" the sum of {sum_asked} dollars',
        "friend",
        "debtor",
        words("purpose", parts.REASONS),
        money("sum_asked", 3, 60),
        given=", amount=sum_asked, note=purpose",
        takes="payer_email",
    ),
    on(
        "top_up_balance",
        'top up my wallet from my card "{card}" by {top_up} dollars',
        "card",
        "card",
        money("top_up", 20, 150),
        given=", amount=top_up",
        where=_VALID,
    ),
    on(
        "withdraw_balance",
        'withdraw from my wallet to my card "{target_card}" the sum of {withdrawal} dollars',
        "card",
        "target_card",
        money("withdrawal", 3, 30),
        given=", amount=withdrawal",
        where=_VALID,
        pays=True,
    ),
    on(
        "add_friend",
        'add the wallet user "{new_friend}" to my friends there',
        "user",
        "new_friend",
        where='one["email"] != apis.supervisor.show_profile()["email"]',
        without="show_friends",
    ),
    on("remove_friend", 'remove "{old_friend}" from my wallet friends', "friend", "old_friend"),
    _requests(
        "approve_requests",
        "approve every pending payment request that I got in the wallet",
        "show_received_requests",
        "approve_request",
        pays=True,
    ),
    _requests(
        "deny_requests",
        "deny all the payment requests to me that are pending in the wallet",
        "show_received_requests",
        "deny_request",
    ),
    _requests(
        "cancel_requests",
        "cancel all payment requests of mine that are still pending in the wallet",
        "show_sent_requests",
        "cancel_request",
    ),
    deed(
        "comment_payment",
        "wallet",
        'comment on the latest payment, sent or received, in my wallet with "{remark}"',
        """\
transactions = all_pages(apis.wallet.show_transactions, access_token=wallet_token)
latest = max(transactions, key=lambda transaction: transaction["created_at"])
apis.wallet.add_transaction_comment(
    access_token=wallet_token, transaction_id=latest["transaction_id"], text=remark
)
""",
        words("remark", "Noted.|Is this right?|Thanks again!|All settled."),
    ),
)

SPLITS = (
    deed(
        "add_member",
        "phone splits",
        'add my contact "{new_member}" to the splits group "{group_to_join}"',
        finding("contact", "new_member", "email")
        + finding("group", "group_to_join")
        + "apis.splits.add_member(access_token=splits_token, group_id=group_id, email=email)",
        pick("new_member", "contact"),
        pick("group_to_join", "group"),
    ),
    on(
        "rename_group",
        'rename the splits group "{old_group}" to "{new_group_name}"',
        "group",
        "old_group",
        words("new_group_name", "Our House|The Travelers|Table Five|Rowing Team|Sunday Cooks"),
        given=", name=new_group_name",
    ),
    deed(
        "add_expense",
        "splits",
        'record in the splits group "{paying_group}" an expense that I paid, described as "{expense_text}", split'
        " equally among all its members and amounting to {cost} dollars",
        """\
groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=paying_group)
group = next(one for one in groups if one["name"] == paying_group)
emails = [member["email"] for member in group["members"]]
apis.splits.add_expense(
    access_token=splits_token,
    description=expense_text,
    amount=cost,
    participant_emails=emails,
    group_id=group["group_id"],
)
""",
        pick("paying_group", "group"),
        words("expense_text", "New kettle|Bread and cheese|Parking|Paint|Rope and hooks|Lamp oil"),
        money("cost", 10, 90),
    ),
    deed(
        "comment_expense",
        "splits",
        'comment on the latest expense of the splits group "{group_of_expense}" with "{question}"',
        finding("group", "group_of_expense")
        + """\
expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=group_id)
latest = max(expenses, key=lambda expense: expense["created_at"])
apis.splits.add_expense_comment(access_token=splits_token, expense_id=latest["expense_id"], text=question)
""",
        pick("group_of_expense", "group"),
        words("question", "What was this for?|Can we talk about it?|Looks fine to me.|Who has the receipt?"),
    ),
    deed(
        "create_group",
        "phone splits",
        'create a splits group of me and my contact "{partner}" that is called "{new_group}"',
        finding("contact", "partner", "email")
        + "apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=[email])",
        pick("partner", "contact"),
        words("new_group", parts.GROUPS),
    ),
    deed(
        "record_payment",
        "phone splits",
        'record on splits, outside any group, that I paid back to my contact "{repaid}" {paid_back} dollars',
        finding("contact", "repaid", "email")
        + """\
my_email = apis.supervisor.show_profile()["email"]
apis.splits.record_payment(
    access_token=splits_token, payer_email=my_email, receiver_email=email, amount=paid_back
)
""",
        pick("repaid", "contact"),
        money("paid_back", 2, 40),
    ),
)
