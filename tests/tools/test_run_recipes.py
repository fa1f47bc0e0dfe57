"""The program that runs recipes, on pages of its own."""

from pathlib import Path

import pytest

pytest.importorskip("scrapy")

from tools.recipe_inputs import Addresses

from tools import run_recipes

ADDRESSES = Addresses((("https://www.example.org", "http://herald.localhost:8000"),))


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page to write recipes into; the only input is a small file."""

    def prepare(folder: Path) -> None:
        (folder / "note.txt").write_text("kept\n", encoding="utf-8")

    monkeypatch.setattr(run_recipes, "prepare", prepare)
    return tmp_path / "page.md"


def write(page: Path, *blocks: str, uses: str = "note.txt") -> None:
    page.write_text(f"### Try\n<!-- uses: {uses} -->\n" + "\n".join(blocks), encoding="utf-8")


def fenced(language: str, code: str) -> str:
    return f"```{language}\n{code}\n```\n"


def test_recipes_that_hold_pass(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(page, fenced("sh", "cat note.txt; ls > list.txt"), fenced("text", "kept"), fenced("python", "print(1)"))

    assert run_recipes.main([str(page)]) == 0
    assert "2 blocks ran, 0 failed, 0 were skipped" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([fenced("sh", "false")], "exit code 1"),
        ([fenced("sh", "false | cat")], "exit code 1"),
        ([fenced("sh", "false; true")], "exit code 1"),
        ([fenced("python", "raise SystemExit(3)")], "exit code 3"),
        ([fenced("sh", "cat note.txt"), fenced("text", "lost")], "the page shows something else"),
    ],
)
def test_a_recipe_that_does_not_hold_fails(
    page: Path, capsys: pytest.CaptureFixture[str], blocks: list[str], told: str
) -> None:
    write(page, *blocks)

    assert run_recipes.main([str(page)]) == 1
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (fenced("sh", "ls"), "would not be run"),
        ("### Try\n<!-- uses: other.txt -->\n" + fenced("sh", "ls"), "there is no input called other.txt"),
        ("Nothing to run.\n", "0 blocks ran"),
    ],
)
def test_a_page_that_is_not_run_whole_fails(
    page: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    page.write_text(text, encoding="utf-8")

    assert run_recipes.main([str(page)]) == 1
    assert told in capsys.readouterr().out


def test_a_missing_module_is_told_and_may_be_forbidden(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(page, fenced("sh", "true"), "<!-- needs: no_such_module -->\n", fenced("python", "import no_such_module"))

    assert run_recipes.main([str(page)]) == 0
    assert "SKIPPED" in capsys.readouterr().out
    assert run_recipes.main([str(page), "--no-skips"]) == 1


def test_a_recipe_that_hangs_is_ended(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_recipes, "SECONDS", 0.5)
    write(page, fenced("sh", "sleep 60 & wait"))

    assert run_recipes.main([str(page)]) == 1
    assert "exit code -9" in capsys.readouterr().out


def test_a_recipe_on_the_web_gets_the_addresses_of_this_machine(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = "https://www.example.org/harbour/"
    write(page, fenced("sh", f'echo {shown}; test "{shown}" = "https""://www.example.org/harbour/"'), uses="the web")

    # Standard output shows the page's own address again; only the comparison inside the recipe sees the other.
    assert run_recipes.main([str(page)]) == 1
    assert f"it wrote:\n{shown}\n" in capsys.readouterr().out


def test_a_recipe_on_the_web_that_asks_for_another_address_is_not_run(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(page, fenced("sh", "broadsheet extract https://other.example/"), uses="the web")

    assert run_recipes.main([str(page)]) == 1
    assert "it asks for an address other than https://www.example.org" in capsys.readouterr().out


@pytest.mark.parametrize("asks", ["create_connection(('192.0.2.1', 80))", "getaddrinfo('www.example.org', 80)"])
@pytest.mark.parametrize("language", ["python", "sh"])
def test_a_recipe_cannot_reach_another_machine(
    page: Path, capsys: pytest.CaptureFixture[str], language: str, asks: str
) -> None:
    code = f"import socket; socket.{asks}"
    write(page, fenced(language, code if language == "python" else f'python -c "{code}"'))

    assert run_recipes.main([str(page)]) == 1
    assert "is another machine" in capsys.readouterr().out


def test_addresses_are_replaced_and_put_back() -> None:
    assert ADDRESSES.served("get https://www.example.org/a") == "get http://herald.localhost:8000/a"
    assert ADDRESSES.shown("http://herald.localhost:8000/a of herald.localhost:8000") == (
        "https://www.example.org/a of example.org"
    )
