"""The program `prowess`: its commands, its version, and how it says what went wrong."""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer

from prowess import __version__
from prowess.cli.door import Doors
from prowess.errors import ProwessError, RecipeError
from prowess.text.terminal import say

app = typer.Typer(
    name="prowess",
    cls=Doors,
    help="Agents that write their own skills, keep them, and learn from using them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"prowess {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None: ...


def main() -> None:
    """Run a command; what the user can mend is said in plain words, without a traceback."""
    try:
        app()
    except ProwessError as error:
        say(f"error: {error}")
        sys.exit(2 if isinstance(error, RecipeError) else 1)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        # Where it was the output that found no room, what waits to be written would fail once more at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        say(f"error: {error.filename or 'the output'}: {error.strerror}")
        mend = "see whether the disk is well" if error.errno == errno.EIO else "free some space on the disk"
        say(f"hint: {mend}, then give the same command again")
        sys.exit(1)
    except RuntimeError as error:
        if type(error).__name__ != "OutOfMemoryError":  # PyTorch's, which is not imported for it
            raise
        say(f"error: the GPU's memory is full: {str(error).splitlines()[0]}")
        less = "a smaller learner.micro_tokens asks for less, with vLLM a smaller sampling.cache_gb, too"
        say(f"hint: nvidia-smi tells who holds it; {less}")
        sys.exit(1)
