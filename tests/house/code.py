"""The code of the project as data for the rules of the house: its files, imports and names."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

PACKAGES = ("ledger", "projections", "cli")
SOURCES = tuple(sorted(path for each in PACKAGES for path in (ROOT / each).rglob("*.py")))
TESTS = tuple(sorted((ROOT / "tests").rglob("*.py")))

PARTS = re.findall(r"^\| (`[^|]+`) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.MULTILINE)
"""The first column of the table of parts, from the bottom of the house to its roof."""


def name_of(path: Path) -> str:
    """The path of a file as breaches name it."""
    return path.relative_to(ROOT).as_posix()


@cache
def text_of(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def statements_of(path: Path) -> tuple[ast.AST, ...]:
    """Every statement of a file, at any depth: no import, function or class is anywhere else."""
    found: list[ast.AST] = []
    waiting: list[ast.AST] = [tree_of(path)]
    while waiting:
        node = waiting.pop()
        found.append(node)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, ())
            waiting.extend(inner if isinstance(inner, list) else ())
    return tuple(found)


@cache
def packages_of(path: Path) -> set[str]:
    """The first names of all that a file imports: `random`, `ledger`, `msgspec`."""
    return {name.partition(".")[0] for name in modules_of(path)}


def modules_of(path: Path) -> Iterator[str]:
    """The modules that a file imports from, as they are written."""
    for node in statements_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            modules = [name for name in names if (ROOT / f"{name.replace('.', '/')}.py").is_file()]
            yield from modules or [node.module]


def run_time_imports_of(path: Path) -> Iterator[str]:
    """The paths of what is imported of ours, at the top or within a function."""
    for_annotations = {
        id(each)
        for node in statements_of(path)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for each in node.body
    }
    for node in statements_of(path):
        if isinstance(node, ast.ImportFrom) and id(node) not in for_annotations:
            yield from _ours(node)


def _ours(node: ast.ImportFrom) -> Iterator[str]:
    """The files of ours that one import names, without `.py`: a package is its `__init__`."""
    module = (node.module or "").replace(".", "/")
    if module.partition("/")[0] not in PACKAGES:
        return
    if not (ROOT / module).is_dir():
        yield module
        return
    for alias in node.names:
        here = ROOT / module / alias.name
        is_module = here.with_suffix(".py").exists() or here.is_dir()
        yield f"{module}/{alias.name if is_module else '__init__'}"


@cache
def height(path: str) -> int:
    """The place of a part in the table: of the most special one that has this path."""
    found = {
        len(name): place
        for place, part in enumerate(PARTS)
        for name in re.findall(r"`([^`]+?)/?`", part)
        if f"{path}/".startswith(f"{name.removesuffix('.py')}/")
    }
    return found[max(found)]


def functions(paths: Sequence[Path] = SOURCES) -> Iterator[tuple[Path, ast.FunctionDef]]:
    """Every function of these files."""
    for path in paths:
        for node in statements_of(path):
            if isinstance(node, ast.FunctionDef):
                yield path, node


def folders() -> list[Path]:
    """Every folder of the product."""
    found = {parent for path in SOURCES for parent in path.parents if ROOT in parent.parents}
    return sorted(found)


def public_classes() -> dict[str, list[str]]:
    """Where each class name without an underscore is defined."""
    found = defaultdict(list)
    for path in SOURCES:
        for node in statements_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(name_of(path))
    return found


def imported_by() -> dict[str, set[str]]:
    """The modules of ours that each names anywhere: in functions and for annotations as well."""
    modules = {_module(path): path for path in SOURCES}
    return {
        module: {each for each in _named(path) if each in modules and each != module}
        for module, path in modules.items()
    }


def _module(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _named(path: Path) -> Iterator[str]:
    for node in statements_of(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            are_modules = all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in names)
            yield from names if are_modules else [node.module, *names]
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def in_circles(graph: dict[str, set[str]]) -> list[str]:
    """The modules that come back to themselves along imports."""
    return sorted(module for module in graph if module in _reached(graph, module))


def _reached(graph: dict[str, set[str]], module: str) -> set[str]:
    found: set[str] = set()
    waiting = [*graph[module]]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(graph[each])
    return found


@cache
def words_of(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text_of(path)))
