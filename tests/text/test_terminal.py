"""Progress reads well in a log file, and hostile text cannot touch the terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.text import terminal
from prowess.text.terminal import Figure, LogLines, figures_text, progress, progress_where_slow, safe, say


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[1;1Hgone", "gone"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07after", "]0;titleafter"),
        ("\x1b]8;;http://x\x1b\\link", "]8;;http://x\\link"),
        ("safe\rEVIL", "safe\nEVIL"),
        ("a\r\nb\tc\n", "a\nb\tc\n"),
        ("bell\x07back\x08\x00", "bellback"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("half \ud83d", "half \ufffd"),
        ("naïve 漢字 🎵 [bold]", "naïve 漢字 🎵 [bold]"),
    ],
)
def test_safe_text_can_only_be_read(hostile: str, shown: str) -> None:
    assert safe(hostile) == shown


@given(st.text(alphabet=st.characters() | st.sampled_from("\x1b[]\x9b\x07;m\r\ud800")))
def test_no_control_character_survives_and_twice_is_once(text: str) -> None:
    once = safe(text)
    assert safe(once) == once
    assert not any((ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160 for c in once)
    once.encode()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_log_gets_a_line_every_five_percent_with_rate_and_time_left() -> None:
    out, clock = io.StringIO(), Clock()
    lines = LogLines(100, "dev", done=0, stream=out, clock=clock)
    for n in range(1, 11):
        clock.now = n * 0.5
        lines.advance(1, tgc=n / 11, errors=0)
    assert out.getvalue().splitlines() == [
        "dev: 5/100 (5%), 2.0/s, 0:48 left, tgc 0.455, errors 0",
        "dev: 10/100 (10%), 2.0/s, 0:45 left, tgc 0.909, errors 0",
    ]


def test_a_slow_log_gets_a_line_every_ten_seconds() -> None:
    out, clock = io.StringIO(), Clock()
    lines = LogLines(1000, "dev", done=0, stream=out, clock=clock)
    for n in range(1, 31):
        clock.now = n * 4.0
        lines.advance()
    assert [line.split()[1] for line in out.getvalue().splitlines()] == [
        f"{n}/1000" for n in (3, 6, 9, 12, 15, 18, 21, 24, 27, 30)
    ]
    assert "15.0/min" in out.getvalue()


def test_a_fast_log_gets_at_most_a_line_a_second_and_a_day_some_hundreds() -> None:
    out, clock = io.StringIO(), Clock()
    lines = LogLines(1000, "fast", done=0, stream=out, clock=clock)
    for _ in range(1000):
        clock.now += 0.002
        lines.advance()
    assert len(out.getvalue().splitlines()) == 1
    out, clock = io.StringIO(), Clock()
    lines = LogLines(10**6, "slow", done=0, stream=out, clock=clock)
    for _ in range(24 * 3600):
        clock.now += 1
        lines.advance()
    assert len(out.getvalue().splitlines()) < 200


def test_progress_where_slow_says_nothing_of_what_is_soon_done(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with progress_where_slow(3, "drawing", clock=clock) as bar:
        for _ in range(3):
            clock.now += 0.2
            bar.advance()
    assert capsys.readouterr().err == ""


def test_progress_where_slow_shows_all_that_was_done_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    with progress_where_slow(4, "drawing", clock=clock) as bar:
        for _ in range(4):
            clock.now += 0.4
            bar.advance()
    assert capsys.readouterr().err == "drawing: 4/4 (100%), done in 0:00\n"


def test_a_resumed_log_does_not_count_old_work_in_its_rate() -> None:
    out, clock = io.StringIO(), Clock()
    lines = LogLines(100, "dev", done=80, stream=out, clock=clock)
    clock.now = 10.0
    lines.advance(10)
    assert out.getvalue() == "dev: 90/100 (90%), 1.0/s, 0:10 left\n"


def test_the_last_line_says_how_it_ended() -> None:
    out, clock = io.StringIO(), Clock()
    with progress(3, "de\x1b[31mv", stream=out, clock=clock) as bar:
        for _ in range(3):
            clock.now += 0.1
            bar.advance(1, tgc=1.0)
    assert out.getvalue() == "dev: 3/3 (100%), done in 0:00, tgc 1\n"
    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt), progress(4000, "dev", done=2, stream=out):
        raise KeyboardInterrupt
    assert out.getvalue() == "dev: 2/4000 (0%), stopped in 0:00\n"


def test_work_of_unknown_length_tells_what_is_done() -> None:
    out, clock = io.StringIO(), Clock()
    with progress(None, "collect", stream=out, clock=clock) as bar:
        clock.now = 20.0
        bar.advance(40)
    assert out.getvalue().splitlines() == ["collect: 40, 2.0/s", "collect: 40, done in 0:20"]


def test_no_work_is_no_trouble() -> None:
    out = io.StringIO()
    with progress(0, "nothing", stream=out):
        pass
    assert out.getvalue() == "nothing: 0/0, done in 0:00\n"


def test_figures_are_short() -> None:
    assert figures_text({"tgc": 2 / 3, "errors": 12, "split": "dev\x1b[1m"}) == "tgc 0.667, errors 12, split dev"


def test_progress_goes_to_stderr_and_is_a_bar_on_a_terminal() -> None:
    code = (
        "from prowess.text.terminal import progress\n"
        "with progress(2, 'dev [bold]') as bar:\n"
        "    bar.advance(1, tgc=1.0); bar.advance(1)\n"
        "print('data')"
    )
    main, side = pty.openpty()
    env = os.environ | {"TERM": "xterm", "COLUMNS": "100", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=side, env=env, check=True)
    os.close(side)
    shown = b""
    try:
        while part := os.read(main, 65536):
            shown += part
    except OSError:  # the terminal's other end is closed
        pass
    finally:
        os.close(main)
    assert done.stdout == b"data\n"
    assert b"2/2" in shown
    assert b"dev [bold]" in shown
    assert b"tgc 1" in shown


def test_a_bar_may_be_told_new_figures_by_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    inside, most = 0, 0

    def slowly(figures: dict[str, Figure]) -> str:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.01)
        inside -= 1
        return figures_text(figures)

    monkeypatch.setattr(terminal, "figures_text", slowly)
    with progress(8, "train", stream=Terminal()) as bar, ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda n: bar.advance(1, **{f"figure{n}": n}), range(8)))
    assert most == 1, "figures are read while nobody adds to them"


def test_what_is_said_cannot_act_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("run: a\x1b[31mb\x1b]0;title\x07 (prowess show a)")
    assert capsys.readouterr() == ("", "run: ab]0;title (prowess show a)\n")


def test_nothing_is_printed_on_standard_error_but_by_say() -> None:
    package = Path(__file__).parents[2] / "prowess"
    for path in sorted(package.rglob("*.py")):
        if path.name != "terminal.py" and path.parent.name != "kit":  # the kit leaves without the package
            assert "file=sys.stderr" not in path.read_text(encoding="utf-8"), path


def test_data_printed_beside_a_bar_on_a_terminal_goes_to_its_file(tmp_path: Path) -> None:
    code = "from prowess.text.terminal import progress\nwith progress(2, 'work') as bar: print('data'); bar.advance(2)"
    shown, terminal = pty.openpty()
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run([sys.executable, "-c", code], stdout=out, stderr=terminal, check=True)
    os.close(terminal)
    told = os.read(shown, 100_000)
    os.close(shown)
    assert done.returncode == 0
    assert (tmp_path / "out").read_bytes() == b"data\n"
    assert b"work" in told and b"data" not in told
