"""What pages are for certain, as a file of the user says."""

import json
from pathlib import Path

from broadsheet.base import urls
from broadsheet.base.errors import ConfigError
from broadsheet.base.records import KINDS, Kind


def read_kinds(path: str) -> dict[str, Kind]:
    """Read the kinds of pages, by their keys, from JSON lines with `url` and `kind`; no path, no kinds."""
    if not path:
        return {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigError(f"newsroom.labels: cannot read {path}: {error.strerror}") from error
    found: dict[str, Kind] = {}
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            url, kind = str(row["url"]), KINDS[KINDS.index(row["kind"])]
        except (KeyError, TypeError, ValueError) as error:
            wanted = f'{{"url": "https://…", "kind": "{KINDS[0]}"}}, with a kind of {", ".join(KINDS)}'
            raise ConfigError(f"newsroom.labels: line {number} of {path} is not like {wanted}") from error
        found[urls.key(url)] = kind
    return found
