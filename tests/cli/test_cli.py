"""The command line as a user meets it: real processes, the real jail, real folders."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from prowess.cli import app, main
from prowess.cli.door import GROUPS, OURS, PANELS
from prowess.cli.options import read_recipe
from prowess.errors import NotThere
from prowess.pipeline.recipe import Recipe
from prowess.recipe import read, shipped
from prowess.run import Run
from prowess.types import Stop

FAMILIES = 'suite.desk.families=["like_artist", "rate_album"]'
SMALL = ("--set", "evaluate.split=train", "--set", FAMILIES)

PARTS = '''
import os, signal, time
from pathlib import Path

from prowess.types import Completion, Observation
from prowess.worlds.registry import Options, WorldPlugin
from prowess_desk.expert.expert import Expert
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings


def suite(settings, sandbox):
    """Desk, but one task's world falls apart when its code runs."""

    class Broken(DeskSuite):
        def open(self, task):
            world = super().open(task)
            if task.id == "like_artist.0_2":
                def execute(code):
                    raise ZeroDivisionError("the disk \\x1b[31mis on fire")
                world.execute = execute
            return world

    return Broken(DeskSettings(families=("like_artist", "rate_album")), sandbox)


WORLD = WorldPlugin(settings=Options, suite=suite, expert=lambda settings, how: Expert(how))


def slow(recipe):
    """The expert, thinking for a while before each reply."""

    def policy(messages, *, seed):
        time.sleep(0.6)
        return Expert()(messages, seed=seed)

    return policy


def killer(recipe):
    """The expert, but before the first second reply every interpreter is killed from outside."""

    def policy(messages, *, seed):
        if len(messages) == 4 and not Path("killed").exists():
            Path("killed").touch()
            kill_interpreters()
        return Expert()(messages, seed=seed)

    return policy


def kill_interpreters():
    """Kill every process below this one that has none below itself, and wait until they are gone."""
    parents = processes()
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    interpreters = below - set(parents.values())
    assert interpreters
    for pid in interpreters:
        os.kill(pid, signal.SIGKILL)
    while interpreters & processes().keys():
        time.sleep(0.01)


def processes():
    """Every living process and its parent."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(stat.parent.name)] = int(parent)
    return found
'''


GONE = '''

def gone(recipe):
    """A policy that was closed meanwhile."""
    from prowess.errors import PolicyGone

    def policy(messages, *, seed):
        Path(f"asked{seed}").touch()
        time.sleep(0.1)
        raise PolicyGone("the engine was closed")

    return policy
'''


def prowess(*arguments: str, cwd: Path, seconds: float = 120) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "prowess", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds, check=False)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    (tmp_path / "parts.py").write_text(PARTS)
    return tmp_path


def test_an_evaluation_prints_its_table_and_can_be_read_reported_and_repeated(tmp_path: Path) -> None:
    first = prowess("evaluate", "expert", *SMALL, cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert re.search(r"scenarios solved \(SGC\) +100\.0%", first.stdout)
    assert "solved 6/6" in first.stderr
    run = Run.open(tmp_path / "runs/expert-evaluate")
    assert [played.episode.task.id for played in run.episodes()] == [
        f"{family}.0_{n}" for family in ("like_artist", "rate_album") for n in (1, 2, 3)
    ]
    assert (run.folder / "library/index.json").is_file()
    assert read(Recipe, run.folder / "recipe.toml").suite.own.families == ("like_artist", "rate_album")

    again = prowess("evaluate", "expert", *SMALL, cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "runs/expert-evaluate is finished (--force to begin again)" in again.stderr
    assert "going on with" not in again.stderr

    listing = prowess("show", str(run.folder), cwd=tmp_path)
    assert "rate_album.0" in listing.stdout
    episode = prowess("show", str(run.folder), "rate_album.0_2", cwd=tmp_path)
    assert "complete_task" in episode.stdout
    nearest = prowess("show", str(run.folder), "rate_albums.0_2", cwd=tmp_path)
    assert nearest.returncode == 2
    assert "did you mean" in nearest.stderr

    report = prowess("report", str(run.folder), cwd=tmp_path)
    assert report.returncode == 0, report.stderr
    assert {Path(line).suffix for line in report.stdout.split()} == {".md", ".html", ".svg"}
    sentence = (run.folder / "report.md").read_text().splitlines()[0].removeprefix("# ")
    assert sentence.startswith("expert-evaluate solves 100.0 of 100 tasks on train (95% interval ")
    assert all(sentence in done.stderr.splitlines() for done in (first, again, report)), "each says it"


def test_a_broken_world_is_an_error_on_its_episode_alone(parts: Path) -> None:
    done = prowess("evaluate", "expert", "--set", "suite.name=parts:WORLD", *SMALL[:2], cwd=parts)
    assert done.returncode == 1
    assert re.search(r"errors \(not counted\) +1", done.stdout)
    assert "error: 1 of 6 episodes ended in an error" in done.stderr
    assert "like_artist.0_2: WorldError: ZeroDivisionError: the disk is on fire" in done.stderr
    stops = [played.episode.stop for played in Run.open(parts / "runs/expert-evaluate").episodes()]
    assert stops == [Stop.COMPLETED, Stop.ERROR, *[Stop.COMPLETED] * 4]


def test_an_interpreter_killed_from_outside_is_an_error_and_the_others_go_on(parts: Path) -> None:
    done = prowess("evaluate", "expert", "--workers", "1", "--set", "policy.name=parts:killer", *SMALL, cwd=parts)
    assert (parts / "killed").exists()
    assert done.returncode == 1, done.stderr
    episodes = [played.episode for played in Run.open(parts / "runs/expert-evaluate").episodes()]
    assert [episode.stop for episode in episodes] == [Stop.ERROR, *[Stop.COMPLETED] * 5]
    assert episodes[0].error.startswith("SandboxError: ")


@pytest.mark.parametrize("command", ["evaluate", "collect"])
def test_an_endpoint_that_is_not_there_stops_a_command_and_nothing_of_it_is_kept(command: str, tmp_path: Path) -> None:
    pytest.importorskip("openai")
    done = prowess(
        command,
        "expert",
        *SMALL,
        *("--set", "policy.name=endpoint", "--set", "policy.endpoint.model=none", "--set", "policy.endpoint.tries=1"),
        *("--set", "policy.endpoint.url=http://127.0.0.1:9/v1", "--set", "collect.tries=3"),
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "error: Endpoint('none' at 'http://127.0.0.1:9/v1'): no connection" in done.stderr
    assert "then the same command goes on" in done.stderr and "Traceback" not in done.stderr
    assert not Run.open(tmp_path / f"runs/expert-{command}").keys()


def test_a_policy_that_is_gone_stops_a_command_at_once(parts: Path) -> None:
    with (parts / "parts.py").open("a") as file:
        file.write(GONE)
    done = prowess("evaluate", "expert", *SMALL, "--set", "policy.name=parts:gone", cwd=parts)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-2:] == [
        "stopped; what is done is kept, and the same command goes on from here",
        "error: the engine was closed",
    ]
    assert len(list(parts.glob("asked*"))) <= 2, "of six"


def _hears_control_c() -> None:
    """In the child before it begins: a suite that runs in the background hands on that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_evaluation_goes_on_and_ends_as_an_unbroken_one(parts: Path, ending: signal.Signals) -> None:
    slow = ("evaluate", "expert", *SMALL, "--set", "policy.name=parts:slow", "--workers", "1")
    command = [sys.executable, "-m", "prowess", *slow, "--out", "cut"]
    process = subprocess.Popen(
        command,
        cwd=parts,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_hears_control_c,
    )
    deadline = time.monotonic() + 60
    while not list(parts.glob("cut/episodes/*.jsonl.gz")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(ending)
    _, error = process.communicate(timeout=60)
    if ending is not signal.SIGKILL:
        assert process.returncode == 130
        assert error.splitlines()[-1] == "stopped; the same command goes on from here"
        assert json.loads((parts / "cut/run.json").read_text())["status"] == "interrupted"
    assert prowess(*slow, "--out", "cut", cwd=parts).returncode == 0
    assert prowess(*slow, "--out", "whole", cwd=parts).returncode == 0
    cut, whole = (_said(parts / name) for name in ("cut", "whole"))
    assert cut == whole
    assert len(cut) == 6


def _said(folder: Path) -> list[tuple[str, tuple[str, ...]]]:
    episodes = [played.episode for played in Run.open(folder).episodes()]
    return [(episode.task.id, tuple(turn.completion.text for turn in episode.turns)) for episode in episodes]


@pytest.mark.slow
def test_more_episodes_are_under_way_than_the_soft_limit_of_open_files_allows(parts: Path) -> None:
    slow = ("evaluate", "expert", *SMALL, "--set", "policy.name=parts:slow", "--set", "evaluate.runs=24")
    begin = "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (48, 4096)); from prowess.cli import main"
    done = subprocess.run(
        [sys.executable, "-c", f"{begin}; main()", *slow, "--workers", "48"],
        cwd=parts,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    played = list(Run.open(parts / "runs/expert-evaluate").episodes())
    assert len(played) == 144 and all(each.episode.success for each in played)


def test_any_number_of_workers_gives_the_same_table(tmp_path: Path) -> None:
    tables = [
        prowess("evaluate", "expert", *SMALL, "--workers", n, "--out", f"w{n}", cwd=tmp_path).stdout for n in ("1", "5")
    ]
    assert tables[0] == tables[1] != ""


def test_collecting_writes_a_data_set(tmp_path: Path) -> None:
    done = prowess(
        *("collect", "expert", "--set", FAMILIES, "--set", "collect.count=2"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "runs/expert-collect/data/sft.jsonl").read_text().splitlines()
    assert len(lines) == 2 * 2 * 3
    assert "collect train, chains: 4/4 (100%), done in" in done.stderr
    assert "solved 12/12" in done.stderr
    wrong = prowess("collect", "expert", "--set", "collect.split=tests", "--force", cwd=tmp_path)
    assert wrong.returncode == 2
    assert len(Run.open(tmp_path / "runs/expert-collect").keys()) == 4, "nothing was deleted for a wrong split"
    assert [message["role"] for message in json.loads(lines[0])["messages"]][:3] == ["system", "user", "assistant"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("evaluate", "exprt"), "did you mean 'expert'?"),
        (("evaluate", "expert", "--set", "agent.turn=3"), "did you mean 'turns'?"),
        (("evaluate", "expert", "--set", "agent.turns=many"), "agent.turns"),
        (("evaluate", "expert", "--set", "evaluate.split=tests"), "evaluate.split: unknown split 'tests'"),
        (("evaluate", "expert", "--set", "retrieval.name=hybird"), "did you mean 'hybrid'?"),
        (("evaluate", "expert", "--set", "policy.name=nowhere:maker"), "there is no module 'nowhere'"),
        (("evaluate", "expert", "--set", "suite.desk.families=['likes']"), "unknown desk family 'likes'"),
        (("evaluate", "expert", "--workers", str(10**20)), "allowed is 0 (twice the cores) to 1024"),
        (
            ("evaluate", "expert", "--set", f"seed={2**63}"),
            f"seed is {2**63}; it must be between 0 and {2**63 - 1}",
        ),
        (("evaluate", "expert", "--set", "seed=-1"), "seed is -1; it must be between 0 and"),
        (("evaluate", "expert", "--set", "evaluate.runs=1_000_000_000_000"), "runs is 1000000000000; allowed is 1 to"),
        (("collect", "expert", "--set", "collect.count=100_000_000_000"), "allowed is 1 to 1000 temperatures"),
        (
            ("evaluate", "expert", "--set", "sandbox.memory_mb=1_000_000_000_000"),
            "memory_mb is 1000000000000; it must be more than 0, and at most",
        ),
        (("evaluate", "expert", "--set", "agent.prompt=odd.md"), "error: the prompt 'odd.md' is not UTF-8 text: "),
        (("evaluate", "expert", "--set", "agent.prompt=none.md"), "hint: known: brief, react, skill, or the path of"),
        (("evaluate", "expert", "--set", 'policy.name="\\u001b[31mred"'), "unknown policy 'red'"),
        (("evaluate", "odd.toml"), "odd.toml, line 1: not UTF-8"),
        (("show", "odd.md"), "no run at odd.md"),
        (("check", "desc"), "did you mean 'desk'?"),
    ],
)
def test_what_the_user_can_mend_is_said_plainly(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    for name in ("odd.md", "odd.toml"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    done = prowess(*arguments, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr and "\x1b" not in done.stderr
    assert "note: the policy" not in done.stderr, "of what cannot play nothing is said before"
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("evaluate none.toml", "there is no recipe 'none.toml'"),
        ("evaluate expert --checkpoint none", "there is no folder 'none'"),
        ("evaluate expert --set evaluate.library=none", "'none' is not a library"),
        ("evaluate expert --set evaluate.library=file", "'file' is not a library"),
        ("evaluate expert --set retrieval.name=store --set retrieval.store=none.db", "no skill store at none.db"),
        ("evaluate expert --set suite.name=appworld --set suite.appworld.home=none", "AppWorld is not installed"),
        ("evaluate expert --out file", "run file is a file, not a folder"),
        ("work worker --set work.tasks=6 --compare none.db", "no skill store at none.db"),
        ("show none", "no run at none"),
        ("show folder", "no run at folder: it has no run.json"),
        ("report none", "no run at none"),
        ("skills propose none", "no run at none"),
        ("skills list --store none.db", "there is no skill store at none.db"),
        ("skills list --store folder", "folder is a folder, not a skill store"),
        ("skills list --store recipe.toml", "recipe.toml is not a skill store: it is not an SQLite file"),
        ("skills import recipe.toml", "'recipe.toml:1' is not JSON"),
        ("skills ingest none --store new.db", "there is no folder of journals at none"),
        ("skills import none", "there is nothing at none"),
        ("skills import folder", "'folder' holds no skill"),
        ("appworld setup --bundle none --home home", "there is no bundle at none"),
        ("appworld verify --home none", "AppWorld is not installed"),
    ],
)
def test_what_is_not_there_is_an_error_of_whoever_named_it(
    command: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "recipe.toml").write_text('name = "mine"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["prowess", *command.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, words in capsys.readouterr().err) == (2, True)
    assert not (tmp_path / "runs").exists(), "nothing was begun"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", ["recipe", "doctor"])
def test_an_output_that_finds_no_room_is_said_plainly(command: str, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "prowess", command]
        done = subprocess.run(words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, "error: the output: No space left on device")
    assert "hint: free some space" in done.stderr and "Traceback" not in done.stderr


def test_an_evaluation_is_not_deleted_for_a_library_that_is_not_there(tmp_path: Path) -> None:
    played = ["evaluate", "expert", "--set", "evaluate.scenarios=1", "--out", str(tmp_path / "run")]
    assert CliRunner().invoke(app, played).exit_code == 0
    wrong = CliRunner().invoke(app, [*played, "--set", f"evaluate.library={tmp_path / 'none'}", "--force"])
    assert isinstance(wrong.exception, NotThere)
    assert len(Run.open(tmp_path / "run").keys()) == 1


@pytest.mark.slow
def test_desk_keeps_the_contract_of_a_world(tmp_path: Path) -> None:
    done = prowess("check", "desk", "--tasks", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_doctor_says_that_the_default_job_can_run(tmp_path: Path) -> None:
    done = prowess("doctor", cwd=tmp_path)
    assert done.returncode == 0
    assert "The default job can run here" in done.stdout


def test_every_recipe_in_the_tree_is_read_and_its_resolved_form_reads_back(tmp_path: Path) -> None:
    for name in shipped():
        printed = CliRunner().invoke(app, ["recipe", name])
        assert printed.exit_code == 0, printed.output
        (tmp_path / "back.toml").write_text(printed.stdout)
        assert read(Recipe, tmp_path / "back.toml") == read(Recipe, name)


def test_importing_prowess_is_quick_and_light() -> None:
    code = "import sys, time; t = time.perf_counter(); import prowess; print(time.perf_counter() - t, *sys.modules)"
    seconds, *modules = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert float(seconds) < 0.2
    assert not {"torch", "numpy", "matplotlib", "openai", "rich", "typer", "jinja2"} & set(modules)


def test_no_help_is_taken_for_markup() -> None:
    """Rich leaves out what is in square brackets and looks like a style."""
    from rich.text import Text
    from typer.main import get_command

    def commands(command: Any) -> Iterator[Any]:
        yield command
        for child in getattr(command, "commands", {}).values():
            yield from commands(child)

    texts = [(one.name, help) for one in commands(get_command(app)) for help in _helps(one)]
    assert len(texts) > 100
    assert [(name, text) for name, text in texts if Text.from_markup(text).plain != text] == []


def test_the_help_lists_every_command_under_its_panel_and_no_value_for_a_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    shown = [CliRunner().invoke(app, [*words, "--help"]).output for words in ((), ("collect",), ("skills", "list"))]
    assert re.findall(r"─ ([A-Z][a-z]+(?: \w+)?) ─", shown[0]) == [
        *("Options", "Play", "Learn", "Look", "Library", "Set up", "Worlds")
    ]
    assert set(PANELS) == {*OURS, *GROUPS}
    for text in shown:
        assert "--help" in text and "<bool>" not in text
    assert "<path>" in shown[1], "what takes a value says of which kind"


def test_no_workers_means_two_per_core() -> None:
    assert read_recipe("expert", ["workers=3"], 0).workers == 0
    assert read_recipe("expert", ["workers=3"], None).workers == 3


def _helps(command: Any) -> list[str]:
    return [text for text in (command.help, *(getattr(one, "help", None) for one in command.params)) if text]


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        (("--split", "dev"), r"the figures are to be of 'dev', and evaluate.split is that, too"),
        (("--set", "train.split=test_normal"), "'test_normal', and train.split is that, too"),
        (("--set", "collect.split=test_normal"), "'test_normal', and collect.split is that, too"),
        (("--set", "train.split=nope"), "split 'nope'"),
        (("--set", "reward.name=foo"), "reward 'foo'"),
        (("--set", "advantage.name=foo"), "advantage 'foo'"),
        (("--set", "retrieval.name=hybird"), "hybird"),
    ],
)
def test_what_learning_would_stumble_over_later_is_told_before_anything_is_begun(
    sets: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    done = CliRunner().invoke(app, ["learn", "quickstart", "--out", str(tmp_path / "out"), *sets])
    said = done.output + str(done.exception or "")
    assert done.exit_code != 0 and re.search(told, said), said
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_report_of_several_runs_leaves_the_first_ones_own_alone(tmp_path: Path) -> None:
    few = ("--set", "evaluate.scenarios=1")
    for name in ("one", "two"):
        assert CliRunner().invoke(app, ["evaluate", "expert", "--out", str(tmp_path / name), *few]).exit_code == 0
    assert CliRunner().invoke(app, ["report", str(tmp_path / "one")]).exit_code == 0
    before = (tmp_path / "one" / "report.md").read_text()
    done = CliRunner().invoke(app, ["report", str(tmp_path / "one"), str(tmp_path / "two")])
    assert done.exit_code == 0 and (tmp_path / "one" / "report.md").read_text() == before
    assert (tmp_path / "report-one-two" / "report.md").is_file()
    many = [str(tmp_path / "one"), *[str(tmp_path / "two")] * 3]
    assert CliRunner().invoke(app, ["report", *many]).exit_code == 0
    assert (tmp_path / "report-one-and-3-more" / "report.md").is_file(), "however many there are, a name that fits"
    assert "expert" in before, "it says who played"
