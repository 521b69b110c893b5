"""How the code looks to somebody who opens it: sizes, folders, circles and names.

`left.toml` says by how much the rooms still break a rule, each room's breaches added up; more of it
fails. `pytest tests/house --update-golden` takes out what is gone, and puts nothing in.
"""

from __future__ import annotations

import re
import statistics
import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from ledger.facts.vocabulary import EVENTS
from tests.house import code
from tests.house.code import SOURCES, TESTS, name_of, text_of
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LEFT = ROOT / "tests" / "house" / "left.toml"
HEADING = "# By how much the rooms still break the rules in test_shape.py.\n"
FILE_LINES_MAX = 700
TEST_FILE_LINES_MAX = 700
FUNCTION_LINES_MAX = 60
PARAMETERS_MAX = 8
ENTRIES_MAX = 24
TESTS_IN_A_FOLDER_MAX = 25
SAME_NAME_MAX = 3
EVENT_FILES_MEDIAN = 6
A_VERBS_SPELLING = re.compile(r"f?\"[^\"\n]*`[a-z]+[ `][^\"\n]*\"")
ALL_TYPES = "ledger/proof/lines.py"
"""Lists every type for the small verifier, which imports nothing; a test compares the list."""

THEMED = ("ledger/facts", "ledger/rules")
"""Rooms that are cut by the same themes, whose names their files share."""


def long_files() -> dict[str, int]:
    """A file can be read at a sitting."""
    return {name_of(path): text_of(path).count("\n") for path in SOURCES}


def long_test_files() -> dict[str, int]:
    return {name_of(path): text_of(path).count("\n") for path in TESTS}


def long_functions(paths: Sequence[Path] = SOURCES) -> dict[str, int]:
    return {
        f"{name_of(path)} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path, node in code.functions(paths)
    }


def long_test_functions() -> dict[str, int]:
    return long_functions(TESTS)


def parameters() -> dict[str, int]:
    return {
        f"{name_of(path)} {node.name}": len(node.args.args + node.args.kwonlyargs)
        for path, node in code.functions()
    }


def folders() -> dict[str, int]:
    """What one `ls` shows fits into one look."""
    hidden = (".", "__pycache__")
    return {
        name_of(folder): sum(not each.name.startswith(hidden) for each in folder.iterdir())
        for folder in code.folders()
    }


def folders_of_tests() -> dict[str, int]:
    return Counter(name_of(path.parent) for path in TESTS)


def modules_in_circles() -> dict[str, int]:
    """What two modules need of each other belongs below both; every import counts."""
    return Counter(code.in_circles(code.imported_by()))


def classes_of_one_name() -> dict[str, int]:
    return {name: len(places) for name, places in code.public_classes().items()}


def files_of_one_name() -> dict[str, int]:
    """But in the rooms that are cut by the themes, a name says what is in a file."""
    return Counter(
        path.name
        for path in SOURCES
        if name_of(path.parent) not in THEMED and path.name not in {"__init__.py", "base.py"}
    )


def spellings_of_verbs_below_cli() -> dict[str, int]:
    """A refusal names an act; the command line says how it is typed."""
    below = [path for path in SOURCES if not name_of(path).startswith("cli/")]
    return {name_of(path): len(A_VERBS_SPELLING.findall(text_of(path))) for path in below}


RULES: dict[Callable[[], dict[str, int]], int] = {
    long_files: FILE_LINES_MAX,
    long_test_files: TEST_FILE_LINES_MAX,
    long_functions: FUNCTION_LINES_MAX,
    long_test_functions: FUNCTION_LINES_MAX,
    parameters: PARAMETERS_MAX,
    folders: ENTRIES_MAX,
    folders_of_tests: TESTS_IN_A_FOLDER_MAX,
    modules_in_circles: 0,
    classes_of_one_name: 1,
    files_of_one_name: SAME_NAME_MAX,
    spellings_of_verbs_below_cli: 0,
}


def breaches(rule: Callable[[], dict[str, int]]) -> dict[str, int]:
    return {name: size for name, size in sorted(rule().items()) if size > RULES[rule]}


def excess(rule: Callable[[], dict[str, int]]) -> dict[str, int]:
    """By how much each room breaks a rule, all its breaches together."""
    totals: Counter[str] = Counter()
    for name, size in breaches(rule).items():
        totals[room_of(name)] += size - RULES[rule]
    return dict(sorted(totals.items()))


def room_of(name: str) -> str:
    """The room of a file, a function, a folder or a module; a class has none."""
    path = name.split(maxsplit=1)[0].replace(".py", "").replace(".", "/").split("/")
    return "/".join(path[:2]) if len(path) > 1 else "everywhere"


@pytest.fixture(scope="module")
def left(request: pytest.FixtureRequest) -> dict[str, dict[str, int]]:
    there: dict[str, dict[str, int]] = tomllib.loads(LEFT.read_text("utf-8"))
    if request.config.getoption("--update-golden"):
        there = {rule.__name__: _shrunk(there.get(rule.__name__, {}), rule) for rule in RULES}
        blocks = [
            f"[{rule}]\n" + "".join(f'"{room}" = {size}\n' for room, size in sizes.items())
            for rule, sizes in there.items()
            if sizes
        ]
        LEFT.write_text("\n".join((HEADING, *blocks)))
    return there


def _shrunk(known: dict[str, int], rule: Callable[[], dict[str, int]]) -> dict[str, int]:
    return {room: min(size, known[room]) for room, size in excess(rule).items() if room in known}


SLOW = {long_test_functions: [pytest.mark.slow]}
"""What has to parse every test."""


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=SLOW.get(rule, ()), id=rule.__name__) for rule in RULES]
)
def test_no_room_breaks_it_more_than_it_did(
    rule: Callable[[], dict[str, int]], left: dict[str, dict[str, int]]
) -> None:
    known = left.get(rule.__name__, {})
    more = {room: size for room, size in excess(rule).items() if size > known.get(room, 0)}
    found = {name: size for name, size in breaches(rule).items() if room_of(name) in more}
    assert found == {}, f"more than {known} in {more}"


def test_few_files_name_one_event() -> None:
    """Half of the events are named by no more files."""
    spread = [
        sum(kind.__name__ in code.words_of(path) for path in SOURCES if name_of(path) != ALL_TYPES)
        for kind in EVENTS.values()
    ]
    assert statistics.median(spread) <= EVENT_FILES_MEDIAN
