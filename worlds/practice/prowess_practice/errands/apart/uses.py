"""What is done with the parts of texts, or asked about them, by what the rows are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess_practice.errands.forms.parts import FormDeed
from prowess_practice.errands.reports.parts import LineSink
from prowess_practice.errands.transfers.parts import Slot, one_of

Keys = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """KEY and WHAT are the parts of a text, THING what has it; all texts that count are `found`."""

    word: str
    apps: tuple[str, ...] = ()
    about: str
    """As a docstring says it."""
    keeps: str = "WHAT"
    """What is kept of each text."""
    code: tuple[str, ...] = ()
    """Lines once all are found."""
    returns: str = "len(found)"
    gives: str = "int"
    slots: tuple[Slot, ...] = ()
    frames: tuple[str, ...]
    """Sentences: PLACE, SAYS, EACH (`each line of this kind`), ALL in the plural."""
    asks: bool = False
    kinds: tuple[str, ...] = ()
    """The kinds of key that it is for, where it uses the key; none where it only takes what is tested."""
    tested: bool = True
    """Whether not all texts of the shape are taken."""
    person: bool = False
    """Whether WHAT is a person."""
    matters: tuple[tuple[str, str], ...] = ()
    clear: Callable[[Keys], bool] = lambda keys: True
    """Whether keys leave no doubt."""
    sorted: bool = False
    rewrites: bool = False
    """Whether it changes the text itself: one without the shape stays as it is anyway."""
    idle: bool = False
    """Whether it does nothing where somebody might look by mistake."""
    joins: bool = False
    """Whether it makes parts of a longer text: empty ones do not show in it."""


def doing(do: str, end: str = "") -> tuple[str, ...]:
    """Ways to ask for something that is done for each text."""
    last = f"; {end}" if end else ""
    return (
        f"Look at PLACE. SAYS For EACH, {do}{last}.",
        f"Please go through PLACE. SAYS I want you to take EACH and {do}{last}.",
        f"I need you to do something about PLACE. SAYS This is what I want done for EACH: {do}{last}.",
        f"This is about PLACE, and only some of that. SAYS Find ALL. For every single one, {do}{last}.",
    )


def deed_use(deed: FormDeed) -> Use:
    """A deed of forms: its text is a part of what is read."""
    code = deed.code.replace("TEXT", "WHAT").replace("{name}", "{WHAT}")
    return Use(
        word=deed.word,
        apps=deed.apps,
        about=f"{deed.about} for each of",
        code=(*deed.before.splitlines(), "    for WHAT in found:", *(f"        {line}" for line in code.splitlines())),
        slots=deed.slots,
        frames=doing(deed.do.removesuffix(","), f"the {deed.noun} is the WHAT and nothing else"),
    )


def paired(word: str, kinds: str, api: str, given: str, do: str, about: str, *before: str, **other: object) -> Use:
    """One call for each text, with both of its parts."""
    app = api.partition(".")[0]
    apps = ("phone",) if before and app != "phone" else ()
    return Use(
        word=word,
        kinds=tuple(kinds.split()),
        apps=(*apps, app),
        about=about,
        keeps="(WHAT, VALUE)",
        code=(
            *(f"    {line}" for line in before),
            "    for WHAT, KEY in found:",
            f"        apis.{api}(access_token={app}_token, {given})",
        ),
        frames=doing(do),
        **other,  # type: ignore[arg-type]
    )


def own_use(word: str, api: str, given: str, do: str, about: str, kind: str = "") -> Use:
    """Something done to what has the text."""
    part = "KEY" if kind else "WHAT" if "WHAT" in given else ""
    value = "VALUE" if kind else part
    rewrites = "WHAT" in given and api.partition(".")[2].startswith(("update", "rename"))
    return Use(
        word=word,
        kinds=(kind,) if kind else (),
        about=f"{about} behind",
        keeps=f"(THING, {value})" if part else "THING",
        code=(
            f"    for {f'THING, {part}' if part else 'THING'} in found:",
            *(['        ending = THING.rpartition(".")[2]'] if "ending" in given else []),
            f"        apis.{api}(access_token={api.partition('.')[0]}_token, {given})",
        ),
        frames=doing(do),
        rewrites=rewrites,
        idle=given.endswith(("is_enabled=False", "is_public=True")),
        joins="append_to" in api,
    )


def sink_use(sink: LineSink, *, ordered: bool) -> Use:
    """The parts as lines of one text."""
    item, each = sink.item, f"one {sink.item} for EACH"
    order = (
        f"Keep the {sink.items} in the order in which you find them there."
        if ordered
        else f"Put the {sink.items} into alphabetical order."
    )
    finish, place = sink.finish.replace("ITEMS", sink.items), sink.place.replace("as subtasks of", "in")
    code = re.sub(r"\blines\b", "found", sink.code) if ordered else f"    lines = sorted(found)\n{sink.code}"
    return Use(
        word=sink.word,
        apps=(sink.app,),
        about=f"write {sink.about} what is in",
        code=tuple(code.splitlines()),
        slots=sink.slots,
        frames=(
            f"Look at PLACE. SAYS {sink.give.replace('CONTENT', each)}. Each {item} is the WHAT and nothing else."
            f" {order} {sink.join}",
            f"Go through PLACE. SAYS For EACH I want one {item} {place}, namely the WHAT. {order} {sink.join}",
            f"I would like to have a list out of PLACE. SAYS Make one {item} of EACH: the WHAT, without the rest."
            f" {order} {finish} {sink.join}",
        ),
        matters=() if ordered else (("sorted(found)", "sorted(found, reverse=True)"),),
        sorted=not ordered,
        joins=True,
    )


def _asking(*questions: str) -> tuple[str, ...]:
    one, two, three = questions
    return (
        f"Look at PLACE. SAYS {one}",
        f"I have a question about PLACE. SAYS {two}",
        f"Please read through PLACE. SAYS Tell me this: {three}",
    )


def _single_top(keys: Keys) -> bool:
    return len({*keys}) == len(keys)


def _single_most(keys: Keys) -> bool:
    counts = sorted((keys.count(key) for key in {*keys}), reverse=True)
    return len(counts) > 1 and counts[0] > counts[1]


def _ask(word: str, about: str, keeps: str, returns: str, gives: str, kinds: str, *questions: str, **other: Any) -> Use:
    fields: dict[str, Any] = {"returns": returns, "gives": gives, "kinds": tuple(kinds.split()), **other}
    return Use(word=word, about=about, keeps=keeps, frames=_asking(*questions), asks=True, **fields)


def _first(word: str, about: str, keeps: str, kinds: str, *questions: str) -> Use:
    """Which of all comes first."""
    drops = (("max(found)", "min(found)"),)
    about, clear = f"name the {about} of", _single_top
    return _ask(
        *(word, about, keeps, "max(found)[1]", "str", kinds, *questions), tested=False, clear=clear, matters=drops
    )


ASKS = (
    _ask(
        *("count", "count", "ROW", "len(found)", "int", ""),
        *("How many ALL are there?", "What is the number of ALL?", "how many ALL do you find?"),
    ),
    _ask(
        *("list", "list what is in", "WHAT", "found", "list", ""),
        "Give me a list with the WHAT of EACH.",
        "What is the WHAT in ALL, one by one? Answer with a list.",
        "for EACH, what is the WHAT? I want all of them in a list.",
    ),
    _ask(
        *("total", "add up the numbers in", "VALUE", "round(sum(found), 2)", "float", "count amount"),
        "What do you get if you add up the KEY of EACH?",
        "How much is it if you take the KEY in ALL together?",
        "what is the sum over ALL, taking the KEY of each?",
    ),
    _first(
        *("top", "largest", "(VALUE, WHAT)", "count amount"),
        "Among ALL, which WHAT goes with the greatest KEY?",
        "Which WHAT has the highest KEY of ALL?",
        "if you compare the KEY in ALL, which WHAT comes first, with the largest one?",
    ),
    _ask(
        *("most_common", "name the most frequent KEY of", "KEY", "max(found, key=found.count)", "str", "word person"),
        "Which KEY occurs most often in ALL?",
        "What is the most frequent KEY in ALL?",
        "among ALL, which KEY is there more often than any other?",
        tested=False,
        clear=_single_most,
        matters=(("max(found, key=found.count)", "min(found, key=found.count)"),),
    ),
    _first(
        *("last", "latest", "(KEY, WHAT)", "day time"),
        "Among ALL, which WHAT has the latest KEY?",
        "Which WHAT goes with the latest KEY of ALL?",
        "if you put ALL in order of the KEY, which WHAT comes last?",
    ),
)
"""The first three are the most useful ones."""


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


_PEOPLE = "people = all_pages(apis.phone.show_contacts, access_token=phone_token)"
_NUMBERS = 'numbers = {one["name"]: one["phone_number"] for one in people}'
_EMAILS = 'emails = {one["name"]: one["email"] for one in people}'
_NOTE = one_of("payment_note", "For the weekend", "Last month", "As agreed", "Shared costs", "The usual", "Our trip")
PAIRED = (
    paired(
        *("texts_to_people", "person", "phone.send_text_message", "phone_number=numbers[KEY], text=WHAT"),
        *("send that KEY, who is in my phone contacts, the WHAT as a text message", "text the people named in"),
        *(_PEOPLE, _NUMBERS),
    ),
    paired(
        *("timed_alarms", "time", "phone.create_alarm", "label=WHAT, time=KEY"),
        "set an alarm in my phone (once, with the usual snooze) for the KEY, with the WHAT as its label",
        "set the alarms in",
    ),
    paired(
        *("due_tasks", "day", "todo.create_task", "title=WHAT, due_date=KEY"),
        "create a task in the Inbox of my todo app with the WHAT as its title and the KEY as its due date",
        "make tasks with due dates of",
    ),
    paired(
        *("asked_money", "amount", "wallet.request_payment", "payer_email=emails[WHAT], amount=KEY, note=payment_note"),
        "request the KEY on wallet from that WHAT (by the e-mail address in my phone contacts), with the note"
        ' "{payment_note}"',
        "request the amounts in",
        *(_PEOPLE, _EMAILS),
        slots=(_NOTE,),
        person=True,
    ),
    paired(
        *("labelled_tasks", "word", "todo.create_task", "title=WHAT, labels=[KEY]"),
        "create a task in the Inbox of my todo app with the WHAT as its title and the KEY as its only label",
        "make labelled tasks of",
    ),
    paired(
        *("voices_to_people", "person", "phone.send_voice_message", "phone_number=numbers[KEY], transcript=WHAT"),
        *(
            "leave that KEY, who is in my phone contacts, a voice message that says the WHAT",
            "leave word for the people in",
        ),
        *(_PEOPLE, _NUMBERS),
    ),
    paired(
        *("tagged_notes", "word", "notes.create_note", "title=WHAT, tags=[KEY]"),
        "write an empty note with the WHAT as its title and the KEY as its only tag",
        "make tagged notes of",
    ),
    paired(
        *("paid_money", "amount", "wallet.send_payment", "receiver_email=emails[WHAT], amount=KEY, note=payment_note"),
        "pay the KEY on wallet to that WHAT (by the e-mail address in my phone contacts), with the note"
        ' "{payment_note}"',
        "pay the amounts in",
        *(_PEOPLE, _EMAILS),
        slots=(_NOTE,),
        person=True,
    ),
)
