"""Counting what a page holds, before it is parsed, takes time in proportion to the page, whatever stands in it."""

from functools import partial

import pytest

from broadsheet.document._census import census
from tests.attacks.growth import superlinear

TOKENS = [
    b"<", b">", b"</", b"<!", b"<?", b"<!--", b"-->", b"--", b"-", b"<a", b"</a", b"<s", b"<script", b"</script",
    b"<script ", b"</script ", b"<script>", b"<style>", b"<title>", b"<textarea>", b"<a b=", b"<a b='", b'"', b"'",
    b"=", b"/", b" ", b"&", b"<![CDATA[", b"]]>", b"<p ", b"<x/", b"\x00",
]  # fmt: skip
CONTEXTS = [
    b"", b"<p ", b"<p a=", b"<p a='", b'<p a="', b"<!--", b"<!x", b"<script>", b"<script><!--", b"<script><!--<script>",
    b"<style>", b"<style><!--", b"<title>", b"<textarea>", b"<xmp>", b"</", b"</p ", b"</p a='",
]  # fmt: skip


def pumped(context: bytes, token: bytes, size: int) -> bytes:
    return context + token * (size // len(token))


@pytest.mark.parametrize("context", CONTEXTS, ids=bytes.decode)
def test_no_token_makes_the_census_rescan_the_page(context: bytes) -> None:
    slow = {token: superlinear(census, partial(pumped, context, token), (60_000,)) for token in TOKENS}

    assert set(slow.values()) == {None}


def test_a_name_that_only_resembles_an_end_tag_ends_nothing() -> None:
    hidden = b"<script></\0\0script><!--</script>" + b"<b></b>" * 100

    assert census(hidden)[0] >= 101
