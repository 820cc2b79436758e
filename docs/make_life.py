"""Writes "The life of one skill" in docs/store/index.md: real commands in a fresh folder, and what they say.

python docs/make_life.py
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

PAGE = Path(__file__).parent / "store" / "index.md"
HEAD, NEXT = "## The life of one skill\n", "## Looking\n"
SKILL = "like_songs_by_artist"
WORK = (
    "prowess work worker --set 'suite.desk.families=[\"like_artist\"]' --set work.tasks=36 --set work.every=4"
    " --set work.mask=0.25 --out job"
)

BETTER = '''def like_songs_by_artist(artist_name: str) -> int:
    """Like every song by an artist that is not liked yet and return how many were added; one look if there is none."""
    token = login(app="music")
    songs = all_pages(apis.music.search_songs, access_token=token, query=artist_name)
    wanted = [song["song_id"] for song in songs if song["artist_name"] == artist_name]
    if not wanted:
        return 0
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=token)}
    for song_id in wanted:
        if song_id not in liked:
            apis.music.like_song(access_token=token, song_id=song_id)
    return len(set(wanted) - liked)
'''

CLIENT = """import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main() -> None:
    server = StdioTransport("prowess", ["skills", "serve", "--task", "like_artist.0_2"])
    async with Client(server) as client:
        print([tool.name for tool in await client.list_tools()])
        found = await client.call_tool("like_songs_by_artist", {"artist_name": "Juno Halloway"})
        print(found.content[0].text)


asyncio.run(main())
"""


class Terminal:
    """A folder in which commands are run, as a reader would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        bin = Path(sys.executable).parent
        self.env = os.environ | {"PATH": f"{bin}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100", "NO_COLOR": "1"}
        self.env |= {"USER": "ada", "LOGNAME": "ada", "PROWESS_SKILLS": ""}

    def run(self, command: str, *, aloud: bool = False) -> str:
        done = subprocess.run(command, shell=True, cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{command}\n{done.stdout}{done.stderr}")
        lines = [line.rstrip() for line in (done.stdout + done.stderr * aloud).splitlines()]
        return "\n".join(lines).strip("\n")

    def shown(self, command: str, *, keep: str = "", aloud: bool = False) -> str:
        """The command and what it says, `aloud` also what it tells people apart; only lines that match, if asked."""
        said = self.run(command, aloud=aloud)
        if keep:
            said = "\n".join(line for line in said.splitlines() if re.search(keep, line))
        return f"```console\n$ {command}\n{said}\n```" if said else f"```console\n$ {command}\n```"


def told(terminal: Terminal) -> Iterator[str]:
    """The section, paragraph by paragraph."""
    yield (
        "Real commands said all of this; `python docs/make_life.py` runs them again. An agent works through\n"
        "36 tasks of one kind: twelve people want the songs of three artists liked. The store is empty at first."
    )
    terminal.run(WORK)
    yield f"```console\n$ {WORK}\n```"
    yield "The store knows the very turn that wrote the skill. It went through the gates and is on probation:"
    yield terminal.shown(
        f"prowess skills show {SKILL}@1", keep="task like_artist.9_1,|Night Ferry on music|✔|^  replay"
    )
    yield "Later tasks are offered it, and it is held back from some as a control. Then the evidence promotes it:"
    yield terminal.shown(f"prowess skills log {SKILL}@1")
    yield terminal.shown(f"prowess skills stats {SKILL}")
    yield "Somebody writes a better one. It comes in like any other code, as a candidate of which nothing is known:"
    first = json.loads(terminal.run(f"prowess skills show {SKILL}@1 --json").splitlines()[0])["version"]
    source, imports = first["source"], "\n".join(first["imports"])
    helpers = source[: source.index(f"def {SKILL}")]
    line = {"task_id": "by-ada", "name": SKILL, "function": f"{imports}\n\n\n{helpers}{BETTER}"}
    (terminal.folder / "better.jsonl").write_text(json.dumps(line) + "\n")
    yield terminal.shown("prowess skills import better.jsonl")
    yield terminal.shown("prowess skills admit")
    whole = json.loads(terminal.run(f"prowess skills show {SKILL} --json").splitlines()[0])
    digest = max(whole["versions"], key=lambda one: one["number"])["digest"][:12]
    yield terminal.shown(f'prowess skills approve {digest} --why "one look less where there is no song"')
    yield "The earlier version gives way, and the name leads to the new one:"
    yield terminal.shown(f"prowess skills stats {SKILL}")
    yield "A copy under another name is no new skill. Its name still works, as a second name of the first:"
    renamed = source.replace(SKILL, "heart_everything_by").replace("artist_name:", "performer:")
    renamed = renamed.replace("== artist_name", "== performer").replace("query=artist_name", "query=performer")
    copy = {"task_id": "by-bob", "name": "heart_everything_by", "function": f"{imports}\n\n\n{renamed}"}
    (terminal.folder / "copy.jsonl").write_text(json.dumps(copy) + "\n")
    yield terminal.shown("prowess skills import copy.jsonl")
    yield terminal.shown("prowess skills admit")
    yield terminal.shown("prowess skills show heart_everything_by", keep="^│ (like_songs|active|also)")
    yield "It leaves as a folder that any agent with Agent Skills reads. Their validator accepts it:"
    yield terminal.shown("prowess skills export --out exported")
    yield terminal.shown("agentskills validate exported/like-songs-by-artist")
    yield "It can be served, too. A program that knows nothing of prowess finds it over MCP and calls it:"
    (terminal.folder / "client.py").write_text(CLIENT)
    yield f"```python\n{CLIENT}```"
    yield terminal.shown("python client.py")
    yield "The call is an event like any other. All that is derived from events agrees with them:"
    yield terminal.shown("prowess skills rebuild --verify", aloud=True)


def main() -> None:
    with TemporaryDirectory() as folder:
        section = "\n\n".join(told(Terminal(Path(folder))))
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index(HEAD) + len(HEAD), page.index(NEXT)
    PAGE.write_text(f"{page[:start]}\n{section}\n\n{page[end:]}", encoding="utf-8")


if __name__ == "__main__":
    main()
