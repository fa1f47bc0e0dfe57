"""Selectors as conditions on elements, and the pseudo-classes and pseudo-elements that they may contain."""

from collections.abc import Iterable
from dataclasses import dataclass, field

#: Conditions on the position among siblings: step, offset, only siblings of the same name, counted from the end.
POSITIONS: dict[str, tuple[int, int, bool, bool]] = {
    "first-child": (0, 1, False, False),
    "last-child": (0, 1, False, True),
    "first-of-type": (0, 1, True, False),
    "last-of-type": (0, 1, True, True),
}
NTHS: dict[str, tuple[bool, bool]] = {
    "nth-child": (False, False),
    "nth-last-child": (False, True),
    "nth-of-type": (True, False),
    "nth-last-of-type": (True, True),
}
LOGICAL = frozenset({"not", "is", "where", "matches", "any", "-webkit-any"})

#: Conditions that elements of a static page can meet, mapped to the names used by `matching`.
STATES: dict[str, str] = {
    "root": "root",
    "scope": "root",
    "empty": "empty",
    "link": "link",
    "any-link": "link",
    "-webkit-any-link": "link",
    "checked": "checked",
    "disabled": "disabled",
    "enabled": "enabled",
    "open": "open",
}
ALWAYS = frozenset({"defined", "read-only"})
#: Conditions that need user interaction, a script or the state of a form.
NEVER_ON_STATIC_PAGES = frozenset(
    "hover active focus focus-visible focus-within visited target target-within target-current "
    "indeterminate default "
    "required optional valid invalid user-valid user-invalid in-range out-of-range placeholder-shown autofill "
    "read-write fullscreen modal popover-open picture-in-picture playing paused seeking buffering stalled muted "
    "volume-locked future past current host has-slotted active-view-transition "
    "-webkit-autofill -webkit-full-screen -webkit-full-page-media -webkit-drag -webkit-any -webkit-resizer "
    "-webkit-full-screen-ancestor -webkit-animating-full-screen-transition horizontal vertical decrement increment "
    "start end double-button single-button no-button corner-present window-inactive first left right blank".split()
)

#: Pseudo-elements that may be written with a single colon.
LEGACY_ELEMENTS = frozenset({"before", "after", "first-line", "first-letter"})
_ELEMENTS = LEGACY_ELEMENTS | frozenset(
    "selection placeholder marker backdrop file-selector-button cue slotted part grammar-error spelling-error "
    "target-text highlight details-content view-transition view-transition-group view-transition-image-pair "
    "view-transition-old view-transition-new scroll-button scroll-marker scroll-marker-group column checkmark "
    "picker picker-icon search-text".split()
)

#: Attributes whose values are case-insensitive in HTML.
CASELESS_ATTRIBUTES = frozenset(
    "accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir "
    "direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref "
    "noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype "
    "vlink".split()
)


def is_pseudo_element(name: str) -> bool:
    """Return whether a pseudo-element is valid; browsers accept any with their own vendor prefix."""
    return name in _ELEMENTS or name.startswith("-webkit-")


@dataclass(frozen=True, slots=True)
class Attribute:
    """A condition on one attribute."""

    name: str
    operator: str = ""
    value: str = ""
    ignore_case: bool = False

    def holds(self, value: str) -> bool:
        """Return whether a value of the attribute meets the condition."""
        if not self.operator:
            return True
        if self.ignore_case:
            return _compare(value.lower(), self.operator, self.value.lower())
        return _compare(value, self.operator, self.value)


@dataclass(frozen=True, slots=True)
class Nth:
    """A condition on the position among siblings: every `step`-th, starting with `offset`."""

    step: int
    offset: int
    of_type: bool
    from_end: bool


@dataclass(frozen=True, slots=True)
class Logical:
    """`:not`, or `:is` and its variants."""

    negated: bool
    selectors: tuple["Selector", ...]


# Not frozen: sheets have thousands of these, and frozen ones take three times as long to make.
@dataclass(slots=True, eq=False)
class Compound:
    """All conditions on one element."""

    tag: str = ""
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    nths: tuple[Nth, ...] = ()
    logicals: tuple[Logical, ...] = ()
    #: Conditions without arguments, such as `empty`, and languages as `lang(de)`.
    states: tuple[str, ...] = ()
    #: Whether it never matches: a pseudo-element, or a state that a static page is never in.
    never: bool = False
    #: Whether it only depends on name, id and classes.
    is_simple: bool = field(init=False, default=False)
    #: Whether it only depends on the element's markup and its ancestors' markup.
    is_plain: bool = field(init=False, default=False)
    #: Whether it only depends on the element's own markup.
    is_alone: bool = field(init=False, default=False)

    #: The index keys that a matching element has.
    keys: list[str] = field(init=False, default_factory=list)

    @property
    def attribute_names(self) -> list[str]:
        """The attributes that an element must have."""
        return [attribute.name for attribute in self.attributes]

    def __post_init__(self) -> None:
        """Precompute what matching needs to know about every compound."""
        self.keys = index_keys(self.tag, self.ids, self.classes, self.attribute_names)
        if not (self.attributes or self.nths or self.logicals or self.states):
            self.is_simple = self.is_plain = self.is_alone = True
            return
        inner = [selector for logical in self.logicals for selector in logical.selectors]
        self.is_plain = (
            not self.nths
            and all(not attribute.operator or attribute.name not in VARIED for attribute in self.attributes)
            and all(state in {"root", "link", "empty"} for state in self.states)
            and all(selector.is_plain for selector in inner)
        )
        single = all(len(selector.compounds) == 1 and selector.compounds[0].is_alone for selector in inner)
        self.is_alone = self.is_plain and single and "root" not in self.states


@dataclass(slots=True, eq=False)
class Selector:
    """Compounds from right to left, and the combinators between them."""

    compounds: tuple[Compound, ...]
    #: `combinators[i]` is between the compounds `i + 1` (left) and `i` (right).
    combinators: tuple[str, ...]
    #: The numbers of ids, classes and names, packed into one integer.
    specificity: int
    #: Whether it only depends on the element's markup and its ancestors' markup.
    is_plain: bool = field(init=False, default=False)
    #: Whether no element of a static page matches.
    never: bool = field(init=False, default=False)
    #: The index keys (names, `.classes`, `#ids` and `[attributes`) that the ancestors must have for a match.
    needs: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        """Precompute what matching needs to know about every selector."""
        if not self.combinators:
            self.is_plain, self.never = self.compounds[0].is_plain, self.compounds[0].never
            return
        plain = all(compound.is_plain for compound in self.compounds)
        self.is_plain = plain and "+" not in self.combinators and "~" not in self.combinators
        self.never = any(compound.never for compound in self.compounds)
        needs: list[str] = []
        for compound, combinator in zip(self.compounds[1:], self.combinators, strict=True):
            # A compound to the left of `+` or `~` is a sibling and not an ancestor.
            if combinator in {" ", ">"}:
                needs += compound.keys
        self.needs = frozenset(needs)


def index_keys(name: str, ids: Iterable[str], classes: Iterable[str], attributes: Iterable[str]) -> list[str]:
    """Return keys for a name, ids, classes and attributes, each prefixed as in a selector."""
    keys = [f"#{word}" for word in ids]
    keys += [f".{word}" for word in classes]
    keys += [f"[{word}" for word in attributes]
    if name:
        keys.append(name)
    return keys


#: Attributes that differ from element to element: conditions on their values are tried on each element.
VARIED = frozenset({"href", "src", "srcset", "alt", "title", "content", "value", "datetime", "d", "style"})


def _compare(value: str, operator: str, wanted: str) -> bool:
    if operator == "=":
        return value == wanted
    if operator == "|=":
        return value == wanted or value.startswith(f"{wanted}-")
    if not wanted:
        return False
    if operator == "~=":
        return wanted in value.split()
    if operator == "^=":
        return value.startswith(wanted)
    if operator == "$=":
        return value.endswith(wanted)
    return wanted in value
