from datetime import UTC, datetime

from broadsheet.base import reasons
from broadsheet.base.incident import MAX_CHARACTERS, Incident

AT = datetime(2026, 3, 2, tzinfo=UTC)


def test_an_incident_says_where_it_happened_what_and_what_to_do() -> None:
    incident = Incident("https://news.example/", reasons.NAME, "cannot be fetched (name): there is no such host", AT)

    assert incident.line() == (
        "https://news.example/: cannot be fetched (name): there is no such host; "
        "check the spelling of the host name, and whether this machine is online"
    )


def test_an_incident_passes_through_json() -> None:
    incident = Incident("https://news.example/", reasons.answered(403), "answered 403", AT)

    assert Incident.from_dict(incident.to_dict()) == incident


def test_a_site_cannot_make_an_incident_long() -> None:
    cut = Incident("https://news.example/" + "x" * 10_000, reasons.URL, "y" * 10_000, AT).cut()

    assert (len(cut.url), len(cut.detail)) == (MAX_CHARACTERS, MAX_CHARACTERS)
