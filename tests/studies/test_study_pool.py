"""Processes of the study in studies/qwen end with the one that started them, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "studies" / "qwen"
SCRIPT = """
import os, time
from pool import pool_of

def job():
    os.write(1, b"%d\\n" % os.getpid())  # at once: two of them write to one pipe
    time.sleep(600)

if __name__ == "__main__":
    with pool_of(2) as pool:
        for future in [pool.submit(job), pool.submit(job)]:
            future.result()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_workers_in_the_middle_of_a_job_end_when_their_parent_is_killed(how: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(FOLDER)}
    parent = subprocess.Popen(
        [sys.executable, str(tmp_path / "jobs.py")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    try:
        assert all(map(_alive, workers))
        parent.send_signal(how)
        parent.wait(timeout=10)
        end = time.monotonic() + 10
        while any(map(_alive, workers)) and time.monotonic() < end:
            time.sleep(0.02)
        assert not any(map(_alive, workers))
    finally:
        for worker in filter(_alive, workers):
            os.kill(worker, signal.SIGKILL)
        parent.stdout.close()


QUEUE = """
import signal, time
from pool import pool_of

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it runs in the background ignore it

def job(number):
    print("begun", number, flush=True)
    for _ in range(200):  # a signal just before a long sleep would be heard after it
        time.sleep(0.1)

if __name__ == "__main__":
    with pool_of(1) as pool:
        for future in [pool.submit(job, number) for number in range(4)]:
            future.result()
"""


def test_after_ctrl_c_no_other_job_is_begun(tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text(QUEUE, encoding="utf-8")
    study = subprocess.Popen(
        [sys.executable, str(tmp_path / "jobs.py")],
        env={**os.environ, "PYTHONPATH": str(FOLDER)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert study.stdout
    try:
        assert study.stdout.readline() == "begun 0\n"
        os.killpg(study.pid, signal.SIGINT)  # as a terminal does: to all of them
        told, _ = study.communicate(timeout=15)
        assert told == "" and study.returncode != 0
    finally:
        if study.poll() is None:
            os.killpg(study.pid, signal.SIGKILL)
            study.wait()
        study.stdout.close()


DEATH = """
import os, signal, time
from pool import pool_of

def dies():
    os.kill(os.getpid(), signal.SIGKILL)

def lives(number):
    time.sleep(2)
    return number

if __name__ == "__main__":
    with pool_of(2) as pool:
        slow, lost, later = pool.submit(lives, 1), pool.submit(dies), pool.submit(lives, 2)
        print(type(lost.exception()).__name__, slow.result(), later.result())
"""


def test_a_process_that_dies_takes_no_other_job_along(tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text(DEATH, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(tmp_path / "jobs.py")],
        env={**os.environ, "PYTHONPATH": str(FOLDER)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "BrokenProcessPool 1 2\n", done.stderr


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--only", "sagee"), "--only names ['sagee']; allowed are base, sft, sage"),
        (("--splits", "test_norml"), "--splits names ['test_norml']; allowed are test_normal"),
        (("--play", "to the ende"), "--play names ['to the ende']; allowed for base, sft, sage"),
        (("--start", "nowhere/{seed}"), "--start: there is no adapter at nowhere/0"),
        (("--set", "sampling.engine=local"), "there is no folder 'no/such/model'"),
    ],
)
def test_what_a_study_lacks_is_told_before_any_job(given: tuple[str, str], told: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    command = [
        sys.executable,
        str(FOLDER / "study.py"),
        "--model",
        "no/such/model",
        "--name",
        "n",
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run([*command, *given], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and told in done.stderr
    assert not (tmp_path / "n").exists()


def _alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not asked about does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"
