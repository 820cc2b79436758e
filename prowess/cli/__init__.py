"""The command line: `prowess collect | sft | teach | train | learn | evaluate | ablate | report | show ...`.

Data goes to standard output, everything else to standard error. Exit codes: 0 all went well, 1 some episodes ended in
an error or a check found problems, 2 the command was given something wrong, or the name of something that is not there,
130 Ctrl-C or SIGTERM (what was finished is kept, and the same command goes on from there).
"""

from __future__ import annotations

from prowess.cli.commands import app, main

__all__ = ["app", "main"]
