"""One name, one thing: a stack trace or an import says which module or class is meant without its path."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import broadsheet

ROOT = Path(broadsheet.__file__).parent


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


def test_no_two_public_classes_have_one_name() -> None:
    places = defaultdict(list)
    for name, path in public_classes():
        places[name].append(str(path.relative_to(ROOT)))

    assert len(places) > 300
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}
