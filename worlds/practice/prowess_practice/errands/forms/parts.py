"""What forms are made of: kinds of rows with fields worth writing down, and things done with a text for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prowess_practice.errands.transfers.parts import Slot


@dataclass(frozen=True, slots=True)
class FormField:
    """Something of a row that a text may hold."""

    what: str
    """`title of the song`"""
    code: str
    """`ROW` standing for the row."""
    kind: str
    """What its samples are like: see `pools.sample`."""
    only: str = ""
    """Part of the word of the condition without which it may be missing."""

    @property
    def value(self) -> str:
        """The text of it, as an expression."""
        if self.kind == "amount":
            return f'f"{{{self.quoted}:.2f}}"'
        return f"str({self.code})" if self.kind == "count" else self.code

    @property
    def quoted(self) -> str:
        """As it stands inside of an f-string."""
        return self.code.replace('"', "'")

    @property
    def inside(self) -> str:
        """The part of an f-string that gives it."""
        return f"{{{self.quoted}:.2f}}" if self.kind == "amount" else f"{{{self.quoted}}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKind:
    """A kind of rows."""

    noun: str
    fields: tuple[FormField, ...]
    email: str = ""
    """Where the e-mail address of the person behind a row is, `ROW` standing for the row."""
    phone: str = ""
    """Where the phone number is."""
    who: str = ""
    """`the sender of the message`; empty where the row is the person."""
    when: tuple[str, str] = ("", "")
    """The moment that rows can be put in order by, and how a task says it."""
    size: tuple[str, str] = ("", "")
    """The same with a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormDeed:
    """What is done for each row, with a text."""

    word: str
    do: str
    """`send THEM a text message`"""
    says: str
    """What leads over to the text: `that reads`."""
    noun: str
    """What the text is: `message`."""
    about: str
    """As a docstring says it: `text a contact`."""
    code: str
    """Lines for one row: TEXT stands for the text, ROW for the row, EMAIL and PHONE for the person's."""
    apps: tuple[str, ...]
    before: str = ""
    """Lines before all of them."""
    style: str = "talk"
    slots: tuple[Slot, ...] = ()
    rows: tuple[str, ...] = ()
    """The rows that it is for; none for any."""
    needs: str = ""
    """`email` or `phone`, where it is done to a person."""
    bars: tuple[str, ...] = ()
    """Kinds of fields that it does not go with."""


def deed(
    word: str, api: str, given: str, do: str, says: str, noun: str, about: str, *rows: str, **other: Any
) -> FormDeed:
    """A deed that is one call of an API."""
    app = api.partition(".")[0]
    code = f"apis.{api}(access_token={app}_token, {given})"
    called: dict[str, Any] = {"do": do, "says": says, "noun": noun, "about": about}
    return FormDeed(word=word, code=code, apps=(app,), rows=rows, **called, **other)


def fields(table: str, noun: str) -> tuple[FormField, ...]:
    """Fields as a table has them, each a line `what; code; kind; only`: the noun is put where `what` ends in `of`.

    >>> fields("title of; title; song", "song")
    (FormField(what='title of the song', code='ROW["title"]', kind='song', only=''),)
    """
    found = []
    for line in table.strip().splitlines():
        what, code, kind, *only = (part.strip() for part in line.split(";"))
        said = f"{what} the {noun}" if what.endswith(" of") else what
        field = code if "ROW" in code else f'ROW["{code}"]'
        found.append(FormField(said, field, kind, *only))
    return tuple(found)
