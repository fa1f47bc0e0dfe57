"""The one table of reasons: each has a name, a meaning, and advice that names settings which exist."""

import pickle
import shlex
from pathlib import Path

import pytest

from broadsheet.base import advice, counter_names, reasons, statuses
from broadsheet.base.config import load
from broadsheet.base.errors import LimitError
from broadsheet.base.manners import Manners
from broadsheet.base.reasons import Reason

SETTINGS = {setting.key for setting in load({}, Path("/nowhere"))}
ANSWERED = [reasons.answered(status) for status in (204, 401, 403, 404, 410, 429, 451, 500, 503, 999)]
URL = "https://www.gazette.example/story"


@pytest.mark.parametrize("reason", [*reasons.every(), *ANSWERED])
def test_a_reason_is_found_again_by_its_name(reason: Reason) -> None:
    found = reasons.named(str(reason))

    assert (found, found.meaning, found.advice, found.event) == (reason, reason.meaning, reason.advice, reason.event)


def test_no_two_reasons_have_one_name() -> None:
    names = list(map(str, reasons.every()))

    assert len(names) == len(set(names))


def test_a_name_of_another_version_stays_a_reason_to_fail() -> None:
    reason = reasons.named("refused page: the page's nesting depth")

    assert (reason, reason.event, advice.to_type(reason, URL)) == (str(reason), counter_names.FAILED, "")


@pytest.mark.parametrize("reason", [reasons.CERTIFICATE, reasons.FEED, reasons.answered(403)])
def test_a_reason_can_be_sent_to_another_process_whole(reason: Reason) -> None:
    sent = pickle.loads(pickle.dumps(reason))  # noqa: S301 - our own bytes

    assert (sent, sent.advice, sent.event, sent.is_skip) == (reason, reason.advice, reason.event, reason.is_skip)


@pytest.mark.parametrize("reason", [reason for reason in (*reasons.every(), *ANSWERED) if reason.setting])
def test_advice_names_settings_that_exist(reason: Reason) -> None:
    assert reason.setting in SETTINGS
    assert f"--set {reason.setting}=" in advice.to_type(reason, URL)


@pytest.mark.parametrize("reason", [reason for reason in reasons.every() if reason.setting.startswith("crawl.")])
def test_advice_for_programs_is_python_that_runs(reason: Reason) -> None:
    call = advice.to_program(reason, URL).partition("broadsheet.Manners(")[2].partition(")")[0]
    name, _, value = call.partition("=")

    assert hasattr(Manners(), name)
    assert value


def test_advice_on_certificates_names_the_site_alone() -> None:
    assert "--set crawl.unverified=gazette.example " in advice.to_type(reasons.CERTIFICATE, URL)
    assert "unverified='gazette.example'" in advice.to_program(reasons.CERTIFICATE, URL)


def test_advice_is_safe_to_copy_into_a_shell() -> None:
    typed = advice.to_type(reasons.CERTIFICATE, "https://a$(reboot;b).example/")

    _, argument, *_ = shlex.split(typed)
    assert argument.startswith("crawl.unverified=")
    assert argument.endswith("a$(reboot;b).example/")
    assert "'" in typed


@pytest.mark.parametrize("kind", LimitError.__subclasses__())
def test_every_cap_has_a_reason_of_its_own(kind: type[LimitError]) -> None:
    assert kind.reason in reasons.READING
    assert kind.reason != reasons.UNREADABLE


def test_the_groups_of_statuses_do_not_contradict_each_other() -> None:
    groups = [statuses.REDIRECTS, statuses.DENIED, statuses.GONE, statuses.PASSING, statuses.CONTENT]

    assert sum(map(len, groups)) == len(frozenset().union(*groups))
    assert all(status in statuses.ALL for group in groups for status in group)
