"""The rules of the house that no linter knows: who imports whom, how long things get."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

import ledger
from ledger import formats, rulesets
from ledger.events.opening import StageKind
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGES = ("ledger", "projections", "cli")
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
ALL = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70

PARTS = re.findall(r"^\| (`[^|]+`) \|", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.MULTILINE)
"""The first column of the table of parts, from the bottom of the house to its roof."""

NOT_IN_THE_CORE = {"random", "time", "os", "datetime", "secrets", "uuid", "socket", "tempfile"}
"""A clock, randomness or the environment would make a fold or a decision depend on more than
the log."""

OUTSIDE_THE_CORE = (
    "ledger/store",
    "ledger/files/access.py",
    "ledger/files/durable.py",
    "ledger/proof/formats.py",  # opens what a sceptic reads
    "ledger/files/key_files.py",
    "ledger/exchange/nrtm/reading.py",  # a date as such, in what is read
    "ledger/formats/checks/dates.py",  # dates counted from one that is handed in
    "projections/season/loading/scratch.py",  # folders for what is put aside
    "projections/season/loading/spooling.py",
)
CORE = [
    path
    for path in SOURCES
    if not path.relative_to(ROOT).as_posix().startswith(("cli", *OUTSIDE_THE_CORE))
]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def run_time_imports_of(path: Path) -> Iterator[str]:
    """The paths of what is imported of ours, at the top or within a function."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGES):
            module = (node.module or "").replace(".", "/")
            if (ROOT / module).is_dir():
                yield from (_module(module, alias.name) for alias in node.names)
            else:
                yield module


def _module(package: str, name: str) -> str:
    here = ROOT / package
    is_module = (here / f"{name}.py").exists() or (here / name).is_dir()
    return f"{package}/{name if is_module else '__init__'}"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_no_package_knows_one_above_it(path: Path) -> None:
    """Not in annotations either."""
    package = path.relative_to(ROOT).parts[0]
    ours = {name.partition(".")[0] for name in imports_of(path)} & set(PACKAGES)
    assert ours <= set(PACKAGES[: PACKAGES.index(package) + 1])


def height(path: str) -> int:
    """The place of a part in the table: of the most special one that has this path."""
    found = {
        len(name): place
        for place, part in enumerate(PARTS)
        for name in re.findall(r"`([^`]+?)/?`", part)
        if f"{path}/".startswith(f"{name.removesuffix('.py')}/")
    }
    return found[max(found)]


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_each_part_imports_only_from_those_above_it_in_the_table(path: Path) -> None:
    own = height(path.relative_to(ROOT).as_posix().removesuffix(".py"))
    below = [name for name in run_time_imports_of(path) if height(name) > own]
    assert not below


def test_every_part_of_the_table_is_there() -> None:
    named = [name for part in PARTS for name in re.findall(r"`([^`]+)`", part)]
    assert len(named) == len(set(named)) > len(PACKAGES)
    assert not [name for name in named if not (ROOT / name).exists()]


@pytest.mark.parametrize("path", CORE, ids=str)
def test_the_core_has_no_clock_randomness_or_environment(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports_of(path)} & NOT_IN_THE_CORE


def test_only_the_store_knows_the_event_store_library() -> None:
    knowing = {
        path.relative_to(ROOT).parts[:2]
        for path in SOURCES
        if any(name.partition(".")[0] == "eventsourcing" for name in imports_of(path))
    }
    assert knowing == {("ledger", "store")}


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_files_are_written_where_it_is_known_what_must_stay(path: Path) -> None:
    """`ledger.files.access` asks what stands at a place; `Path` itself does not."""
    called = {
        node.func.attr
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert not called & {"write_text", "write_bytes"}


def read_by_a_sceptic() -> list[str]:
    """The modules that the page on the proof names."""
    page = (ROOT / "ledger" / "proof" / "README.md").read_text("utf-8")
    return re.findall(r"`(\w+)\.py`", page.partition("in this order:")[2].partition("\n\n")[0])


@pytest.mark.parametrize("name", read_by_a_sceptic())
def test_what_a_sceptic_reads_stands_alone(name: str) -> None:
    known = {f"ledger.proof.{each}" for each in read_by_a_sceptic()}
    imported = set(imports_of(ROOT / "ledger" / "proof" / f"{name}.py")) - known
    assert {each.partition(".")[0] for each in imported} <= {
        *sys.stdlib_module_names,
        "cryptography",
    }


@pytest.mark.parametrize("path", ALL, ids=str)
def test_files_and_functions_stay_short(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= FILE_LINES_MAX
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION_LINES_MAX
    ]
    assert not long


def test_no_python_file_outside_the_rulesets_names_one() -> None:
    named = [key for key in rulesets.names() if key not in get_args(StageKind)]
    assert len(named) == len(rulesets.names()) - 1  # "swiss" is also a kind of stage
    keys = re.compile("|".join(rf"[\"']{key}[\"']" for key in named))
    naming = [
        str(path.relative_to(ROOT)) for path in SOURCES if keys.search(path.read_text("utf-8"))
    ]
    assert not naming


def test_no_python_file_names_a_format() -> None:
    keys = re.compile("|".join(rf"[\"']{key}[:\"']" for key in formats.names()))
    assert not [str(path) for path in SOURCES if keys.search(path.read_text("utf-8"))]


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == ledger.VERSION


def test_no_file_names_a_package_index() -> None:
    named = re.compile(r"pypi\.org|--index-url|--extra-index-url|files\.pythonhosted")
    files = [
        path
        for path in [*ALL, *ROOT.glob("*.*"), ROOT / ".ci" / "run"]
        if path.is_file() and path != Path(__file__)
    ]
    assert not [str(path) for path in files if named.search(path.read_text("utf-8"))]
