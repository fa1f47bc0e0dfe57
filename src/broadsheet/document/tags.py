"""Integer codes for HTML's tag names, and the properties of each element that a walk needs.

Codes stay stable as long as new names are only appended. All names outside HTML share the code `UNKNOWN`, since only
the position of a custom element matters; `Document.tag_name` returns its actual name.
"""

UNKNOWN = 0
COMMENT = 1

NAMES: tuple[str, ...] = (
    "#unknown", "#comment",
    "html", "head", "title", "base", "link", "meta", "style", "script", "noscript", "template", "slot", "body",
    "article", "section", "nav", "aside", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "header", "footer", "address",
    "main", "search", "p", "hr", "pre", "blockquote", "ol", "ul", "menu", "li", "dl", "dt", "dd", "figure",
    "figcaption", "div", "a", "em", "strong", "small", "s", "cite", "q", "dfn", "abbr", "ruby", "rt", "rp", "rb",
    "rtc", "data", "time", "code", "var", "samp", "kbd", "sub", "sup", "i", "b", "u", "mark", "bdi", "bdo", "span",
    "br", "wbr", "ins", "del", "picture", "source", "img", "iframe", "embed", "object", "param", "video", "audio",
    "track", "map", "area", "table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th",
    "form", "label", "input", "button", "select", "datalist", "optgroup", "option", "textarea", "output", "progress",
    "meter", "fieldset", "legend", "details", "summary", "dialog", "canvas", "svg", "math", "acronym", "applet",
    "basefont", "bgsound", "big", "blink", "center", "dir", "font", "frame", "frameset", "isindex", "keygen",
    "listing", "marquee", "menuitem", "multicol", "nextid", "nobr", "noembed", "noframes", "plaintext", "spacer",
    "strike", "tt", "xmp", "path", "g", "use", "image",
)  # fmt: skip

CODES: dict[str, int] = {name: code for code, name in enumerate(NAMES)}

#: Block elements, which start and end a line in a browser's default layout.
BLOCKS = frozenset(
    "html head title body address article aside blockquote caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup legend li listing main menu nav noframes "
    "ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp".split()
)
#: Void elements that end a line.
BREAKS = frozenset({"br", "hr"})
#: Elements whose content is never visible text.
UNREAD = frozenset({"script", "style", "iframe", "noembed"})
#: Elements that are hyperlinks if they have an `href`.
LINKS = frozenset({"a", "area"})

BLOCK_FLAG, BREAK_FLAG, UNREAD_FLAG, LINK_FLAG = 1, 2, 4, 8


def _flags(name: str) -> int:
    return (
        BLOCK_FLAG * (name in BLOCKS)
        | BREAK_FLAG * (name in BREAKS)
        | UNREAD_FLAG * (name in UNREAD)
        | LINK_FLAG * (name in LINKS)
    )


#: The flags of each code, for both walks.
FLAGS: bytes = bytes(_flags(name) for name in NAMES)
