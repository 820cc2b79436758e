"""The review as a person uses it: real keys, a real store."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from rich.console import Console
from shelf import PAY, propose
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from prowess.cli.skills.jobs.dossier import dossier_of
from prowess.cli.skills.jobs.queue import queue_of
from prowess.cli.skills.views.review import Review
from prowess.store.db import Store
from prowess.store.record import Actor, Kind, Status

Play = Callable[[Review, Pilot[int]], Awaitable[None]]


def played(store: Store, play: Play, **options: Any) -> Review:
    """Open the review, and play with its keys."""

    async def run() -> Review:
        app = Review(store, who="ada", **options)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            await play(app, pilot)
        return app

    return asyncio.run(run())


def text(app: Review, where: str) -> str:
    """What a part of the screen says."""
    console = Console(width=100, file=io.StringIO(), color_system=None)
    with console.capture() as capture:
        console.print(app.query_one(where, Static).content)
    return capture.get()


def test_the_queue_lists_reviews_first_then_promotions(waiting: Store) -> None:
    assert [(item.kind, item.name) for item in queue_of(waiting)] == [
        ("review", "pay_people"),
        ("review", "tidy"),
        ("promotion", "count_songs"),
    ]
    assert next(iter(queue_of(waiting))).why == "irreversible: a person must look"
    assert tuple(queue_of(waiting, namespace="mail")) == ()


def test_all_that_speaks_for_and_against_a_version_is_on_its_page(waiting: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        page = text(app, "#dossier")
        for shown in (
            "apis.wallet.send_money(",
            "irreversible",
            "run r1, task pay_1, turn 2",
            "✘  leak",
            "constant: [red]5‹U+001B›[0m",
            "–  transfer",
            "pay_people(names=['Ann'], amount=5)",
            "uplift not known yet",
            app.chosen.digest if app.chosen else "?",
        ):
            assert shown in page
        await pilot.press("s", "s")
        assert "uplift +100 ±33 points" in text(app, "#dossier")

    played(waiting, play)


def test_a_approves_what_is_shown_and_goes_on_with_the_next(waiting: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        await pilot.press("a")
        assert app.chosen is not None and app.chosen.name == "tidy"
        assert "is probation" in text(app, "#message")
        assert "tidy" in text(app, "#dossier")

    digest = next(iter(queue_of(waiting))).digest
    played(waiting, play)
    entry = waiting.version(digest)
    assert (entry.status, entry.approved) == (Status.PROBATION, True)
    events = waiting.events(digest=digest)[-2:]
    assert [(event.kind, event.after, event.who) for event in events] == [
        (Kind.REVIEWED, "approve", "ada"),
        (Kind.MOVED, "probation", "ada"),
    ]


def test_a_version_near_promotion_becomes_active(waiting: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        await pilot.press("s", "s", "a")

    digest = tuple(queue_of(waiting))[2].digest
    played(waiting, play)
    assert waiting.version(digest).status is Status.ACTIVE
    assert [item.kind for item in queue_of(waiting)] == ["review", "review"]


def test_r_asks_for_the_reason_and_escape_takes_it_back(waiting: Store) -> None:
    digest = next(iter(queue_of(waiting))).digest

    async def play(app: Review, pilot: Pilot[int]) -> None:
        await pilot.press("r", "a", "s", "q", "question_mark", "escape")
        assert waiting.version(digest).status is Status.REVIEW
        await pilot.press("r", *"pays twice", "enter")
        await pilot.pause()
        assert not app.screen.query(Input)

    played(waiting, play)
    assert waiting.version(digest).status is Status.REJECTED
    assert waiting.events(digest=digest)[-1].why == "pays twice"


def test_a_verdict_on_a_skill_that_changed_meanwhile_is_refused(waiting: Store) -> None:
    item = next(iter(queue_of(waiting)))

    async def play(app: Review, pilot: Pilot[int]) -> None:
        newer = propose(waiting, PAY.replace("len(names)", "len(set(names))"))
        await pilot.press("a")
        assert "has changed since it was shown: version 2 has come" in " ".join(text(app, "#message").split())
        assert waiting.version(item.digest).status is Status.REVIEW
        assert waiting.version(newer).status is Status.CANDIDATE
        await pilot.press("a")  # now it has been shown as it is

    played(waiting, play)
    assert waiting.version(item.digest).status is Status.PROBATION


def test_a_verdict_on_what_somebody_else_has_decided_is_refused(waiting: Store) -> None:
    item = next(iter(queue_of(waiting)))

    async def play(app: Review, pilot: Pilot[int]) -> None:
        waiting.move(item.digest, Status.REJECTED, actor=Actor.PERSON, who="bob")
        await pilot.press("a")
        assert "its status was review and is rejected" in " ".join(text(app, "#message").split())
        assert app.chosen is not None and app.chosen.name == "tidy"

    played(waiting, play)
    assert (waiting.version(item.digest).status, waiting.version(item.digest).approved) == (Status.REJECTED, False)


def test_nothing_hides_or_acts_in_what_a_model_wrote(waiting: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        await pilot.press("s")
        page = text(app, "#dossier")
        assert "Tidy [bold red]up[/] ‹U+001B›[2J‹U+001B›]0;owned‹U+0007› ‹U+202E›thgir" in " ".join(page.split())
        assert "invisible characters" in page
        assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(page)
        drawn = app.export_screenshot()
        assert not {"\x1b", "\u202e", "\u200b"} & set(drawn)

    played(waiting, play)


def test_an_empty_queue_says_so_and_keys_do_nothing(store: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        assert "Nothing waits" in text(app, "#dossier")
        await pilot.press("a", "r", "s", "space", "question_mark", "x", "q")

    assert played(store, play).return_value == 0


def test_quitting_says_how_many_were_decided(waiting: Store) -> None:
    async def play(app: Review, pilot: Pilot[int]) -> None:
        await pilot.press("a", "question_mark", "q")  # the page of keys takes the q
        assert app.query_one(OptionList).option_count == 2
        await pilot.press("q")

    assert played(waiting, play).return_value == 1


@pytest.mark.parametrize("size", [(80, 24), (60, 12)])
def test_small_terminals_are_no_trouble(waiting: Store, size: tuple[int, int]) -> None:
    async def run() -> None:
        app = Review(waiting, who="ada")
        async with app.run_test(size=size) as pilot:
            await pilot.press("space", "b", "s", "a")
            assert app.query_one("#queue").size.width > 0

    asyncio.run(run())


def test_skills_of_the_same_apis_and_much_the_same_code_are_shown(waiting: Store) -> None:
    twin = PAY.replace("pay_people", "send_to_all").replace("names", "people")
    other = propose(waiting, twin.replace("amount=amount", "amount=amount + 1"))
    clone = propose(waiting, PAY.replace("pay_people", "pay_them").replace("name ", "one ").replace("=name,", "=one,"))
    propose(waiting, "def pure(x: int) -> int:\n    return x")
    similar = {one.entry.digest: one.how for one in dossier_of(waiting, next(iter(queue_of(waiting))).digest).similar}
    assert similar.keys() == {other, clone}
    assert similar[clone] == "the same but for names and formatting"
    assert "of the code in common" in similar[other]
