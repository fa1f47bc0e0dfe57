"""A description of the machine, without which times mean little."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path


def describe() -> dict[str, str | int]:
    """Return the machine, the interpreter and the date."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
    }


def line(machine: dict[str, str | int], pages: int, size: int) -> str:
    """Format the description in one line, with the amount of data."""
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}; "
        f"{pages:,} pages, {size:,} bytes; {machine['date']}"
    )


def _cpu() -> str:
    """Return the name of the processor."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for entry in cpuinfo.read_text().splitlines():
            key, _, value = entry.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown processor"
