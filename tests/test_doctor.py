"""The doctor: what is there, what is missing, and what to type for it."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from rich.console import Console

from prowess.doctor import Finding, able, examine, learning, machine, packages, sandbox, show, worlds


def shown(*findings: Finding, width: int = 80) -> str:
    out = io.StringIO()
    show(Console(file=out, width=width), findings)
    return out.getvalue()


def by_name(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {f"{finding.area} {finding.what}": finding for finding in findings}


def test_this_machine_is_examined_and_can_run_the_default_job() -> None:
    found = by_name(examine())
    assert {
        *("machine python", "machine system", "machine cores", "machine memory", "machine disk", "machine terminal"),
        "machine open files",
        *("sandbox tier", "packages core", "learning torch", "learning GPU", "worlds AppWorld"),
        *("extras endpoint", "extras embeddings", "extras monty"),
    } <= set(found)
    assert not {"extras bench", "extras compare", "extras dev"} & set(found), "for work on prowess alone"
    assert [one for one in found.values() if "could not be examined" in one.detail] == []
    assert able(found.values())


def test_every_extra_of_the_package_says_what_it_is_for() -> None:
    extras = [finding.what for finding in packages.extras()]
    assert extras and [name for name in extras if name not in packages.PURPOSES] in ([], ["more"])


REQUIREMENTS = [Requirement("alpha>=2"), Requirement("beta==1.4.0")]


@pytest.mark.parametrize(
    ("versions", "state", "words"),
    [
        ({"alpha": "2.1", "beta": "1.4.0"}, "ok", "alpha 2.1, beta 1.4.0"),
        ({"alpha": "2.1"}, "limited", "alpha 2.1, beta is missing"),
        ({"alpha": "1.9", "beta": "1.5"}, "missing", "alpha 1.9 is not >=2, beta 1.5 is not ==1.4.0"),
        ({}, "missing", "alpha is missing, beta is missing"),
        ({"alpha": "3.0rc1", "beta": "1.4.0+local"}, "ok", "alpha 3.0rc1, beta 1.4.0+local"),
    ],
)
def test_requirements_are_weighed_by_version(versions: dict[str, str], state: str, words: str) -> None:
    assert packages.weigh(REQUIREMENTS, lambda name: versions.get(name, "")) == (state, words)


def test_an_extra_holds_its_own_requirements_and_the_core_none_of_them() -> None:
    texts = ["core>=1", 'a; extra == "x"', 'b; extra == "x" and python_version < "3"', 'c; extra == "y"']
    texts += ['d; python_version >= "3"']
    requirements = [Requirement(text) for text in texts]
    assert [one.name for one in packages.of_extra(requirements, "")] == ["core", "d"]
    assert [one.name for one in packages.of_extra(requirements, "x")] == ["a"]


def test_a_missing_extra_is_shown_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "version_of", lambda name: "" if name in ("openai", "aiohttp") else "99")
    found = by_name(tuple(packages.extras()))["extras endpoint"]
    assert found.state == "optional" and not found.needed
    what = "play with a served model, learn with one of vLLM's"
    assert found.detail == f"{what}: aiohttp is missing, openai is missing"
    more = shown(*packages.extras()).partition("extras more: ")[2]
    assert more.startswith("pip install 'prowess[NAME]' adds it to this copy (prowess is not on PyPI"), "once for all"


def test_who_wants_to_learn_is_told_what_that_needs_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "version_of", lambda name: "" if name == "tokenizers" else "99")
    found = by_name(examine(learn=True))
    assert not any(name.startswith(("extras", "worlds")) for name in found)
    lacking = found["learning packages"]
    assert (lacking.state, lacking.needed) == ("missing", True)
    assert "tokenizers is missing" in lacking.detail and lacking.remedy.startswith("pip install 'prowess[learn]'")
    assert not able(found.values())
    assert shown(lacking).splitlines()[-1] == "The default job cannot run here: learning packages"


def test_a_terminal_that_is_not_there_is_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    (found,) = machine.terminal()
    assert (found.state, found.remedy) == ("limited", "")


def test_an_appworld_that_is_not_there_is_an_option_with_the_line_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROWESS_APPWORLD", str(tmp_path))
    found = by_name(tuple(worlds.worlds()))["worlds AppWorld"]
    assert (found.state, found.needed, found.remedy) == ("missing", False, "prowess appworld setup")
    assert found.detail.startswith("not installed")


def test_an_appworld_that_is_half_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROWESS_APPWORLD", str(tmp_path))
    (tmp_path / "venv/lib/python3.12/site-packages/appworld-0.1.4.dist-info").mkdir(parents=True)
    (tmp_path / "venv/bin").mkdir()
    (tmp_path / "venv/bin/python").touch()
    found = by_name(tuple(worlds.worlds()))["worlds AppWorld"]
    assert (found.state, found.remedy) == ("limited", "prowess appworld setup")
    assert found.detail == (
        f"0.1.4 in {tmp_path}; data: none; "
        f"AppWorld 0.1.4 is installed in {tmp_path}/venv; this works with 0.1.3.post1 only"
    )


def test_only_what_is_needed_and_missing_makes_it_unable() -> None:
    option = Finding(area="extras", what="endpoint", state="missing")
    tight = Finding(area="machine", what="disk", state="limited", needed=True)
    broken = Finding(area="sandbox", what="tier", state="missing", needed=True)
    assert able([option, tight])
    assert not able([option, broken])
    assert shown(option, tight).endswith("\nThe default job can run here\n")
    assert shown(option, broken).endswith("\nThe default job cannot run here: sandbox tier\n")


def test_a_look_that_fails_is_told_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def faint() -> list[Finding]:
        raise OSError("no such thing")

    monkeypatch.setattr(machine, "memory_bytes", faint)
    monkeypatch.setattr(sandbox, "trial", faint)
    found = by_name(examine())
    assert found["machine memory"].detail == "could not be examined: OSError: no such thing"
    assert found["machine memory"].state == "limited"
    assert found["sandbox tier"].state == "missing" and found["sandbox tier"].needed
    assert "machine disk" in found
    assert not able(found.values())


def test_a_remedy_stays_on_one_line_and_markup_is_shown_as_it_is() -> None:
    remedy = "sysctl " + "kernel.some_long_setting=0 " * 5 + "[bold]done"
    text = shown(
        Finding(area="sandbox", what="tier", state="limited", detail="[red]odd[/red]", remedy=remedy), width=40
    )
    assert f"sandbox tier: {remedy}" in text.splitlines()
    assert "[red]odd[/red]" in text


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    (found,) = machine.disk()
    assert found.state == "missing" and found.needed and "cannot be written to" in found.detail


@pytest.mark.parametrize(("script", "state"), [("echo 'Big GPU, 80000 MiB'", "limited"), ("exit 9", "missing")])
def test_a_gpu_is_found_through_its_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, state: str
) -> None:
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sys, "executable", "/bin/false")  # a torch that cannot be asked
    found = by_name(tuple(learning.torch_and_gpu()))["learning GPU"]
    assert found.state == state
    assert ("Big GPU, 80000 MiB" in found.detail) == (state == "limited")


def test_a_command_that_takes_too_long_is_left() -> None:
    assert learning.printed("sleep", "20", seconds=0.1) == ""
    assert learning.printed("no-such-command-anywhere", seconds=1) == ""


def test_a_package_that_brings_a_module_by_another_name_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_bringers", lambda: {"vllm": ["pytest"]})
    assert packages.version_of("vllm") == packages.version_of("pytest") != ""
    assert packages.version_of("no-such-package-at-all") == ""


def test_the_doctor_tells_how_many_episodes_the_open_files_are_enough_for() -> None:
    usual = machine.files_allowed(1024, 20_000)
    assert (usual.state, usual.remedy) == ("ok", "")
    told = "1,024, when playing 20,000: enough for 9,950 episodes at once, of which workers may be 1,024"
    assert usual.detail == told
    tight = machine.files_allowed(1024, 1024)
    assert tight.state == "limited" and "enough for 462 episodes at once, of which workers may be 462" in tight.detail
    assert tight.remedy == "to play more at once, raise the hard limit: ulimit -Hn 2148, as root"
    assert machine.files_allowed(1024, -1).state == "ok"
