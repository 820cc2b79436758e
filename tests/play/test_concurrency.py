"""Many plays at once with a policy that answers when it can, or pass by pass."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from random import Random

import pytest

from prowess.errors import PolicyError, StoreError
from prowess.play import Play
from prowess.play.concurrency import PASSES, in_flow, in_passes, play_all
from prowess.types import Completion, FlowPolicy, Message, Request

Said = tuple[int, list[str]]


class Later:
    """Answers each question on a timer of its own, in any order."""

    rows = 16

    def __init__(self, *, broken: int = -1) -> None:
        self.forgotten: Counter[str] = Counter()
        self.most = 0
        self._now = 0
        self._lock = threading.Lock()
        self._random = Random(3)
        self._broken = broken

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        raise AssertionError("it is asked, not called")

    def ask(self, request: Request) -> Future[Completion]:
        future: Future[Completion] = Future()
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)

        def say() -> None:
            with self._lock:
                self._now -= 1
            if request.seed == self._broken:
                future.set_exception(MemoryError("no more room"))
            elif request.seed % 50 == 7:
                future.set_exception(PolicyError("refused"))
            else:
                future.set_result(Completion(text=str(request.seed)))

        timer = threading.Timer(self._random.random() * 0.01, say)
        timer.daemon = True
        timer.start()
        return future

    def forget(self, key: str) -> None:
        self.forgotten[key] += 1


class Passing:
    """Says a token of each reply in a pass; a reply has as many tokens as `tokens` says of its seed."""

    rows = 16

    def __init__(self, tokens: Callable[[int], int] = lambda seed: 1) -> None:
        self.tokens = tokens
        self.going: dict[str, tuple[int, int]] = {}
        self.passes: list[list[str]] = []

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        raise AssertionError("it continues many, pass by pass")

    def admit(self, request: Request) -> None:
        self.going[request.key] = request.seed, self.tokens(request.seed)

    def advance(self) -> dict[str, Completion | PolicyError]:
        self.passes.append([*self.going])
        self.going = {key: (seed, left - 1) for key, (seed, left) in self.going.items()}
        ended = {key: Completion(text=str(seed)) for key, (seed, left) in self.going.items() if not left}
        for key in ended:
            del self.going[key]
        return dict(ended)

    def forget(self, key: str) -> None:
        self.going.pop(key, None)


def play(n: int, turns: int) -> Play[Said]:
    said: list[str] = []
    for turn in range(turns):
        try:
            reply = yield Request(key=f"{n}", messages=(), seed=n * 10 + turn)
        except PolicyError as problem:
            return n, [*said, str(problem)]
        said.append(reply.text)
    return n, said


def plays(number: int) -> list[Callable[[], Play[Said]]]:
    return [lambda n=n: play(n, 1 + n % 5) for n in range(number)]  # type: ignore[misc]


def test_each_play_goes_on_with_its_own_replies_and_is_forgotten_once() -> None:
    policy = Later()
    assert isinstance(policy, FlowPolicy)
    done = dict(play_all(policy, plays(60), workers=4))
    assert sorted(done) == list(range(60))
    for n, (number, said) in done.items():
        expected = [str(n * 10 + turn) for turn in range(1 + n % 5)]
        for place, text in enumerate(expected):
            if int(text) % 50 == 7:
                expected[place:] = ["refused"]
        assert (number, said) == (n, expected)
    assert policy.forgotten == Counter(str(n) for n in range(60))
    assert 1 < policy.most <= Later.rows


def test_what_suffices_ends_the_rest() -> None:
    policy = Later()
    done = list(in_flow(policy, plays(60), 4, suffices=lambda done, replies: len(done) >= 20))
    assert len(done) == 20
    assert set(policy.forgotten) >= {str(n) for n, _ in done}


@pytest.mark.parametrize("kind", ["flow", "passes"])
def test_a_straggler_is_broken_off_at_the_reply_that_makes_it_enough_not_at_its_end(kind: str) -> None:
    had = 0

    def straggler() -> Play[Said]:
        nonlocal had
        for _ in range(20):
            yield Request(key="0", messages=(), seed=0)
            had += 1
        return 0, []

    policy = Later() if kind == "flow" else Passing()
    everybody = [straggler, *(lambda n=n: play(n, 3) for n in range(1, 10))]
    enough = play_all(policy, everybody, 4, suffices=lambda done, replies: len(done) == 9 and replies >= 6)
    assert sorted(n for n, _ in enough) == list(range(1, 10))
    assert 6 <= had < 20, "not waited for to the end"


@pytest.mark.parametrize("kind", ["flow", "passes"])
def test_one_that_never_began_has_had_no_reply_and_is_waited_for(kind: str) -> None:
    policy = Later() if kind == "flow" else Passing()
    policy.rows = 2  # the last waits for a place while the first goes on and on

    def straggler() -> Play[Said]:
        for _ in range(60):
            yield Request(key="0", messages=(), seed=0)
        return 0, []

    everybody = [straggler, *(lambda n=n: play(n, 3) for n in range(1, 6))]
    # More replies than the last asks for: with as many, it could be broken off between its last reply and its end.
    enough = play_all(policy, everybody, 4, suffices=lambda done, replies: len(done) >= 4 and replies >= 4)
    assert sorted(n for n, _ in enough) == [1, 2, 3, 4, 5]


def test_a_conversation_leaves_when_its_reply_ends_and_joins_again_while_others_speak() -> None:
    assert PASSES == 8
    policy = Passing(tokens=lambda seed: {0: 2, 1: 1, 10: 13}[seed])
    assert dict(in_passes(policy, [lambda: play(0, 2), lambda: play(1, 1)], 2)) == {
        0: (0, ["0", "1"]),
        1: (1, ["10"]),
    }
    a_too, b = ["1", "0"], ["1"]
    assert policy.passes == [["0", "1"], ["0", "1"], *[b] * 8, a_too, b, b]


def test_who_shares_a_pass_is_the_same_however_long_the_worlds_take() -> None:
    def slow(n: int, seconds: Callable[[], float]) -> Play[Said]:
        under_way = play(n, 1 + n % 5)
        reply = None
        while True:
            time.sleep(seconds())
            try:
                request = under_way.send(reply)  # type: ignore[arg-type]
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            reply = yield request

    found = []
    for workers, seed in ((1, 0), (4, 1), (16, 2)):
        policy, luck = Passing(tokens=lambda seed: 1 + seed % 7), Random(seed)
        policy.rows = 9
        some = [lambda n=n, luck=luck: slow(n, lambda: luck.random() * 0.004) for n in range(25)]  # type: ignore[misc]
        done = dict(in_passes(policy, some, workers))
        found.append((policy.passes, done))
    assert found[0] == found[1] == found[2]
    assert max(map(len, found[0][0])) == 9


def test_a_conversation_that_cannot_go_on_ends_alone_and_the_others_get_their_replies() -> None:
    class Refusing(Passing):
        def advance(self) -> dict[str, Completion | PolicyError]:
            return {key: PolicyError("refused") if key == "2" else reply for key, reply in super().advance().items()}

    done = dict(in_passes(Refusing(), [lambda n=n: play(n, 2) for n in range(4)], 2))  # type: ignore[misc]
    assert done == {0: (0, ["0", "1"]), 1: (1, ["10", "11"]), 2: (2, ["refused"]), 3: (3, ["30", "31"])}


def test_plays_are_closed_and_let_go_when_their_taker_goes_away_between_passes() -> None:
    policy = Passing(tokens=lambda seed: 1 + seed % 3)
    results = in_passes(policy, plays(60), 4)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert not policy.going


def test_what_went_wrong_in_a_play_is_told_though_others_still_run() -> None:
    closed = []

    def failing() -> Play[Said]:
        yield Request(key="0", messages=(), seed=0)
        raise StoreError("the disk is full")

    def slow(n: int) -> Play[Said]:
        try:
            yield Request(key=f"{n}", messages=(), seed=0)
            time.sleep(0.3)
            yield Request(key=f"{n}", messages=(), seed=0)
        finally:
            closed.append(n)
        return n, []

    with pytest.raises(StoreError, match="the disk is full"):
        list(in_passes(Passing(), [failing, lambda: slow(1), lambda: slow(2)], 3))
    assert sorted(closed) == [1, 2]


def test_a_policy_that_is_gone_ends_them_all_and_every_play_is_closed() -> None:
    closed = []

    def watched(n: int) -> Play[Said]:
        try:
            return (yield from play(n, 5))
        finally:
            closed.append(n)

    with pytest.raises(MemoryError, match="no more room"):
        list(in_flow(Later(broken=83), [lambda n=n: watched(n) for n in range(12)], 4))  # type: ignore[misc]
    assert sorted(closed) == list(range(12))


def test_the_one_who_takes_the_results_may_go_away() -> None:
    policy = Later()
    results = in_flow(policy, plays(60), 4)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert 0 < len(policy.forgotten) <= Later.rows + 1
