"""Who may know whom: each rule is one test, and names every breach."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import get_args

import ledger
from ledger import formats, rulesets
from ledger.facts.shared import StageKind
from tests.house import code
from tests.house.code import PACKAGES, PARTS, SOURCES, TESTS, height, name_of, text_of
from tests.support.paths import ROOT

NOT_IN_THE_CORE = {"random", "time", "os", "datetime", "secrets", "uuid", "socket", "tempfile"}
"""A clock, randomness or the environment would make a fold or a decision depend on more than
the log."""

OUTSIDE_THE_CORE = (
    "cli/",
    "ledger/store/",
    "ledger/files/access.py",
    "ledger/proof/formats.py",  # opens what a sceptic reads
    "ledger/files/key_files.py",
    "ledger/files/locks.py",
    "ledger/files/system.py",
    "ledger/exchange/dates.py",  # a date as such, in what is read
    "ledger/formats/checks/legality.py",  # dates counted from one that is handed in
    "projections/processes.py",  # the pipe that a signal is written to
    "projections/season/league.py",  # the key of a vault, and fresh pseudonyms
    "projections/season/loading/deriving.py",  # drafts of its files
    "projections/season/loading/scratch.py",  # folders for what is put aside
    "projections/season/loading/checking.py",
)


def test_no_package_knows_one_above_it() -> None:
    """Not in annotations either."""
    assert not [
        (name_of(path), above)
        for path in SOURCES
        for above in PACKAGES[PACKAGES.index(path.relative_to(ROOT).parts[0]) + 1 :]
        if above in code.packages_of(path)
    ]


def test_each_part_imports_only_from_those_above_it_in_the_table() -> None:
    assert not [
        (name_of(path), imported)
        for path in SOURCES
        for imported in code.run_time_imports_of(path)
        if height(imported) > height(name_of(path).removesuffix(".py"))
    ]


def test_every_part_of_the_table_is_there() -> None:
    named = [name for part in PARTS for name in re.findall(r"`([^`]+)`", part)]
    assert len(named) == len(set(named)) > len(PACKAGES)
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_core_has_no_clock_randomness_or_environment() -> None:
    assert not [name for name in OUTSIDE_THE_CORE if not (ROOT / name).exists()]
    assert not [
        (name_of(path), known)
        for path in SOURCES
        if not name_of(path).startswith(OUTSIDE_THE_CORE)
        for known in code.packages_of(path) & NOT_IN_THE_CORE
    ]


SYSTEM = "ledger/files/system.py"
OF_ONE_SYSTEM = re.compile(
    r"\bimport (?:fcntl|resource|readline|termios|tty|pty|pwd|grp|syslog|ctypes|msvcrt|winreg)\b"
    r"|\bos\.(?:name|nice|fork|uname|chmod|chown|umask|kill|killpg|link|symlink|set_blocking)\b"
    r"|\bos\.(?:get|set)e?[ug]id\b|\bsys\.platform\b|\bsignal\.(?:pthread|SIGHUP|SIGTERM|SIGKILL)"
    r"|\.(?:chmod|symlink_to|hardlink_to)\("
)
"""Modules and functions that another system lacks, and questions for the system."""

FIRST_NAMES = {
    ("ledger/files/key_files.py", "os.link"),  # Windows has it; a disk that has not is answered for
    ("projections/processes.py", "signal.SIGTERM"),  # every system raises it in its own process
}


def test_one_module_knows_the_differences_between_systems() -> None:
    assert [name for name in map(name_of, SOURCES) if name == SYSTEM]
    assert {
        (name_of(path), used.group())
        for path in SOURCES
        if name_of(path) != SYSTEM
        for used in OF_ONE_SYSTEM.finditer(text_of(path))
    } == FIRST_NAMES


NODES = ("projections/season/spark.py", "node")
"""Whose `replace` puts a part of a question into the place of another."""


def test_every_file_is_renamed_where_an_open_one_is_waited_for() -> None:
    """`Path.replace` and `Path.rename` fail at once on Windows if another program has it open."""
    assert not [
        (name_of(path), ast.unparse(node))
        for path in SOURCES
        if name_of(path) != SYSTEM
        for node in ast.walk(code.tree_of(path))
        if _renames(node) and (name_of(path), ast.unparse(node).partition(".")[0]) != NODES
    ]


def _renames(node: ast.AST) -> bool:
    """Whether a call may be that of `Path.replace` or `Path.rename`, or names one of them."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", "")
        return name in {"replace", "rename"} and len(node.args) == 1 and not node.keywords
    return isinstance(node, ast.Attribute) and bool(
        re.fullmatch(r"(?:Path|os)\.(?:replace|rename|renames)", ast.unparse(node))
    )


def test_only_the_store_knows_the_event_store_library() -> None:
    knowing = {
        path.relative_to(ROOT).parts[:2]
        for path in SOURCES
        if "eventsourcing" in code.packages_of(path)
    }
    assert knowing == {("ledger", "store")}


def test_files_are_written_where_it_is_known_what_must_stay() -> None:
    """`ledger.files.access` asks what is at a place; `Path` itself does not."""
    writing = re.compile(r"\.write_(text|bytes)\b")
    assert not [name_of(path) for path in SOURCES if writing.search(text_of(path))]


def test_what_a_sceptic_reads_stands_alone() -> None:
    """The modules that the page on the proof names import nothing else of the project."""
    page = (ROOT / "ledger" / "proof" / "README.md").read_text("utf-8")
    names = re.findall(r"`(\w+)\.py`", page.partition("in this order:")[2].partition("\n\n")[0])
    known = {*sys.stdlib_module_names, "cryptography", *(f"ledger.proof.{name}" for name in names)}
    assert names
    assert not [
        (name, imported)
        for name in names
        for imported in code.modules_of(ROOT / "ledger" / "proof" / f"{name}.py")
        if not {imported, imported.partition(".")[0]} & known
    ]


def test_no_python_file_outside_the_rulesets_names_one() -> None:
    named = [key for key in rulesets.names() if key not in get_args(StageKind)]
    assert len(named) == len(rulesets.names()) - 1  # "swiss" is also a kind of stage
    keys = re.compile("|".join(rf"[\"']{key}[\"']" for key in named))
    assert not [name_of(path) for path in SOURCES if keys.search(text_of(path))]


def test_no_python_file_names_a_format() -> None:
    keys = re.compile("|".join(rf"[\"']{key}[:\"']" for key in formats.names()))
    assert not [name_of(path) for path in SOURCES if keys.search(text_of(path))]


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == ledger.VERSION


def test_no_file_names_a_package_index() -> None:
    named = re.compile(r"pypi\.org|--index-url|--extra-index-url|files\.pythonhosted")
    files = {*SOURCES, *TESTS, *ROOT.glob("*.*"), *(ROOT / ".ci").iterdir()} - {Path(__file__)}
    assert not [name_of(path) for path in files if path.is_file() and named.search(text_of(path))]


def test_every_path_that_a_page_for_engineers_names_is_there() -> None:
    pages = [ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md")]
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(r"(?:`|\]\()((?:\w+/)+[\w.]*|[A-Z]\w+\.md)", text_of(page))
    }
    assert len(named) > len(pages)
    folders = ("ledger/", "projections/", "cli/", "tests/", "sample_logs/")
    assert not [
        (page, path)
        for page, path in sorted(named)
        if path.startswith(folders) and "THEME" not in path and "HEADING" not in path
        if not (ROOT / path).exists()
    ]
