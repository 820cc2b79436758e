"""What is told about the rows after they were changed, and where."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_desk.apps.phone import Contact

from prowess_practice.errands.edits.changes import drawn, one_of
from prowess_practice.errands.edits.parts import RowChange, Target
from prowess_practice.errands.people.plan import PeopleSlot
from prowess_practice.errands.people.slots import DUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Something to be written once all rows are changed; NAME stands for a row's name, CHOSEN for all of the rows."""

    word: str
    app: str
    says: tuple[str, ...]
    """A sentence each, CALLED standing for how the name of a row is called, ROWS for all of the rows."""
    about: str
    """As a docstring says it, CALLED standing for how the name of a row is called."""
    names: bool
    """Whether it tells the names they had before, and not only how many there are."""
    after: tuple[str, ...]
    slots: tuple[PeopleSlot, ...]

    def lines(self, target: Target, chosen: str) -> list[str]:
        """Lines of the program."""
        names = [f"old_names = sorted({target.naming} for {target.row} in {chosen})"] if self.names else []
        return [line.replace("CHOSEN", chosen) for line in (*names, *self.after)]

    def said(self, target: Target, change: RowChange, n: int) -> str:
        """The sentence, which speaks of the first rows where the change makes others like them."""
        rows = f"{'the original' if change.copies else 'these'} {target.word}"
        return self.says[n % len(self.says)].replace("CALLED", _called(target, change)).replace("ROWS", rows)

    def told(self, target: Target, change: RowChange) -> str:
        """What a docstring says."""
        return self.about.replace("CALLED", _called(target, change))


def _called(target: Target, change: RowChange) -> str:
    """How a name is called: an old one where the change gives the row a new one."""
    moves = any("move_file(" in line for line in change.each)
    renames = any(target.update in line and f", {target.name}=" in line for line in change.each)
    return f"old {target.called}" if (moves or renames) and not change.copies else target.called


_CONTACT = (
    "found_contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, query=reader)",
    'reader_number = next(one["phone_number"] for one in found_contacts if one["name"] == reader)',
)
_READER = drawn("reader", lambda draw: draw.rng.choice(draw.state[Contact].of(draw.me.id)).name)
_TITLE = one_of("log_title", "What I changed|Before the change|Old names|Change log|Just in case")
_LIST = "the CALLED of each of ROWS, one per line, in alphabetical order"
REPORTS = (
    Report(
        word="note",
        app="notes",
        says=(
            f' Then write a new note "{{log_title}}" with {_LIST}.',
            f' Keep a record of it: a new note "{{log_title}}" that lists {_LIST}.',
            f' After that, I want a new note titled "{{log_title}}" in my notes app, with {_LIST}.',
        ),
        about="keep each CALLED in a note",
        names=True,
        after=('apis.notes.create_note(access_token=notes_token, title=log_title, content="\\n".join(old_names))',),
        slots=(_TITLE,),
    ),
    Report(
        word="text",
        app="phone",
        says=(
            ' Then text my contact "{reader}" the words "{opening} NUMBER", where NUMBER is how many of ROWS there'
            " are.",
            ' Let "{reader}" from my phone contacts know by text message: "{opening} NUMBER", with the number of ROWS'
            " in all.",
            ' My contact "{reader}" should get a text message about it that says "{opening} NUMBER"; NUMBER stands for'
            " how many there are of ROWS.",
        ),
        about="text their number",
        names=False,
        after=(
            *_CONTACT,
            "apis.phone.send_text_message(access_token=phone_token, phone_number=reader_number, "
            'text=f"{opening} {len(CHOSEN)}")',
        ),
        slots=(_READER, one_of("opening", "Changed today:|Done, in all|All set:|That makes|Number of changes:")),
    ),
    Report(
        word="file",
        app="files",
        says=(
            f' Then save {_LIST}, as a new file "{{log_path}}".',
            f' Also write a file "{{log_path}}" with {_LIST}.',
            f' For later, put {_LIST}, into a new file "{{log_path}}".',
        ),
        about="keep each CALLED in a file",
        names=True,
        after=('apis.files.create_file(access_token=files_token, file_path=log_path, content="\\n".join(old_names))',),
        slots=(one_of("log_path", "~/changed.txt|~/documents/before.txt|~/old-names.txt|~/documents/log.txt"),),
    ),
    Report(
        word="task",
        app="todo",
        says=(
            ' Then add a task "{opening} NUMBER" to my todo Inbox, due on {due_day}, where NUMBER is how many of ROWS'
            " there are.",
            ' In the todo app, create a task in the Inbox that is due on {due_day} and titled "{opening} NUMBER",'
            " with the number of ROWS in all.",
            ' So that I look at them again, put a task "{opening} NUMBER" into my todo Inbox, due on {due_day}; NUMBER'
            " stands for how many there are of ROWS.",
        ),
        about="add a task with their number",
        names=False,
        after=(
            'task_title = f"{opening} {len(CHOSEN)}"',
            "apis.todo.create_task(access_token=todo_token, title=task_title, due_date=due_day)",
        ),
        slots=(one_of("opening", "Check the changes:|Look over all|Changed things:|Go through the"), DUE),
    ),
    Report(
        word="voice",
        app="phone",
        says=(
            ' Then leave my contact "{reader}" a voice message that says "{opening} NAMES", where NAMES is the CALLED'
            ' of each of ROWS, in alphabetical order with ", " in between.',
            ' Tell "{reader}" from my phone contacts by voice message: "{opening} NAMES", with the CALLED of each of'
            ' ROWS for NAMES, sorted by the alphabet and separated by ", ".',
            ' My contact "{reader}" should hear of it in a voice message, "{opening} NAMES". NAMES is the CALLED of'
            ' each of ROWS, alphabetically, with ", " between two of them.',
        ),
        about="tell a contact each CALLED by voice message",
        names=True,
        after=(
            *_CONTACT,
            "apis.phone.send_voice_message(access_token=phone_token, phone_number=reader_number, "
            "transcript=f\"{opening} {', '.join(old_names)}\")",
        ),
        slots=(_READER, one_of("opening", "I have changed|No longer the same:|You may be looking for|These are new:")),
    ),
    Report(
        word="volume",
        app="music",
        says=(
            " For every one of ROWS, also raise the volume of my music player by {louder}, to 100 at most in the end.",
            " Then make my music player louder: by {louder} for each of ROWS, though never above 100.",
            " After that, the volume of my music player should go up by {louder} times the number of ROWS, with 100"
            " as the limit.",
        ),
        about="raise the volume by their number",
        names=False,
        after=(
            'volume = apis.music.show_player(access_token=music_token)["volume"]',
            "louder_volume = min(100, volume + louder * len(CHOSEN))",
            "apis.music.set_volume(access_token=music_token, volume=louder_volume)",
        ),
        slots=(one_of("louder", "2|3|4|5", int),),
    ),
)
