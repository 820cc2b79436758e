"""Skills for others and from others: Agent Skills folders, wheels, and SAGE's JSONL.

export_folders(store, digests, folder, *, replace=False)    -> the folders, one for each version
import_folders(store, folder, *, who="")                    -> Arrivals: candidates, nothing executed
export_wheel(store, digests, folder, *, name, version)      -> the wheel
export_jsonl(store, digests, path)
import_jsonl(store, path, *, namespace="", who="")          -> Arrivals; each line names its world, or you do
"""

from prowess.store.exchange.agent_skills import Arrival, export_folders, import_folders
from prowess.store.exchange.jsonl import export_jsonl, import_jsonl
from prowess.store.exchange.wheel import export_wheel

__all__ = ["Arrival", "export_folders", "export_jsonl", "export_wheel", "import_folders", "import_jsonl"]
