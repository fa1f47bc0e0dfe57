from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.exchange import Exchange
from broadsheet.base.wire import Inbox
from broadsheet.crawling import _outcome_packets
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request

times = st.datetimes(timezones=st.just(UTC))
headers = st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), max_size=3).map(tuple)
requests = st.builds(Request, url=st.text(), tag=st.text(), etag=st.none() | st.text(), priority=st.integers())
exchanges = st.lists(
    st.builds(Exchange, st.text(), times, st.integers(100, 599), headers, st.binary(), headers, st.none() | st.text()),
    max_size=3,
).map(tuple)
pages = st.builds(FetchAnswer, requests, st.text(), st.integers(100, 599), st.binary(), exchanges)
failures = st.builds(Failure, requests, times, st.text(), st.text(), exchanges)


@given(st.lists(pages | failures, max_size=4), st.integers(1, 50))
def test_outcomes_come_out_as_they_went_in_however_they_are_cut(outcomes: list[Outcome], size: int) -> None:
    data = b"".join(_outcome_packets.to_packet(outcome).encode() for outcome in outcomes)
    inbox, found = Inbox(), []

    for at in range(0, len(data), size):
        inbox.put(data[at : at + size])
        while packet := inbox.take():
            found.append(_outcome_packets.from_packet(packet))

    assert found == outcomes


@given(pages, st.data())
def test_a_packet_that_was_cut_short_is_no_outcome(page: FetchAnswer, data: st.DataObject) -> None:
    whole = _outcome_packets.to_packet(page).encode()
    inbox = Inbox()

    inbox.put(whole[: data.draw(st.integers(0, len(whole) - 1))])

    assert inbox.take() is None
