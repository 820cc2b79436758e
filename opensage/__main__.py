"""`python -m opensage` is the command `opensage`."""

from opensage.cli import main

main()
