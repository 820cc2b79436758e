"""Notes and files as places of a text."""

from __future__ import annotations

from prowess_practice.errands.lines import scene
from prowess_practice.errands.lines.place import Place

NOTE = Place(
    word="note",
    apps=("notes",),
    slots={"note": str},
    about="a note",
    says=('my note "{note}"', 'the note that is titled exactly "{note}"', 'my note with the title "{note}"'),
    code="""    notes_token = login(app="notes")
    notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=note)
    note_id = next(one["note_id"] for one in notes if one["title"] == note)
    content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_note,
    matters=((' if one["title"] == note', ""),),
)
TAGGED = Place(
    word="tagged_note",
    apps=("notes",),
    slots={"tag": str},
    about="the note with a tag",
    says=(
        'the one note outside the archive that is tagged "{tag}"',
        'my unarchived note tagged "{tag}" (there is only one)',
        'the note with the tag "{tag}", not the archived one but the other,',
    ),
    code="""    notes_token = login(app="notes")
    tagged = all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag)
    content = apis.notes.show_note(access_token=notes_token, note_id=tagged[0]["note_id"])["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.under_tag,
    matters=((", tag=tag)", ", tag=tag, archived=True)"),),
)
TAGGED_ALL = Place(
    word="tagged_notes",
    apps=("notes",),
    slots={"tag": str},
    about="the notes with a tag",
    says=(
        'all my unarchived notes tagged "{tag}"',
        'my notes with the tag "{tag}", except archived ones,',
        'the notes tagged "{tag}" (those in the archive do not count)',
    ),
    code="""    notes_token = login(app="notes")
    lines = []
    for note in all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag):
        lines += apis.notes.show_note(access_token=notes_token, note_id=note["note_id"])["content"].splitlines()
""",
    lines="lines",
    sets=scene.under_tags,
    ordered=False,
    matters=((", tag=tag)", ", tag=tag, archived=True)"),),
    holds=("line", "each"),
)
ARCHIVED = Place(
    word="archived_note",
    apps=("notes",),
    slots={"note": str},
    about="an archived note",
    says=(
        'the archived note "{note}"',
        'my note "{note}", which is in the archive,',
        '"{note}", a note in my archive,',
    ),
    code="""    notes_token = login(app="notes")
    archived = all_pages(apis.notes.list_notes, access_token=notes_token, archived=True)
    note_id = next(one["note_id"] for one in archived if one["title"] == note)
    content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_archive,
    matters=(('one["title"] == note', 'one["title"] != note'),),
)
FILE = Place(
    word="file",
    apps=("files",),
    slots={"file_path": str},
    about="a file",
    says=('my file "{file_path}"', 'the file "{file_path}"', 'the text in "{file_path}" (files app)'),
    code="""    files_token = login(app="files")
    content = apis.files.show_file(access_token=files_token, file_path=file_path)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_file,
    matters=(("file_path=file_path)", 'file_path="~/backups/" + file_path.split("/")[-1])'),),
)
NAMED_FILE = Place(
    word="named_file",
    apps=("files",),
    slots={"file_name": str},
    about="a file of some name",
    says=(
        'the file named exactly "{file_name}", wherever it lies among my files,',
        'my file "{file_name}" (I forgot the folder; its name is just that)',
        'the file "{file_name}" in one of my folders',
    ),
    code="""    files_token = login(app="files")
    files = all_pages(apis.files.search_files, access_token=files_token, query=file_name)
    path = next(one["path"] for one in files if one["path"].endswith("/" + file_name))
    content = apis.files.show_file(access_token=files_token, file_path=path)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_named_file,
    matters=((' if one["path"].endswith("/" + file_name)', ""),),
)
FOLDER = Place(
    word="folder",
    apps=("files",),
    slots={"folder": str},
    about="the files in a folder",
    says=(
        'the files that lie directly in my folder "{folder}"',
        'all files of the folder "{folder}", but not of its subfolders,',
        'the files in "{folder}" itself, not below it,',
    ),
    code="""    files_token = login(app="files")
    lines = []
    for path in apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]:
        lines += apis.files.show_file(access_token=files_token, file_path=path)["content"].splitlines()
""",
    lines="lines",
    sets=scene.in_folder,
    matters=(("directory_path=folder)", "directory_path=folder, recursive=True)"),),
    holds=("line", "each"),
)
