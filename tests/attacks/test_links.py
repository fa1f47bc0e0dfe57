"""Links made to be dear: each is resolved at a small cost, and what is more than any page needs is counted."""

from collections.abc import Callable

import pytest

import broadsheet
from broadsheet.document._links import MAX_BYTES_OF_HREFS, MAX_FOREIGN_HOSTS
from tests.attacks.growth import superlinear

HERE = "https://courier.example/city/"


def page_of(hrefs: list[str]) -> bytes:
    return "".join(f"<a href='{href}'>x</a>" for href in hrefs).encode()


def work(page: bytes) -> object:
    links = broadsheet.parse(page, HERE).links
    return links.keys, links.domains


@pytest.mark.parametrize(
    "href",
    [
        lambda n: f"/{n}" + "%2f%41%zz%" * 20,
        lambda n: f"//{n}é日.example/",
        lambda n: f"/?{n}" + "&a&b" * 100,
        lambda n: f"{n}" + "/.." * 100,
        lambda n: f"/{n}" + ";jsessionid=" * 50,
        lambda n: f"//xn--{n}a.example:80/%",
        lambda n: f"//{n}." + "a." * 100 + "example",
    ],
)
def test_links_take_linear_time(href: Callable[[int], str]) -> None:
    assert superlinear(work, lambda links: page_of([href(n) for n in range(links)]), (2_000,)) is None


def test_more_foreign_hosts_than_any_page_links_to_are_counted() -> None:
    hosts = [f"//{n}é.example/" for n in range(MAX_FOREIGN_HOSTS + 3)]
    hidden = [f"ht\ntp:\t//{n}ü.example/" for n in range(2)]

    links = broadsheet.parse(page_of([*hosts, *hidden, "/a%20é", hosts[0]]), HERE).links

    assert links.dropped == {"too many foreign hosts": 5}
    assert len(links.urls) == MAX_FOREIGN_HOSTS + 1


def test_more_bytes_of_links_than_any_page_has_are_counted() -> None:
    long = [f"/{n:04d}" + "x" * 7_995 for n in range(MAX_BYTES_OF_HREFS // 8_000 + 2)]

    links = broadsheet.parse(page_of(long), HERE).links

    assert links.dropped == {"too many bytes of links": 2}
