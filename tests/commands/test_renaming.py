"""Demonstrations retold with other names: everywhere the same ones, and nothing else is touched."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from prowess.commands.dataset import About, Conversation, Spoken
from prowess.commands.renaming import KEPT, WORDS, retold
from prowess.commands.sft import SftSettings, lessons_of
from prowess.seeds import draw
from prowess.types import Sample

DOCS = """Output:

```
{
 "app_name": "music",
 "api_name": "show_playlist",
 "parameters": [
  {
   "name": "access_token",
   "description": "from login"
  },
  {
   "name": "playlist_id",
   "description": "see search_playlists"
  }
 ],
 "response_schemas": {
  "success": {
   "title": "string",
   "song_ids": [1]
  }
 }
}
```"""
CODE = """Now I know.
```python
def count_songs(playlist_id: int) -> int:
    found = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)
    print(f"{playlist_id}: {found['title']}")
    return len(found["song_ids"])
```"""


def conversation(docs: str = DOCS) -> Conversation:
    texts = (
        ("system", "Call apis.music.show_playlist and the like."),
        ("user", "Task: count the songs of the playlist 'show_playlists'."),
        ("assistant", 'I read.\n```python\nprint(apis.api_docs.show_api_doc(api_name="show_playlist"))\n```'),
        ("user", docs),
        ("assistant", CODE),
    )
    return Conversation(
        messages=tuple(Spoken(role=role, content=text, loss=role == "assistant") for role, text in texts),  # type: ignore[arg-type]
        about=About(task="t_1", scenario="t", split="train", temperature=0.0),
    )


def dialects(count: int = 30) -> list[Conversation]:
    return [one for n in range(count) if (one := retold(conversation(), draw(1, n)))]


def test_a_name_is_the_same_in_documents_and_code_and_the_prompt_is_left_alone() -> None:
    apis: set[str] = set()
    for told in dialects():
        system, task, read, docs, code = (message.content for message in told.messages)
        assert (system, task) == tuple(message.content for message in conversation().messages[:2])
        api, field = re.findall(r'"api_name": "(\w+)"', docs)[0], re.findall(r'"(\w+)": \[1\]', docs)[0]
        argument = re.findall(r'"name": "(\w+)"', docs)[1]
        assert f'api_name="{api}"' in read and f"apis.music.{api}(access_token=token, {argument}={argument})" in code
        assert f'len(found["{field}"])' in code and f"{{{argument}}}: " in code and "def count_songs(" in code
        assert ast.parse(code.split("```python\n")[1].removesuffix("```"))
        apis.add(api)
    assert len(apis) > 6 and "show_playlist" in apis


def test_what_all_programs_do_alike_keeps_its_name_and_so_does_a_name_of_one_word() -> None:
    for told in dialects():
        text = told.messages[3].content + told.messages[4].content
        assert '"name": "access_token"' in text and "access_token=token" in text and "['title']" in text


def test_no_two_names_become_one_and_none_becomes_one_that_is_there() -> None:
    docs = DOCS.replace("song_ids", "track_ids").replace('"title"', '"song_ids"')
    for n in range(60):
        told = retold(conversation(docs), draw(2, n))
        assert told is None or len(set(re.findall(r'"(\w+_\w+)":', told.messages[3].content))) == 5


def test_where_nothing_is_documented_nothing_is_retold() -> None:
    assert retold(conversation("Output:\n\n```\n7\n```"), draw(1)) is None


def test_copies_are_learnt_from_and_never_held_out() -> None:
    def imitate(some: Sequence[Conversation]) -> list[Sample]:
        return [Sample(tokens=(len(one.messages[3].content),), weights=(1.0,), logprobs=(0.0,)) for one in some]

    settings = SftSettings(dialects=3, held_out=0.0)
    plain = Conversation(messages=conversation("Output: 7").messages, about=conversation().about)
    lessons = lessons_of([conversation(), plain], imitate, settings, seed=0)
    assert 3 <= len(lessons.learn) <= 5 and not lessons.held_out
    assert len(lessons_of([conversation(), plain], imitate, SftSettings(held_out=0.0), seed=0).learn) == 2


def test_copies_that_become_too_long_are_left_out() -> None:
    def imitate(some: Sequence[Conversation]) -> list[Sample]:
        """A token for each letter."""
        sizes = [sum(len(message.content) for message in one.messages) for one in some]
        return [Sample(tokens=(1,) * size, weights=(1.0,) * size, logprobs=(0.0,) * size) for size in sizes]

    (own,) = imitate([conversation()])
    most = len(own.tokens)
    all_of_them, few = (
        lessons_of([conversation()], imitate, SftSettings(dialects=20, held_out=0.0, longest=longest), seed=0).learn
        for longest in (10_000, most)
    )
    assert few == tuple(one for one in all_of_them if len(one.tokens) <= most) and 1 < len(few) < len(all_of_them)


@pytest.mark.parametrize("word", WORDS)
def test_other_words_can_stand_in_a_name(word: str) -> None:
    for other in WORDS[word]:
        assert other.isidentifier() and other != word and f"x_{other}" not in KEPT


def test_the_words_are_those_of_desk(tmp_path: Path) -> None:
    from prowess_desk.engine.desk import APPS

    names = {name for app in APPS.values() for name in app.apis} - KEPT
    words = {word for name in names for word in name.split("_")}
    known = {word for word in words if word in WORDS or word.removesuffix("s") in WORDS}
    assert sum(any(word in known for word in name.split("_")) for name in names) > 0.95 * len(names)
