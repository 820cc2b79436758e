"""What the build adds to the wheel: a bill of materials (CycloneDX 1.7), `prowess.cdx.json` where PEP 770 wants it.

It names each file of the wheel with its SHA-256, and each package that prowess needs: the versions that it accepts, the
extras that bring it, and the version that we test with (of constraints.txt). Of the same files it is the same bill.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hatchling.__about__ import __version__ as hatchling_version
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


class BillHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = tempfile.mkdtemp()
        files = {}
        if version == "standard":  # an editable installation holds no file of ours
            builder = self.build_config.builder
            found = [*builder.recurse_included_files()]
            found += builder.recurse_forced_files(builder.config.get_force_include())
            files = {one.distribution_path: Path(one.path).read_bytes() for one in found}
        core = self.metadata.core
        bill = bill_of(
            name=core.name,
            version=self.metadata.version,
            licence=core.license_expression,
            files=files,
            needs={"": core.dependencies, **core.optional_dependencies},
            pins=pins_of((Path(self.root) / "constraints.txt").read_text(encoding="utf-8")),
        )
        path = Path(self.folder) / f"{core.name}.cdx.json"
        path.write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(path))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.folder)


def pins_of(text: str) -> dict[str, str]:
    """The version of each package in a file of pins."""
    lines = [line.partition("==") for line in text.splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(name): version.strip() for name, _, version in lines}


def bill_of(
    *,
    name: str,
    version: str,
    licence: str,
    files: Mapping[str, bytes],
    needs: Mapping[str, Iterable[str]],
    pins: Mapping[str, str],
) -> dict[str, Any]:
    """The bill; `needs` are the requirements of each extra, those without one under the empty name."""
    ref = f"pkg:pypi/{name}@{version}"
    outside = list(_outside(needs, own=name, pins=pins))
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.7.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.7",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "tools": {"components": [{"type": "application", "name": "hatchling", "version": hatchling_version}]},
            "component": {
                "type": "application",
                "bom-ref": ref,
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": licence}}],
                "purl": ref,
            },
        },
        "components": [
            *(
                {"type": "file", "name": path, "hashes": [{"alg": "SHA-256", "content": _digest(files[path])}]}
                for path in sorted(files)
            ),
            *outside,
        ],
        "dependencies": [{"ref": ref, "dependsOn": [one["bom-ref"] for one in outside]}],
    }
    said = json.dumps(bill, sort_keys=True)
    return {**bill, "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, said)}"}


def _outside(needs: Mapping[str, Iterable[str]], *, own: str, pins: Mapping[str, str]) -> Iterable[dict[str, Any]]:
    """The packages that are not in the wheel: what is asked of each, and by which extras."""
    extras: dict[tuple[str, str], list[str]] = {}
    for extra, texts in needs.items():
        for one in map(Requirement, texts):
            if canonicalize_name(one.name) != own:
                extras.setdefault((canonicalize_name(one.name), str(one.specifier)), []).append(extra)
    for (name, accepted), by in sorted(extras.items()):
        told = [("prowess:extra", extra) for extra in by if extra]
        told += [("prowess:tested-with", pins[name])] if name in pins else []
        yield {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}#{accepted}",
            "name": name,
            "isExternal": True,
            "versionRange": f"vers:pypi/{versions_of(accepted)}",
            "scope": "required" if "" in by else "optional",
            "purl": f"pkg:pypi/{name}",
            "properties": [{"name": key, "value": value} for key, value in told],
        }


def versions_of(accepted: str) -> str:
    """
    >>> versions_of("<0.33,>=0.24"), versions_of("==1.16.0")
    ('>=0.24|<0.33', '1.16.0')
    """
    parts = sorted(accepted.split(","), key=lambda part: not part.startswith(">"))
    return "|".join(part.removeprefix("==") for part in parts)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
