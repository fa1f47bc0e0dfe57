"""Every knob of a site by its name: what it is set to, and a site with another setting.

A name is a path of fields and positions, such as `knobs.feed`, `knobs.trouble.failing`, `plan.front.0.size`,
`sections.2.rhythm.articles` or `extras.calendar`.
"""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, date, datetime
from types import NoneType, UnionType
from typing import Literal, Union, cast, get_args, get_origin, get_type_hints

from broadsheet.base.errors import InputError
from broadsheet.newsweb._lexicon import Lexicon
from broadsheet.newsweb.page_layouts import LAYOUTS
from broadsheet.newsweb.site import Site
from broadsheet.newsweb.site_extras import SiteRedesign
from broadsheet.newsweb.site_plan import BoxPlan, PageLayout

#: What makes a site this one and not another is not a knob.
_NOT_KNOBS = frozenset({"seed", "slug", "name", "template", "lexicon", "index", "salt", "kind"})
_WORDS: dict[object, str] = {
    bool: "it is true or false",
    int: "it needs a whole number",
    float: "it needs a number",
    date: "it needs a day such as 2026-03-02",
    PageLayout: f"it needs the name of a layout, from {LAYOUTS[0].name} to {LAYOUTS[-1].name}",
    BoxPlan: "it needs lists such as latest:30 or most-read:8:side, separated by commas",
    SiteRedesign: "it needs a time and a layout such as 2026-03-15T12:00/layout-07",
}


def list_knobs(site: Site) -> Iterator[tuple[str, object]]:
    """Yield the name and the setting of every knob of a site."""
    yield from _leaves("", site)


def set_knob(site: Site, name: str, text: str) -> Site:
    """Return the site with one knob set to what a text says; raise `InputError` for a wrong name or text."""
    if name.partition(".")[0] in ("plan", "extras") and site.plan is None:
        raise InputError(f"{name} is a knob of planned sites, and {site.slug} is not planned")
    changed = cast("Site", _changed(site, Site, name.split("."), name, text))
    _check_sections(changed, name)
    return changed


def _check_sections(site: Site, name: str) -> None:
    """Refuse the number of a section that the site does not have."""
    boxes = (*site.plan.home, *site.plan.front, *site.plan.article) if site.plan else ()
    numbers = (*(each.parent for each in site.sections), *(each.copies for each in site.sections))
    for number in (*numbers, *(box.section for box in boxes)):
        if number is not None and not 0 <= number < len(site.sections):
            last = len(site.sections) - 1
            raise InputError(f"{name}: {site.slug} has no section {number}; its sections are 0 to {last}")


def _leaves(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, PageLayout):
        yield name, value.name
    elif isinstance(value, Lexicon):
        return
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in _NOT_KNOBS:
                yield from _leaves(f"{name}.{field.name}" if name else field.name, getattr(value, field.name))
    elif isinstance(value, tuple) and value and is_dataclass(value[0]):
        for position, item in enumerate(value):
            yield from _leaves(f"{name}.{position}", item)
    else:
        yield name, list(value) if isinstance(value, tuple) else value


def _changed(value: object, kind: object, path: list[str], name: str, text: str) -> object:
    """Return a value with one part of it set, or set as a whole where the path ends."""
    if not path:
        return _parsed(kind, name, text)
    first, *rest = path
    if isinstance(value, tuple) and first.isdecimal() and int(first) < len(value):
        place = int(first)
        return (*value[:place], _changed(value[place], type(value[place]), rest, name, text), *value[place + 1 :])
    if is_dataclass(value) and not isinstance(value, type) and first not in _NOT_KNOBS:
        hints = get_type_hints(type(value))
        if first in hints:
            part = _changed(getattr(value, first), hints[first], rest, name, text)
            return replace(value, **{first: part})
    raise InputError(f"there is no knob {name}; broadsheet newsweb describe --knobs lists all of them")


def _parsed(kind: object, name: str, text: str) -> object:
    origin, choices = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if NoneType in choices and text == "none":
            return None
        return _parsed(next(choice for choice in choices if choice is not NoneType), name, text)
    if origin is Literal:
        if text not in choices:
            raise InputError(f"{name} is one of {', '.join(choices)}, not {text!r}")
        return text
    if origin is tuple:
        return tuple(_parsed(choices[0], name, item) for item in text.split(",") if item)
    try:
        return _plain(kind, text)
    except (ValueError, StopIteration) as error:
        raise InputError(f"{name} cannot be set to {text!r}: {_WORDS.get(kind, 'it has parts')}") from error


def _plain(kind: object, text: str) -> object:
    """Return a value of a type; raise `ValueError` or `StopIteration` if a text is not one."""
    if kind is bool:
        return ("false", "true").index(text) == 1
    if kind is int:
        return int(text)
    if kind is float:
        return float(text)
    if kind is str:
        return text
    if kind is date:
        return date.fromisoformat(text)
    if kind is PageLayout:
        return next(layout for layout in LAYOUTS if layout.name == text)
    if kind is BoxPlan:
        filling, size, spot, *_ = f"{text}:main".split(":")
        hints = get_type_hints(BoxPlan)
        parts = {"filling": _parsed(hints["filling"], "filling", filling), "spot": _parsed(hints["spot"], "spot", spot)}
        return replace(BoxPlan("latest", int(size)), **parts)  # type: ignore[arg-type]
    if kind is SiteRedesign:
        moment, _, layout = text.partition("/")
        at = datetime.fromisoformat(moment)
        return SiteRedesign(at if at.tzinfo else at.replace(tzinfo=UTC), cast("PageLayout", _plain(PageLayout, layout)))
    raise ValueError(f"a {kind} has parts that are set one by one")
