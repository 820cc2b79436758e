"""Names and sentences of the expert: what its functions are called and what it says before a block."""

from __future__ import annotations

import json

_VERBS = ("show_", "search_", "list_", "find_")
APPS = {
    "amazon": "Amazon",
    "file_system": "file system",
    "gmail": "Gmail",
    "phone": "phone",
    "simple_note": "Simple Note",
    "splitwise": "Splitwise",
    "spotify": "Spotify",
    "todoist": "Todoist",
    "venmo": "Venmo",
}


def noun(api: str) -> str:
    """What an API reads.

    >>> noun("search_artists"), noun("show_song_library")
    ('artists', 'song_library')
    """
    for verb in _VERBS:
        if api.startswith(verb):
            return api.removeprefix(verb)
    return api


def singular(name: str) -> str:
    """One of many.

    >>> singular("songs"), singular("song_library"), singular("libraries"), singular("address")
    ('song', 'song', 'library', 'address')
    """
    if name.endswith("_library"):
        return name.removesuffix("_library")
    if name.endswith("ies"):
        return f"{name[:-3]}y"
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def plural(name: str) -> str:
    """Many of one.

    >>> plural("song"), plural("directory"), plural("song_id"), plural("songs")
    ('songs', 'directories', 'song_ids', 'songs')
    """
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return name if name.endswith("s") else f"{name}s"


def title(app: str) -> str:
    return APPS.get(app, app.replace("_", " "))


def literal(value: object) -> str:
    """A value as it is written in Python, text in double quotes.

    >>> literal(["a", {"b": 1.5}, None])
    '["a", {"b": 1.5}, None]'
    """
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return text if text.isprintable() else repr(value)
    if isinstance(value, list):
        return f"[{', '.join(literal(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(one)}' for key, one in value.items())}}}"
    return repr(value)


def kind(value: object) -> str:
    """A value's type as a function's parameter tells it."""
    if isinstance(value, list):
        return f"list[{kind(value[0])}]" if value else "list"
    return "None" if value is None else type(value).__name__
