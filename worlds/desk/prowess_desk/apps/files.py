"""Files: a small file system for each person, under /home/<first name>."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar

from prowess.types import Json
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import (
    App,
    Ctx,
    OneOf,
    PageIndex,
    PageLimit,
    Query,
    conflict,
    forbidden,
    invalid,
    missing,
    page,
)
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import matches
from prowess_desk.engine.tables import State


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A text under a path; paths are unique among the files of one person."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at", "updated_at")
    KEY: ClassVar[tuple[str, ...]] = ("owner", "path")

    id: int
    owner: int
    path: str
    content: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """A directory; its path has no slash at the end. A person's home has no row, for it is always there."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at",)
    KEY: ClassVar[tuple[str, ...]] = ("owner", "path")

    id: int
    owner: int
    path: str
    created_at: datetime


# Changes


def home(person: Person) -> str:
    """The directory in which a person's files lie."""
    return f"/home/{person.first.lower()}"


def parent(path: str) -> str:
    """
    >>> parent("/home/ada/documents/plan.txt")
    '/home/ada/documents'
    """
    return path.rpartition("/")[0]


def file_at(state: State, owner: int, path: str) -> File | None:
    """A person's file at this path, or None."""
    return next((file for file in state[File].of(owner) if file.path == path), None)


def directory_at(state: State, owner: int, path: str) -> Directory | None:
    """A person's directory at this path, or None; the home directory has no row."""
    return next((one for one in state[Directory].of(owner) if one.path == path), None)


def write_file(state: State, owner: int, path: str, content: str) -> File:
    """Write a new file, or other content into the one at this path."""
    if old := file_at(state, owner, path):
        return state[File].change(old.id, content=content, updated_at=state.now)
    return state[File].add(
        lambda id: File(id=id, owner=owner, path=path, content=content, created_at=state.now, updated_at=state.now)
    )


def remove_file(state: State, owner: int, path: str) -> None:
    """Delete the file at this path."""
    if old := file_at(state, owner, path):
        state[File].remove(old.id)


def move(state: State, owner: int, path: str, to: str) -> File:
    """Move or rename a file; a file at the new path is replaced."""
    remove_file(state, owner, to)
    old = file_at(state, owner, path)
    assert old is not None, path
    return state[File].change(old.id, path=to, updated_at=state.now)


def make_directory(state: State, owner: int, path: str) -> Directory:
    """Make a directory, and those above it that are missing."""
    there = {home(state[Person][owner]), *(one.path for one in state[Directory].of(owner))}
    wanted = [path]
    while (up := parent(wanted[-1])) and up not in there:
        wanted.append(up)

    def make(path: str) -> Directory:
        return state[Directory].add(lambda id: Directory(id=id, owner=owner, path=path, created_at=state.now))

    for above in reversed(wanted[1:]):
        make(above)
    return make(path)


def remove_directory(state: State, owner: int, path: str) -> None:
    """Delete a directory with everything in it."""
    for file in state[File].of(owner):
        if file.path.startswith(path + "/"):
            state[File].remove(file.id)
    for one in state[Directory].of(owner):
        if one.path == path or one.path.startswith(path + "/"):
            state[Directory].remove(one.id)


def packed(state: State, owner: int, path: str) -> str:
    """The files in a directory as the content of an archive: a JSON object from relative path to content."""
    inside = sorted((file.path, file.content) for file in state[File].of(owner) if file.path.startswith(path + "/"))
    return json.dumps({name.removeprefix(path + "/"): content for name, content in inside})


# APIs

files = with_accounts(App("files", "List, read, write, copy, move and delete your files and directories."))

FilePath = Annotated[str, "path such as ~/documents/plan.txt, where ~ is your home directory"]
DirectoryPath = Annotated[str, "path of a directory such as ~/documents"]
Overwrite = Annotated[bool, "replace a file that is already there"]
BRIEF: Json = {
    "file_id": 1,
    "path": "string",
    "size": 100,
    "created_at": "2025-01-31T10:00:00",
    "updated_at": "2025-01-31T10:00:00",
}
DONE: Json = {"message": "string", "path": "string"}
SORTS = ("path", "created_at", "-created_at", "updated_at", "-updated_at")
LONGEST_PATH = 1_000
"""Characters of a path: making a directory makes those above it, too."""


def _brief(file: File) -> dict[str, Json]:
    return {
        "file_id": file.id,
        "path": file.path,
        "size": len(file.content),
        "created_at": file.created_at.isoformat(),
        "updated_at": file.updated_at.isoformat(),
    }


def _full(ctx: Ctx, path: str) -> str:
    """A path in full, which must lie in the home directory: `~/a/` and `a` become `/home/ada/a`."""
    mine = home(ctx.me)
    path = path.strip().rstrip("/")
    if path == "~" or path.startswith("~/"):
        path = mine + path[1:]
    elif not path.startswith("/"):
        path = f"{mine}/{path}" if path else mine
    if len(path) > LONGEST_PATH:
        invalid(f"A path must not be longer than {LONGEST_PATH} characters.")
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        invalid(f"'{path[:80]}' is not a plain path.")
    if path != mine and not path.startswith(mine + "/"):
        forbidden(f"'{path[:80]}' is outside your home directory {mine}.")
    return path


def _file(ctx: Ctx, path: str) -> File:
    full = _full(ctx, path)
    return file_at(ctx.state, ctx.me.id, full) or missing("file", full)


def _is_directory(ctx: Ctx, path: str) -> bool:
    return path == home(ctx.me) or directory_at(ctx.state, ctx.me.id, path) is not None


def _directory(ctx: Ctx, path: str) -> str:
    full = _full(ctx, path)
    if not _is_directory(ctx, full):
        missing("directory", full)
    return full


def _free(ctx: Ctx, path: str, overwrite: bool) -> str:
    """Where a file can be written."""
    full = _full(ctx, path)
    _directory(ctx, parent(full) if full != home(ctx.me) else full)
    if _is_directory(ctx, full):
        conflict(f"'{full}' is a directory.")
    if not overwrite and file_at(ctx.state, ctx.me.id, full):
        conflict(f"There is already a file '{full}'.")
    return full


def _sorted(found: list[File], sort_by: str) -> list[File]:
    key = sort_by.removeprefix("-")
    return sorted(found, key=lambda file: (getattr(file, key), file.path), reverse=sort_by[0] == "-")


@files.api(returns={"directory_path": "string", "directories": ["string"], "files": ["string"]})
def show_directory(
    ctx: Ctx,
    directory_path: DirectoryPath = "~",
    recursive: Annotated[bool, "everything below it too"] = False,
) -> Json:
    """Show the full paths of the files and directories in a directory."""
    top = _directory(ctx, directory_path)

    def inside(path: str) -> bool:
        return path.startswith(top + "/") and (recursive or parent(path) == top)

    return {
        "directory_path": top,
        "directories": sorted(one.path for one in ctx.state[Directory].of(ctx.me.id) if inside(one.path)),
        "files": sorted(file.path for file in ctx.state[File].of(ctx.me.id) if inside(file.path)),
    }


@files.api(returns=[BRIEF])
def search_files(
    ctx: Ctx,
    query: Query = "",
    directory_path: DirectoryPath = "~",
    in_content: Annotated[bool, "look in the content too, not only in the name"] = False,
    sort_by: Annotated[str, "order; - for latest first", OneOf(SORTS)] = "path",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search the files below a directory by words of their name; paginated."""
    top = _directory(ctx, directory_path)
    found = [
        file
        for file in ctx.state[File].of(ctx.me.id)
        if file.path.startswith(top + "/")
        and matches(query, file.path.rpartition("/")[2], file.content if in_content else "")
    ]
    return [_brief(file) for file in page(_sorted(found, sort_by), page_index, page_limit)]


@files.api(returns={**BRIEF, "content": "string"})
def show_file(ctx: Ctx, file_path: FilePath) -> Json:
    """Show one file with its content."""
    file = _file(ctx, file_path)
    return {**_brief(file), "content": file.content}


@files.api(returns={"exists": True})
def file_exists(ctx: Ctx, file_path: FilePath) -> Json:
    """Tell whether there is a file at a path."""
    return {"exists": file_at(ctx.state, ctx.me.id, _full(ctx, file_path)) is not None}


@files.api(returns={"exists": True})
def directory_exists(ctx: Ctx, directory_path: DirectoryPath) -> Json:
    """Tell whether there is a directory at a path."""
    return {"exists": _is_directory(ctx, _full(ctx, directory_path))}


@files.api(returns=DONE)
def create_file(
    ctx: Ctx, file_path: FilePath, content: Annotated[str, "what the file holds"] = "", overwrite: Overwrite = False
) -> Json:
    """Write a new file into a directory that exists."""
    path = _free(ctx, file_path, overwrite)
    write_file(ctx.state, ctx.me.id, path, content)
    return {"message": "File created.", "path": path}


@files.api(returns=DONE)
def update_file(ctx: Ctx, file_path: FilePath, content: Annotated[str, "what the file holds from now on"]) -> Json:
    """Replace the content of a file."""
    path = _file(ctx, file_path).path
    write_file(ctx.state, ctx.me.id, path, content)
    return {"message": "File updated.", "path": path}


@files.api(returns=DONE)
def append_to_file(ctx: Ctx, file_path: FilePath, text: Annotated[str, "text to add on a new line"]) -> Json:
    """Add text on a new line at the end of a file."""
    file = _file(ctx, file_path)
    write_file(ctx.state, ctx.me.id, file.path, f"{file.content}\n{text}" if file.content else text)
    return {"message": "Text added.", "path": file.path}


@files.api(returns=DONE)
def delete_file(ctx: Ctx, file_path: FilePath) -> Json:
    """Delete a file for good."""
    file = _file(ctx, file_path)
    ctx.state[File].remove(file.id)
    return {"message": "File deleted.", "path": file.path}


@files.api(returns=DONE)
def copy_file(
    ctx: Ctx,
    file_path: FilePath,
    destination_path: Annotated[str, "path of the copy, file name included"],
    overwrite: Overwrite = False,
) -> Json:
    """Copy a file into a directory that exists."""
    file = _file(ctx, file_path)
    path = _free(ctx, destination_path, overwrite)
    write_file(ctx.state, ctx.me.id, path, file.content)
    return {"message": "File copied.", "path": path}


@files.api(returns=DONE)
def move_file(
    ctx: Ctx,
    file_path: FilePath,
    destination_path: Annotated[str, "its new path, file name included"],
    overwrite: Overwrite = False,
) -> Json:
    """Move or rename a file; the directory it goes to must exist."""
    file = _file(ctx, file_path)
    path = _free(ctx, destination_path, overwrite)
    if path == file.path:
        conflict(f"'{path}' is where the file already is.")
    move(ctx.state, ctx.me.id, file.path, path)
    return {"message": "File moved.", "path": path}


@files.api(returns=DONE)
def create_directory(ctx: Ctx, directory_path: DirectoryPath) -> Json:
    """Make a directory, and those above it that are missing."""
    path = _full(ctx, directory_path)
    if _is_directory(ctx, path) or file_at(ctx.state, ctx.me.id, path):
        conflict(f"'{path}' is already there.")
    make_directory(ctx.state, ctx.me.id, path)
    return {"message": "Directory created.", "path": path}


@files.api(returns=DONE)
def delete_directory(
    ctx: Ctx, directory_path: DirectoryPath, recursive: Annotated[bool, "delete what is in it too"] = False
) -> Json:
    """Delete a directory; one that is not empty only if recursive."""
    path = _directory(ctx, directory_path)
    if path == home(ctx.me):
        forbidden("The home directory cannot be deleted.")
    paths = [file.path for file in ctx.state[File].of(ctx.me.id)]
    paths += [one.path for one in ctx.state[Directory].of(ctx.me.id)]
    if not recursive and any(one.startswith(path + "/") for one in paths):
        conflict(f"'{path}' is not empty.")
    remove_directory(ctx.state, ctx.me.id, path)
    return {"message": "Directory deleted.", "path": path}


@files.api(returns=DONE)
def compress_directory(
    ctx: Ctx,
    directory_path: DirectoryPath,
    archive_path: Annotated[str, "path of the archive to write, ending in .zip"],
    delete_directory: Annotated[bool, "delete the directory afterwards"] = False,
    overwrite: Overwrite = False,
) -> Json:
    """Pack all files below a directory into one .zip file."""
    top = _directory(ctx, directory_path)
    path = _free(ctx, archive_path, overwrite)
    if not path.endswith(".zip"):
        invalid("archive_path must end in .zip.")
    if delete_directory and (top == home(ctx.me) or path.startswith(top + "/")):
        conflict("The archive cannot lie in the directory that is to be deleted.")
    write_file(ctx.state, ctx.me.id, path, packed(ctx.state, ctx.me.id, top))
    if delete_directory:
        remove_directory(ctx.state, ctx.me.id, top)
    return {"message": "Directory compressed.", "path": path}
