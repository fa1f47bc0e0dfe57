"""Integer codes for the attributes that are looked for; all others share the code `OTHER`."""

OTHER = 0

#: The attributes whose values are words that name an element.
TOKENS: tuple[str, ...] = ("class", "id", "role", "itemprop")

NAMES: tuple[str, ...] = (
    "#other", *TOKENS,
    "href", "rel", "type", "title", "lang", "xml:lang", "hreflang", "media",
    "name", "content", "value", "property", "http-equiv", "itemscope", "itemtype", "itemid", "datetime", "data",
    "src", "data-src", "data-original", "data-lazy-src", "alt", "aria-label", "style", "hidden", "size", "color",
)  # fmt: skip

CODES: dict[str, int] = {name: code for code, name in enumerate(NAMES)}
