"""A processor as a platform of verl, which knows GPUs alone: for tests, named in VERL_USE_EXTERNAL_MODULES."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from verl.plugin.platform.platform_base import PlatformBase
from verl.plugin.platform.platform_manager import PlatformRegistry

device = types.ModuleType("cpu_as_device")
vars(device).update(
    {name: getattr(torch.cpu, name) for name in dir(torch.cpu) if not name.startswith("_")},
    is_available=lambda: True,
    empty_cache=lambda: None,
    max_memory_allocated=lambda *unused: 0,
    max_memory_reserved=lambda *unused: 0,
    memory_allocated=lambda *unused: 0,
    memory_reserved=lambda *unused: 0,
    mem_get_info=lambda *unused: (0, 1),
    reset_peak_memory_stats=lambda *unused: None,
    manual_seed=torch.manual_seed,
    manual_seed_all=torch.manual_seed,
    get_rng_state=lambda *unused: torch.get_rng_state(),
    set_rng_state=lambda state, *unused: torch.set_rng_state(state),
    set_device=lambda *unused: None,
    current_device=lambda: "cpu",
    device_count=lambda: 1,
    synchronize=lambda *unused: None,
    ipc_collect=lambda: None,
    get_device_name=lambda *unused: "cpu",
)


@PlatformRegistry.register(platform="cpu")
class Processor(PlatformBase):
    @property
    def device_name(self) -> str:
        return "cpu"

    @property
    def vendor_name(self) -> str:
        return "generic"

    @property
    def device_module(self) -> Any:
        return device

    def is_available(self) -> bool:
        return True

    def current_device(self) -> str:
        return "cpu"

    def device_count(self) -> int:
        return 1

    def set_device(self, index: int) -> None: ...

    def synchronize(self, index: int | None = None) -> None: ...

    def manual_seed(self, seed: int) -> None:
        torch.manual_seed(seed)

    def manual_seed_all(self, seed: int) -> None:
        torch.manual_seed(seed)

    def set_allocator_settings(self, settings: str) -> None: ...

    def empty_cache(self) -> None: ...

    def get_device_capability(self, index: int = 0) -> tuple[None, None]:
        return None, None

    def communication_backend_name(self) -> str:
        return "gloo"

    def visible_devices_envvar(self) -> str:
        return "PROWESS_NO_DEVICES"

    @contextmanager
    def nvtx_range(self, message: str) -> Iterator[None]:
        yield

    def profiler_start(self) -> None: ...

    def profiler_stop(self) -> None: ...

    def ray_resource_name(self) -> str:
        return "GPU"

    def ray_noset_envvars(self) -> list[str]:
        return []

    def is_ipc_supported(self) -> bool:
        return False

    def cudart(self) -> None:
        return None


warnings.simplefilter("ignore")

from verl.workers.engine.base import EngineRegistry  # noqa: E402 (asks for the platform)
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead  # noqa: E402

EngineRegistry.register(model_type="language_model", backend=["fsdp2"], device="cpu")(FSDPEngineWithLMHead)
