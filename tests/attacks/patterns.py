"""Every regular expression of the project: those in its modules' globals, and those written where they are used."""

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import broadsheet

ANCHORED = frozenset({"match", "fullmatch"})
SCANNING = frozenset({"search", "sub", "subn", "split", "findall", "finditer"})
METHODS = ANCHORED | SCANNING
#: How deep patterns are looked for in lists, dictionaries and classes.
DEEPEST = 4


class Used(NamedTuple):
    """A pattern, where it stands, and the methods that are called on it."""

    where: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


class Source(NamedTuple):
    """A module of the project, all nodes of its syntax tree, and those that stand in no function."""

    module: ModuleType
    nodes: list[ast.AST]
    at_top: frozenset[ast.AST]

    @property
    def name(self) -> str:
        return self.module.__name__.removeprefix("broadsheet.")


@cache
def sources() -> list[Source]:
    """Import every module of the project that is written in Python."""
    found = []
    for info in pkgutil.walk_packages(broadsheet.__path__, "broadsheet."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        if module.__file__ and module.__file__.endswith(".py"):
            tree = ast.parse(Path(module.__file__).read_text())
            found.append(Source(module, list(ast.walk(tree)), frozenset(_at_top(tree))))
    return found


def _at_top(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it that stand in no function, so that what they give is found among the globals."""
    yield node
    for below in ast.iter_child_nodes(node):
        if not isinstance(below, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _at_top(below)


def find() -> list[Used]:
    """Return every pattern, each once."""
    every = sources()
    methods = _methods_by_name(every)
    found: dict[tuple[object, int, frozenset[str]], Used] = {}
    for source in every:
        for used in (*_in_globals(source, methods), *_where_used(source)):
            found.setdefault((used.pattern.pattern, used.pattern.flags, used.methods), used)
    return list(found.values())


def hidden(every: list[Source]) -> list[str]:
    """Name the calls in functions that put a pattern together, which neither way of finding them sees."""
    return [
        f"{source.name}.{function.name}"
        for source in every
        if (calls := {node for node in source.nodes if isinstance(node, ast.Call) and _builds(node)})
        for function in source.nodes
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call in ast.walk(function)
        if call in calls
    ]


def _builds(call: ast.Call) -> bool:
    return _is_re(call) and not isinstance(call.args[0], ast.Constant)


def _methods_by_name(every: list[Source]) -> Mapping[str, frozenset[str]]:
    """Return which methods are called on what has a name, in any module: a public one may be imported."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for source in every:
        for node in source.nodes:
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                for owner in _owners(node.value):
                    found[f"{source.name}.{owner}" if owner.startswith("_") else owner].add(node.attr)
    return {name: frozenset(methods) for name, methods in found.items()}


def _owners(value: ast.expr) -> list[str]:
    """Return the names that something stands for: `a`, `m.a`, `a[0]` and `(a if c else b)[0]`."""
    match value:
        case ast.Name():
            return [value.id]
        case ast.Attribute():
            return [value.attr]
        case ast.Subscript():
            return _owners(value.value)
        case ast.IfExp():
            return _owners(value.body) + _owners(value.orelse)
    return []


def _in_globals(source: Source, methods: Mapping[str, frozenset[str]]) -> Iterator[Used]:
    for name, value in vars(source.module).items():
        if name.startswith("__"):
            continue
        for pattern, bound, last in _patterns_in(value, name, source.module.__name__, DEEPEST):
            called = methods.get(f"{source.name}.{last}") or methods.get(last) or METHODS
            yield Used(f"{source.name}.{name}", pattern, frozenset({bound}) if bound else called)


def _patterns_in(value: object, name: str, module: str, depth: int) -> Iterator[tuple[re.Pattern[Any], str, str]]:
    """Yield the patterns in a value, each with the method where only that was kept, and the last name on the way."""
    owner = getattr(value, "__self__", None)
    if isinstance(value, re.Pattern):
        yield value, "", name
    elif isinstance(owner, re.Pattern):
        yield owner, str(value.__name__), name  # type: ignore[attr-defined]
    elif depth:
        inner: list[tuple[str, object]] = []
        if isinstance(value, Mapping):
            inner = [(name, part) for part in (*value.keys(), *value.values())]
        elif isinstance(value, list | tuple | set | frozenset):
            inner = [(name, part) for part in value]
        elif getattr(type(value), "__module__", "") == module or (
            isinstance(value, type) and value.__module__ == module
        ):
            slots = {slot: getattr(value, slot, None) for slot in getattr(type(value), "__slots__", ())}
            inner = list((slots | getattr(value, "__dict__", {})).items())
        for last, part in inner:
            yield from _patterns_in(part, last, module, depth - 1)


def _where_used(source: Source) -> Iterator[Used]:
    """Yield the patterns that are written out in calls of `re`."""
    for call in source.nodes:
        if isinstance(call, ast.Call) and _is_re(call) and isinstance(call.args[0], ast.Constant):
            assert isinstance(call.func, ast.Attribute)
            if call.func.attr == "compile" and call in source.at_top:
                continue
            written = call.args[0].value
            assert isinstance(written, str | bytes)
            pattern: re.Pattern[Any] = re.compile(written, _flags(call))
            methods = METHODS if call.func.attr == "compile" else frozenset({call.func.attr})
            yield Used(f"{source.name}:{call.lineno}", pattern, methods)


def _is_re(call: ast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in METHODS | {"compile"}
        and bool(call.args)
    )


def _flags(call: ast.Call) -> int:
    flags = 0
    for argument in (*call.args[1:], *(keyword.value for keyword in call.keywords)):
        for node in ast.walk(argument):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re":
                flags |= int(getattr(re, node.attr))
    return flags
