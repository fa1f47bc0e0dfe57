"""The machine that a run's figures belong to: times mean little without it."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path


def describe() -> dict[str, str | int]:
    """Describe the machine, the interpreter and the day."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


def line(machine: dict[str, str | int], pages: int, size: int) -> str:
    """Say the same in one line, with how much was read."""
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}; "
        f"{pages:,} pages, {size:,} bytes; {machine['date']}"
    )


def _cpu() -> str:
    """Name the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for entry in cpuinfo.read_text().splitlines():
            key, _, value = entry.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown processor"
