"""Run prowess until its so many-th change of a file, and end all of its processes there.

    python dying.py MOMENT FOLDER WORDS...

MOMENT counts what the process is about to do to files in FOLDER: opening one to write, renaming, deleting. 0 is never.
With PROWESS_CHAOS_COUNT=FILE it writes there how many such moments there were.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link")


def watch(moment: int, folder: str) -> None:
    """Count changes from now on; at the right one end the process group, which is to be this process's own."""
    assert os.getpgrp() == os.getpid()
    seen, guard = [0], threading.Lock()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                return
        elif event not in CHANGES:
            return
        if not isinstance(arguments[0], str | bytes | os.PathLike):
            return
        if not os.path.abspath(os.fsdecode(arguments[0])).startswith(folder):
            return
        with guard:
            seen[0] += 1
            if seen[0] == moment:
                os.killpg(0, signal.SIGKILL)

    sys.addaudithook(hook)
    if told := os.environ.get("PROWESS_CHAOS_COUNT"):
        here = os.getpid()
        atexit.register(lambda: os.getpid() == here and Path(told).write_text(str(seen[0])))


if __name__ == "__main__":
    watch(int(sys.argv[1]), os.path.abspath(sys.argv[2]))
    sys.argv = ["prowess", *sys.argv[3:]]
    from prowess.cli import main

    main()
