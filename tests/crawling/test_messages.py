from hypothesis import given
from hypothesis import strategies as st

from broadsheet.base.wire import Packet
from broadsheet.crawling.rendering.messages import Answer, Job, Outcome

ANY_TEXT = st.text(st.characters(codec=None))


@given(url=ANY_TEXT, html=st.none() | ANY_TEXT)
def test_a_job_comes_through_as_one_line(url: str, html: str | None) -> None:
    job = Job(url, html, True, 1.5, 0.5, 10, 20)

    line = job.to_packet().encode()

    assert line.index(b"\n") == len(line) - 1
    assert Job.of_packet(Packet.decode(line)) == job


@given(outcome=st.sampled_from(Outcome), html=ANY_TEXT, blocked=st.dictionaries(ANY_TEXT, st.integers(0)))
def test_an_answer_comes_through_as_one_line(outcome: Outcome, html: str, blocked: dict[str, int]) -> None:
    answer = Answer(outcome, html=html, blocked=blocked)

    line = answer.to_packet().encode()

    assert line.index(b"\n") == len(line) - 1
    assert Answer.of_packet(Packet.decode(line)) == answer
    assert isinstance(Answer.of_packet(Packet.decode(line)).outcome, Outcome)
