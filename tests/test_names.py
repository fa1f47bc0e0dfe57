"""One name, one thing: a stack trace or an import says which module or class is meant without its path."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import broadsheet

ROOT = Path(broadsheet.__file__).parent
#: In these rooms only `__all__` says what is public: nothing imports the command line, and most modules of the others
#: are used by their neighbours alone.
WITHOUT_UNDERSCORES = ("archive", "cli", "newsroom")


def modules() -> list[Path]:
    return sorted(path for suffix in ("py", "pyx") for path in ROOT.rglob(f"*.{suffix}") if path.stem != "__init__")


def public_classes() -> Iterator[tuple[str, Path]]:
    for path in ROOT.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, path


def test_no_two_modules_have_one_name() -> None:
    places = defaultdict(list)
    for path in modules():
        places[path.stem].append(str(path.relative_to(ROOT)))

    assert len(places) > 400
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_no_module_has_the_name_of_a_package_elsewhere() -> None:
    packages = {path.parent for path in ROOT.rglob("__init__.py")} - {ROOT}
    names = {package.name: package for package in packages}

    assert len(names) == len(packages)
    assert [path for path in modules() if names.get(path.stem, path.parent) != path.parent] == []


def rooms() -> list[Path]:
    return sorted(path.parent for path in ROOT.glob("*/__init__.py"))


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports from Broadsheet, below the package itself."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("broadsheet."):
            for alias in node.names:
                yield f"{node.module}.{alias.name}".removeprefix("broadsheet.")


def test_a_room_imports_only_what_is_public_in_another() -> None:
    private = [
        (str(path.relative_to(ROOT)), name)
        for room in rooms()
        for path in room.rglob("*.py")
        for name in imports(path)
        if name.split(".")[0] not in {room.name, "_version"} and any(part.startswith("_") for part in name.split("."))
    ]

    assert private == []


def test_a_room_imports_only_what_another_lists() -> None:
    listed = {room.name: set(getattr(import_module(f"broadsheet.{room.name}"), "__all__", ())) for room in rooms()}
    others = [
        (room.name, str(path.relative_to(ROOT)), *name.split("."))
        for room in rooms()
        for path in room.rglob("*.py")
        for name in imports(path)
    ]

    assert len(others) > 1_000
    assert [
        (path, owner, name)
        for room, path, owner, name, *_ in (other for other in others if len(other) > 3)
        if owner in listed and owner != room and name not in listed[owner]
    ] == []


@pytest.mark.parametrize(
    "room", [room for room in rooms() if room.name not in WITHOUT_UNDERSCORES], ids=lambda room: room.name
)
def test_a_room_lists_what_is_public_in_it(room: Path) -> None:
    modules = {path.stem for path in room.glob("[!_]*.py")} | {path.parent.name for path in room.glob("*/__init__.py")}

    assert modules <= set(import_module(f"broadsheet.{room.name}").__all__)


def test_no_two_public_classes_have_one_name() -> None:
    places = defaultdict(list)
    for name, path in public_classes():
        places[name].append(str(path.relative_to(ROOT)))

    assert len(places) > 300
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
