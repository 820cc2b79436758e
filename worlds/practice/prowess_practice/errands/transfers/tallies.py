"""What becomes of groups of rows: lines of a note, a task or playlist or folder for each, an answer."""

from __future__ import annotations

from prowess_practice.errands.transfers.groups import LEAST, Tally
from prowess_practice.errands.transfers.parts import calling, one_of
from prowess_practice.errands.transfers.sinks import DUE, NEW_FILE, TITLE

_LINES = '    lines = sorted(f"{name}: SHOWN" for name, rows in grouped.items())\n'
TALLIES = (
    Tally(
        word="note",
        about="write a note with a line for each CALLED of the ROWS; return how many",
        wordings=(
            'Write a new note titled "{title}" with one line for each CALLED among the MANY, of the form "NAME:'
            ' VALUE" (the CALLED and WORTH), the lines sorted from A to Z.',
            "Group the MANY by CALLED. For each CALLED I want a line made of the CALLED, a colon, a space and WORTH."
            ' Put the lines, sorted from A to Z, into a new note with the title "{title}".',
            'My new note "{title}" should tell me about the MANY by CALLED: every line has one CALLED, then ": ",'
            " then WORTH. Please write it, with the lines in alphabetical order.",
        ),
        code=_LINES + calling("notes.create_note", 'title=title, content="\\n".join(lines)', indent=4),
        app="notes",
        slots=(TITLE,),
    ),
    Tally(
        word="frequent",
        about="return the PLURAL that at least so many of the ROWS have",
        wordings=(
            "Which PLURAL do at least {least} of the MANY have? Answer with a list.",
            "Group the MANY by CALLED and answer with a list of those PLURAL that have {least} or more of them.",
            "Give me a list of the PLURAL that occur {least} times or more among the MANY.",
            "Count the MANY by CALLED. I want every CALLED whose count is not below {least}, as a list.",
        ),
        code="",
        returns="sorted(name for name, rows in grouped.items() if len(rows) >= least)",
        gives="list",
        slots=(LEAST,),
        asks=True,
        matters=((" if len(rows) >= least", ""),),
    ),
    Tally(
        word="tasks",
        about="create a task for each CALLED of at least so many ROWS; return how many",
        wordings=(
            "For each CALLED that at least {least} of the MANY have, create a task in my todo app, due on {due}, with"
            ' a title of the form "NAME: VALUE", that is the CALLED and WORTH.',
            "Group the MANY by CALLED. Every group of {least} or more gets a task in the todo app, due on {due},"
            " whose title is the CALLED, a colon, a space and WORTH. Smaller groups get none.",
            "Please put a task into my todo app for every CALLED with {least} or more of the MANY. Its title consists"
            ' of the CALLED, then ": ", then WORTH; it is due on {due}.',
        ),
        code=(
            "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
            "    for name, rows in large.items():\n"
            '        apis.todo.create_task(access_token=todo_token, title=f"{name}: SHOWN", due_date=due)\n'
        ),
        returns="len(large)",
        app="todo",
        slots=(LEAST, DUE),
        matters=((" if len(rows) >= least", ""),),
    ),
    Tally(
        word="second",
        about="return the CALLED that comes second among the ROWS",
        wordings=(
            "Group the MANY by CALLED and rank the groups by WORTH, the greatest first. Which CALLED comes second?",
            "Going by WORTH, which CALLED is in the second place (not the first) among the MANY?",
            "I know which CALLED leads among the MANY if one looks for each CALLED at WORTH. Which one has the second"
            " greatest number? Answer with the CALLED.",
        ),
        code=(
            "    worths = {name: WORTH for name, rows in grouped.items()}\n"
            "    ranked = sorted(worths, key=lambda name: worths[name], reverse=True)\n"
        ),
        returns="ranked[1]",
        gives="str",
        asks=True,
        ranks=True,
    ),
    Tally(
        word="file",
        about="write a file with a line for each CALLED of the ROWS; return how many",
        wordings=(
            'Create the file "{path}" with one line of the form "NAME: VALUE" for each CALLED among the MANY, sorted'
            " from A to Z. NAME is the CALLED and VALUE is WORTH.",
            'I want an overview of the MANY by CALLED in a new file "{path}": on each line one CALLED, a colon, a'
            " space and WORTH, in alphabetical order of the lines.",
            'Group the MANY by CALLED, make a line of each group (the CALLED, then ": ", then WORTH), sort the lines'
            ' from A to Z and save them as "{path}".',
        ),
        code=_LINES + calling("files.create_file", 'file_path=path, content="\\n".join(lines)', indent=4),
        app="files",
        slots=(NEW_FILE,),
    ),
    Tally(
        word="spread",
        about="return how far the greatest CALLED of the ROWS is above the least",
        wordings=(
            "Group the MANY by CALLED and work out WORTH for each group. What is the difference between the greatest"
            " and the least of these numbers?",
            "For each CALLED among the MANY there is a number: WORTH. Tell me how far the largest of these numbers is"
            " above the smallest.",
            "Take the MANY, apart by CALLED. By how much does the CALLED with the most exceed the one with the least,"
            " if one goes by WORTH? Answer with the number.",
        ),
        code="    worths = [WORTH for rows in grouped.values()]\n",
        returns="round(max(worths) - min(worths), 2)",
        gives="float",
        asks=True,
    ),
)
PLAYLISTS = Tally(
    word="playlists",
    about="make a playlist of each CALLED of at least so many ROWS; return how many",
    wordings=(
        "For each CALLED that at least {least} of the MANY have, make a new playlist of these songs whose title is"
        ' the CALLED followed by " {suffix}".',
        "Group the MANY by CALLED. Turn every group of {least} or more into a new playlist titled with the CALLED and"
        ' " {suffix}" behind it; ignore the smaller groups.',
        'I want a playlist per CALLED out of the MANY, titled like the CALLED plus " {suffix}", but only where there'
        " are {least} songs or more.",
    ),
    code=(
        "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
        "    for name, rows in large.items():\n"
        '        playlist = apis.music.create_playlist(access_token=music_token, title=f"{name} {suffix}")\n'
        "        for ROW in rows:\n"
        "            apis.music.add_song_to_playlist(\n"
        '                access_token=music_token, playlist_id=playlist["playlist_id"], song_id=ROW["song_id"]\n'
        "            )\n"
    ),
    returns="len(large)",
    slots=(LEAST, one_of("suffix", "mix", "hits", "only", "corner", "collection")),
    matters=((" if len(rows) >= least", ""),),
)
FOLDERS = Tally(
    word="folders",
    about="move ROWS into a folder for each CALLED of at least so many; return how many",
    wordings=(
        'For each CALLED that at least {least} of the MANY have, make a folder "{folder}/" plus the CALLED and move'
        " these files there, names kept.",
        "Group the MANY by CALLED. Each group of {least} files or more is to be moved, names kept, into a new folder"
        ' of its own inside "{folder}", called like the CALLED. The rest stays where it is.',
        'Please sort the MANY into new folders below "{folder}": one per CALLED, named exactly so, but only for'
        " PLURAL with {least} files or more. The files keep their names.",
    ),
    code=(
        "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
        "    for name, rows in large.items():\n"
        '        apis.files.create_directory(access_token=files_token, directory_path=f"{folder}/{name}")\n'
        "        for ROW in rows:\n"
        "            target = f\"{folder}/{name}/{ROW['path'].split('/')[-1]}\"\n"
        '            apis.files.move_file(access_token=files_token, file_path=ROW["path"], destination_path=target)\n'
    ),
    returns="len(large)",
    slots=(LEAST, one_of("folder", "~/sorted", "~/tidy", "~/by-kind", "~/documents/sorted")),
    matters=((" if len(rows) >= least", ""),),
)
