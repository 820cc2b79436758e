"""Words per sentence of the README and the pages: how plain our prose is. No test enforces it.

    python docs/words.py                        # every page of this checkout
    python docs/words.py README.md docs/*.md    # these pages
    python docs/words.py --since main README.md # beside what they were at a commit

Only prose counts: fenced code, indented code, tables, headings, quotes, HTML and list items are left out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from itertools import groupby
from pathlib import Path
from statistics import fmean

ROOT = Path(__file__).resolve().parent.parent
FRONT = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
FENCED = re.compile(r"^\s*(```|~~~).*?^\s*\1[^\n]*$", flags=re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"[|#>!<-]|\d+\.| +\S")
"""How a line begins that is no prose: a table, a heading, a quote, a picture, HTML, a list item; indented code, and
what a list item goes on with."""
END = re.compile(r"(?<=[.!?])\s+")
FEWEST = 3
"""Words that make a sentence; less is a label."""


def sentences(text: str) -> list[int]:
    """The length of each sentence, in words.

    >>> sentences("# Title\\n\\nA skill is a function. It has\\na name.\\n\\n- not counted\\n\\n| nor | this |")
    [5, 4]
    """
    lines = [line for line in FENCED.sub("", text).splitlines() if not LEFT_OUT.match(line)]
    paragraphs = [
        " ".join(lines_of) for filled, lines_of in groupby(lines, key=lambda line: bool(line.strip())) if filled
    ]
    counts = [len(sentence.split()) for paragraph in paragraphs for sentence in END.split(paragraph)]
    return [count for count in counts if count >= FEWEST]


def pages() -> list[Path]:
    """The README and its neighbours, then the manual, then the studies."""
    places = [ROOT / name for name in FRONT]
    found = [*places, *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "studies").rglob("*.md"))]
    return [page for page in found if page.is_file()]


def row(counts: list[int]) -> str:
    if not counts:
        return f"{'-':>9}{'-':>8}{'-':>9}"
    return f"{len(counts):>9}{fmean(counts):>8.1f}{max(counts):>9}"


def was(page: Path, commit: str) -> list[int]:
    """The same page at a commit; nothing if it was not there."""
    name = page.relative_to(ROOT).as_posix()
    found = subprocess.run(["git", "show", f"{commit}:{name}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return sentences(found.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description="Words per sentence of the README and the pages.")
    parser.add_argument("pages", nargs="*", type=Path, help="Markdown files; all of the project's if none is named")
    parser.add_argument("--since", metavar="COMMIT", help="the same figures at this commit, beside today's")
    given = parser.parse_args()
    head = f"{'sentences':>9}{'words':>8}{'longest':>9}"
    print(f"{'page':44}{head}" + (f"   {given.since:>8}:{head}" if given.since else ""))
    for page in [each.resolve() for each in given.pages] or pages():
        name = page.relative_to(ROOT).as_posix() if page.is_relative_to(ROOT) else str(page)
        line = f"{name:44}{row(sentences(page.read_text(encoding='utf-8')))}"
        print(line + (f"{'':12}{row(was(page, given.since))}" if given.since else ""))


if __name__ == "__main__":
    main()
