"""Demonstrations retold in a dialect: names of APIs, arguments and fields replaced all through a conversation.

A model that imitates some dozens of programs learns their names by heart, and says them where they do not belong. Where
the names are none it can know, a conversation can only be continued by copying from the documentation in it. Nothing is
played for this: where a name is replaced everywhere, in documents, code and errors alike, what was played still holds.

    "api_name": "show_playlist"  ...  apis.music.show_playlist(playlist_id=3)
    "api_name": "view_setlist"   ...  apis.music.view_setlist(setlist_ref=3)

Only names of several words are replaced (`song_id`, not `title`): these are never words of a task, nor names with a
meaning to Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from prowess.commands.dataset import Conversation

KEPT = frozenset(
    {
        *("api_docs", "api_name", "app_name", "response_schemas", "show_api_doc", "show_api_descriptions"),
        *("show_app_descriptions", "complete_task", "show_profile", "show_account_passwords", "account_name"),
        *("access_token", "page_index", "page_limit", "phone_number"),
    }
)
"""Names of the documentation itself, of the supervisor, and of what every program does alike."""

WORDS: Mapping[str, Sequence[str]] = {
    # What is done.
    "accept": ("confirm", "grant"),
    "add": ("append", "insert", "put"),
    "approve": ("accept", "grant"),
    "cancel": ("abort", "revoke"),
    "clear": ("empty", "wipe"),
    "create": ("make", "open", "start"),
    "delete": ("erase", "drop", "destroy"),
    "deny": ("decline", "refuse"),
    "like": ("favor", "heart"),
    "list": ("browse", "enumerate", "fetch"),
    "mark": ("flag", "label"),
    "move": ("shift", "relocate"),
    "place": ("submit", "issue"),
    "record": ("log", "enter"),
    "remind": ("nudge", "notify"),
    "remove": ("detach", "discard", "strip"),
    "rename": ("retitle", "relabel"),
    "reply": ("answer", "respond"),
    "request": ("claim", "demand"),
    "review": ("rate", "judge"),
    "search": ("find", "lookup", "query"),
    "send": ("dispatch", "transmit", "post"),
    "show": ("view", "fetch", "read", "get"),
    "update": ("change", "edit", "modify"),
    # What it is done to.
    "album": ("disc", "release"),
    "alarm": ("alert", "wakeup"),
    "artist": ("performer", "musician"),
    "card": ("plastic", "account"),
    "cart": ("basket", "trolley"),
    "comment": ("remark", "annotation"),
    "contact": ("acquaintance", "entry"),
    "directory": ("folder", "place"),
    "expense": ("cost", "outlay"),
    "file": ("document", "item"),
    "group": ("circle", "party"),
    "item": ("piece", "line"),
    "mail": ("letter", "mailing"),
    "member": ("participant", "fellow"),
    "message": ("note", "wire"),
    "note": ("memo", "sheet"),
    "order": ("purchase", "acquisition"),
    "payment": ("transfer", "remittance"),
    "person": ("human", "individual"),
    "playlist": ("mix", "setlist"),
    "product": ("article", "ware"),
    "project": ("board", "plan"),
    "queue": ("lineup", "backlog"),
    "receiver": ("recipient", "target"),
    "relationship": ("relation", "tie"),
    "sender": ("author", "source"),
    "song": ("track", "tune"),
    "subtask": ("step", "part"),
    "tag": ("keyword", "topic"),
    "task": ("todo", "chore"),
    "transaction": ("movement", "booking"),
    "user": ("account", "login_name"),
    # What is known of it.
    "amount": ("sum", "value"),
    "at": ("on", "time"),
    "count": ("number", "tally"),
    "created": ("made", "opened"),
    "date": ("day", "when"),
    "due": ("deadline", "target"),
    "email": ("address", "mailbox"),
    "id": ("ref", "key", "no"),
    "name": ("label", "title"),
    "path": ("location", "route"),
    "status": ("state", "stage"),
    "title": ("heading", "caption"),
    "total": ("sum", "overall"),
    "updated": ("changed", "edited"),
}
"""Other words for the words in names."""

_NAMED = re.compile(r'"(?:api_)?name": "([a-z]+(?:_[a-z]+)+)"|"([a-z]+(?:_[a-z]+)+)":')
"""A name of several words in a document: an API, an argument, or a field of an answer."""


def retold(conversation: Conversation, rng: Random) -> Conversation | None:
    """The conversation in a dialect of its own; None if it documents nothing that could be copied."""
    heard = [message.content for message in conversation.messages if message.role == "user"][1:]
    names = sorted({one or other for text in heard for one, other in _NAMED.findall(text)} - KEPT)
    other = _dialect(names, "\n".join(message.content for message in conversation.messages), rng)
    if not other:
        return None
    pattern = re.compile(rf"\b(?:{'|'.join(other)})\b")
    messages = tuple(
        message
        if message.role == "system"
        else replace(message, content=pattern.sub(lambda found: other[found.group()], message.content))
        for message in conversation.messages
    )
    return replace(conversation, messages=messages)


def _dialect(names: Sequence[str], text: str, rng: Random) -> dict[str, str]:
    """Another name for each that has one: never one that occurs already, never one for two."""
    choice = {word: rng.choice((*others, word)) for word, others in WORDS.items()}
    found: dict[str, str] = {}
    for name in names:
        new = "_".join(_other(word, choice) for word in name.split("_"))
        if new != name and new not in found.values() and not re.search(rf"\b{new}\b", text):
            found[name] = new
    return found


def _other(word: str, choice: Mapping[str, str]) -> str:
    """The word chosen for this one; of several things as of one.

    >>> _other("songs", {"song": "track"}), _other("status", {"statu": "x"})
    ('tracks', 'status')
    """
    if word in choice:
        return choice[word]
    if word.endswith("s") and word[:-1] in choice and word not in ("status",):
        return f"{choice[word[:-1]]}s"
    return word
