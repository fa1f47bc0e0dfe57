"""Properties that are computed on first use."""

from dataclasses import dataclass

from broadsheet.base.lazy import lazy


@dataclass(frozen=True)
class Circle:
    radius: float

    @lazy
    def area(self) -> float:
        """The area, more or less."""
        computed.append(self.radius)
        return 3 * self.radius**2


computed: list[float] = []


def test_a_lazy_property_is_computed_once_for_each_object() -> None:
    computed.clear()
    small, large = Circle(1), Circle(2)

    assert [small.area, small.area, large.area] == [3, 3, 12]
    assert computed == [1, 2]


def test_a_lazy_property_keeps_its_documentation() -> None:
    assert Circle.area.__doc__ == "The area, more or less."
