import pytest

from benchmarks import c45


def test_the_benchmark_prints_a_line_a_learner(capsys: pytest.CaptureFixture[str]) -> None:
    assert c45.main(["--rows", "400", "--repeat", "1"]) == 0

    printed = capsys.readouterr().out
    assert all(name in printed for name in c45.LEARNERS)


def test_too_few_rows_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        c45.main(["--rows", "5"])

    assert "--rows must be at least 100" in capsys.readouterr().err
