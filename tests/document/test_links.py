import broadsheet
from broadsheet.document._node_paths import MAX_STEPS


def test_links_are_absolute_and_counted_once_per_target() -> None:
    document = broadsheet.parse(
        "<a href='/a'>1</a><a href='b?x=1#frag'>2</a><a href='https://Other.example/'>3</a><a href='/a'>4</a>",
        "https://www.example.org/news/",
    )

    links = document.links

    assert links.urls == ("https://www.example.org/a", "https://www.example.org/news/b?x=1", "https://other.example/")
    assert links.target.tolist() == [0, 1, 2, 0]
    assert links.keys == ("example.org/a", "example.org/news/b?x=1", "other.example")
    assert links.domains == ("example.org", "example.org", "other.example")


def test_links_to_other_schemes_have_no_target() -> None:
    document = broadsheet.parse(
        "<a href='mailto:a@b.c'>x</a><a href='javascript:void(0)'>y</a><a>z</a>", "https://a.org/"
    )

    assert document.links.target.tolist() == [-1, -1]
    assert document.links.url(0) is None


def test_the_first_base_with_an_href_is_used() -> None:
    document = broadsheet.parse(
        "<base target=_top><base href='/deep/er/'><base href='/other/'><a href=x>x</a>", "https://a.org/b/c"
    )

    assert document.links.urls == ("https://a.org/deep/er/x",)


def test_an_invalid_base_is_ignored() -> None:
    document = broadsheet.parse("<base href='javascript:x'><a href=x>x</a>", "https://a.org/b/c")

    assert document.links.urls == ("https://a.org/b/x",)


def test_without_a_url_only_absolute_links_have_targets() -> None:
    document = broadsheet.parse("<a href='/x'>x</a><a href='https://a.org/y'>y</a>")

    assert document.links.target.tolist() == [-1, 0]


def test_links_that_are_too_long_or_too_many_are_dropped_and_counted() -> None:
    many = "".join(f"<a href=/{number}>x</a>" for number in range(50_002))
    document = broadsheet.parse(f"<a href=/{'x' * 8_192}>long</a>{many}", "https://a.org/")

    assert document.links.dropped == {"href too long": 1, "too many links": 2}
    assert document.links.url(0) is None
    assert len(document.links.urls) == 50_000


def test_a_base_that_is_too_long_is_ignored() -> None:
    document = broadsheet.parse(f"<base href='/{'x/' * 2_000}'><a href=y>y</a>", "https://a.org/")

    assert document.links.urls == ("https://a.org/y",)


def test_an_anchor_is_the_text_or_the_alt_text_of_an_image() -> None:
    document = broadsheet.parse(
        "<a href=a> Two \n <b>words</b></a><a href=b><img alt=''><img alt='A  picture'></a>"
        "<a href=c></a><img alt=outside>"
    )

    assert [document.links.anchor(row) for row in range(3)] == ["Two words", "A picture", ""]


def test_the_path_of_a_very_deep_link_is_truncated() -> None:
    deep = broadsheet.parse("<div>" * 400 + "<p><a href='/a'>a</a><a href='/b'>b</a>", "https://a.example/")

    paths = [deep.links.generalised_path(row) for row in range(2)]

    assert paths == ["…" + "/div" * (MAX_STEPS - 2) + "/p/a"] * 2
