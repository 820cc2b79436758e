"""Skills for others and from others: Agent Skills folders, wheels, and SAGE's JSONL.

export_folders(store, digests, folder, *, replace=False)    -> the folders, one for each version
export_wheel(store, digests, folder, *, name, version)      -> the wheel
export_jsonl(store, digests, path)
import_folders(store, folder, *, who="", strict=False)      -> Arrivals and Refusals: candidates, nothing executed
import_jsonl(store, path, *, namespace="", who="", strict=False)
                                                            -> the same; each line names its world, or you do

An import takes in as it is asked for what became of each piece: `for outcome in import_jsonl(store, path): ...`.
"""

from prowess.store.exchange.agent_skills import export_folders
from prowess.store.exchange.incoming import Arrival, Refusal
from prowess.store.exchange.jsonl import export_jsonl, import_jsonl
from prowess.store.exchange.parcels import import_folders
from prowess.store.exchange.wheel import export_wheel

__all__ = ["Arrival", "Refusal", "export_folders", "export_jsonl", "export_wheel", "import_folders", "import_jsonl"]
