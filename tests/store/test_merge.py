"""Skills that differ in constants become one; their old names go on working."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from prowess.errors import StoreError
from prowess.sandbox import ApiFailure, Sandbox, SandboxSettings, open_sandbox
from prowess.skills.extract import skills_in
from prowess.store.canon import version_of
from prowess.store.db import Store
from prowess.store.merging import builds, merge
from prowess.store.merging.builds import alike, build_of
from prowess.store.merging.generalise import General, generalise
from prowess.store.merging.kept import keep, kept
from prowess.store.merging.merge import Merge, Trying, accept, merges, undo
from prowess.store.merging.pairing import Unlike
from prowess.store.record import Actor, Provenance, Relation, Status, Trial, Version
from prowess.store.settings import GateSettings
from prowess.types import Json, Skill

S = Status
ROCK = '''
def token() -> str:
    return apis.music.login(username="me")["access_token"]


def save_rock_songs(artist: str, limit: int = 2) -> list[str]:
    """Save the rock songs of an artist and return their titles."""
    saved = []
    for song in apis.music.search_songs(access_token=token(), query=artist):
        if song["genre"].lower() == "rock" and len(saved) < limit:
            apis.music.save_song(song_id=song["song_id"], note=f"rock: {artist}")
            saved.append(song["title"])
    return saved
'''
JAZZ = (
    ROCK.replace("rock", "jazz")
    .replace("artist", "singer")
    .replace("saved", "kept")
    .replace("limit: int = 2", "limit: int = 1")
)
SONGS = [
    {"song_id": 1, "title": "A", "genre": "Rock"},
    {"song_id": 2, "title": "B", "genre": "Jazz"},
    {"song_id": 3, "title": "C", "genre": "Rock"},
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    ticks = count(1_700_000_000)
    with Store.open(tmp_path / "skills.db", clock=lambda: float(next(ticks))) as store:
        yield store
        assert store.rebuild(verify=True) == ()


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(open_sandbox(SandboxSettings())) as opened:
        yield opened


def skill(code: str) -> Skill:
    return skills_in(code)[-1]


def general(*codes: str) -> General:
    return generalise([version_of(skill(code), namespace="desk") for code in codes])


def put(store: Store, code: str, status: Status = S.ACTIVE) -> str:
    one = skill(code)
    digest = store.propose(one, Provenance(episode=f"e/{one.name}", world="desk")).digest
    for step in (S.VERIFIED, S.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    if status is S.ACTIVE:
        store.move(digest, status, actor=Actor.CURATOR)
    return digest


def recorded(digest: str, call: str, songs: list[Json], saved: Mapping[int, str], word: str) -> Trial:
    """A call with what the APIs answered and were asked."""
    answers: list[Json] = []
    answers.append({"api": "music.login", "arguments": {"username": "me"}, "answer": {"access_token": "t"}})
    found = {"access_token": "t", "query": "Ann"}
    answers.append({"api": "music.search_songs", "arguments": found, "answer": songs})
    for id in saved:
        asked = {"song_id": id, "note": f"{word}: Ann"}
        answers.append({"api": "music.save_song", "arguments": asked, "answer": {"message": "Saved."}})
    return Trial(digest=digest, call=call, answers=tuple(answers), expected=list(saved.values()))


class Replay:
    """Repeats a call in the jail: the APIs answer from the tape, and only to what they were asked then."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def __call__(self, skill: Skill, trial: Trial) -> str:
        tape = list(trial.answers)

        def answer(app: str, api: str, arguments: Mapping[str, Json]) -> Json:
            if not tape or (tape[0]["api"], tape[0]["arguments"]) != (f"{app}.{api}", dict(arguments)):
                raise ApiFailure(f"{app}.{api}({dict(arguments)}) was not asked then")
            return tape.pop(0)["answer"]

        with closing(self._sandbox.open()) as interpreter:
            interpreter.run(skill.code, answer)
            seen = interpreter.run(f"import json\nprint(json.dumps({trial.call}))", answer)
        if seen.failed:
            return seen.text.strip().split("\n")[-1]
        if json.loads(seen.text) != trial.expected:
            return f"{seen.text.strip()} instead of {trial.expected}"
        return f"{len(tape)} calls were not made" if tape else ""


@pytest.fixture
def replay(sandbox: Sandbox) -> Replay:
    return Replay(sandbox)


def two(store: Store, status: Status = S.ACTIVE) -> tuple[str, str]:
    rock, jazz = put(store, ROCK, status), put(store, JAZZ, status)
    store.test(recorded(rock, 'save_rock_songs("Ann")', SONGS, {1: "A", 3: "C"}, "rock"))
    store.test(recorded(rock, 'save_rock_songs(artist="Ann", limit=1)', SONGS, {1: "A"}, "rock"))
    store.test(recorded(jazz, 'save_jazz_songs(singer="Ann")', SONGS, {2: "B"}, "jazz"))
    return rock, jazz


# --- one function of several ----------------------------------------------------------------------


def test_constants_that_differ_become_parameters_and_the_old_functions_pass_them() -> None:
    found = general(ROCK, JAZZ)
    assert found.skill.name == "save_songs"
    assert [(hole.name, hole.type, hole.values) for hole in found.holes] == [
        ("genre", "str", ("rock", "jazz")),
        ("value", "str", ("rock: ", "jazz: ")),
    ]
    assert "def save_songs(artist: str, limit: int=2, *, genre: str, value: str) -> list[str]:" in found.skill.source
    assert "def save_jazz_songs(singer: str, limit: int=1) -> list[str]:" in found.skill.source
    assert "save_songs(artist=singer, limit=limit, genre='jazz', value='jazz: ')" in found.skill.source
    assert found.skill.apis == ("music.login", "music.save_song", "music.search_songs")
    assert found.skill.docstring.startswith("Save the … songs of")


def test_three_are_one_function_and_equal_differences_one_parameter() -> None:
    code = "def add_{w}(x: int) -> int:\n    return x * {n} + {n} + {m}"
    found = general(*(code.format(w=w, n=n, m=m) for w, n, m in (("one", 3, 7), ("two", 4, 7), ("six", 5, 8))))
    assert [hole.values for hole in found.holes] == [(3, 4, 5), (7, 7, 8)]
    names: dict[str, Json] = {}
    exec(found.skill.source, names)  # noqa: S102 (ours)
    assert [names[f"add_{w}"](10) for w in ("one", "two", "six")] == [40, 51, 63]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("def f(x): return x + 1", "def g(x): return x - 1", "in one is"),
        ("def f(x): return x + 1", "def g(x): return x + 1", "an alias serves"),
        ("def f(x): return apis.music.like(a=x, b=1)", "def g(x): return apis.music.hate(a=x, b=2)", "'like'"),
        ("def f(x): return apis.m.like(a=x, b=1)", "def g(x): return apis.m.like(c=x, b=2)", "'a' in one is 'c'"),
        ("def f(x, y): return x - y + 1", "def g(x, y): return y - x + 2", "everywhere|stands for two"),
        ("def f(x, y): return x - y + 1", "def g(x, y): return x - x + 2", "everywhere|stands for two"),
        ("def f(x): return len(x) + 1", "def g(x): return sum(x) + 2", "'len' in one is 'sum'"),
        ("def f(x): return x + 1", "def g(x): return x + '2'", "where no parameter can stand"),
        ("def f(x): return x + 1", "def g(x): return x + None", "where no parameter can stand"),
        ("def f(x: 'int'): return 1", "def g(x: 'str'): return 2", "where no parameter can stand"),
        ("def f(*x): return 1", "def g(*x): return 2", "any number of arguments"),
        ("def f(x): yield 1", "def g(x): yield 2", "yields"),
        ("def f(x): return f(x - 1)", "def g(x): return g(x - 2)", "calls itself"),
        ("def h(): return 1\ndef f(x): return h() + 1", "def h(): return 2\ndef g(x): return h() + 2", "helpers"),
        ("def f(): return [1, 2, 3, 4, 5]", "def g(): return [6, 7, 8, 9, 0]", "at most 4"),
        (
            "def f(x):\n    match x:\n        case 1: return 1",
            "def g(x):\n    match x:\n        case 2: return 1",
            "where no parameter can stand",
        ),
    ],
)
def test_any_other_difference_means_that_they_are_not_one(one: str, other: str, why: str) -> None:
    with pytest.raises(Unlike, match=why):
        general(one, other)


def test_a_parameter_hides_no_name_of_the_function() -> None:
    code = (
        "def {n}_all(genre: str, value: list) -> list:\n    return [x for x in value if x['genre'] == '{n}' and genre]"
    )
    found = general(code.format(n="rock"), code.format(n="jazz"))
    assert [hole.name for hole in found.holes] == ["genre_2"]
    names: dict[str, Json] = {}
    exec(found.skill.source, names)  # noqa: S102 (ours)
    assert names["jazz_all"]("yes", [{"genre": "jazz"}, {"genre": "rock"}]) == [{"genre": "jazz"}]


# --- of the same build ----------------------------------------------------------------------------


def names(store: Store) -> list[list[str]]:
    return [[store.version(one.digest).name for one in group] for group in alike(store)]


def test_alike_are_skills_of_the_same_apis_and_build_that_are_no_clones(store: Store) -> None:
    put(store, ROCK), put(store, JAZZ)
    put(store, ROCK.replace("save_rock_songs", "save_all").replace('["genre"].lower() == "rock" and', '["title"] and'))
    put(store, "def tell(x: int) -> int:\n    return apis.music.save_song(song_id=x)")
    put(store, "def other(x: int) -> int:\n    return x + 1")
    put(store, "def another(y: int) -> int:\n    return y + 1")
    assert names(store) == [["save_rock_songs", "save_jazz_songs"]]
    put(store, "def third(y: int) -> int:\n    return y + 3")
    assert names(store)[1] == ["other", "another", "third"]
    assert alike(store, namespace="elsewhere") == ()
    assert build_of(ROCK) == build_of(JAZZ) != build_of(ROCK.replace("search_songs", "show_songs"))
    assert build_of('def f(x):\n    """Doubles."""\n    return 2 * x') == build_of("def g(y): return 3 * y")


def test_code_is_read_once_whatever_becomes_of_what_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, ROCK), put(store, JAZZ)
    kept = store.path.with_name("skills.db.builds")
    read: list[str] = []

    def reading(source: str) -> str:
        read.append(source)
        return build_of(source)

    monkeypatch.setattr(builds, "build_of", reading)
    first = merges(store)
    assert len(first) == 1 and len(read) == 2
    assert merges(store) == first and len(read) == 2
    put(store, "def other(x: int) -> int:\n    return x + 1")
    assert merges(store) == first and len(read) == 3
    content = kept.read_text()
    for damaged in (content[:-20], content.replace("1:", "0:"), "\x00 rubbish\n\n" + content[40:], ""):
        kept.write_text(damaged)
        assert merges(store) == first
    assert len(read) == 3 + 1 + 3 + 1 + 3 and len(kept.read_text().split()) == 9
    kept.unlink()
    kept.mkdir()  # nothing can be kept
    assert merges(store) == first
    kept.rmdir()


def test_answers_of_another_form_are_none(tmp_path: Path) -> None:
    keep(tmp_path / "kept", "1:", {"a": "one"})
    keep(tmp_path / "kept", "2:", {"b": "two", "a": "three"})
    assert kept(tmp_path / "kept", "1:") == {"a": "one"}
    assert kept(tmp_path / "kept", "2:") == {"a": "three", "b": "two"}


def test_many_that_have_too_little_in_common_are_not_all_walked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "def f{0}(x: int) -> list[int]:\n    return [{0}, x + {0}1, x + {0}2, x + {0}3, x + {0}4]"
    for number in range(1, 6):
        put(store, many.format(number))
    tried: list[int] = []

    def trying(versions: Sequence[Version], **options: Collection[str]) -> General:
        tried.append(len(versions))
        return generalise(versions, **options)

    monkeypatch.setattr(merge, "generalise", trying)
    assert merges(store) == () and tried == [2]
    assert merges(store) == () and tried == [2]  # the answer is kept
    kept = store.path.with_name("skills.db.builds")
    whole = kept.read_bytes()
    for place in range(0, len(whole), 7):  # and none is believed in which a bit has flipped
        changed = bytearray(whole)
        changed[place] ^= 1
        kept.write_bytes(changed)
        assert merges(store) == ()
    put(store, many.format(6))
    assert merges(store) == () and tried[-1] == 2


# --- taking their place ---------------------------------------------------------------------------


def test_a_merge_takes_its_parents_place_and_their_names_lead_to_it(store: Store, replay: Replay) -> None:
    two(store)
    (merge,) = merges(store)
    assert len(store.entries()) == 2  # a proposal writes nothing
    done = accept(store, merge, Trying(replay=replay))
    assert (done.refused, done.trials) == ("", 3) and done.proposal is not None
    assert [skill.name for skill in store.library()] == ["save_songs"]
    for name in ("save_rock_songs", "save_jazz_songs"):
        entry = store.resolve(name, "desk")
        assert entry.name == "save_songs" and f"def {name}(" in entry.version.source
    rock = store.entries(statuses=[S.SUPERSEDED])[0]
    assert [(edge.relation, edge.other) for edge in store.edges(rock.id)] == [
        (Relation.MERGED_INTO, done.proposal.skill)
    ]
    merged = store.version(done.proposal.digest)
    assert set(merged.version.parents) == {parent.digest for parent in merge.parents}
    assert store.provenances(merged.digest)[0].kind == "merge"
    assert {one.check: one.verdict for one in store.verifications(merged.digest)} == {
        "merge": "pass",
        "structure": "pass",
        "leak": "pass",
        "lint": "pass",
        "duplicates": "pass",
        "replay": "abstain",  # there is no sandbox that records
        "transfer": "abstain",
        "risk": "pass",
    }
    assert [replay(merged.skill, trial) for trial in store.trials(merged.digest)] == ["", "", ""]
    assert merges(store) == ()


def test_a_merge_on_probation_stays_there(store: Store, replay: Replay) -> None:
    rock, _ = two(store, S.PROBATION)
    store.move(rock, S.ACTIVE, actor=Actor.CURATOR)
    accept(store, merges(store)[0], Trying(replay=replay))
    assert [entry.status for entry in store.entries(statuses=[S.PROBATION, S.ACTIVE])] == [S.PROBATION]


def test_a_merge_can_be_undone_and_made_again(store: Store, replay: Replay) -> None:
    rock, jazz = two(store)
    (merge,) = merges(store)
    for _ in range(2):
        done = accept(store, merge, Trying(replay=replay))
        assert done.proposal is not None and not done.refused
        undo(store, done.proposal.digest, who="ada")
        assert {store.version(digest).status for digest in (rock, jazz)} == {S.ACTIVE}
        assert store.version(done.proposal.digest).status is S.REJECTED
        assert sorted(one.name for one in store.library()) == ["save_jazz_songs", "save_rock_songs"]
        assert store.resolve("save_jazz_songs", "desk").digest == jazz
        assert store.edges(done.proposal.skill) == ()
    with pytest.raises(StoreError, match="nothing was merged into save_rock_songs"):
        undo(store, rock)


def test_a_merge_that_does_something_else_is_refused_and_nothing_changes(store: Store, replay: Replay) -> None:
    two(store)
    (merge,) = merges(store)
    bad = Merge(
        parents=merge.parents,
        skill=Skill(name="save_songs", source=merge.skill.source.replace("genre='jazz'", "genre='rock'")),
        holes=merge.holes,
    )
    before = store.events()
    assert "was not asked then" in accept(store, bad, Trying(replay=replay)).refused
    assert store.events() == before


def test_without_recorded_calls_of_both_nothing_is_merged(store: Store, replay: Replay) -> None:
    put(store, ROCK), put(store, JAZZ)
    done = accept(store, merges(store)[0], Trying(replay=replay))
    assert done.refused == "no recorded call of save_rock_songs, save_jazz_songs to repeat"


def test_parents_that_changed_meanwhile_are_left_alone(store: Store, replay: Replay) -> None:
    _, jazz = two(store)
    (merge,) = merges(store)
    store.move(jazz, S.SUSPENDED, actor=Actor.CURATOR)
    assert accept(store, merge, Trying(replay=replay)).refused == "save_jazz_songs has changed meanwhile"
    assert len(store.entries()) == 2


GREET = """def {name}_someone(to: str) -> str:
    '''Say something to somebody.'''
"""


def test_a_merge_goes_through_the_gates_and_what_they_refuse_is_kept(store: Store, replay: Replay) -> None:
    for name, text in (("greet", "Hello"), ("part", "Goodbye")):  # nothing but calls of one API: admitted by a person
        body = f"    return apis.mail.save_draft(to=to, text='{text}')['message']"
        digest = put(store, GREET.format(name=name) + body)
        saved = {"api": "mail.save_draft", "arguments": {"to": "bo", "text": text}, "answer": {"message": "Saved."}}
        store.test(Trial(digest=digest, call=f"{name}_someone('bo')", answers=(saved,), expected="Saved."))
    (merge,) = merges(store)
    done = accept(store, merge, Trying(replay=replay))
    assert done.refused == "structure: it does no more than call mail.save_draft" and done.proposal is not None
    kept = store.version(done.proposal.digest)
    assert kept.status is S.REJECTED
    assert {one.check: one.verdict for one in store.verifications(kept.digest)} == {
        "merge": "pass",
        "structure": "fail",
    }
    assert len(store.library()) == 2
    strict = Trying(replay=replay, settings=GateSettings(review_rate=1.0))
    rock, _ = two(store)
    drawn = next(one for one in merges(store) if one.parents[0].digest == rock)
    assert accept(store, drawn, strict).refused == "drawn for review: a person must approve it first"


def test_a_value_of_the_parents_episodes_is_a_leak_but_not_what_became_a_parameter(
    store: Store, replay: Replay
) -> None:
    told = "Save the {} songs by Nina Sand."
    for word, refused in (("Ann", False), ("Nina Sand", True)):
        for code, genre in ((ROCK, "rock"), (JAZZ, "jazz")):
            code = code.replace("songs(", f"{word[:3].lower()}_songs(").replace('username="me"', f'username="{word}"')
            code = code.replace(f"search_{word[:3].lower()}_", "search_")
            one = skill(code)
            where = Provenance(episode=f"e/{one.name}", world="desk", instruction=told.format(genre))
            digest = store.propose(one, where).digest
            for step in (S.VERIFIED, S.PROBATION):
                store.move(digest, step, actor=Actor.GATE)
            call = f"{one.name}('Ann')"
            store.test(
                _login_as(
                    word, recorded(digest, call, SONGS, {"rock": {1: "A", 3: "C"}, "jazz": {2: "B"}}[genre], genre)
                )
            )
        merge = next(one for one in merges(store) if word[:3].lower() in one.skill.name)
        done = accept(store, merge, Trying(replay=replay, settings=GateSettings(review_rate=0.0)))
        assert ("leak" in done.refused and "Nina Sand" in done.refused) if refused else done.refused == ""


def _login_as(name: str, trial: Trial) -> Trial:
    first, *rest = trial.answers
    return replace(trial, answers=({**first, "arguments": {"username": name}}, *rest))


def test_what_cannot_be_taken_back_waits_for_a_person(store: Store, replay: Replay) -> None:
    for name, text in (("greet", "Hello"), ("part", "Goodbye")):
        code = f"{GREET.format(name=name)}    return apis.mail.send_mail(to=to.lower(), text='{text}')['message']"
        one = skill(code)
        digest = store.propose(one, Provenance(episode=f"e/{name}", world="desk")).digest
        store.move(digest, S.VERIFIED, actor=Actor.GATE)
        store.review(digest, "approve", who="ada")
        store.move(digest, S.PROBATION, actor=Actor.GATE)
        sent = {"api": "mail.send_mail", "arguments": {"to": "bo", "text": text}, "answer": {"message": "Sent."}}
        store.test(Trial(digest=digest, call=f"{name}_someone('bo')", answers=(sent,), expected="Sent."))
    (merge,) = merges(store)
    waits = accept(store, merge, Trying(replay=replay))
    assert "a person must approve" in waits.refused and waits.proposal is not None
    assert store.version(waits.proposal.digest).status is S.REVIEW
    assert len(store.library(probation=True)) == 2
    store.review(waits.proposal.digest, "approve", who="ada")
    assert accept(store, merge, Trying(replay=replay), who="ada").refused == ""
    assert [one.name for one in store.library(probation=True)] == [merge.skill.name]
    undo(store, waits.proposal.digest, who="ada")
    assert len(store.library(probation=True)) == 2
