"""The pseudo-classes and pseudo-elements of selectors."""

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


def is_element(name: str) -> bool:
    """Return whether a pseudo-element is valid; browsers accept any with their own vendor prefix."""
    return name in _ELEMENTS or name.startswith("-webkit-")
