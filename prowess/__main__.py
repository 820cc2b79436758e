"""`python -m prowess` is the command `prowess`."""

from prowess.cli import main

main()
