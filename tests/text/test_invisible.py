"""What nobody sees is spelled out, and ordinary text stays as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.files.codec import line_of
from prowess.play.prompts import prompt_named
from prowess.text.invisible import paired, spelled
from prowess.text.terminal import safe
from prowess.types import Skill, Task

ORDINARY = [
    "plain \\u202e ASCII\n\tas it is",
    "naïve 漢字 שלום مرحبا",
    "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL} \N{HEAVY BLACK HEART}\ufe0f\u200d\N{FIRE} 1\ufe0f\u20e3",  # emoji
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
    "\u1780\u200b\u1781",  # Khmer parts words so
    "\u845b\U000e0100\u57ce",  # a Japanese name in one of its forms
    "\u0600\u0661",  # a format character that is seen
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert spelled(text) == safe(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"),
        ("pass\u00adword pass\u2060word", "pass\\xadword pass\\u2060word"),
        ("line\u2028line\u2029", "line\\u2028line\\u2029"),
        ("hi\U000e0048\U000e0069", "hi\\U000e0048\\U000e0069"),  # tags: a text that models read and people do not
        ("x\ufe00\ufe01\ufe02", "x\ufe00\\ufe01\\ufe02"),  # one chooses a form, several in a row hide something
        ("x\u200b\u200c\u200b", "x\u200b\\u200c\\u200b"),
        ("\ufeffx\u3164", "\\ufeffx\\u3164"),
    ],
)
def test_what_nobody_sees_is_spelled_out(text: str, shown: str) -> None:
    assert spelled(text) == safe(text) == shown


@given(st.text(alphabet=st.characters(categories=["Cf", "Lo", "So", "Mn"])))
def test_twice_is_once_and_what_reorders_is_gone(text: str) -> None:
    once = spelled(text)
    assert spelled(once) == once
    reordering = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not any(unicodedata.bidirectional(char) in reordering or char in "\u061c\u200e\u200f" for char in once)


def test_a_prompt_shows_what_others_hid() -> None:
    prompt = prompt_named("skill")
    task = Task(id="a_1", scenario="a", instruction="Pay \u202eeve", facts={"name": "A\u2066da"})
    skill = Skill(name="f", source='def f():\n    """Pays\U000e0041."""\n    return "\u202eevil"')
    told = "".join(message.content for message in (*prompt.opening(task, [skill]), prompt.reaction(task, "a\u202eb")))
    assert not {"\u202e", "\u2066", "\U000e0041"} & set(told)
    for shown in ("Pay \\u202eeve", "A\\u2066da", "Pays\\U000e0041.", '"\\u202eevil"', "a\\u202eb"):
        assert shown in told


def test_a_line_of_json_reorders_nothing() -> None:
    assert line_of("\u061c \u200e \u200f \u200d") == '"\\u061c \\u200e \\u200f \u200d"'


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_halves_of_characters_are_put_together_or_replaced_and_the_rest_stays(text: str) -> None:
    assert paired(text) == text
    assert paired(f"{text}\ud83d\ude00") == f"{text}\N{GRINNING FACE}"
    assert paired(f"\ude00{text}\ud83d") == f"\N{REPLACEMENT CHARACTER}{text}\N{REPLACEMENT CHARACTER}"
