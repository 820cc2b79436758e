"""Notes: which of them are changed, and what to; their titles and tags, and the lines of their text."""

from __future__ import annotations

import re
from typing import Any

from prowess_desk.apps.notes import Note
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import contains
from prowess_practice.errands.edits.changes import (
    LINE,
    drawn,
    like,
    like_first,
    numbered,
    one_of,
    prefixed,
    shouted,
    suffixed,
    tailed,
    text_edits,
    whole,
)
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.lines.scene import in_file

_LISTING = listed("notes", "notes")
_TARGET = Target(
    word="notes",
    app="notes",
    row="note",
    rows="notes",
    reads=("notes = all_pages(apis.notes.list_notes, access_token=notes_token)",),
    mine="my unarchived notes",
    name="title",
    called="title",
    update='apis.notes.update_note(access_token=notes_token, note_id=note["note_id"]',
)
_ID = 'access_token=notes_token, note_id=note["note_id"]'
_CONTENT = f'content = apis.notes.show_note({_ID})["content"]'
_WRITE = _TARGET.updating("content=new_content")
TAG = one_of("extra_tag", "reviewed|keep|someday|to sort|shared|draft")


def _texts(draw: Draw) -> list[str]:
    return [note.content for note in draw.state[Note].of(draw.me.id) if not note.archived]


def _word(draw: Draw) -> str | None:
    words = [word for text in _texts(draw) for word in {*re.findall(r"[A-Za-z]{3,}", text.lower())}]
    common = sorted({word for word in words if words.count(word) > 1 and whole(word, _texts(draw))})
    return draw.rng.choice(common) if common else None


def _with_word(draw: Draw) -> Values | None:
    word = _word(draw)
    return {"word": word} if word else None


def _some_tag(draw: Draw) -> str | None:
    tags = [tag for note in draw.state[Note].of(draw.me.id) for tag in note.tags]
    return draw.rng.choice(tags) if tags else None


def _filed(draw: Draw) -> Values | None:
    titles = [note.title for note in draw.state[Note].of(draw.me.id) if not note.archived]
    some = draw.rng.sample(titles, min(len(titles), 4))
    return in_file(draw, [f"See my note {one} for this." for one in some], ["See nothing."])


_CHOICES = (
    *(by(_TARGET, one) for one in _LISTING.conditions),
    by(_TARGET, _LISTING.conditions[1], _LISTING.flags[1]),
    by(_TARGET, contains("title", 'with "{word}" in the title (in capitals or not)', "with a word in the title")),
    inside(
        _TARGET,
        "with_word_in_text",
        ('MINE in whose text "{word}" occurs, in capitals or not', 'MINE with "{word}" in the text (any case)'),
        "with a word in the text",
        "word in content.lower()",
        looks=(_CONTENT,),
        slots={"word": str},
        draws=_with_word,
    ),
    inside(
        _TARGET,
        "with_many_lines",
        "MINE with more than {lines_most} lines of text",
        "with many lines",
        "len(content.splitlines()) > lines_most",
        looks=(_CONTENT,),
        slots={"lines_most": int},
        draws=lambda draw: {"lines_most": draw.rng.randint(2, 4)},
    ),
    inside(
        _TARGET,
        "short",
        "MINE whose text has fewer than {letters} characters",
        "with a short text",
        "len(content) < letters",
        looks=(_CONTENT,),
        slots={"letters": int},
        draws=lambda draw: {"letters": draw.rng.randint(40, 80)},
    ),
    inside(
        _TARGET,
        "of_lists",
        'MINE in which every line begins with "- " and that have {least} or more lines',
        "that are lists of some length",
        'all(line.startswith("- ") for line in lines) and len(lines) >= least',
        looks=(_CONTENT, "lines = content.splitlines()"),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(2, 4)},
    ),
    inside(
        _TARGET,
        "named_by_file",
        'MINE whose title occurs in the text of my file "{file_path}"',
        "that a file mentions",
        'note["title"] in file_text',
        before=('file_text = apis.files.show_file(access_token=files_token, file_path=file_path)["content"]',),
        apps=("files",),
        slots={"file_path": str},
        draws=_filed,
    ),
    ranked(
        _TARGET,
        "newest",
        ("the {count} unarchived notes of mine that were created last", "my {count} newest unarchived notes"),
        "the newest notes",
        'note["created_at"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "stalest",
        ("the {count} unarchived notes of mine that have not been changed for the longest time",),
        "the notes left alone the longest",
        'note["updated_at"]',
        highest=False,
    ),
)


def _text(word: str, says: tuple[str, ...], about: str, *lines: str, **more: Any) -> RowChange:
    """A change of the text."""
    return RowChange(word=word, says=says, about=about, each=(_CONTENT, *lines, _WRITE), **more)


_CHANGES = (
    prefixed(_TARGET),
    RowChange(
        word="swap_tag",
        says=(
            'Wherever WHICH have the tag "{old_tag}", replace it by "{extra_tag}".',
            'TAKE Those of them tagged "{old_tag}" lose that tag and get "{extra_tag}" instead; other tags stay.',
            'The tag "{old_tag}" is outdated. Among WHICH, swap it for "{extra_tag}", and leave notes without it'
            " alone.",
        ),
        about="Swap a tag of",
        each=(f"apis.notes.untag_note({_ID}, tag=old_tag)", f"apis.notes.tag_note({_ID}, tag=extra_tag)"),
        also='old_tag in note["tags"]',
        slots=(drawn("old_tag", _some_tag), TAG),
        bars=("notes_with_tag",),
    ),
    tailed(
        _TARGET,
        "lines",
        "f\"{note['title']} ({len(content.splitlines())})\"",
        "TITLE (NUMBER)",
        "the number of lines of its text, in brackets",
        "the number of lines",
        finds=(_CONTENT,),
    ),
    RowChange(
        word="append_to",
        says=(
            'Append the line "{last_line}" to each of WHICH.',
            'TAKE At the end of each, on a new line, write "{last_line}".',
            'I want to see "{last_line}" as the last line of WHICH; put it there, below the rest.',
        ),
        about="Append a line to",
        each=(f"apis.notes.append_to_note({_ID}, text=last_line)",),
        slots=(LINE,),
    ),
    tailed(
        _TARGET,
        "month",
        "f\"{note['title']} [{note['created_at'][:7]}]\"",
        "TITLE [MONTH]",
        "the month in which it was created, like 2025-01, in square brackets",
        "the month",
        bars=("notes_in_month",),
    ),
    RowChange(
        word="copy",
        says=(
            'Duplicate each of WHICH under the title "{front} TITLE", where TITLE is the old one, and tag the copy'
            ' "{extra_tag}".',
            'TAKE Make a copy of each. Its title is "{front}", a space and the title of the original, and it gets the'
            ' further tag "{extra_tag}".',
            'I need copies of WHICH, titled "{front} TITLE" (TITLE being the title of the note that is copied) and'
            ' tagged "{extra_tag}" besides the tags they have from there.',
        ),
        about="Make tagged copies of",
        each=(
            "copy_title = f\"{front} {note['title']}\"",
            f"copy = apis.notes.duplicate_note({_ID}, title=copy_title)",
            'apis.notes.tag_note(access_token=notes_token, note_id=copy["note_id"], tag=extra_tag)',
        ),
        slots=(one_of("front", "Copy of|New|Spare|Backup of|Second"), TAG),
    ),
    _text(
        "headline",
        (
            'Put the title of each of WHICH into its text: a new first line "{mark} TITLE", with the title in place of'
            " TITLE.",
            'TAKE Give the text of each a heading, which is "{mark}", a space and the title of the note, on a line of'
            " its own before everything else.",
            'The first line of WHICH should be "{mark} TITLE", where TITLE is the title of the note; the old text'
            " follows below.",
        ),
        "Put the title at the head of",
        "new_content = f\"{mark} {note['title']}\\n{content}\"",
        slots=(one_of("mark", "#|##|Title:|About:|***"),),
    ),
    RowChange(
        word="add_tags",
        says=(
            'Tag WHICH with "{extra_tag}" and with the year in which they were created, such as "2024".',
            'TAKE Each gets two more tags: "{extra_tag}", and the year of its creation as four digits.',
            'Two tags are missing on WHICH: "{extra_tag}" and the four digits of the year when the note was created.',
        ),
        about="Tag with a word and the year",
        each=(_TARGET.updating('tags=[*note["tags"], extra_tag, note["created_at"][:4]]'),),
        slots=(TAG,),
        matters=((', note["created_at"][:4]]', "]"),),
    ),
    _text(
        "replace_in",
        (
            'Replace "{old_word}" by "{new_word}" in the text of each of WHICH (small letters only, as written here).',
            'TAKE Wherever their text says "{old_word}", in small letters, it should say "{new_word}".',
            'In the text of WHICH, "{new_word}" should stand in place of each "{old_word}"; only the spelling in small'
            " letters counts.",
        ),
        "Replace a word in",
        "new_content = content.replace(old_word, new_word)",
        slots=(drawn("old_word", _word), one_of("new_word", "something|whatever|(unclear)|that thing")),
        bars=("notes_with_word_in_text",),
    ),
    RowChange(
        word="pin_and_name",
        says=(
            'Pin WHICH and put "{front}: " before their titles. Leave those alone that are pinned already.',
            'TAKE Those that are not pinned yet should be pinned, and their titles get "{front}: " in front.',
            'WHICH, as far as they have no pin, should get one, and a title that begins with "{front}: " before the old'
            " title.",
        ),
        about="Pin and rename, unless pinned already,",
        each=(f"apis.notes.pin_note({_ID})", _TARGET.updating("title=f\"{front}: {note['title']}\"")),
        also='not note["pinned"]',
        slots=(one_of("front", "Top|Now|First|Read me"),),
        matters=((f"apis.notes.pin_note({_ID})", "pass"),),
    ),
    suffixed(_TARGET),
    like(_TARGET, "tags", "tags", "my note", bars=("notes_with_tag",)),
    like_first(_TARGET, "tags", "tags", 'note["created_at"]', "that was created first"),
    numbered(_TARGET, 'note["created_at"]', "from the one created first to the one created last"),
    _text(
        "sign",
        (
            'End each of WHICH with the line "{front} DATE", where DATE is today by my phone, like 2025-01-31, and'
            " begin"
            " it with the same line.",
            'TAKE Write the line "{front} DATE" above and below the text of each, with the date that my phone shows'
            " (2025-01-31 is the form).",
            'The text of WHICH should be framed by two equal lines, one before and one after it: "{front} DATE", DATE'
            " being the date of today by my phone, written like 2025-01-31.",
        ),
        "Frame with a dated line the text of",
        'new_content = f"{frame}\\n{content}\\n{frame}"',
        before=("frame = f\"{front} {apis.phone.show_current_date_and_time()['date']}\"",),
        apps=("phone",),
        slots=(one_of("front", "Seen on|Read on|As of|Checked on"),),
    ),
    RowChange(
        word="first_line_title",
        says=(
            'Rename each of WHICH after its text: the new title is "{front}: LINE", where LINE is the first line.',
            'TAKE The title of each becomes "{front}", a colon, a space and the first line of its text.',
            'I want the titles of WHICH to say what is in there, so make them "{front}: LINE", with the first line of'
            " the text for LINE.",
        ),
        about="Rename after the first line",
        each=(_CONTENT, "first_line = content.splitlines()[0]", _TARGET.updating('title=f"{front}: {first_line}"')),
        slots=(one_of("front", "Starts with|Reads|Inside|Text"),),
    ),
    RowChange(
        word="archive",
        says=(
            'Put WHICH into the archive, and their month of creation behind the title, as in "TITLE ({front}'
            ' 2025-01)".',
            'TAKE Rename each to "TITLE ({front} MONTH)", with its old title and the month in which it was created like'
            " 2025-01, and archive it.",
            'I want WHICH out of my sight, in the archive, with titles of the form "TITLE ({front} MONTH)": the old'
            " title"
            " and the month of creation, written like 2025-01.",
        ),
        about="Rename and archive",
        each=(
            "new_title = f\"{note['title']} ({front} {note['created_at'][:7]})\"",
            _TARGET.updating("title=new_title"),
            f"apis.notes.archive_note({_ID})",
        ),
        slots=(one_of("front", "from|of|begun|since"),),
        matters=((f"apis.notes.archive_note({_ID})", "pass"),),
    ),
    shouted(_TARGET),
    *text_edits(_CONTENT, _WRITE),
)
NOTES = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_alarms"))
