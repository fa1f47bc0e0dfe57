"""What every test may ask for."""

import gc
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine says nothing about the code: slowness is what benchmarks measure. The same examples every time, so that
# a failure is the fault of the change at hand; `make soak` looks for new ones.
settings.register_profile(
    "short", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=40, derandomize=True
)
settings.register_profile("soak", parent=settings.get_profile("short"), max_examples=1000, derandomize=False)
# `make soak` asks for the other one.
settings.load_profile("short")

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real pages and links, which lies beside the repository and is not part of it."""
    folder = REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data are not here: they belong in shared/data beside the repository")
    return folder


def pytest_configure() -> None:
    # What a script starts in the background ignores Ctrl-C, and so would every program that a test interrupts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # With several processes, the last one to be begun must not be the one that takes longest.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    # Every process imports thousands of modules here, and hardly anything of what they make can be dropped.
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    # The modules of all tests stay to the end: the garbage collector need not search them again and again.
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--no-skips", action="store_true", help="fail if any test was skipped")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if session.config.getoption("--no-skips") and skipped:
        print(f"\n{len(skipped)} tests were skipped, and none may be: {skipped[0].longrepr}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
