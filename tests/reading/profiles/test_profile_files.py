import json
from copy import deepcopy
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from broadsheet.base.errors import InputError
from broadsheet.reading.profiles import SiteProfile, _profile_files, in_force, induce, load, save
from tests.reading.profiles.site import page


@pytest.fixture(scope="module")
def profile() -> SiteProfile:
    return induce([page(number) for number in range(4)], day=date(2026, 3, 2))


def test_a_profile_survives_a_round_trip(profile: SiteProfile, tmp_path: Path) -> None:
    path = tmp_path / "courier.json"

    save(profile, path)

    assert load(path) == profile
    assert json.loads(path.read_text())["since"] == "2026-03-02"


def test_a_description_names_places_and_lines(profile: SiteProfile) -> None:
    described = profile.describe()

    assert described.startswith("Valid from 2026-03-02. Built from 4 pages with the reader default.")
    assert "div.page > div.story > p" in described
    assert "on 4 pages: Follow the Courier" in described


def test_the_latest_profile_that_has_begun_is_valid(profile: SiteProfile) -> None:
    later = replace(profile, since=date(2026, 6, 1))

    assert in_force([later, profile], date(2026, 5, 31)) is profile
    assert in_force([later, profile], date(2026, 6, 1)) is later
    assert in_force([later, profile], date(2026, 3, 1)) is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"format": "a song"}, "not a site profile"),
        ({"version": 3}, "has version 3; only 1 to 2 can be read"),
        ({"since": "yesterday"}, "since must be a date such as 2026-03-02, not 'yesterday'"),
        ({"since": 20260302}, "since must be text, not 20260302"),
        ({"reader": None}, "reader must be text, not None"),
        ({"pages": -1}, "pages must be an integer from 0 to 1,000,000,000,000, not -1"),
        ({"pages": True}, "pages must be an integer .*, not True"),
        ({"lines": {}}, "lines must be a list of objects"),
        ({"lines": [3]}, "lines must be a list of objects"),
        ({"lines": [{"fingerprint": "x"}]}, "missing or unknown fields: pages, text"),
        ({"lines": [{"fingerprint": "x", "pages": 2, "text": ""}]}, "a fingerprint must be 16 hexadecimal digits"),
        (
            {"body": [{"path": "p", "pages": 2, "words": 0, "repeated": 0, "body": 0}]},
            "has no words, or more",
        ),
        ({"body": [{"path": 5, "pages": 2, "words": 1, "repeated": 0, "body": 0}]}, "path must be text, not 5"),
        ({"more": 1}, "missing or unknown fields: more"),
    ],
)
def test_an_invalid_profile_is_refused_with_the_reason(
    profile: SiteProfile, change: dict[str, Any], reason: str
) -> None:
    values = {**deepcopy(profile.to_dict()), **change}

    with pytest.raises(InputError, match=reason):
        _profile_files.from_dict(json.loads(json.dumps(values)))


@pytest.mark.parametrize("content", [b"", b"[", b"\xff", b"[" * 100_000, b"null", b'"x"'])
def test_an_invalid_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)

    with pytest.raises(InputError, match=r"broken\.json"):
        load(path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.json: cannot be read"):
        load(tmp_path / "none.json")
