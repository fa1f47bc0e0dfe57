"""Hypothesis strategies for pages: nested, broken, in many scripts."""

from hypothesis import strategies as st

NAMES = st.sampled_from(
    "div p a b span ul li table tr td br hr h1 h2 script style title x-own article nav section iframe textarea select "
    "option form img svg template noscript pre blockquote font center head body html dl dt dd frameset".split()
)
TEXTS = st.text(
    st.sampled_from(
        " \n\tabcXYZ019.,'’!?-–_§€½ä\u0301ßñ\u200b\u00a0\u00adЖжابנ新聞ニュース한국ไทย\U0001f600\ud7ff&<>\"=/;"
    ),
    max_size=20,
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["href", "class", "id", "role", "itemprop", "title", "CLASS", "data-x", ""]), TEXTS, max_size=3
)


def _element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    def build(name: str, attributes: dict[str, str], inner: list[str], closed: bool) -> str:
        written = "".join(f' {key}="{value}"' for key, value in attributes.items())
        return f"<{name}{written}>{''.join(inner)}" + (f"</{name}>" if closed else "")

    return st.builds(build, NAMES, ATTRIBUTES, st.lists(children, max_size=4), st.booleans())


#: Realistic markup, with unclosed and misplaced elements, comments and processing instructions.
MARKUP = st.recursive(
    st.one_of(TEXTS, TEXTS.map(lambda text: f"<!--{text}-->"), TEXTS.map(lambda text: f"<?{text}?>")),
    _element,
    max_leaves=30,
)
