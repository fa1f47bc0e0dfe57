from broadsheet.crawling.rendering._stillness import Shape, Stillness


def test_a_page_settles_when_dom_and_network_are_idle() -> None:
    stillness = Stillness(0.5, 0.0)
    stillness.update_dom(Shape(True, 10, 100), 1.0)

    assert not stillness.is_reached(1.4)
    assert stillness.is_reached(1.5)
    stillness.update_dom(Shape(True, 10, 100), 1.6)
    assert stillness.is_reached(1.6)
    stillness.update_dom(Shape(True, 11, 100), 1.7)
    assert not stillness.is_reached(1.8)


def test_a_page_that_is_still_loading_never_settles() -> None:
    stillness = Stillness(0.5, 0.0)
    stillness.update_dom(Shape(False, 10, 100), 0.0)

    assert not stillness.is_reached(100.0)


def test_a_request_keeps_a_page_from_resting_but_not_for_ever() -> None:
    stillness = Stillness(0.5, 0.0)
    stillness.update_dom(Shape(True, 10, 100), 0.0)
    stillness.request_began("a", 0.1)

    assert not stillness.is_reached(1.9)
    assert stillness.is_reached(2.0)
    stillness.update_dom(Shape(True, 11, 100), 2.0)
    stillness.request_ended("a", 2.0)
    assert not stillness.is_reached(2.4)
    assert stillness.is_reached(2.5)
