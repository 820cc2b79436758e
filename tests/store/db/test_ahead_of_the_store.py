"""What a journal's line says of its code is taken over where it fits, and worked out where it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from prowess.skills.extract import skills_in
from prowess.store import canon
from prowess.store.db import Journal, Store, ahead, ingest, journal, write
from prowess.store.record import Account, Provenance, Version
from prowess.types import Json, Origin, Skill

CODE = '''
import re

LIMIT = 3

def clean(text: str) -> str:
    return re.sub("x", "", text)

def tell(text: str, user: "str | None" = None, *more: int) -> list[str]:
    """Tell it. Twice.

    text: what to tell
    """
    m = apis.mail
    m.send_mail(text=clean(text), to=user)
    return [apis.notes.show_note(id=n)["text"] for n in more[:LIMIT]]
'''
FROM = Provenance(run="r", episode="r/1/0", world="desk")


def account(*skills: Skill) -> Account:
    return Account(
        namespace="dësk", provenance=FROM, learned=skills, fingerprints={"mail.send_mail": "f1", "other.api": "f2"}
    )


def learned(code: str = CODE) -> Skill:
    return skills_in(code, origin=Origin(task="t", instruction="Tell him"))[-1]


BROKEN = Skill(name="broken", source="def broken(:\n", docstring="Told.", apis=("mail.read",))
BLANKS = learned("def blanks():   \n    return 1  \n")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the skills whose code the store has read itself."""
    found: list[str] = []

    def noting(address: canon.Address, skill: Skill, **options: Json) -> Version:
        found.append(skill.name)
        return canon.version_at(address, skill, **options)

    monkeypatch.setattr(write, "version_at", noting)
    return found


def tell(folder: Path, told: Account, change: Callable[[Json], None] = lambda line: None) -> None:
    """Write an account to a journal, changed by someone who knows how to make a checksum."""
    with Journal(folder, "a") as worker:
        worker.append(told)
    first, line = worker.path.read_bytes().splitlines(keepends=True)
    content = json.loads(line.partition(b" ")[2])
    change(content)
    worker.path.write_bytes(first + journal._line(content))


def expected(told: Account) -> list[Version]:
    addresses = [canon.Address.of(one, namespace="dësk") for one in told.learned]
    return [
        canon.version_at(address, one, fingerprints=told.fingerprints)
        for address, one in zip(addresses, told.learned, strict=True)
    ]


def kept(store: Store) -> list[Version]:
    return [entry.version for entry in store.entries()]


def test_what_the_worker_has_read_is_taken_over_and_is_what_the_store_would_read(
    store: Store, tmp_path: Path, read: list[str]
) -> None:
    told = account(learned(), BLANKS)
    tell(tmp_path / "j", told)
    assert ingest(store, tmp_path / "j").refused == 0
    assert read == []
    assert kept(store) == expected(told)
    assert kept(store)[0].fingerprints == {"mail.send_mail": "f1"}
    assert store.provenances(kept(store)[0].digest)[0].instruction == "Tell him"


def test_code_that_does_not_parse_is_left_to_the_store(store: Store, tmp_path: Path, read: list[str]) -> None:
    told = account(BROKEN, learned())
    tell(tmp_path / "j", told)
    ingest(store, tmp_path / "j")
    assert read == ["broken"]
    assert kept(store) == expected(told)
    assert kept(store)[0].apis == ("mail.read",)


def without(line: Json) -> None:
    del line["ahead"]


def of_another_format(line: Json) -> None:
    line["ahead"] |= {"form": "0 3.11"}
    line["ahead"]["versions"][0]["apis"] = ["mail.old_name"]


def with_too_few(line: Json) -> None:
    line["ahead"]["versions"] = []


def with_a_wrong_type(line: Json) -> None:
    line["ahead"]["versions"][0]["apis"] = [{"mail": "send"}]


def with_another_wrong_type(line: Json) -> None:
    line["ahead"]["versions"][0]["schema"] = ["name"]


def with_more_than_it_may_say(line: Json) -> None:
    line["ahead"]["versions"][0]["source"] = "def tell(): ..."


def not_an_object(line: Json) -> None:
    line["ahead"] = [1]


@pytest.mark.parametrize(
    "change",
    [
        without,
        of_another_format,
        with_too_few,
        with_a_wrong_type,
        with_another_wrong_type,
        with_more_than_it_may_say,
        not_an_object,
    ],
)
def test_where_it_is_missing_or_does_not_fit_the_store_reads_the_code(
    store: Store, tmp_path: Path, read: list[str], change: Callable[[Json], None]
) -> None:
    told = account(learned())
    tell(tmp_path / "j", told, change)
    assert ingest(store, tmp_path / "j").refused == 0
    assert read == ["tell"]
    assert kept(store) == expected(told)


def test_altered_code_is_read_again(store: Store, tmp_path: Path, read: list[str]) -> None:
    def alter(line: Json) -> None:
        skill = line["data"]["learned"][0]
        skill["source"] = skill["source"].replace("send_mail", "delete_mail")

    tell(tmp_path / "j", account(learned()), alter)
    ingest(store, tmp_path / "j")
    assert read == ["tell"]
    (version,) = kept(store)
    assert version.apis == ("mail.delete_mail", "notes.show_note")
    assert "delete_mail" in version.source


def test_a_description_that_is_not_the_codes_is_found_by_the_check(tmp_path: Path) -> None:
    def lie(line: Json) -> None:
        line["ahead"]["versions"][0] |= {"apis": [], "tokens": 1}

    with Store.open(tmp_path / "lied.db") as store:
        tell(tmp_path / "j", account(learned()), lie)
        ingest(store, tmp_path / "j")
        (line,) = store.rebuild(verify=True)
        assert line.endswith("(tell) is not described as its code reads: apis, tokens")


def test_a_line_says_in_which_form_its_code_was_read(tmp_path: Path) -> None:
    _, line = ahead.ahead(account(learned(), BROKEN))
    assert line["form"] == ahead.FORM
    assert line["versions"][0].keys() == {"digest", *ahead._CARRIED}
    assert line["versions"][1] is None
    assert ahead.ahead(account()) == (account(), None)
