"""Files that are whole or not there: atomic writing, and the operating system's refusals in words."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from prowess.errors import StoreError


@contextmanager
def storing(path: Path, *, hint: str = "") -> Iterator[None]:
    """Turn the operating system's refusals into `StoreError` with the path and what to do; `hint` where we know no
    better."""
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else path
        raise StoreError(f"{where}: {error.strerror or error}", hint=_HINTS.get(error.errno or 0, hint)) from error


_HINTS = {
    errno.ENOSPC: "the disk is full: free some space, then give the same command again",
    errno.EDQUOT: "your disk quota is used up: free some space, then give the same command again",
    errno.EACCES: "check who owns it and its permissions, or name another folder",
    errno.EPERM: "check who owns it and its permissions, or name another folder",
    errno.EEXIST: "a file stands where a folder is needed: name another place",
    errno.ENOTDIR: "a file stands where a folder is needed: name another place",
    errno.EISDIR: "a folder stands where a file is needed: name another place",
    errno.EROFS: "the file system is read-only: name another folder",
    errno.ENAMETOOLONG: "use shorter names",
    errno.EIO: "the disk failed: check it, then give the same command again",
    errno.EFBIG: "the file is larger than the limit of the file system or of `ulimit -f`",
    errno.EMFILE: "too many open files: raise `ulimit -n`",
}


def write_whole(path: Path, content: str | bytes, *, last: bool = True) -> None:
    """Write a file so that a reader, or a crash, sees all of the new content or all of the old.

    Who writes many says `last=False` and syncs their folder in the end.
    """
    data = content.encode() if isinstance(content, str) else content
    # One name per writer: two threads that write the same file do not meet in the temporary one.
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        try:
            write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except BaseException as problem:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(problem, OSError):
            problem.filename = str(path)  # the temporary name says nothing to whoever named the file
        raise
    if last:
        sync_folder(path.parent)


def read_text(path: Path) -> str:
    with storing(path):
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise StoreError(f"{path} is not UTF-8 text: {error}") from None


def sha256_of(path: Path) -> str:
    """The digest of a file's content, read piece by piece."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut; file systems that cannot are left alone."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
