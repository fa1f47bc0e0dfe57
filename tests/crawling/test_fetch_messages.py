from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.wire import Packet
from broadsheet.crawling.rendering._render_messages import RenderAnswer, RenderJob, RenderOutcome

ANY_TEXT = st.text(st.characters(codec=None))


@given(url=ANY_TEXT, html=st.none() | ANY_TEXT)
def test_a_job_comes_through_as_one_line(url: str, html: str | None) -> None:
    job = RenderJob(url, html, True, ["10.0.0.0/8"], 1.5, 0.5, 10, 20, 30)

    line = job.to_packet().encode()

    assert line.index(b"\n") == len(line) - 1
    assert RenderJob.from_packet(Packet.decode(line)) == job


@given(outcome=st.sampled_from(RenderOutcome), html=ANY_TEXT, blocked=st.dictionaries(ANY_TEXT, st.integers(0)))
def test_an_answer_comes_through_as_one_line(outcome: RenderOutcome, html: str, blocked: dict[str, int]) -> None:
    answer = RenderAnswer(outcome, html=html, blocked=blocked)

    line = answer.to_packet().encode()

    assert line.index(b"\n") == len(line) - 1
    assert RenderAnswer.from_packet(Packet.decode(line)) == answer
    assert isinstance(RenderAnswer.from_packet(Packet.decode(line)).outcome, RenderOutcome)
