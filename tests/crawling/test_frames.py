import io
from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.exchange import Exchange
from broadsheet.crawling import frames
from broadsheet.crawling.fetch_messages import Failure, FetchAnswer, Outcome, Request

times = st.datetimes(timezones=st.just(UTC))
headers = st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), max_size=3).map(tuple)
requests = st.builds(Request, url=st.text(), tag=st.text(), etag=st.none() | st.text(), priority=st.integers())
exchanges = st.lists(
    st.builds(Exchange, st.text(), times, st.integers(100, 599), headers, st.binary(), headers, st.none() | st.text()),
    max_size=3,
).map(tuple)
pages = st.builds(
    FetchAnswer, requests, st.text(), st.integers(100, 599), st.binary(), st.none() | st.text(), exchanges
)
failures = st.builds(Failure, requests, times, st.text(), st.text(), exchanges)


@given(st.lists(pages | failures, max_size=4))
def test_outcomes_come_out_as_they_went_in(outcomes: list[Outcome]) -> None:
    stream = io.BytesIO()

    for outcome in outcomes:
        frames.write(outcome, stream)
    stream.seek(0)

    assert [frames.read(stream) for _ in outcomes] == outcomes
    assert frames.read(stream) is None


@given(pages, st.data())
def test_a_frame_that_was_cut_short_is_no_outcome(page: FetchAnswer, data: st.DataObject) -> None:
    stream = io.BytesIO()
    frames.write(page, stream)
    whole = stream.getvalue()

    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]

    assert frames.read(io.BytesIO(cut)) is None
