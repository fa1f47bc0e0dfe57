"""Links are remembered while pages show them, and never too many."""

from broadsheet.newsroom.seen_links import SeenLinks

SOURCE = "news.example"


def key(number: int) -> str:
    return f"news.example/{number}"


def see(links: SeenLinks, number: int) -> bool:
    """See a link as a front shows it; return whether it was known."""
    is_known = links.knows(SOURCE, key(number), f"https://{key(number)}", 1)
    if not is_known:
        links.remember(SOURCE, key(number), f"https://{key(number)}", 1)
    return is_known


def test_a_link_is_known_at_its_address_and_not_nearer_to_the_home_page() -> None:
    links = SeenLinks()
    links.remember(SOURCE, "news.example/a", "https://news.example/a", 2)

    assert links.knows(SOURCE, "news.example/a", "https://news.example/a", 2)
    assert links.knows(SOURCE, "news.example/a", "https://news.example/a", 3)
    assert not links.knows(SOURCE, "news.example/a", "https://news.example/a", 1)
    assert not links.knows(SOURCE, "news.example/a", "https://www.news.example/a", 2)
    assert not links.knows("other.example", "news.example/a", "https://news.example/a", 2)


def test_links_without_end_take_bounded_memory() -> None:
    links = SeenLinks(most=100)

    for number in range(1_000):
        see(links, number)
        assert len(links) <= 100


def test_what_is_seen_again_and_again_stays_known_while_others_come_and_go() -> None:
    links = SeenLinks(most=100)
    shown = range(20)
    for number in shown:
        see(links, number)

    for number in range(1_000, 2_000):
        see(links, number)
        if number % 10 == 0:
            assert all(see(links, each) for each in shown)

    assert not links.knows(SOURCE, key(1_000), f"https://{key(1_000)}", 1)
