"""What an output says went wrong, in a sentence: read off a conversation, by whoever has to mend it."""

from __future__ import annotations

import re

NOTHING = frozenset({"0", "0.0", "[]", "{}", "set()"})
"""Outputs of code that ran, and found or did nothing. Not `None`: some functions have nothing to say."""
LONGEST = 200
"""Characters of an error that are said again."""

_SAYINGS = (
    (r"KeyError: (.+)", "There is no {0} in it."),
    (r"TypeError: list indices must be integers.*", "That is a list: it has no names for its parts."),
    (r"TypeError: string indices must be integers.*", "That is a text: it has no names for its parts."),
    (r"StopIteration", "Nothing like that was found."),
    (r"NameError: name '(\w+)' is not defined", "`{0}` was not defined."),
    (r"IndexError: .*", "There are not so many."),
)
"""What errors of Python mean here; any other is said as it stands."""


def failed(message: str) -> bool:
    """Whether a message shows that code failed."""
    return "Execution failed." in message


def trouble_in(message: str) -> str:
    """What went wrong in the output that a message shows; empty where nothing did.

    >>> trouble_in("Output:\\n\\n```\\nExecution failed. Traceback:\\n  ...\\nKeyError: 'date'\\n```")
    "There is no 'date' in it."
    >>> trouble_in("Output:\\n\\n```\\n0\\n\\n```\\n\\nTask: ..."), trouble_in("Output:\\n\\n```\\n3\\n\\n```")
    ('That came to nothing, so something in it is wrong.', '')
    """
    output = _output(message)
    if not failed(message):
        return "That came to nothing, so something in it is wrong." if output.strip() in NOTHING else ""
    if answer := re.search(r'"message": "((?:[^"\\]|\\.)+)"', output):
        return f"The answer is: {_plain(answer[1])}"
    last = next((line for line in reversed(output.splitlines()) if line.strip()), "")
    for pattern, saying in _SAYINGS:
        if found := re.fullmatch(pattern, last.strip()):
            return saying.format(*map(_plain, found.groups()))
    return f"That failed: {_plain(last.strip())}"


def _output(message: str) -> str:
    """What stands between the first fence of a message and its end."""
    found = re.search(r"^(`{3,})\w*\n(.*?)^\1", message, flags=re.MULTILINE | re.DOTALL)
    return found[2] if found else message


def _plain(text: str) -> str:
    """A line of somebody else's, fit to be said: no fences, not too long."""
    text = text.replace("`", "'").replace('\\"', '"')
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
