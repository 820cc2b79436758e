"""Accounts that hold n of everything that an app keeps, and a call of each of its APIs that finds what it needs there.

What can grow together does: n tasks lie in one project, with n comments under them; n expenses lie in one group, and n
in n others. One row of a kind holds lists of n items. Calls bring texts of five times n letters, and lists of n items.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TypeVar

from prowess_desk.apps import files, mail, music, notes, phone, shop, splits, todo, wallet
from prowess_desk.engine.api import Session
from prowess_desk.engine.people import APPS_WITH_LOGIN, password
from prowess_desk.engine.tables import State
from prowess_desk.engine.universe import NOW, universe

from prowess.types import Json

SEED = 7
WORLD = universe(SEED)
ME, FRIEND = WORLD.people[:2]
ADDRESSES = [person.email for person in WORLD.people]
MADE = TypeVar("MADE")
Calls = dict[str, dict[str, Json]]


class Crowd:
    """A state that is filled, n things at a time."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.state = WORLD.state()

    def one(self, add: Callable[[State], MADE]) -> MADE:
        return add(self.state)

    def fill(self, add: Callable[[State, int], MADE]) -> MADE:
        """Add one for each of n numbers, and give the last. Each fork has room for so many more."""
        self.state = self.state.fork()
        made = [add(self.state, number) for number in range(self.n)]
        self.state = self.state.fork()
        return made[-1]

    @property
    def text(self) -> str:
        return "x" * (5 * self.n)

    @property
    def words(self) -> list[str]:
        return [f"w{number}" for number in range(self.n)]

    def session(self) -> Session:
        """Somebody who is logged in n times."""
        found = Session(supervisor=ME, instruction="", universe=SEED, seed=1)
        found.tokens = {(app, f"{number}"): ME.id for app in APPS_WITH_LOGIN for number in range(self.n // 10)}
        return found


def account(app: str) -> dict[str, Json]:
    """What one logs in to an app with."""
    return {"username": ME.phone if app == "phone" else ME.email, "password": password(SEED, ME, app)}


def of_supervisor(crowd: Crowd) -> Calls:
    return {"complete_task": {"answer": [*crowd.words]}}


def of_api_docs(crowd: Crowd) -> Calls:
    return {
        "show_api_descriptions": {"app_name": "music"},
        "show_api_doc": {"app_name": "music", "api_name": "login"},
        "search_api_docs": {"query": " ".join(crowd.words)[:50_000]},
    }


def of_notes(crowd: Crowd) -> Calls:
    made = crowd.fill(lambda state, i: notes.write_note(state, ME.id, f"note {i}", "some text", ["all", f"tag {i}"]))
    kept = crowd.one(lambda state: notes.write_note(state, ME.id, "kept", crowd.text, crowd.words, pinned=True))
    crowd.state[notes.Note].change(kept.id, archived=True)
    one, wide = {"note_id": made.id}, {"note_id": kept.id}
    return {
        "list_notes": {"tag": "all", "pinned": False, "page_limit": 20},
        "search_notes": {"query": "some", "page_limit": 20},
        "show_note": wide,
        "create_note": {"title": crowd.text, "content": crowd.text, "tags": [*crowd.words]},
        "update_note": {**wide, "title": crowd.text, "content": crowd.text, "tags": [*crowd.words]},
        "append_to_note": {**wide, "text": crowd.text},
        "delete_note": wide,
        "duplicate_note": {**wide, "title": crowd.text},
        "pin_note": one,
        "unpin_note": wide,
        "archive_note": one,
        "unarchive_note": wide,
        "tag_note": {**wide, "tag": crowd.text},
        "untag_note": {**wide, "tag": "w0"},
    }


def of_files(crowd: Crowd) -> Calls:
    home = files.home(ME)
    crowd.one(lambda state: files.make_directory(state, ME.id, f"{home}/big"))
    crowd.fill(
        lambda state, i: state[files.Directory].add(
            lambda id: files.Directory(id=id, owner=ME.id, path=f"{home}/big/d{i}", created_at=NOW)
        )
    )
    crowd.fill(
        lambda state, i: state[files.File].add(
            lambda id: files.File(
                id=id, owner=ME.id, path=f"{home}/big/d{i}/f", content="some text", created_at=NOW, updated_at=NOW
            )
        )
    )
    file, new = {"file_path": "~/big/d1/f"}, {"destination_path": "~/big/new"}
    return {
        "show_directory": {"directory_path": "~/big", "recursive": True},
        "search_files": {"query": "f some", "directory_path": "~/big", "in_content": True, "page_limit": 20},
        "show_file": file,
        "file_exists": file,
        "directory_exists": {"directory_path": "~/big"},
        "create_file": {"file_path": "~/big/new", "content": crowd.text},
        "update_file": {**file, "content": crowd.text},
        "append_to_file": {**file, "text": crowd.text},
        "delete_file": file,
        "copy_file": {**file, **new},
        "move_file": {**file, **new},
        "create_directory": {"directory_path": "~" + "/d" * min(crowd.n // 20, 480)},
        "delete_directory": {"directory_path": "~/big", "recursive": True},
        "compress_directory": {"directory_path": "~/big", "archive_path": "~/big.zip", "delete_directory": True},
    }


def of_mail(crowd: Crowd) -> Calls:
    """A mail to everybody is kept fifty times: it may not be as large as others are here."""
    few = crowd.words[: crowd.n // 20]
    first = crowd.one(lambda state: mail.receive(state, ME.id, FRIEND.email, "first", "text", ["a.txt"]))
    for name in ("labels", "recipients"):
        crowd.state[mail.Mail].change(first.id, **{name: tuple(sorted(crowd.words))})
    crowd.fill(lambda state, i: mail.receive(state, ME.id, FRIEND.email, f"mail {i}", "text", mail=first))
    thread = crowd.fill(
        lambda state, i: state[mail.Mail].put(
            state[mail.Mail].change(
                mail.receive(state, ME.id, FRIEND.email, f"mail {i}", "text").id,
                thread=first.id,
                labels=("all", f"label {i}"),
            )
        )
    )
    draft = crowd.one(lambda state: mail.draft(state, ME.id, ADDRESSES, "draft", "text", few))
    starred = crowd.one(lambda state: mail.star(state, mail.receive(state, ME.id, FRIEND.email, "a", "b").id))
    trash = crowd.one(
        lambda state: mail.file_under(state, mail.receive(state, ME.id, FRIEND.email, "a", "b").id, "trash")
    )
    one, wide, kept = {"mail_id": thread.id}, {"mail_id": first.id}, {"mail_id": draft.id}
    many = [ADDRESSES[i % len(ADDRESSES)] for i in range(crowd.n)]
    letter: dict[str, Json] = {"recipients": [*many], "subject": "subject", "body": crowd.text, "attachments": [*few]}
    return {
        "list_mails": {"label": "all", "page_limit": 20},
        "search_mails": {"query": "mail", "sender": FRIEND.email, "sent_from": "2020-01-01", "page_limit": 20},
        "show_mail": wide,
        "show_thread": {"thread_id": first.id},
        "send_mail": letter,
        "reply_to_mail": {**one, "body": crowd.text, "reply_to_all": True},
        "forward_mail": {**wide, "recipients": [*many], "comment": crowd.text},
        "create_draft": letter,
        "update_draft": {**kept, **letter},
        "send_draft": kept,
        "delete_draft": kept,
        "mark_read": one,
        "mark_unread": one,
        "star_mail": one,
        "unstar_mail": {"mail_id": starred.id},
        "label_mail": {**wide, "label": crowd.text},
        "unlabel_mail": {**wide, "label": "w0"},
        "archive_mail": one,
        "move_mail": {**one, "folder": "spam"},
        "delete_mail": {"mail_id": trash.id},
    }


def of_todo(crowd: Crowd) -> Calls:
    project = crowd.one(lambda state: todo.add_project(state, ME.id, "large"))
    crowd.fill(lambda state, i: todo.add_project(state, ME.id, f"project {i}"))
    task = crowd.fill(
        lambda state, i: todo.add_task(
            state, ME.id, f"task {i}", project=project.id, labels=("all", f"label {i}"), due=date(2025, 6, 1)
        )
    )
    low = task.id - crowd.n + 1
    crowd.fill(lambda state, i: todo.comment(state, low + i, f"comment {i}"))
    comment = crowd.fill(lambda state, i: todo.comment(state, low, f"comment {i}"))
    wide = crowd.one(
        lambda state: todo.add_task(
            state, ME.id, "wide", description=crowd.text, labels=crowd.words, subtasks=crowd.words
        )
    )
    done = crowd.one(lambda state: todo.finish(state, todo.add_task(state, ME.id, "done").id))
    one, other = {"task_id": low}, {"task_id": wide.id}
    fields: dict[str, Json] = {
        "title": crowd.text,
        "description": crowd.text,
        "due_date": "2025-06-01",
        "labels": [*crowd.words],
    }
    return {
        "list_projects": {"page_limit": 20},
        "create_project": {"name": crowd.text},
        "update_project": {"project_id": project.id, "name": crowd.text},
        "delete_project": {"project_id": project.id},
        "list_tasks": {"project_id": project.id, "label": "all", "sort_by": "due_date", "page_limit": 20},
        "search_tasks": {"query": "task", "page_limit": 20},
        "show_task": other,
        "create_task": {"project_id": project.id, **fields},
        "update_task": {**other, **fields},
        "mark_task_done": one,
        "reopen_task": {"task_id": done.id},
        "move_task": {**other, "project_id": project.id},
        "delete_task": one,
        "label_task": {**other, "label": crowd.text},
        "unlabel_task": {**other, "label": "w0"},
        "add_subtask": {**other, "title": crowd.text},
        "update_subtask": {**other, "subtask_number": crowd.n},
        "delete_subtask": {**other, "subtask_number": 1},
        "list_comments": {**one, "page_limit": 20},
        "add_comment": {**one, "text": crowd.text},
        "delete_comment": {"comment_id": comment.id},
    }


def of_wallet(crowd: Crowd) -> Calls:
    payment = crowd.fill(lambda state, i: wallet.transfer(state, ME.id, FRIEND.id, 1, f"note {i}"))
    crowd.state[wallet.WalletAccount].change(ME.id, cents=10**6, friend_ids=tuple(range(3, 51)))
    liked = crowd.one(lambda state: wallet.like_payment(state, payment.id - 1, ME.id))
    crowd.fill(lambda state, i: wallet.comment(state, payment.id - i, ME.id, f"comment {i}"))
    comment = crowd.fill(lambda state, i: wallet.comment(state, payment.id, ME.id, f"comment {i}"))
    asked = crowd.fill(lambda state, i: wallet.request(state, FRIEND.id, ME.id, 1, f"note {i}"))
    asking = crowd.fill(lambda state, i: wallet.request(state, ME.id, FRIEND.id, 1, f"note {i}"))
    card = crowd.fill(
        lambda state, i: wallet.add_card(state, ME.id, f"card {i}", f"{i:016d}", expiry_year=2099, expiry_month=1)
    )
    crowd.fill(lambda state, i: wallet.top_up(state, card.id, 1))
    one = {"transaction_id": payment.id}
    friend, money = FRIEND.email, {"amount": 1.5}
    return {
        "show_transactions": {"query": "note", "user_email": friend, "from_date": "2020-01-01", "page_limit": 20},
        "show_transaction": one,
        "send_payment": {"receiver_email": friend, **money, "note": crowd.text},
        "update_transaction": {**one, "note": crowd.text},
        "like_transaction": one,
        "unlike_transaction": {"transaction_id": liked.id},
        "show_transaction_comments": {**one, "page_limit": 20},
        "add_transaction_comment": {**one, "text": crowd.text},
        "delete_transaction_comment": {"comment_id": comment.id},
        "show_sent_requests": {"status": "pending", "page_limit": 20},
        "show_received_requests": {"status": "pending", "page_limit": 20},
        "request_payment": {"payer_email": friend, **money, "note": crowd.text},
        "approve_request": {"request_id": asked.id},
        "deny_request": {"request_id": asked.id},
        "cancel_request": {"request_id": asking.id},
        "add_card": {"name": crowd.text, "number": "9" * 16, "expiry_year": 2099, "expiry_month": 1},
        "delete_card": {"card_id": card.id},
        "top_up_balance": {"card_id": card.id, **money},
        "withdraw_balance": {"card_id": card.id, **money},
        "show_card_transfers": {"page_limit": 20},
        "search_users": {"query": "example", "page_limit": 20},
        "show_friends": {"query": "example", "page_limit": 20},
        "add_friend": {"email": friend},
        "remove_friend": {"email": ADDRESSES[2]},
    }


def of_music(crowd: Crowd) -> Calls:
    """The catalogue is large here, too."""
    before = {kind: max(row.id for row in crowd.state[kind]) for kind in (music.Artist, music.Album, music.Song)}
    artist = crowd.fill(
        lambda state, i: state[music.Artist].add(lambda id: music.Artist(id=id, name=f"artist {i}", genre=f"genre {i}"))
    )
    song = crowd.fill(
        lambda state, i: state[music.Song].add(
            lambda id: music.Song(
                id=id,
                title=f"song {i}",
                artist=artist.id - i,
                album=before[music.Album] + 1,
                genre=f"genre {i}",
                seconds=100 + i,
                released=date(2020, 1, 1),
                plays=i,
            )
        )
    )
    ids = tuple(range(before[music.Song] + 1, song.id))
    album = crowd.fill(
        lambda state, i: state[music.Album].add(
            lambda id: music.Album(
                id=id,
                title=f"album {i}",
                artist=artist.id,
                genre="genre 1",
                released=date(2020, 1, 1),
                song_ids=() if i else ids,
            )
        )
    )
    albums = tuple(range(before[music.Album] + 1, album.id))
    artists = tuple(range(before[music.Artist] + 1, artist.id))
    crowd.state[music.Listener].change(ME.id, liked_song_ids=ids, liked_album_ids=albums, followed_artist_ids=artists)
    crowd.fill(lambda state, i: music.save_song(state, ME.id, ids[i % (crowd.n // 2)]))
    crowd.fill(lambda state, i: music.save_album(state, ME.id, albums[i % (crowd.n // 2)]))
    crowd.fill(lambda state, i: music.create_playlist(state, ME.id, f"list {i}"))
    playlist = crowd.one(lambda state: music.create_playlist(state, ME.id, "wide", ids))
    crowd.one(lambda state: music.play(state, ME.id, ids))
    crowd.fill(
        lambda state, i: state[music.PlayCount].add(
            lambda id: music.PlayCount(id=id, owner=ME.id, song=ids[0], plays=i, last_at=NOW - timedelta(minutes=i))
        )
    )
    crowd.fill(lambda state, i: music.review(state, FRIEND.id, song.id, 3, "fine"))
    review = crowd.fill(lambda state, i: music.review(state, ME.id, ids[i % (crowd.n // 2)], 3, "fine"))
    many, one = {"page_limit": 20}, {"song_id": ids[0]}
    mine = {"playlist_id": playlist.id}
    return {
        "search_songs": {"query": "song", "min_release_date": "2000-01-01", "sort_by": "duration", **many},
        "search_albums": {"query": "album", **many},
        "search_artists": {"query": "artist", **many},
        "show_song": {"song_id": song.id},
        "show_album": {"album_id": before[music.Album] + 1},
        "show_artist": {"artist_id": artist.id},
        "show_song_library": many,
        "add_song_to_library": {"song_id": song.id},
        "remove_song_from_library": one,
        "show_album_library": many,
        "add_album_to_library": {"album_id": album.id},
        "remove_album_from_library": {"album_id": albums[0]},
        "show_liked_songs": many,
        "like_song": {"song_id": song.id},
        "unlike_song": one,
        "show_liked_albums": many,
        "like_album": {"album_id": album.id},
        "unlike_album": {"album_id": albums[0]},
        "show_followed_artists": many,
        "follow_artist": {"artist_id": artist.id},
        "unfollow_artist": {"artist_id": artists[0]},
        "show_recommendations": many,
        "show_play_history": many,
        "show_playlists": {"query": "list", **many},
        "show_playlist": mine,
        "create_playlist": {"title": crowd.text},
        "update_playlist": {**mine, "title": crowd.text},
        "delete_playlist": mine,
        "add_song_to_playlist": {**mine, "song_id": song.id},
        "remove_song_from_playlist": {**mine, **one},
        "play": mine,
        "add_to_queue": one,
        "set_volume": {"volume": 3},
        "show_song_reviews": {"song_id": song.id, **many},
        "show_my_reviews": many,
        "review_song": {"song_id": song.id, "rating": 3, "text": crowd.text},
        "update_review": {"review_id": review.id, "text": crowd.text},
        "delete_review": {"review_id": review.id},
    }


def of_shop(crowd: Crowd) -> Calls:
    """The catalogue is large here, too."""
    product = crowd.fill(
        lambda state, i: state[shop.Product].add(
            lambda id: shop.Product(
                id=id,
                name=f"product {i}",
                category="books",
                price=100 + i,
                rating=3.0,
                stock=99,
                seller=f"seller {i}",
                delivery_days=2,
            )
        )
    )
    low = product.id - crowd.n + 1
    crowd.fill(lambda state, i: shop.review(state, FRIEND.id, product.id, 3, "title", "text"))
    review = crowd.fill(lambda state, i: shop.review(state, ME.id, product.id - 1, 3, "title", "text"))
    crowd.one(lambda state: shop.clear(state, ME.id))
    crowd.fill(
        lambda state, i: state[shop.CartItem].add(
            lambda id: shop.CartItem(id=id, owner=ME.id, product_id=low + max(i - 1, 0), quantity=1)
        )
    )
    crowd.fill(lambda state, i: shop.wish(state, ME.id, low + max(i - 1, 0)))
    card = crowd.fill(lambda state, i: shop.add_card(state, ME.id, f"card {i}", "1" * 16, date(2099, 1, 31)))
    order = crowd.fill(
        lambda state, i: state[shop.Order].add(
            lambda id: shop.Order(
                id=id,
                owner=ME.id,
                card_id=card.id,
                address="",
                tracking="",
                placed_at=NOW,
                expected=date(2025, 6, 1),
                lines=(shop.Line(product_id=low + i, quantity=1, price=1),),
                status="placed",
            )
        )
    )
    wide = crowd.one(
        lambda state: state[shop.Order].put(
            state[shop.Order].change(
                order.id - 1,
                status="delivered",
                tracking="T",
                lines=tuple(shop.Line(product_id=low + i, quantity=1, price=1) for i in range(crowd.n)),
            )
        )
    )
    crowd.fill(
        lambda state, i: state[shop.Return].add(
            lambda id: shop.Return(
                id=id, owner=ME.id, order_id=wide.id, product_id=low + max(i - 1, 0), reason="damaged", requested_at=NOW
            )
        )
    )
    many, old = {"page_limit": 20}, {"product_id": low}
    return {
        "search_products": {"query": "product", "seller": "seller 1", "sort_by": "price", **many},
        "show_product": old,
        "list_product_reviews": {"product_id": product.id, **many},
        "list_my_reviews": many,
        "write_review": {"product_id": product.id, "stars": 3, "title": crowd.text, "text": crowd.text},
        "update_review": {"review_id": review.id, "title": crowd.text, "text": crowd.text},
        "delete_review": {"review_id": review.id},
        "add_to_cart": {"product_id": product.id},
        "update_cart_quantity": {**old, "quantity": 2},
        "remove_from_cart": old,
        "show_wish_list": many,
        "add_to_wish_list": {"product_id": product.id},
        "remove_from_wish_list": old,
        "add_payment_card": {"name": crowd.text, "number": "1" * 16, "expiry_year": 2099, "expiry_month": 1},
        "delete_payment_card": {"payment_card_id": card.id},
        "place_order": {"payment_card_id": card.id},
        "list_orders": {"query": "product", **many},
        "show_order": {"order_id": wide.id},
        "track_order": {"order_id": wide.id},
        "cancel_order": {"order_id": order.id},
        "return_item": {"order_id": wide.id, "product_id": product.id},
        "list_returns": many,
    }


def of_phone(crowd: Crowd) -> Calls:
    contact = crowd.fill(
        lambda state, i: phone.add_contact(state, ME.id, f"name {i}", f"{i:010d}", relationships=("all", f"tie {i}"))
    )
    wide = crowd.one(lambda state: phone.change_contact(state, contact.id, relationships=crowd.words))
    text = crowd.fill(lambda state, i: phone.send_text(state, ME.id, WORLD.people[1 + i % 49].id, f"text {i}"))
    voice = crowd.fill(lambda state, i: phone.send_voice(state, ME.id, WORLD.people[1 + i % 49].id, f"text {i}"))
    crowd.fill(
        lambda state, i: state[phone.Call].add(
            lambda id: phone.Call(id=id, caller=ME.id, callee=FRIEND.id, started_at=NOW, seconds=3)
        )
    )
    alarm = crowd.fill(lambda state, i: phone.create_alarm(state, ME.id, f"alarm {i}", "10:00"))
    number, days = {"phone_number": FRIEND.phone}, ["monday"] * crowd.n
    fields: dict[str, Json] = {
        "name": crowd.text,
        "phone_number": "9999999999",
        "email": crowd.text,
        "relationships": [*crowd.words],
        "birthday": "1990-01-01",
        "address": crowd.text,
    }
    clock: dict[str, Json] = {"label": crowd.text, "time": "10:00", "repeat_days": [*days]}
    return {
        "show_contacts": {"query": "name", "relationship": "all", "page_limit": 20},
        "show_contact": {"contact_id": wide.id},
        "add_contact": fields,
        "update_contact": {"contact_id": wide.id, **fields},
        "delete_contact": {"contact_id": wide.id},
        "show_conversations": {"page_limit": 20},
        "show_text_messages": {"query": "text", **number, "from_date": "2020-01-01", "page_limit": 20},
        "send_text_message": {**number, "text": crowd.text},
        "delete_text_message": {"message_id": text.id},
        "show_voice_messages": {"query": "text", **number, "page_limit": 20},
        "send_voice_message": {**number, "transcript": crowd.text},
        "delete_voice_message": {"message_id": voice.id},
        "show_call_log": {**number, "from_date": "2020-01-01", "page_limit": 20},
        "show_alarms": {"query": "alarm", "page_limit": 20},
        "show_alarm": {"alarm_id": alarm.id},
        "create_alarm": clock,
        "update_alarm": {"alarm_id": alarm.id, **clock},
        "delete_alarm": {"alarm_id": alarm.id},
    }


def of_splits(crowd: Crowd) -> Calls:
    """Nobody owes anything in the group that may be deleted: every expense in it was for who paid it."""
    even = crowd.one(lambda state: splits.create_group(state, ME.id, "even", ()))
    odd = crowd.one(lambda state: splits.create_group(state, ME.id, "odd", [FRIEND.id]))
    group = crowd.fill(lambda state, i: splits.create_group(state, ME.id, f"group {i}", [FRIEND.id]))
    both, low = splits.equal_shares(100, (ME.id, FRIEND.id)), group.id - crowd.n + 1
    crowd.fill(lambda state, i: splits.add_expense(state, ME.id, f"thing {i}", 100, both, group=low + i))
    crowd.fill(lambda state, i: splits.add_expense(state, ME.id, f"thing {i}", 100, both, group=odd.id))
    mine = crowd.fill(
        lambda state, i: splits.add_expense(state, ME.id, f"thing {i}", 100, ((ME.id, 100),), group=even.id)
    )
    crowd.fill(lambda state, i: splits.comment(state, mine.id - i, ME.id, f"comment {i}"))
    comment = crowd.fill(lambda state, i: splits.comment(state, mine.id, ME.id, f"comment {i}"))
    repaid = crowd.fill(lambda state, i: splits.repay(state, ME.id, FRIEND.id, ME.id, 1, group=low + i))
    friend, one, many = {"email": FRIEND.email}, {"expense_id": mine.id}, {"page_limit": 20}
    emails = [ADDRESSES[i % len(ADDRESSES)] for i in range(crowd.n)]
    cost: dict[str, Json] = {"amount": 10.0, "description": crowd.text, "participant_emails": [*ADDRESSES]}
    return {
        "show_groups": {"query": "group", **many},
        "show_group": {"group_id": odd.id},
        "create_group": {"name": crowd.text, "member_emails": [*emails]},
        "rename_group": {"group_id": odd.id, "name": crowd.text},
        "delete_group": {"group_id": even.id},
        "add_member": {"group_id": even.id, **friend},
        "remove_member": {"group_id": even.id, "email": ME.email},
        "show_expenses": {"query": "thing", "group_id": odd.id, "from_date": "2020-01-01", **many},
        "show_expense": one,
        "add_expense": cost,
        "update_expense": {"expense_id": mine.id - 2 * crowd.n, "description": crowd.text},
        "delete_expense": one,
        "show_expense_comments": {**one, **many},
        "add_expense_comment": {**one, "text": crowd.text},
        "delete_expense_comment": {"comment_id": comment.id},
        "show_payments": many,
        "record_payment": {"payer_email": ME.email, "receiver_email": FRIEND.email, "amount": 1.0, "note": crowd.text},
        "settle_up": {**friend, "group_id": odd.id},
        "delete_payment": {"payment_id": repaid.id},
        "show_balances": {},
        "show_person_balance": friend,
        "show_group_balances": {"group_id": odd.id},
        "show_people_who_owe_me": many,
        "show_people_i_owe": many,
    }


FILLED: dict[str, Callable[[Crowd], Calls]] = {
    "api_docs": of_api_docs,
    "supervisor": of_supervisor,
    "music": of_music,
    "wallet": of_wallet,
    "shop": of_shop,
    "mail": of_mail,
    "phone": of_phone,
    "notes": of_notes,
    "files": of_files,
    "todo": of_todo,
    "splits": of_splits,
}
