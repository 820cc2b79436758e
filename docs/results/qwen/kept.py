"""Adapters that are kept beside the results, in pieces small enough for git: put together again, and cut.

    python docs/results/qwen/kept.py join PLACE/NAME FOLDER [--model MODEL]     a folder to evaluate and to train from
    python docs/results/qwen/kept.py cut CHECKPOINT PLACE/NAME --model MODEL    in bfloat16; needs torch and safetensors

    PLACE/NAME.json          the adapter's description, with the model it was made on
    PLACE/NAME.00 .01 ...    its weights; with `cut --pack`, which takes half a minute, a third smaller and still exact
    PLACE/SHA256SUMS         of all of these, as `sha256sum -c` reads them

Nothing is written unless every piece is there and as it was kept.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import re
import shutil
import sys
from pathlib import Path
from typing import NoReturn

PIECE = 16_000_000
SUMS = "SHA256SUMS"
PACKED = "packed"
"""Entry of a description: how the pieces were packed."""
PLANES = "planes, xz"
CONFIG, WEIGHTS, STATE = "adapter_config.json", "adapter_model.safetensors", "learner.json"


def join(kept: Path, folder: Path, model: str = "") -> None:
    """Put an adapter together in a new folder, for the model it was made on or for another copy of that."""
    if folder.exists():
        _fail(f"{folder} is there already", "name another folder, or delete it")
    names = _listed(kept)
    read = {name: _checked(kept.parent / name, wanted) for name, wanted in names.items()}
    config = json.loads(read.pop(f"{kept.name}.json"))
    weights = b"".join(read.values())
    if (how := config.pop(PACKED, "")) not in ("", PLANES):
        _fail(f"{kept}.json says '{how}' of how it is packed", f"'{PLANES}' is known; a newer kept.py knows more")
    weights = _unpacked(weights, kept) if how else weights
    if (size := _size(weights)) != len(weights):
        _fail(f"the pieces of {kept} have {len(weights)} bytes, and say themselves {size}", "is one not in SHA256SUMS?")
    if model:
        config["base_model_name_or_path"] = str(Path(model).resolve()) if Path(model).is_dir() else model
    files = {
        CONFIG: json.dumps(config, indent=2).encode() + b"\n",
        WEIGHTS: weights,
        STATE: json.dumps({"format": 1, "kind": "adapter"}).encode() + b"\n",  # so that training can start from it
    }
    new = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name, content in files.items():
        (new / name).write_bytes(content)
    (new / SUMS).write_text("".join(f"{_sum(content)}  {name}\n" for name, content in sorted(files.items())))
    os.rename(new, folder)
    print(
        f"{folder}: an adapter of rank {config['r']} for {config['base_model_name_or_path']}, of {len(read)} piece(s)"
    )


def cut(checkpoint: Path, kept: Path, model: str, *, pack: bool = False) -> None:
    """Keep an adapter: rounded to bfloat16, in pieces, with the name under which others find its model."""
    if missing := [name for name in (CONFIG, WEIGHTS) if not (checkpoint / name).is_file()]:
        _fail(f"{checkpoint} has no {' and no '.join(missing)}", "the folder of an adapter's checkpoint is needed")
    from safetensors.torch import load_file, save

    weights = save({name: one.bfloat16() for name, one in load_file(checkpoint / WEIGHTS).items()})
    config = json.loads((checkpoint / CONFIG).read_text(encoding="utf-8")) | {"base_model_name_or_path": model}
    if pack:
        weights, config = _packed(weights), config | {PACKED: PLANES}
    kept.parent.mkdir(parents=True, exist_ok=True)
    for old in kept.parent.iterdir():
        if _of(old.name, kept.name):
            old.unlink()
    (kept.parent / f"{kept.name}.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    for number, start in enumerate(range(0, len(weights), PIECE)):
        (kept.parent / f"{kept.name}.{number:02}").write_bytes(weights[start : start + PIECE])
    pieces = sorted(path for path in kept.parent.iterdir() if re.fullmatch(r"[\w.-]+\.(json|\d\d)", path.name))
    (kept.parent / SUMS).write_text("".join(f"{_sum(path.read_bytes())}  {path.name}\n" for path in pieces))


def _packed(weights: bytes) -> bytes:
    """Exponents are much alike, what is behind them is noise: bytes of a kind lie together before they are packed."""
    return lzma.compress(weights[0::2] + weights[1::2])


def _unpacked(packed: bytes, kept: Path) -> bytes:
    try:
        planes = lzma.decompress(packed)
    except lzma.LZMAError as error:
        _fail(f"the pieces of {kept} cannot be unpacked: {error}", "is one not in SHA256SUMS?")
    weights = bytearray(len(planes))
    half = (len(planes) + 1) // 2
    weights[0::2], weights[1::2] = planes[:half], planes[half:]
    return bytes(weights)


def _listed(kept: Path) -> dict[str, str]:
    """The files of an adapter with their sums, pieces in their order."""
    sums = kept.parent / SUMS
    if not sums.is_file():
        _fail(f"there is no {sums}", "name the adapter by its place and name, such as docs/results/qwen/adapters/sage")
    found = re.findall(r"^([0-9a-f]{64}) [ *](?:\./)?(\S+)$", sums.read_text(encoding="utf-8"), flags=re.MULTILINE)
    listed = {name: wanted for wanted, name in found}
    mine = {name: listed[name] for name in sorted(listed) if _of(name, kept.name)}
    there = sorted({name.rpartition(".")[0] for name in listed if name.endswith(".json")})
    pieces = [name for name in mine if not name.endswith(".json")]
    if not mine:
        _fail(f"there is no adapter '{kept.name}' in {sums}", f"there are: {', '.join(there) or 'none'}")
    whole = {f"{kept.name}.json", *(f"{kept.name}.{number:02}" for number in range(max(1, len(pieces))))}
    if mine.keys() != whole:
        _fail(f"{sums} lists {', '.join(mine)}", f"{kept.name}.json and all pieces from {kept.name}.00 on are needed")
    return mine


def _of(file: str, name: str) -> bool:
    return re.fullmatch(rf"{re.escape(name)}\.(json|\d\d)", file) is not None


def _checked(path: Path, wanted: str) -> bytes:
    if not path.is_file():
        _fail(f"{path} is missing", "git checkout brings it back; where git-lfs is used, git lfs pull")
    content = path.read_bytes()
    if _sum(content) != wanted:
        found = f"its SHA-256 is {_sum(content)[:12]}..., not {wanted[:12]}..."
        _fail(f"{path} is damaged: {found}", f"git checkout {path}")
    return content


def _size(weights: bytes) -> int:
    """How long a file of safetensors is by its own heading."""
    length = int.from_bytes(weights[:8], "little")
    try:
        entries = json.loads(weights[8 : 8 + length])
        ends = [int(entry["data_offsets"][1]) for name, entry in entries.items() if name != "__metadata__"]
        return 8 + length + max(ends)
    except (ValueError, KeyError, TypeError, AttributeError):
        return -1


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _fail(what: str, hint: str) -> NoReturn:
    print(f"error: {what}\nhint: {hint}", file=sys.stderr)
    sys.exit(2)


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = ask.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("join", help="put an adapter together")
    one.add_argument("kept", type=Path, metavar="PLACE/NAME")
    one.add_argument("folder", type=Path, metavar="FOLDER")
    one.add_argument("--model", default="", help="the folder of its model here; by default the one it names")
    one = kinds.add_parser("cut", help="keep an adapter in pieces")
    one.add_argument("checkpoint", type=Path, metavar="CHECKPOINT")
    one.add_argument("kept", type=Path, metavar="PLACE/NAME")
    one.add_argument("--model", required=True, help="the name under which others find its model")
    one.add_argument("--pack", action="store_true", help="a third smaller, and still exact; takes half a minute")
    given = ask.parse_args()
    if given.kind == "join":
        join(given.kept, given.folder, given.model)
    else:
        cut(given.checkpoint, given.kept, given.model, pack=given.pack)


if __name__ == "__main__":
    main()
