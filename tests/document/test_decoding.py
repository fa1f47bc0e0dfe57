import pytest
import webencodings
from hypothesis import assume, given
from hypothesis import strategies as st

from broadsheet.base.errors import InputError
from broadsheet.document.decoding import MIN_CONTINUATION_BYTES, PRESCAN_BYTES, TWO_BYTE_CHARSETS, decode

GREEK = "Τα νέα της ημέρας από την Αθήνα και όλη την Ελλάδα"


def test_text_needs_no_detection() -> None:
    assert decode("é") == ("é".encode(), "utf-8", "text")


def test_the_caller_overrides_everything() -> None:
    page = b"\xef\xbb\xbf<meta charset=utf-8>" + GREEK.encode("iso-8859-7")

    decoded = decode(page[3:], encoding="iso-8859-7", content_type="text/html; charset=utf-8")

    assert decoded.source == "caller"
    assert GREEK in decoded.data.decode()


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_a_byte_order_mark_takes_precedence_over_the_transport(mark: bytes, codec: str) -> None:
    decoded = decode(mark + GREEK.encode(codec), content_type="text/html; charset=iso-8859-1")

    assert decoded.source == "byte order mark"
    assert decoded.data.decode() == GREEK


@pytest.mark.parametrize(
    "content_type", ["text/html; charset=iso-8859-7", 'text/html;CHARSET="ISO-8859-7"', "text/html; x=y; charset=greek"]
)
def test_the_transport_takes_precedence_over_the_page(content_type: str) -> None:
    decoded = decode(b"<meta charset=utf-8>" + GREEK.encode("iso-8859-7"), content_type=content_type)

    assert decoded.source == "transport"
    assert GREEK in decoded.data.decode()


@pytest.mark.parametrize("content_type", ["", "text/html", "text/html; charset=", "text/html; charset=nonsense", ";;;"])
def test_an_unusable_content_type_is_ignored(content_type: str) -> None:
    assert decode(b"<meta charset=iso-8859-7>", content_type=content_type).source == "meta"


@pytest.mark.parametrize(
    "meta",
    [
        "<meta charset=windows-1253>",
        "<META CHARSET = 'windows-1253' >",
        '<meta name=x content="charset=utf-8"><meta charset="windows-1253"/>',
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1253">',
        '<meta content="text/html; charset=windows-1253" http-equiv=content-type>',
        "<!-- <meta charset=utf-8> --><meta charset=windows-1253>",
        "<script>'<meta charset=utf-8>'</script><meta charset=windows-1253>",
        '<?xml version="1.0" encoding="windows-1253"?>',
    ],
)
def test_the_page_declares_its_encoding(meta: str) -> None:
    decoded = decode(meta.encode() + GREEK.encode("windows-1253"))

    assert (decoded.source, decoded.encoding) == ("meta", "windows-1253")
    assert GREEK in decoded.data.decode()


def test_a_declaration_of_utf_16_that_is_readable_as_ascii_is_wrong() -> None:
    assert decode(b"<meta charset=utf-16>").encoding == "utf-8"


def test_a_declaration_far_down_is_ignored() -> None:
    page = b" " * PRESCAN_BYTES + b"<meta charset=iso-8859-7>"

    assert decode(page).source == "detection"


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (GREEK, "iso-8859-7"),
        ("Новости дня из Москвы и регионов России, погода и спорт", "windows-1251"),
        ("本日のニュースをお伝えします。東京の天気は晴れです。", "shift_jis"),
        ("今天的新闻报道了北京的天气情况和体育比赛的结果", "gb18030"),
        ("Žluťoučký kůň úpěl ďábelské ódy o počasí a zprávách", "windows-1250"),
        ("Größe, Straße, Äpfel und Öl: die Nachrichten des Tages für München", "windows-1252"),
    ],
)
def test_an_undeclared_encoding_is_detected(text: str, codec: str) -> None:
    decoded = decode((text * 3).encode(codec))

    assert decoded.source == "detection"
    assert decoded.data.decode() == text * 3


def test_the_domain_helps_the_detector() -> None:
    text = "Привет".encode("windows-1251")

    assert decode(text, url="https://example.ru/").data.decode() == "Привет"


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(InputError, match="unknown encoding: 'klingon'"):
        decode(b"", encoding="klingon")


@given(
    st.binary(max_size=200),
    st.sampled_from([None, "utf-16", "gb18030", "iso-2022-jp"]),
    st.none() | st.text(max_size=20),
)
def test_no_bytes_raise(page: bytes, encoding: str | None, content_type: str | None) -> None:
    decoded = decode(page, encoding=encoding, content_type=content_type, url=content_type)

    assert decoded.encoding


@pytest.mark.parametrize("content_type", ["text/html;charset*=utf-8''x", "charset=\x00", "text/html; charset=ütf-8"])
def test_no_header_raises(content_type: str) -> None:
    assert decode(b"x\xe9", content_type=content_type).encoding


def test_lone_surrogates_are_replaced() -> None:
    assert decode("a\ud800b").data.decode() == "a\ufffdb"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_utf_8_is_unchanged(text: str) -> None:
    page = ("<meta charset=utf-8>" + text).encode()

    assert decode(page).data == page


SINGLE_BYTE_CHARSETS = ["iso-8859-1", "iso-8859-2", "iso-8859-15", "koi8-r", "windows-1251", "windows-1256", "tis-620"]


@pytest.mark.parametrize("charset", [*SINGLE_BYTE_CHARSETS, *sorted(TWO_BYTE_CHARSETS), "iso-2022-jp"])
@pytest.mark.parametrize("text", [GREEK, "Größe: 5 m², „wie gesagt“", "今天的新闻报道了北京的天气情况"])
def test_a_page_saved_as_utf_8_under_an_old_declaration_is_utf_8(charset: str, text: str) -> None:
    page = f"<meta charset={charset}><p>{text}".encode()

    assert decode(page) == (page, "utf-8", "detection")
    assert decode(page, content_type=f"text/html; charset={charset}") == (page, "utf-8", "detection")


def test_one_character_shows_that_a_page_is_not_in_a_single_byte_charset() -> None:
    page = "<meta charset=iso-8859-1><p>© The Times".encode()

    assert decode(page) == (page, "utf-8", "detection")


def test_the_caller_overrides_valid_utf_8() -> None:
    decoded = decode("<p>Größe".encode(), encoding="windows-1252")

    assert decoded == ("<p>GrÃ¶ÃŸe".encode(), "windows-1252", "caller")


@pytest.mark.parametrize(
    ("text", "charset"), [("年", "euc-jp"), ("小时前", "gbk"), ("盲目之女", "gbk"), ("議", "big5"), ("카키", "euc-kr")]
)
def test_a_few_characters_of_two_bytes_may_be_valid_utf_8_by_chance(text: str, charset: str) -> None:
    page = f"<meta charset={charset}><p>{text}".encode(charset)
    page.decode("utf-8")

    decoded = decode(page)

    assert (decoded.encoding, decoded.source) == (charset, "meta")
    assert text in decoded.data.decode()


@pytest.mark.parametrize(("repeated", "encoding"), [(-1, "gbk"), (0, "utf-8")])
def test_many_characters_of_two_bytes_are_not_valid_by_chance(repeated: int, encoding: str) -> None:
    # The curly quotation marks of "“Th": read as GBK without an error, and two continuation bytes each.
    count, left = divmod(MIN_CONTINUATION_BYTES + repeated, 2)
    page = ("<meta charset=gbk><p>" + "“T" * count + "é " * left).encode()

    assert decode(page).encoding == encoding


def test_few_characters_that_make_no_sense_as_declared_are_utf_8() -> None:
    page = "<meta charset=big5><p>Musharraf’s".encode()

    assert decode(page).encoding == "utf-8"


@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be"])
def test_utf_16_in_the_transport_is_believed(charset: str) -> None:
    page = "<p>ꧣ".encode(charset)

    assert decode(page, content_type=f"text/html; charset={charset}").encoding == charset


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["windows-1252", *SINGLE_BYTE_CHARSETS]))
def test_utf_8_under_any_declaration_comes_back_as_it_was(text: str, charset: str) -> None:
    page = f"<meta charset={charset}>{text}".encode()
    assume(not page.isascii())

    assert decode(page).data == page


@given(st.text(min_size=20), st.sampled_from(["windows-1252", *SINGLE_BYTE_CHARSETS, *sorted(TWO_BYTE_CHARSETS)]))
def test_what_is_not_valid_utf_8_is_read_as_declared(text: str, charset: str) -> None:
    declared = webencodings.lookup(charset)
    page = f"<meta charset={charset}>".encode() + declared.codec_info.encode(text + "é", "ignore")[0] + b"\xff"

    decoded = decode(page)

    assert (decoded.encoding, decoded.source) == (declared.name, "meta")
    assert decoded.data.decode() == declared.codec_info.decode(page, "replace")[0]
