"""Selectors as conditions that `matching` can hold against an element."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Attribute:
    """A condition on one attribute."""

    name: str
    operator: str = ""
    value: str = ""
    ignore_case: bool = False

    def holds(self, value: str) -> bool:
        """Tell whether an element with this value of the attribute meets the condition."""
        if not self.operator:
            return True
        if self.ignore_case:
            return _compare(value.lower(), self.operator, self.value.lower())
        return _compare(value, self.operator, self.value)


@dataclass(frozen=True, slots=True)
class Nth:
    """A condition on the place among the siblings: every `step`-th, beginning with `offset`."""

    step: int
    offset: int
    of_type: bool
    from_end: bool


@dataclass(frozen=True, slots=True)
class Logical:
    """`:not`, or `:is` and its like."""

    negated: bool
    selectors: tuple["Selector", ...]


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    """All conditions on one element."""

    tag: str = ""
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    nths: tuple[Nth, ...] = ()
    logicals: tuple[Logical, ...] = ()
    #: Names of conditions that take no argument, such as `first-child`, and languages as `lang(de)`.
    states: tuple[str, ...] = ()
    #: A pseudo-element, or a state that no page at rest is in.
    never: bool = False
    #: Whether nothing but name, id and classes is asked for.
    is_simple: bool = field(init=False, default=False)
    #: Whether the element's markup and that of its ancestors decide, so that siblings and attributes do not count.
    is_plain: bool = field(init=False, default=False)
    #: Whether the element's own markup decides.
    is_alone: bool = field(init=False, default=False)

    @property
    def attribute_names(self) -> list[str]:
        """The attributes that an element must have."""
        return [attribute.name for attribute in self.attributes]

    def __post_init__(self) -> None:
        """Note what matching asks of every compound."""
        simple = not (self.attributes or self.nths or self.logicals or self.states)
        plain = (
            not self.nths
            and all(not attribute.operator or attribute.name not in VARIED for attribute in self.attributes)
            and all(state in {"root", "link", "empty"} for state in self.states)
            and all(selector.is_plain for logical in self.logicals for selector in logical.selectors)
        )
        object.__setattr__(self, "is_simple", simple)
        object.__setattr__(self, "is_plain", plain)
        inner = [selector for logical in self.logicals for selector in logical.selectors]
        single = all(len(selector.compounds) == 1 and selector.compounds[0].is_alone for selector in inner)
        object.__setattr__(self, "is_alone", plain and single and "root" not in self.states)


@dataclass(frozen=True, slots=True, eq=False)
class Selector:
    """Compounds from right to left, each with the sign that ties it to the next."""

    compounds: tuple[Compound, ...]
    #: `combinators[i]` stands between compounds `i + 1` (left) and `i` (right).
    combinators: tuple[str, ...]
    #: Ids, classes and names, packed into one number.
    specificity: int
    #: Whether elements with the same markup below ancestors with the same markup match alike.
    is_plain: bool = field(init=False, default=False)
    #: Whether no element of a page at rest matches.
    never: bool = field(init=False, default=False)
    #: Names, `.classes`, `#ids` and `[attributes` without which among the ancestors there is no match.
    needs: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        """Note what matching asks of every selector."""
        plain = all(compound.is_plain for compound in self.compounds)
        object.__setattr__(self, "is_plain", plain and not {"+", "~"}.intersection(self.combinators))
        object.__setattr__(self, "never", any(compound.never for compound in self.compounds))
        needs: list[str] = []
        for compound, combinator in zip(self.compounds[1:], self.combinators, strict=True):
            # What stands left of a sibling's sign is no ancestor, but all further left of a space is.
            if combinator in {" ", ">"}:
                needs += marks(compound.tag, compound.ids, compound.classes, compound.attribute_names)
        object.__setattr__(self, "needs", frozenset(needs))


def marks(name: str, ids: Iterable[str], classes: Iterable[str], attributes: Iterable[str]) -> list[str]:
    """Return what an element can be found by: its name, and the rest as selectors begin to write it."""
    found = [f"#{word}" for word in ids]
    found += [f".{word}" for word in classes]
    found += [f"[{word}" for word in attributes]
    if name:
        found.append(name)
    return found


#: Attributes that differ from element to element: what asks for their values is held against each element.
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
