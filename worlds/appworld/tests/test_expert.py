"""The expert for AppWorld: what it makes of references, on made-up ones, and real scenarios played to the end."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prowess_appworld.demonstrator.blocks import Writer
from prowess_appworld.demonstrator.calls import Api, Asked, Routes
from prowess_appworld.demonstrator.expert import STYLES, AppWorldExpert, offered_in
from prowess_appworld.demonstrator.layout import WIDTH, laid_out
from prowess_appworld.demonstrator.program import Program, program_of
from prowess_appworld.demonstrator.stages import Sibling, aligned
from prowess_appworld.demonstrator.templates import Case, Piece, template
from prowess_appworld.demonstrator.trace import Step
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite

from prowess.errors import PolicyError, WorldError
from prowess.play import Agent
from prowess.play.prompts import prompt_named
from prowess.policies.scripted import Scripted
from prowess.policies.taught import LOOKED, taught
from prowess.retrieval.retrievers import make_retriever
from prowess.retrieval.settings import RetrievalSettings
from prowess.skills.library import Library
from prowess.types import Episode, Message, Task
from prowess.worlds.expert import GOOD, ExpertSettings

NOW = datetime(2024, 3, 10, 9, 30)


def api(name: str, path: str, method: str = "get", **kinds: str) -> Api:
    return Api(app="zoo", name=name, method=method, path=path, kinds=kinds, description=f"About {name}.")


ROUTES = Routes(
    [
        api("show_animal", "/zoo/animals/{animal_id}", animal_id="integer"),
        api("show_favourites", "/zoo/animals/favourites", page_index="integer"),
        api("list_animals", "/zoo/animals", page_index="integer"),
        api("feed_animal", "/zoo/animals/{animal_id}/meals", "post", animal_id="integer", food="string"),
    ]
)


# ------------------------------------------------------------------------------------------------------ calls by route


def test_a_request_becomes_the_call_whose_path_it_has_with_typed_arguments() -> None:
    asked = ROUTES.asked("get", "/zoo/animals/12", {"access_token": "t", "verbose": None})
    assert asked == Asked(app="zoo", api="show_animal", arguments={"animal_id": 12, "access_token": "t"})


def test_a_path_without_places_goes_before_one_with() -> None:
    assert ROUTES.asked("get", "/zoo/animals/favourites", {}).api == "show_favourites"


def test_the_method_tells_apis_of_one_path_apart() -> None:
    assert ROUTES.asked("post", "/zoo/animals/3/meals", {"food": "hay"}).arguments == {"animal_id": 3, "food": "hay"}
    with pytest.raises(WorldError, match="no API"):
        ROUTES.asked("delete", "/zoo/animals/3", {})


# ------------------------------------------------------------------------------------------- programs out of references


def read(name: str, answer: Any, **arguments: Any) -> Step:
    return Step(app="zoo", api=name, arguments=arguments, signed=True, answer=answer)


def act(name: str, **arguments: Any) -> Step:
    return Step(app="zoo", api=name, arguments=arguments, signed=True, reads=False, answer={"message": "ok"})


def sibling(number: int, values: Mapping[str, Any], steps: Sequence[Step], answer: Any = None) -> Sibling:
    told = " ".join(f"{name} {value}" for name, value in values.items())
    return Sibling(
        id=f"zoo_{number}",
        instruction=f"Feed all the hungry animals of my zoo: {told}",
        now=NOW,
        email=f"keeper{number}@zoo.org",
        values=values,
        steps=tuple(steps),
        answer=answer,
        asks=answer is not None,
    )


def animal(id: int, kind: str, born: str, weight: int = 10) -> dict[str, Any]:
    return {"animal_id": id, "kind": kind, "born": f"{born}-06-01T00:00:00", "weight": weight}


HERDS = (
    [animal(1, "Lion", "2019"), animal(2, "bear", "2022"), animal(3, "lion", "2023")],
    [animal(4, "bear", "2021"), animal(5, "bear", "2018"), animal(6, "wolf", "2020")],
    [animal(7, "wolf", "2020"), animal(8, "lion", "2024"), animal(9, "wolf", "2017")],
)


def fed(chosen: Sequence[Sequence[int]], values: Sequence[Mapping[str, Any]]) -> Program:
    """The program behind feeding these animals of the three herds."""
    return program_of(
        aligned(
            [
                sibling(
                    n, values[n], [read("list_animals", HERDS[n]), *(act("feed_animal", animal_id=id) for id in ids)]
                )
                for n, ids in enumerate(chosen)
            ]
        )
    )


def said(program: Program) -> tuple[str, ...]:
    return program.parts[-1].expressions["animal_ids"].texts


def test_a_value_of_the_instruction_that_a_field_equals_is_found_as_the_condition() -> None:
    program = fed([[1, 3], [4, 5], [7, 9]], [{"kind": "lion"}, {"kind": "bear"}, {"kind": "wolf"}])
    assert set(said(program)) == {
        '[animal["animal_id"] for animal in animals if animal["kind"].lower() == kind.lower()]'
    }
    assert program.whole
    assert program.literals == 0


def test_operators_may_differ_between_tasks_and_fields_may_not() -> None:
    values = [{"when": "before", "year": 2022}, {"when": "after", "year": 2020}, {"when": "before", "year": 2020}]
    program = fed([[1], [4], [9]], values)
    before = '[animal["animal_id"] for animal in animals if int(animal["born"][:4]) < year]'
    assert said(program) == (before, before.replace("<", ">"), before)
    assert program.whole  # a word of the instruction decides


def test_a_choice_that_nothing_explains_is_taken_from_what_was_printed() -> None:
    program = fed([[1, 2], [6], [8, 9]], [{}, {}, {}])
    assert said(program) == ("[1, 2]", "[6]", "[8, 9]")
    assert not program.whole
    assert program.literals == 1


def test_membership_in_other_lists_is_found_with_and_here_and_or_there() -> None:
    liked = ([1, 2], [4, 5], [7, 8])
    sick = ([2, 3], [5, 6], [8, 9])
    fed_ids = ([1, 2, 3], [5], [7, 8, 9])
    program = program_of(
        aligned(
            [
                sibling(
                    n,
                    {"join": "and" if n == 1 else "or"},
                    [
                        read("list_animals", [*HERDS[n], animal(100 + n, "owl", "2020")]),
                        read("show_liked", [{"animal_id": id} for id in liked[n]]),
                        read("show_sick", [{"animal_id": id} for id in sick[n]]),
                        *(act("feed_animal", animal_id=id) for id in fed_ids[n]),
                    ],
                )
                for n in range(3)
            ]
        )
    )
    one, other, again = said(program)
    assert one == again
    assert " or " in one
    assert " and " in other
    assert program.literals == 0


def test_what_differs_only_in_an_argument_left_out_is_one_stage() -> None:
    herds = [read("list_animals", HERDS[n], **({"kind": "lion"} if n else {})) for n in range(3)]
    scenario = aligned([sibling(n, {}, [herds[n]]) for n in range(3)])
    assert [(stage.arguments, stage.optional) for stage in scenario.stages] == [(("kind",), ("kind",))]


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ([30, 30, 30], 'sum(animal["weight"] for animal in animals)'),
        ([3, 3, 3], 'len({animal["animal_id"] for animal in animals})'),
    ],
)
def test_sums_and_counts_are_found_behind_answers(answers: list[int], text: str) -> None:
    siblings = [sibling(n, {"of": "weight"}, [read("list_animals", HERDS[n])], answers[n]) for n in range(3)]
    program = program_of(aligned(siblings))
    assert program.answer is not None
    assert set(program.answer.texts) == {text}


def test_texts_are_put_together_from_fields_and_values() -> None:
    def case(wanted: str, folder: str, title: str) -> Case:
        pieces = (Piece(text="folder", value=folder, name="folder"), Piece(text='note["title"]', value=title))
        return Case(wanted=wanted, pieces=pieces)

    found = template([case("~/a/Milk.md", "~/a/", "Milk"), case("~/b/Eggs.md", "~/b/", "Eggs")])
    assert found is not None
    assert (found.text, found.names) == ('folder + note["title"] + ".md"', frozenset({"folder"}))
    assert template([case("~/a/Milk.md", "~/a/", "Milk"), case("~/b/Ham.md", "~/b/", "Eggs")]) is None


# ----------------------------------------------------------------------------------------------- functions out of them


class Zoo:
    """Stands for `apis`: three herds, one a keeper, and who was fed."""

    def __init__(self, number: int) -> None:
        self.fed: list[int] = []
        self.zoo = SimpleNamespace(
            login=lambda **_: {"access_token": "t"},
            list_animals=lambda access_token: HERDS[number],
            feed_animal=lambda access_token, animal_id: self.fed.append(animal_id),
        )
        self.supervisor = SimpleNamespace(
            show_profile=lambda: {"email": "keeper@zoo.org", "phone_number": "1"},
            show_account_passwords=lambda: [{"account_name": "zoo", "password": "p"}],
        )


def test_the_function_written_for_the_first_task_does_the_others_with_their_values() -> None:
    chosen = [[1], [4], [9]]
    values = [{"when": "before", "year": 2022}, {"when": "after", "year": 2020}, {"when": "before", "year": 2020}]
    program = fed(chosen, values)
    first = Writer(program=program, task=0, routes=ROUTES, offered={}).whole()
    name = first.defined[-1]
    for task in range(3):
        zoo = Zoo(task)
        scope: dict[str, Any] = {"apis": zoo}
        again = Writer(program=program, task=task, routes=ROUTES, offered={name: ("when", "year")}).whole()
        exec(first.code, scope)  # noqa: S102 - written by the expert, about a made-up zoo
        zoo.fed.clear()
        exec(again.code, scope)  # noqa: S102 - written by the expert, about a made-up zoo
        assert zoo.fed == chosen[task]
        assert "def " not in again.code


def test_values_read_off_the_output_come_after_the_block_that_prints_them() -> None:
    program = fed([[1, 2], [6], [8, 9]], [{}, {}, {}])
    blocks = Writer(program=program, task=0, routes=ROUTES, offered={}).pieces()
    assert [block.read for block in blocks] == [False, True]
    assert 'print(animal["animal_id"]' in blocks[0].code
    zoo = Zoo(0)
    scope: dict[str, Any] = {"apis": zoo}
    for block in blocks:
        exec(block.code, scope)  # noqa: S102 - written by the expert, about a made-up zoo
    assert zoo.fed == [1, 2]


def test_what_the_opening_offers_is_read_with_its_parameters() -> None:
    login, feed = "def login(app: str) -> str:", "def feed(ids: list[int], food: str = 'hay') -> int:"
    opening = f"Skills:\n```python\n{login}\n    ...\n\n\n{feed}\n    ...\n```\n"
    assert offered_in(opening) == {"login": ("app",), "feed": ("ids", "food")}
    assert offered_in("def login(app: str) -> str\n(none)") == {"login": ("app",)}
    assert offered_in("```python\ndef feed(\n    ids: list[int],\n    food: str\n) -> int:\n    ...\n```") == {
        "feed": ("ids", "food")
    }


def test_it_has_the_styles_of_desks_expert() -> None:
    assert set(GOOD) <= set(STYLES)


def test_long_lines_are_broken_and_mean_the_same() -> None:
    code = "x = [" + ", ".join(f"'name, {n}'" for n in range(30)) + "]\ny = {a: b for a, b in zip(x, x) if a == b}"
    assert max(len(line) for line in laid_out(code).split("\n")) <= WIDTH
    assert ast.dump(ast.parse(laid_out(code))) == ast.dump(ast.parse(code))
    assert laid_out("not python at all (" + "x, " * 60) == "not python at all (" + "x, " * 60


# -------------------------------------------------------------------------------------------------------- the real one


@pytest.fixture(scope="module")
def expert(home: Path) -> Iterator[AppWorldExpert]:
    with closing(AppWorldExpert(AppWorldSettings(home=str(home)), ExpertSettings())) as made:
        yield made


def played(expert: AppWorldExpert, suite: AppWorldSuite, chain: Sequence[Task]) -> list[Episode]:
    agent = Agent(policy=expert, retrieve=make_retriever(RetrievalSettings()), prompt=prompt_named("skill"))
    library, episodes = Library(), []
    for task in chain:
        with closing(suite.open(task)) as world:
            episode = agent.play(task, world, library, seed=1)
        library = library.add(*episode.learned)
        episodes.append(episode)
    return episodes


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_scenario_is_solved_and_its_second_and_third_task_call_what_the_first_wrote(
    expert: AppWorldExpert, suite: AppWorldSuite, number: int
) -> None:
    chain = suite.tasks("train")[3 * number : 3 * number + 3]
    episodes = played(expert, suite, chain)
    assert [(episode.stop, episode.verdict.failed, episode.error) for episode in episodes] == [
        ("completed", (), "") for _ in chain
    ]
    assert episodes[0].learned
    for episode in episodes[1:]:
        assert chain[0].id in {use.origin for use in episode.called if not use.error}


@pytest.mark.slow
def test_a_task_it_does_not_know_is_told(expert: AppWorldExpert) -> None:
    with pytest.raises(PolicyError, match="does not know the task"):
        expert([Message(role="user", content="Your supervisor: name Ada.\n\nTask: Count the stars.")], seed=0)


@pytest.mark.slow
def test_where_a_model_errs_it_steps_in_and_brings_the_task_to_a_good_end(
    expert: AppWorldExpert, suite: AppWorldSuite
) -> None:
    erring = Scripted(["I try.\n```python\nprint(apis.spotify.like_everything())\n```"])
    agent = Agent(policy=taught(erring, expert), retrieve=lambda library, task: [], prompt=prompt_named("skill"))
    task = suite.tasks("train")[0]
    with closing(suite.open(task)) as world:
        episode = agent.play(task, world, Library(), seed=1)
    assert (episode.stop, episode.verdict.failed, episode.error) == ("completed", (), "")
    assert [turn.completion.teacher for turn in episode.turns] == [False] + [True] * (len(episode.turns) - 1)
    assert "like_everything" in episode.turns[1].completion.text.partition("\n")[0], "it says what went wrong"


@pytest.mark.slow
def test_where_a_model_has_only_looked_around_it_goes_on_from_there(
    expert: AppWorldExpert, suite: AppWorldSuite
) -> None:
    looking = Scripted(["Let me see.\n```python\nprint(apis.api_docs.show_app_descriptions())\n```"] * 3)
    policy = taught(looking, expert, early=1.0)
    agent = Agent(policy=policy, retrieve=lambda library, task: [], prompt=prompt_named("skill"))
    task = suite.tasks("train")[0]
    with closing(suite.open(task)) as world:
        episode = agent.play(task, world, Library(), seed=1)
    assert (episode.stop, episode.verdict.failed, episode.error) == ("completed", (), "")
    own = [turn.completion.teacher for turn in episode.turns].index(True)
    assert own in LOOKED and all(turn.completion.teacher for turn in episode.turns[own:])
