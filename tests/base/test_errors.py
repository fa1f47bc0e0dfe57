import pickle

import pytest

from broadsheet.base.errors import BroadsheetError, InputError, TooManyBytes
from broadsheet.base.reasons import TIMEOUT, TOO_LONG
from broadsheet.crawling.crawl_errors import FetchError
from broadsheet.newsroom.newsroom_errors import CrawlFailed, Dropped


@pytest.mark.parametrize(
    "error",
    [
        InputError("is empty"),
        TooManyBytes(30, 20),
        FetchError("https://news.example/", TIMEOUT, "took too long"),
        Dropped(TOO_LONG, "the page is too long"),
        CrawlFailed("died", "a trace"),
    ],
)
def test_every_error_can_be_pickled(error: BroadsheetError) -> None:
    sent = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(sent) is type(error)
    assert str(sent) == str(error)
    assert sent.__dict__ == error.__dict__
