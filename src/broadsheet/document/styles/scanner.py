"""Splits a sheet into rules, and a block into declarations, in one pass.

Nothing is parsed here: strings, comments, escapes, `url()` and brackets are recognised only to find where a rule or a
declaration ends, so that irrelevant ones are never parsed. Both loops take linear time on any input.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Cut(NamedTuple):
    """A rule, a declaration or a statement, as written in the sheet."""

    #: The name of an at-rule in lower case without its `@`, otherwise empty.
    at: str
    #: The text before the block: selectors, a condition, or a complete declaration.
    prelude: str
    #: The text between the braces, None if there are none.
    block: str | None


#: Each alternative starts with a literal, which lets the search skip everything else quickly.
_TOKEN = re.compile(
    r"""/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|"(?:[^"\\\n]++|\\.)*+(?:"|(?=\n)|\Z|\\\Z)|'(?:[^'\\\n]++|\\.)*+(?:'|(?=\n)|\Z|\\\Z)"""
    r"""|\\.|url\(\s*+(?:(?=["'])|(?:[^)\\]++|\\.)*+(?:\)|\\?\Z))|URL\(\s*+(?:(?=["'])|(?:[^)\\]++|\\.)*+(?:\)|\\?\Z))"""
    r"""|\{|\}|\(|\)|\[|\]|;""",
    re.DOTALL,
)
_CLOSERS = {"{": "}", "(": ")", "[": "]"}
_SKIP = re.compile(r"(?:\s++|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|<!--|-->)*+")
_SKIP_IN_BLOCK = re.compile(r"(?:[\s;]++|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z))*+")
#: Simple strings and brackets one level deep; anything more complex is left to the token-by-token search.
_STRING = r"""\"[^"\\\n{}]*+"|'[^'\\\n{}]*+'"""
_INSIDE = rf"""(?:[^{{}}"'\\()\[\]/]++|/(?!\*)|{_STRING})*+"""
_BRACKETS = rf"\({_INSIDE}\)|\[{_INSIDE}\]"
_PRELUDE = rf"""(?:[^{{}}@;"'\\/<()\[\]]++|{_STRING}|{_BRACKETS})++"""
_BLOCK = rf"""(?:[^{{}}"'\\/()\[\]]++|/(?!\*)|{_STRING}|{_BRACKETS})*+"""
_RULE = rf"{_PRELUDE}\{{{_BLOCK}\}}"
_PLAIN_RULE = re.compile(rf"\s*+({_PRELUDE})\{{({_BLOCK})\}}")
#: A complete group that contains only such rules.
_PLAIN_GROUP = re.compile(rf"\{{(?:{_RULE})*+\s*+\}}")
_PLAIN_DECLARATION = re.compile(rf"""((?:[^{{}}@;"'\\/()\[\]]++|/(?!\*)|{_STRING}|{_BRACKETS})++)(?:;|\Z)""")
_AT = re.compile(r"@(-?[a-zA-Z][\w-]*)")
_COMMENT = re.compile(r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")


def cut_sheet(sheet: str) -> Iterator[Cut]:
    """Split a sheet, or the block of a conditional group, into its rules."""
    position, length = 0, len(sheet)
    while True:
        while plain := _PLAIN_RULE.match(sheet, position):
            yield Cut("", plain[1], plain[2])
            position = plain.end()
        start = position
        skipped = _SKIP.match(sheet, position)
        position = skipped.end() if skipped else position
        if position >= length:
            return
        if position > start:
            continue
        cut, position = _cut_one(sheet, position, at_sheet=True)
        if cut:
            yield cut


def cut_block(block: str) -> list[Cut]:
    """Split the block of a rule into its declarations (without a block) and nested rules (with one)."""
    if not _NEEDS_CARE.search(block):
        return [Cut("", part, None) for part in block.split(";") if part]
    cuts: list[Cut] = []
    position, length = 0, len(block)
    while True:
        skipped = _SKIP_IN_BLOCK.match(block, position)
        position = skipped.end() if skipped else position
        if position >= length:
            return cuts
        if plain := _PLAIN_DECLARATION.match(block, position):
            cuts.append(Cut("", plain.group(1), None))
            position = plain.end()
            continue
        cut, position = _cut_one(block, position, at_sheet=False)
        if cut:
            cuts.append(cut)


_NEEDS_CARE = re.compile(r"""["'\\{}()\[\]@]|/\*""")


def without_comments(text: str) -> str:
    """Return a prelude or a value with each comment replaced by a space."""
    return _COMMENT.sub(" ", text) if "/*" in text else text


def _cut_one(text: str, start: int, *, at_sheet: bool) -> tuple[Cut | None, int]:
    """Return the rule, declaration or statement that starts at `start`, and the position after it."""
    name = _AT.match(text, start)
    at = name.group(1).lower() if name else ""
    begin = name.end() if name else start
    stop = _prelude_end(text, begin, ends_at_semicolon=bool(name) or not at_sheet)
    if stop >= len(text) or text[stop] != "{":
        if at_sheet and not name:
            return None, len(text)
        return Cut(at, text[begin:stop].strip(), None), stop + 1
    group = _PLAIN_GROUP.match(text, stop) if at else None
    inside = group.end() - 1 if group else _closing_bracket(text, stop)
    if not at_sheet and not at and _CUSTOM.match(text, start):
        # The value of a custom property may contain braces.
        stop = _prelude_end(text, inside + 1, ends_at_semicolon=True)
        return Cut("", text[begin:stop], None), stop + 1
    return Cut(at, text[begin:stop].strip(), text[stop + 1 : inside]), inside + 1


_CUSTOM = re.compile(r"--[^\s:{]*\s*:")


def _prelude_end(text: str, position: int, *, ends_at_semicolon: bool) -> int:
    """Return the end of the prelude that starts at `position`: a brace or a semicolon."""
    while token := _TOKEN.search(text, position):
        sign = token.group()
        if sign == "{" or (sign == ";" and ends_at_semicolon):
            return token.start()
        position = _closing_bracket(text, token.start()) + 1 if sign in {"(", "["} else token.end()
    return len(text)


def _closing_bracket(text: str, position: int) -> int:
    """Return the position of the bracket that closes the one at `position`, or the end of the text."""
    open_brackets: list[str] = []
    while token := _TOKEN.search(text, position):
        sign = token.group()
        position = token.end()
        if sign in _CLOSERS:
            open_brackets.append(_CLOSERS[sign])
        elif sign == open_brackets[-1]:
            open_brackets.pop()
            if not open_brackets:
                return token.start()
    return len(text)
