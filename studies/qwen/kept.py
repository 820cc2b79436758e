"""Adapters that are kept beside the results, in pieces small enough for git: put together again, and cut.

    python studies/qwen/kept.py join PLACE/NAME FOLDER [--model MODEL]     a folder to evaluate and to train from
    python studies/qwen/kept.py cut CHECKPOINT PLACE/NAME --model MODEL    in bfloat16; needs torch and safetensors

    PLACE/NAME.json          the adapter's description, with the model it was made on
    PLACE/NAME.00 .01 ...    its weights; with `cut --pack`, which takes half a minute, a third smaller and still exact
    PLACE/SHA256SUMS         of all of these, as `sha256sum -c` reads them

`cut --since PLACE/OTHER` keeps only what changed since another kept adapter, such as the one that training began from:
still exact, and after a few small steps less than half of what `--pack` leaves. `join` then needs numpy, and OTHER in
the same place, or with `--since PLACE/OTHER` elsewhere: the same weights, or it refuses. OTHER may be kept so itself.

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
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIECE = 16_000_000
SUMS = "SHA256SUMS"
PACKED = "packed"
"""Entry of a description: how the pieces were packed."""
PLANES, CHANGES = "planes, xz", "changes, planes, xz"
SINCE = "since"
"""Entry of a description: the name of the adapter whose changes are kept, and the sum of that one's weights."""
CONFIG, WEIGHTS, STATE = "adapter_config.json", "adapter_model.safetensors", "learner.json"


class Whole(NamedTuple):
    """A kept adapter, put together: its description without how it was kept, its weights, of how many pieces."""

    config: dict[str, Any]
    weights: bytes
    pieces: int


def join(kept: Path, folder: Path, model: str = "", *, since: Path | None = None) -> None:
    """Put an adapter together in a new folder, for the model it was made on or for another copy of that."""
    if folder.exists():
        _fail(f"{folder} is there already", "name another folder, or delete it")
    config, weights, pieces = _read(kept, since)
    if model:
        config["base_model_name_or_path"] = str(Path(model).resolve()) if Path(model).is_dir() else model
    files = {
        CONFIG: json.dumps(config, indent=2).encode() + b"\n",
        WEIGHTS: weights,
        STATE: json.dumps({"format": 2, "kind": "adapter", "optimizer": "adamw"}).encode()
        + b"\n",  # so that training can start from it
    }
    new = folder.with_name(f".{folder.name}.tmp")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for name, content in files.items():
        (new / name).write_bytes(content)
    (new / SUMS).write_text("".join(f"{_sum(content)}  {name}\n" for name, content in sorted(files.items())))
    os.rename(new, folder)
    print(f"{folder}: an adapter of rank {config['r']} for {config['base_model_name_or_path']}, of {pieces} piece(s)")


def cut(checkpoint: Path, kept: Path, model: str, *, pack: bool = False, since: Path | None = None) -> None:
    """Keep an adapter: rounded to bfloat16, in pieces, with the name under which others find its model."""
    if missing := [name for name in (CONFIG, WEIGHTS) if not (checkpoint / name).is_file()]:
        _fail(f"{checkpoint} has no {' and no '.join(missing)}", "the folder of an adapter's checkpoint is needed")
    other = _read(since, above=(kept.name,)).weights if since else b""
    from safetensors.torch import load_file, save

    weights = save({name: one.bfloat16() for name, one in load_file(checkpoint / WEIGHTS).items()})
    config = json.loads((checkpoint / CONFIG).read_text(encoding="utf-8")) | {"base_model_name_or_path": model}
    if since:
        weights = _packed(_changes(weights, _beside(weights, other, kept, since)))
        config |= {PACKED: CHANGES, SINCE: {"name": since.name, "sha256": _sum(other)}}
    elif pack:
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


def _read(kept: Path, since: Path | None = None, above: tuple[str, ...] = ()) -> Whole:
    """An adapter of its pieces. One that holds only changes needs another first; ``above`` are those that need this."""
    if kept.name in above:
        _fail(f"'{kept.name}' would be what changed since itself: {' since '.join([*above, kept.name])}", "rename one")
    names = _listed(kept)
    read = {name: _checked(kept.parent / name, wanted) for name, wanted in names.items()}
    config = json.loads(read.pop(f"{kept.name}.json"))
    weights = b"".join(read.values())
    how, base = config.pop(PACKED, ""), config.pop(SINCE, None)
    if how not in ("", PLANES, CHANGES):
        known = f"'{PLANES}' and '{CHANGES}' are known; a newer kept.py knows more"
        _fail(f"{kept}.json says '{how}' of how it is packed", known)
    weights = _unpacked(weights, kept) if how else weights
    if (size := _size(weights)) != len(weights):
        _fail(f"the pieces of {kept} have {len(weights)} bytes, and say themselves {size}", "is one not in SHA256SUMS?")
    if how == CHANGES:
        other = since or kept.with_name(base["name"])
        weights = _changed(weights, _beside(weights, _base(kept, other, base["sha256"], above), kept, other))
    elif since:
        _fail(f"{kept} is kept whole, not since '{since.name}'", "leave --since away")
    return Whole(config, weights, len(read))


def _base(kept: Path, other: Path, wanted: str, above: tuple[str, ...]) -> bytes:
    """The weights whose changes are kept: those of then, or none."""
    if not (file := other.with_name(f"{other.name}.json")).is_file():
        hint = f"its files and their sums are needed there, too; if they lie elsewhere: --since PLACE/{other.name}"
        _fail(f"{kept} is what changed since '{other.name}', and there is no {file}", hint)
    weights = _read(other, above=(*above, kept.name)).weights
    if (found := _sum(weights)) != wanted:
        what = f"{kept} is what changed since weights with SHA-256 {wanted[:12]}..., and those of {other}"
        _fail(f"{what} have {found[:12]}...", f"bring back the '{other.name}' of then, or name it: --since PLACE/NAME")
    return weights


def _beside(weights: bytes, other: bytes, kept: Path, since: Path) -> bytes:
    """The numbers of another adapter with the same tensors, in the order in which this one has them."""
    (_, mine), (start, theirs) = _heading(weights), _heading(other)
    for name in sorted({*mine, *theirs}):
        one, two = (f"{of[name]['dtype']} {of[name]['shape']}" if name in of else "not there" for of in (mine, theirs))
        if one != two:
            hint = "only adapters with the same tensors have changes: cut it with --pack, or name another --since"
            _fail(f"{name} is {one} in {kept.name}, and {two} in {since}", hint)
    ends = (theirs[name]["data_offsets"] for name in mine)
    return b"".join(other[start + first : start + last] for first, last in ends)


def _changes(weights: bytes, other: bytes) -> bytes:
    """The heading, then for each number by how many bfloat16s it went up or down: 0, -1, 1, -2, 2 ... as 0, 1, 2, 3, 4.

    How far numbers go depends on how close bfloat16s lie there: those with the same exponent before are put together.
    """
    import numpy as np

    end, _ = _heading(weights)
    new, old = np.frombuffer(weights[end:], "<u2"), np.frombuffer(other, "<u2")
    moved = (_ranks(new) - _ranks(old)).view(np.int16)  # modulo 2**16, and therefore exact for all of them
    folded = ((moved << 1) ^ (moved >> 15)).view(np.uint16)
    return weights[:end] + folded[_by_exponent(old)].astype("<u2").tobytes()


def _changed(changes: bytes, other: bytes) -> bytes:
    """The weights again."""
    import numpy as np

    end, _ = _heading(changes)
    old = np.frombuffer(other, "<u2")
    folded = np.empty(len(old), np.uint16)
    folded[_by_exponent(old)] = np.frombuffer(changes[end:], "<u2")
    moved = (folded >> 1) ^ -(folded & 1)
    return changes[:end] + _ranked(_ranks(old) + moved).astype("<u2").tobytes()


def _ranks(bits: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """bfloat16s numbered in the order of their values: neighbours are one apart, also on both sides of zero."""
    import numpy as np

    return np.where(bits >> 15, ~bits, bits ^ np.uint16(0x8000))


def _ranked(ranks: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """The bfloat16s with these numbers."""
    import numpy as np

    return np.where(ranks >> 15, ranks ^ np.uint16(0x8000), ~ranks)


def _by_exponent(bits: NDArray[np.uint16]) -> NDArray[np.intp]:
    return (bits >> 7 & 0xFF).astype("u1").argsort(kind="stable")


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
    try:
        end, tensors = _heading(weights)
        return end + max(int(entry["data_offsets"][1]) for entry in tensors.values())
    except (ValueError, KeyError, TypeError, AttributeError):
        return -1


def _heading(weights: bytes) -> tuple[int, dict[str, Any]]:
    """Where the heading of a file of safetensors ends, and its tensors in the order of their numbers."""
    end = 8 + int.from_bytes(weights[:8], "little")
    tensors = {name: entry for name, entry in json.loads(weights[8:end]).items() if name != "__metadata__"}
    return end, dict(sorted(tensors.items(), key=lambda item: item[1]["data_offsets"]))


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
    one.add_argument("--since", type=Path, metavar="PLACE/OTHER", help="where the adapter lies that it was kept since")
    one = kinds.add_parser("cut", help="keep an adapter in pieces")
    one.add_argument("checkpoint", type=Path, metavar="CHECKPOINT")
    one.add_argument("kept", type=Path, metavar="PLACE/NAME")
    one.add_argument("--model", required=True, help="the name under which others find its model")
    one.add_argument("--pack", action="store_true", help="a third smaller, and still exact; takes half a minute")
    one.add_argument("--since", type=Path, metavar="PLACE/OTHER", help="keep only what changed since another kept one")
    given = ask.parse_args()
    if given.kind == "join":
        join(given.kept, given.folder, given.model, since=given.since)
    else:
        cut(given.checkpoint, given.kept, given.model, pack=given.pack, since=given.since)


if __name__ == "__main__":
    main()
