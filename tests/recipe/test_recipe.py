"""Recipes: what is written is what is meant, or an error says which line to mend."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess import recipe
from prowess.errors import RecipeError, StoreError
from prowess.run.recipe import toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far an episode may go."""

    turns: int = 40
    """Turns before an episode is stopped.

    A second paragraph that no table should show."""
    seconds: float = 5.0
    """Wall time of one
    step."""
    context: int | None = None

    def __post_init__(self) -> None:
        if self.turns < 1:
            raise RecipeError(f"turns is {self.turns}", hint="at least 1 is allowed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    model: str = "small"


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    world: str = "desk"
    """Which world is played."""
    wording: Literal["shared", "mixed"] = "shared"
    temperatures: tuple[float, ...] = (1.0,)
    splits: tuple[str, ...] = ()
    limits: Limits = field(default_factory=lambda: Limits(turns=30))
    options: Mapping[str, Any] = field(default_factory=dict)
    judge: Judge | None = None
    name: str | None = None
    fast: bool = False
    judges: tuple[Judge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Needy:
    model: str


def refused(text: str, *sets: str) -> RecipeError:
    with pytest.raises(RecipeError) as caught:
        recipe.parse(Play, text, sets, source="play.toml")
    return caught.value


def test_an_empty_recipe_is_the_defaults() -> None:
    assert recipe.parse(Play, "") == Play()


def test_every_type_is_read_from_toml() -> None:
    play = recipe.parse(
        Play,
        """
        wording = "mixed"
        temperatures = [0.5, 1]
        splits = ["dev", "train"]
        name = "first"
        fast = true
        judges = [{model = "a"}, {}]
        [limits]
        turns = 3
        seconds = 2
        context = 100
        [judge]
        model = "large"
        [options]
        depth = 2
        nested = {list = [1, "two", false]}
        """,
    )
    assert play == Play(
        wording="mixed",
        temperatures=(0.5, 1.0),
        splits=("dev", "train"),
        name="first",
        fast=True,
        judges=(Judge(model="a"), Judge()),
        limits=Limits(turns=3, seconds=2.0, context=100),
        judge=Judge(model="large"),
        options={"depth": 2, "nested": {"list": [1, "two", False]}},
    )
    assert type(play.limits.seconds) is float and type(play.temperatures[1]) is float


def test_a_section_is_laid_over_the_defaults_its_parent_gives_it() -> None:
    assert recipe.parse(Play, "[limits]\nseconds = 1.5").limits == Limits(turns=30, seconds=1.5)


def test_an_unknown_key_names_the_file_the_nearest_key_and_all_allowed_ones() -> None:
    error = refused("[limits]\nturn = 3")
    assert error.message == "play.toml: unknown key 'limits.turn'"
    assert error.hint == "did you mean 'turns'? known: context, seconds, turns"


def test_a_key_outside_its_section_is_sent_there() -> None:
    assert refused("", "turns=3").hint.startswith("did you mean 'limits.turns'? known: fast,")


@pytest.mark.parametrize(
    ("text", "message", "allowed"),
    [
        ("limits.turns = 'many'", 'limits.turns cannot be "many"', "allowed: a whole number"),
        ("limits.turns = 1.0", "limits.turns cannot be 1.0", "allowed: a whole number"),
        ("limits.turns = true", "limits.turns cannot be true", "allowed: a whole number"),
        ("limits.seconds = nan", "limits.seconds cannot be nan", "allowed: a number"),
        ("fast = 1", "fast cannot be 1", "allowed: true or false"),
        ("world = ['desk']", 'world cannot be ["desk"]', "allowed: text"),
        ("temperatures = 1.0", "temperatures cannot be 1.0", "allowed: an array, each a number"),
        ("temperatures = [1, 'hot']", 'temperatures.1 cannot be "hot"', "allowed: a number"),
        ("limits = 3", "limits cannot be 3", "allowed: a section with turns, seconds, context"),
        ("options = 3", "options cannot be 3", "allowed: a table"),
        (
            "wording = 'shard'",
            'wording cannot be "shard"',
            'did you mean "shared"? allowed: "shared" or "mixed"',
        ),
        ("limits.context = 'x'", 'limits.context cannot be "x"', "allowed: a whole number or none"),
        (
            "options.day = 2024-01-01",
            "options.day cannot be 2024-01-01",
            "allowed: true or false, a number, text, an array or a table (a date goes in quotes)",
        ),
    ],
)
def test_a_wrong_value_says_what_was_given_and_what_is_allowed(text: str, message: str, allowed: str) -> None:
    error = refused(text)
    assert error.message == f"play.toml: {message}"
    assert error.hint == allowed


def test_an_error_inside_an_optional_section_or_an_array_of_sections_says_where() -> None:
    assert refused("judge.modell = 'x'").message == "play.toml: unknown key 'judge.modell'"
    assert refused("judges = [{}, {modell = 'x'}]").message == "play.toml: unknown key 'judges.1.modell'"


def test_a_missing_key_is_named() -> None:
    with pytest.raises(RecipeError, match=r"x\.toml: the key 'model' is missing"):
        recipe.parse(Needy, "", source="x.toml")


def test_a_range_check_of_the_dataclass_gets_its_section() -> None:
    error = refused("[limits]\nturns = 0")
    assert error.message == "play.toml, section limits: turns is 0"
    assert error.hint == "at least 1 is allowed"


def test_a_syntax_error_names_file_and_line() -> None:
    error = refused('world = "desk"\n[limits]\nturns 3\n')
    assert error.message.startswith("play.toml, line 3: not TOML: Expected '='")
    assert error.hint == "the line reads: turns 3"
    error = refused("world = desk")
    assert error.message == "play.toml, line 1: not TOML: Invalid value"
    assert error.hint == "the value of 'world' is none that TOML knows: text goes in quotes"
    assert refused("world = 'a'\nworld = [").message.startswith("play.toml, line 2: not TOML: ")


@pytest.mark.parametrize("value", ["[" * 5000, "9" * 5000], ids=["nesting", "digits"])
def test_what_python_does_not_read_of_toml_is_refused_in_words(tmp_path: Path, value: str) -> None:
    assert refused(f"world = {value}").message.startswith("play.toml: not TOML: ")
    with pytest.raises(RecipeError):
        recipe.parse(Play, "", sets=[f"limits.turns={value}"], source="play.toml")
    with pytest.raises(StoreError, match="is not TOML"):
        toml(f"world = {value}", "recipe.toml")


def test_a_recipe_with_a_name_that_no_disk_takes_is_refused_in_words() -> None:
    with pytest.raises(RecipeError, match=r"the recipe 'xxx.* cannot be read: File name too long"):
        recipe.read(Play, Path("x" * 5000 + ".toml"))


# --- settings over the file


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("limits.turns=7", Play(limits=Limits(turns=7))),
        (" limits.turns = 7 ", Play(limits=Limits(turns=7))),
        ("world=other", Play(world="other")),
        ('world="other"', Play(world="other")),
        ("world=7", Play(world="7")),
        ("world=true", Play(world="true")),
        ("world=2024-01-01", Play(world="2024-01-01")),
        ("world=a=b", Play(world="a=b")),
        ("world=", Play(world="")),
        ("world=x\ny = 1", Play(world="x\ny = 1")),
        ("world='x'\ny = 1", Play(world="'x'\ny = 1")),
        ("wording=mixed", Play(wording="mixed")),
        ("fast=true", Play(fast=True)),
        ("temperatures=[0, 0.5]", Play(temperatures=(0.0, 0.5))),
        ("judge.model=large", Play(judge=Judge(model="large"))),
        ("limits={seconds = 1.0}", Play(limits=Limits(turns=30, seconds=1.0))),
        ("options.deep.key=3", Play(options={"deep": {"key": 3}})),
        ('options."a.b"=3', Play(options={"a.b": 3})),
        ("name=none", Play(name="none")),
    ],
)
def test_a_setting_is_toml_or_bare_text(option: str, expected: Play) -> None:
    assert recipe.parse(Play, "", [option]) == expected


def test_settings_go_over_the_file_in_order() -> None:
    play = recipe.parse(Play, "[limits]\nturns = 3\ncontext = 9", ["limits.turns=4", "limits.turns=5"])
    assert play.limits == Limits(turns=5, context=9)


def test_none_switches_an_optional_value_off() -> None:
    text = "limits.context = 9\njudge.model = 'a'"
    play = recipe.parse(Play, text, ["limits.context=none", "judge=none"])
    assert play.limits.context is None and play.judge is None


def test_free_tables_are_merged_key_by_key() -> None:
    play = recipe.parse(Play, "[options]\na = 1\nb = {c = 2}", ["options.b.d=3"])
    assert play.options == {"a": 1, "b": {"c": 2, "d": 3}}


def test_a_wrong_setting_is_named_instead_of_the_file() -> None:
    error = refused("", "limits.turns=many")
    assert error.message == '--set: limits.turns cannot be "many"'
    assert refused("", "limits.trns=1").message == "--set: unknown key 'limits.trns'"
    assert refused("", "world.deeper=1").message == "--set: world cannot be {deeper = 1}"
    assert refused("", "limits.turns=0").message == "play.toml with --set, section limits: turns is 0"


def test_a_secret_given_to_a_key_that_does_not_exist_is_not_repeated() -> None:
    assert "sk-123" not in str(refused("", "limits.key=sk-123"))
    assert "sk-123" not in str(refused("limits.key = sk-123"))
    assert "sk-123" not in str(refused("limits.key = 'sk-123'"))
    assert "sk-123" not in str(refused("", "limits.turns=0", "name=sk-123"))


@pytest.mark.parametrize("option", ["limits.turns", "=3", "a b=3", "a..b=3", "[limits]\nturns=3"])
def test_a_setting_without_key_or_value_is_refused(option: str) -> None:
    error = refused("", option)
    assert error.message == f"cannot read the setting '{option.partition('=')[0]}'"
    assert error.hint == "write it as section.key=value"


# --- files


def test_a_recipe_extends_another_relative_to_itself(tmp_path: Path) -> None:
    (tmp_path / "bases").mkdir()
    (tmp_path / "bases/root.toml").write_text("world = 'root'\nfast = true\n[limits]\nturns = 1\nseconds = 2\n")
    (tmp_path / "bases/middle.toml").write_text("extends = 'root.toml'\nworld = 'middle'\n")
    (tmp_path / "top.toml").write_text("extends = 'bases/middle.toml'\n[limits]\nturns = 9\n")
    play = recipe.read(Play, tmp_path / "top.toml", ["fast=false"])
    assert play == Play(world="middle", limits=Limits(turns=9, seconds=2.0))


def test_a_mistake_in_an_extended_recipe_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "low.toml").write_text("wurld = 'x'\n")
    (tmp_path / "top.toml").write_text("extends = 'low.toml'\n")
    with pytest.raises(RecipeError, match=r"low\.toml: unknown key 'wurld'"):
        recipe.read(Play, tmp_path / "top.toml")


def test_recipes_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("extends = 'b.toml'\n")
    (tmp_path / "b.toml").write_text("extends = 'c.toml'\n")
    (tmp_path / "c.toml").write_text("extends = '../" + tmp_path.name + "/b.toml'\n")
    with pytest.raises(RecipeError, match=r"in a circle: b\.toml -> c\.toml -> b\.toml"):
        recipe.read(Play, tmp_path / "a.toml")


def test_what_cannot_be_extended_is_said_with_the_recipe_that_asks(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text("")
    (tmp_path / "top.toml").write_text("extends = 'bse.toml'\n")
    with pytest.raises(RecipeError, match=r"top\.toml: cannot extend: there is no recipe .*bse\.toml") as caught:
        recipe.read(Play, tmp_path / "top.toml")
    assert caught.value.hint.startswith(f"did you mean '{tmp_path}/base.toml'?")
    with pytest.raises(RecipeError, match="extends cannot be 3"):
        recipe.parse(Play, "extends = 3")


def test_a_missing_file_suggests_neighbours_and_shipped_recipes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes/nightly-run.toml").write_text("world = 'night'\n")
    (tmp_path / "mine.toml").write_text("")
    with pytest.raises(RecipeError, match=r"there is no recipe 'mien\.toml'") as caught:
        recipe.read(Play, "mien.toml")
    assert caught.value.hint.startswith("did you mean 'mine.toml'? known: ")
    with pytest.raises(RecipeError) as caught:
        recipe.read(Play, "nightly-rum")
    assert caught.value.hint.startswith("did you mean 'nightly-run'?")
    assert recipe.read(Play, "nightly-run").world == "night"


def test_a_folder_and_bytes_are_not_recipes(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "z.toml").mkdir()
    with pytest.raises(RecipeError, match="is a folder") as caught:
        recipe.read(Play, tmp_path)
    assert caught.value.hint == f"name a file in it: {tmp_path}/x.toml", "folders may be called so, too"
    with pytest.raises(RecipeError, match="there is no recipe") as caught:
        recipe.read(Play, tmp_path / "zz.toml")
    assert "z.toml" not in caught.value.hint
    with pytest.raises(RecipeError, match=r"x\.toml, line 1: not UTF-8: invalid start byte 0xff\nhint: .*save"):
        recipe.read(Play, tmp_path / "x.toml")
    (tmp_path / "y.toml").write_bytes('seed = 1\nworld = "café"\n'.encode("latin-1"))
    with pytest.raises(RecipeError, match=r"y\.toml, line 2: not UTF-8: invalid continuation byte 0xe9"):
        recipe.read(Play, tmp_path / "y.toml")


def test_what_is_neither_file_nor_folder_is_called_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "top.toml").write_text("extends = 'pipe.toml'\n")
    with pytest.raises(RecipeError, match=r"the recipe '.*pipe\.toml' is a pipe, not a file\nhint: write it to a file"):
        recipe.read(Play, tmp_path / "pipe.toml")
    with pytest.raises(RecipeError, match=r"top\.toml: cannot extend: the recipe '.*pipe\.toml' is a pipe"):
        recipe.read(Play, tmp_path / "top.toml")
    with pytest.raises(RecipeError, match="the recipe '/dev/null' is a device, not a file"):
        recipe.read(Play, "/dev/null")


# --- writing

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
number = st.floats(allow_nan=False)
free = st.recursive(
    st.booleans() | st.integers() | number | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
judges = st.builds(Judge, model=text)
plays = st.builds(
    Play,
    world=text,
    wording=st.sampled_from(["shared", "mixed"]),
    temperatures=st.lists(number, max_size=3).map(tuple),
    splits=st.lists(text, max_size=3).map(tuple),
    limits=st.builds(
        Limits, turns=st.integers(min_value=1), seconds=number, context=st.none() | st.integers(-(2**70), 2**70)
    ),
    options=st.dictionaries(text, free, max_size=4),
    judge=st.none() | judges,
    name=st.none() | text,
    fast=st.booleans(),
    judges=st.lists(judges, max_size=2).map(tuple),
)


@given(play=plays)
def test_a_written_recipe_reads_back_equal(play: Play) -> None:
    assert recipe.parse(Play, recipe.to_toml(play)) == play


def test_a_written_recipe_is_complete_but_for_none() -> None:
    assert recipe.to_toml(Play()) == (
        'world = "desk"\nwording = "shared"\ntemperatures = [\n    1.0,\n]\nsplits = []\nfast = false\njudges = []\n'
        "\n[limits]\nturns = 30\nseconds = 5.0\n\n[options]\n"
    )


@pytest.mark.parametrize("options", [{"a": None}, {"a": [None]}, {"a": float("nan")}, {"a": object()}])
def test_what_toml_cannot_say_is_not_written(options: dict[str, Any]) -> None:
    with pytest.raises(RecipeError, match="this Play cannot be written as TOML"):
        recipe.to_toml(replace(Play(), options=options))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stubborn:
    limits: Limits = field(default_factory=lambda: Limits(context=5))


def test_a_value_that_would_read_back_differently_is_not_written() -> None:
    with pytest.raises(RecipeError, match="reads back as another value"):
        recipe.to_toml(Stubborn(limits=Limits(context=None)))


# --- describing


def test_a_description_holds_type_default_and_the_line_under_the_field() -> None:
    entries = {entry.key: entry for entry in recipe.describe(Play)}
    assert list(entries) == [
        *["world", "wording", "temperatures", "splits", "options", "name", "fast", "judges"],
        *["limits.turns", "limits.seconds", "limits.context", "judge.model"],
    ]
    assert entries["world"] == recipe.KeyDoc(key="world", type="text", default='"desk"', doc="Which world is played.")
    assert entries["limits.turns"] == recipe.KeyDoc(
        key="limits.turns", type="a whole number", default="30", doc="Turns before an episode is stopped."
    )
    assert entries["limits.seconds"].doc == "Wall time of one step."
    assert entries["limits.context"] == recipe.KeyDoc(
        key="limits.context", type="a whole number or none", default="none", doc=""
    )
    assert entries["wording"].type == '"shared" or "mixed"'
    assert recipe.describe(Needy)[0].default == ""


# --- our own mistakes, found on first use


@dataclass(frozen=True)
class Unsayable:
    limit: int | None = 3


@dataclass(frozen=True)
class Unheard:
    where: Path = Path()


def test_a_dataclass_that_toml_cannot_say_is_a_programming_error() -> None:
    with pytest.raises(TypeError, match=r"Unsayable\.limit may be None and so must default to None"):
        recipe.parse(Unsayable, "")
    with pytest.raises(TypeError, match="a recipe cannot hold"):
        recipe.parse(Unheard, "")


# --- sections that others bring


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    boards: int = 3
    """How many."""
    judge: Judge = field(default_factory=Judge)


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    name: str = "ours"
    rooms: Mapping[str, Any] = recipe.sections(lambda: ("attic", "cellar"), lambda name: Shelf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Street:
    house: House = field(default_factory=lambda: House(rooms={"attic": Shelf(boards=7)}))


def test_sections_that_others_bring_stand_beside_the_keys_and_are_read_like_ours() -> None:
    house = recipe.parse(House, "[attic]\nboards = 2", ["attic.judge.model=large"])
    assert house == House(rooms={"attic": Shelf(boards=2, judge=Judge(model="large"))})
    assert recipe.to_toml(house) == 'name = "ours"\n\n[attic]\nboards = 2\n\n[attic.judge]\nmodel = "large"\n'
    assert recipe.parse(House, "") == House()
    assert recipe.parse(Street, "[house.attic.judge]\nmodel = 'x'").house.rooms["attic"].boards == 7


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[attic]\nboard = 2", "unknown key 'attic.board'", "did you mean 'boards'?"),
        ("[attik]\nboards = 2", "unknown key 'attik'", "did you mean 'attic'? known: attic, cellar, name"),
        ("attic = 2", "attic cannot be 2", "allowed: a section with boards, judge"),
        ("[rooms]\n", "unknown key 'rooms'", "known: attic, cellar, name"),
        ("boards = 2", "unknown key 'boards'", "did you mean 'attic.boards'?"),
    ],
)
def test_what_is_wrong_in_sections_of_others_is_told_as_in_ours(text: str, message: str, hint: str) -> None:
    with pytest.raises(RecipeError) as caught:
        recipe.parse(House, text, source="house.toml")
    assert caught.value.message == f"house.toml: {message}"
    assert caught.value.hint.startswith(hint)


def test_sections_of_others_are_described_but_for_those_that_cannot_be_had() -> None:
    def of(name: str) -> type:
        if name == "attic":
            raise RecipeError("it burnt down")
        return Shelf

    @dataclass(frozen=True)
    class Ruin:
        rooms: Mapping[str, Any] = recipe.sections(lambda: ("attic", "cellar"), of)

    assert [entry.key for entry in recipe.describe(Ruin)] == ["cellar.boards", "cellar.judge.model"]
    with pytest.raises(RecipeError, match="it burnt down"):
        recipe.parse(Ruin, "[attic]")


# --- choosing

SHOUT = {"loud": str.upper, "quiet": str.lower}


def test_a_choice_is_found_by_name_or_imported() -> None:
    assert recipe.lookup("voice", "loud", SHOUT)("a") == "A"
    assert recipe.lookup("voice", "string:capwords", SHOUT)("ab cd") == "Ab Cd"
    assert recipe.lookup("voice", "pathlib:Path.home", SHOUT) == Path.home


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        (
            "lout",
            "unknown voice 'lout'",
            "did you mean 'loud'? known: loud, quiet, or \"module:function\" for your own",
        ),
        (
            "no_such_module:f",
            "voice 'no_such_module:f': there is no module 'no_such_module'",
            "install it, or run from",
        ),
        ("json.no:f", "voice 'json.no:f': there is no module 'json.no'", "install it, or run from"),
        ("string:capword", "voice 'string:capword': 'string' has no 'capword'", "did you mean 'capwords'?"),
        ("string:digits", "voice 'string:digits' is a str, not a function", "name a function"),
        ("string:", "voice 'string:' is not the name of a function", 'write it as "module:function"'),
        (":f", "voice ':f' is not the name of a function", 'write it as "module:function"'),
        (".a:f", "voice '.a:f' is not the name of a function", 'write it as "module:function"'),
    ],
)
def test_a_choice_that_does_not_exist_says_what_is_missing(name: str, message: str, hint: str) -> None:
    with pytest.raises(RecipeError) as caught:
        recipe.lookup("voice", name, SHOUT)
    assert caught.value.message == message
    assert caught.value.hint.startswith(hint)


def test_a_module_in_the_current_folder_is_found_and_its_own_failure_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    (tmp_path / "my_voice.py").write_text("def whisper(text):\n    return text + '...'\n")
    (tmp_path / "my_broken.py").write_text("import not_installed_anywhere\n")
    (tmp_path / "my_crash.py").write_text("1 / 0\n")
    assert recipe.lookup("voice", "my_voice:whisper", SHOUT)("a") == "a..."
    with pytest.raises(RecipeError, match="importing 'my_broken' failed: ModuleNotFoundError"):
        recipe.lookup("voice", "my_broken:f", SHOUT)
    with pytest.raises(RecipeError, match="importing 'my_crash' failed: ZeroDivisionError"):
        recipe.lookup("voice", "my_crash:f", SHOUT)


@pytest.mark.parametrize("signature", ["prompts, completions, **more", "", "*, rollout", "first, second"])
def test_a_part_that_cannot_be_called_as_it_will_be_is_told_before_anything_is_played(
    signature: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    name = f"part_{sum(map(ord, signature))}"
    (tmp_path / f"{name}.py").write_text(f"def mine({signature}): ...\ndef fits(one, more=1): ...\n")
    with pytest.raises(RecipeError, match=rf"reward '{name}:mine' cannot be called with \(rollout\): ") as caught:
        recipe.lookup("reward", f"{name}:mine", {}, takes=("rollout",))
    assert "def mine(rollout)" in caught.value.hint
    assert recipe.lookup("reward", f"{name}:fits", {}, takes=("rollout",))
    assert recipe.lookup("number", "builtins:dict", {}, takes=("anything",)), "what has no signature is not judged"
