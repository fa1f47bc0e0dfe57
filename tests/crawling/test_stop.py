from broadsheet.crawling.stop import Ending, Stop


def test_a_stop_only_goes_forward() -> None:
    stop, heard = Stop(), list[Ending]()
    stop.add_listener(heard.append)

    stop.finish()
    stop.finish()
    stop.now()
    stop.finish()

    assert heard == [Ending.FINISH, Ending.NOW]
    assert stop.ending is Ending.NOW


def test_a_late_listener_hears_of_a_step_already_taken() -> None:
    stop, heard = Stop(), list[Ending]()
    stop.now()

    stop.add_listener(heard.append)

    assert heard == [Ending.NOW]


def test_who_has_ended_hears_nothing_more() -> None:
    stop, heard = Stop(), list[Ending]()
    stop.add_listener(heard.append)
    stop.remove_listener(heard.append)

    stop.finish()

    assert heard == []
