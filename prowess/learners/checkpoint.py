"""Folders that are whole or not there: what a learner saves, and how it is found intact again.

    model.safetensors  config.json  tokenizer ...    an ordinary transformers folder, or
    adapter_model.safetensors  adapter_config.json   an ordinary peft folder
    learner.json                                     how many steps are behind it
    learner/optimiser.safetensors                    what AdamW remembers
    SHA256SUMS                                       of all of these, as `sha256sum -c` reads them

A folder is filled beside its place under another name, brought to the disk, and renamed. Whatever stops that (a full
disk, a kill) leaves the one that was there. Nothing is pickled.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from prowess.errors import StoreError
from prowess.files.sums import SUMS, damage_in, write_sums


def write_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Put a folder in place that `fill` fills, with sums of its files; one that was there goes once this is whole."""
    recover(folder)
    new, old = _new(folder), _old(folder)
    with _storing(folder):
        try:
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir(parents=True)
            fill(new)
            names = sorted(path.relative_to(new).as_posix() for path in new.rglob("*") if path.is_file())
            write_sums(new, names)
            usual = (new / SUMS).stat().st_mode  # safetensors lets nobody else read what it writes
            for name in names:
                (new / name).chmod(usual)
            for path in (*new.rglob("*"), new):
                _sync(path)
            if folder.exists():
                shutil.rmtree(old, ignore_errors=True)  # of a writer that was killed after the new one was in place
                os.rename(folder, old)
            os.rename(new, folder)
            _sync(folder.parent)
        except BaseException:
            recover(folder)
            shutil.rmtree(new, ignore_errors=True)
            raise
        shutil.rmtree(old, ignore_errors=True)


def check_folder(folder: Path) -> None:
    """Make sure that a checkpoint is there, and every file of it as it was written."""
    recover(folder)
    if not folder.is_dir():
        raise StoreError(f"there is no checkpoint {folder}", hint=_others(folder))
    if not (folder / SUMS).exists():
        raise StoreError(f"{folder} is not a checkpoint: it has no {SUMS}", hint=_others(folder))
    with _storing(folder):
        damage = damage_in(folder)
    if damage:
        raise StoreError(f"checkpoint {folder}: {damage}", hint=_others(folder))


def recover(folder: Path) -> None:
    """Put back a checkpoint that was moved aside by a writer that was killed before the new one was in place."""
    if not folder.exists() and _old(folder).exists():
        os.rename(_old(folder), folder)


# ------------------------------------------------------------------------------------------------------- tensors


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    save_file({name: one.detach().contiguous() for name, one in tensors.items()}, path, metadata={"format": "pt"})


def read_tensors(path: Path) -> Iterator[tuple[str, Tensor]]:
    """One by one, so that two copies of a model never stand in memory."""
    with safe_open(path, framework="pt") as file:
        for name in file.keys():  # noqa: SIM118 (it is no mapping)
            yield name, file.get_tensor(name)


def check_same(path: Path, model: Mapping[str, Tensor]) -> None:
    """Make sure that a file holds exactly the weights that this model has, before any is changed."""
    with safe_open(path, framework="pt") as file:
        found = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
    wanted = {name: tuple(one.shape) for name, one in model.items()}
    odd = [name for name in sorted(found.keys() | wanted.keys()) if found.get(name) != wanted.get(name)]
    if odd:
        told = "; ".join(f"{name}: {_told(found, name)} there, {_told(wanted, name)} here" for name in odd[:3])
        more = f"; and {len(odd) - 3} more" if len(odd) > 3 else ""
        raise StoreError(
            f"checkpoint {path.parent} is of another model: {told}{more}",
            hint="load it with the recipe it was made with",
        )


def _told(shapes: Mapping[str, tuple[int, ...]], name: str) -> str:
    return " x ".join(map(str, shapes[name])) or "a number" if name in shapes else "none"


# --------------------------------------------------------------------------------------------------------- files


def _new(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.tmp")


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _others(folder: Path) -> str:
    """A hint that names the checkpoints beside this one."""
    beside = folder.parent.iterdir() if folder.parent.is_dir() else ()
    names = sorted(path.name for path in beside if path != folder and (path / SUMS).is_file())
    return f"there are: {', '.join(names[-3:])}" if names else "there is no other beside it"


@contextmanager
def _storing(folder: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # The library of tokenizers raises nothing more exact where the disk refuses what it writes.
        if not isinstance(error, OSError | SafetensorError) and "(os error " not in str(error):
            raise
        raise StoreError(
            f"checkpoint {folder} cannot be written or read: {error}", hint="is the disk full? what was there is intact"
        ) from error
