"""What verbs may reach of a machine: files through the desk alone, and nothing undeclared."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from cli.input.options import files_in
from cli.outside import KEYS, NETWORK, PROCESSES, TERMINAL, TO_PAGE, TO_TERMINAL
from cli.verbs import VERBS
from cli.verbs.catalogue import function_of, touched_by
from cli.verbs.on_pages import FIRST_WORDS
from cli.verbs.tree import command_of
from tests.house.code import SOURCES, name_of, statements_of, tree_of
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

VERB_FILES = tuple(path for path in SOURCES if name_of(path).startswith("cli/verbs/"))

FORBIDDEN_CALLS = {"open", "Path", "exec", "eval", "__import__"}
MADE_BY_THE_LINE = {"InFile", "OutFile"}
"""The names of files: a verb makes one of a constant alone."""

FORBIDDEN_METHODS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes", "touch", "chmod", "unlink"),
    *("mkdir", "rmdir", "rename", "symlink_to", "hardlink_to", "iterdir", "glob", "rglob", "walk"),
    *("is_file", "is_dir", "is_symlink", "resolve", "typed"),
}
"""Input and output of `Path`, and the text of a file's name, which only `Files` may look at."""

NO_PATHS = {"desk.files", "files", "policy", "vault"}
"""What has methods of such names: the desk's `Files`, a policy and the league's vault."""

FORBIDDEN_MODULES = re.compile(
    r"(io|shutil|tempfile|glob|subprocess|socket|urllib|http|multiprocessing|ctypes|sqlite3|fcntl"
    r"|ledger\.files\.(access|key_files|locks|system)|ledger\.proof\.formats\.opened)\b"
)
ALLOWED_IMPORTS = {"ledger.files.access.Unreadable"}
OF_OS = {"os.urandom"}

NAMES_A_FILE = re.compile("FILE|FOLDER|PATH|STORE|POLICY|READER|LIST$")
"""What the metavar of a parameter contains that names something of this machine."""

NAMED_OTHERWISE = {(verb, name) for verb in ("diff",) for name in ("first", "second")}

_KEYRING = (
    "cli.machine.keyring.",
    "cli.machine.trust.signed_head",
    "cli.machine.trust.head_of_all",
    "cli.machine.trust.sign_all",
    "cli.machine.trust.vouch_for",
    "cli.machine.trust.next_log_key",
    "cli.machine.backup_keys.",
    "cli.machine.draw_keys.commitment_for_new",
    "cli.machine.draw_keys.another_draw_key",
    "cli.succession.follower.",
    "cli.succession.taking_over.",
)
_NO_KEYS = {
    f"cli.machine.keyring.{name}"
    for name in (
        "LOG", "WITNESS", "draw_key", "proving", "key_is_away", "key_is_missing", "ask_nobody",
    )
}  # fmt: skip
"""Names of the keyring that open no key."""

SHOWN_BY = {
    KEYS: _KEYRING,
    NETWORK: (
        "cli.serve.ports.certificates.",
        "cli.serve.ports.server.",
        "cli.serve.rehearsals.rehearsal.",
        "cli.season.spark_cluster.",
        "cli.season.engines.engine_at",
        "cli.succession.remote.",
        "cli.succession.taking_over.tell_former",
    ),
    PROCESSES: (
        "projections.processes.processes",
        "projections.processes.one_process",
        "projections.season.loading.adding.add",
        "projections.season.loading.adding.restate",
        "projections.season.loading.deriving.derive",
        "cli.season.sandbox.",
        "cli.season.served.",
        "cli.season.spark_cluster.",
        "cli.season.engines.engine_at",
        "cli.serve.rehearsals.rehearsal.",
        "cli.serve.rehearsals.demo.",
    ),
    TERMINAL: (
        "cli.render.round_clock.watch",
        "cli.serve.publish.follow",
        "cli.succession.follower.",
        "cli.serve.ports.server.serve",
        "cli.serve.rehearsals.demo.",
        "cli.serve.rehearsals.rehearsal.",
        "sys.stdin",
        "input",
    ),
}
"""The names that show what a verb touches, for each part that is not the store."""


def forbidden_in(path: Path) -> Iterator[str]:
    """Yield what a file of verbs does with files apart from the desk."""
    yield from forbidden_uses(path)
    for_annotations = {
        id(each)
        for node in statements_of(path)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for each in node.body
    }
    for node in statements_of(path):
        for _, dotted in _imported(node) if id(node) not in for_annotations else ():
            is_of_files = FORBIDDEN_MODULES.match(dotted) and dotted not in ALLOWED_IMPORTS
            if dotted == "pathlib.Path" or is_of_files:
                yield dotted


def forbidden_uses(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", "")
            is_made = called in MADE_BY_THE_LINE and not isinstance(node.args[0], ast.Constant)
            if called in FORBIDDEN_CALLS or is_made:
                yield called
        elif isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            is_of_path = node.attr in FORBIDDEN_METHODS and owner not in NO_PATHS
            if is_of_path or (owner == "os" and f"os.{node.attr}" not in OF_OS):
                yield f"{owner}.{node.attr}"


def test_verbs_reach_files_through_the_desk_alone() -> None:
    assert len(VERB_FILES) > 20
    assert not [(name_of(path), found) for path in VERB_FILES for found in forbidden_in(path)]


@pytest.mark.parametrize(
    "text",
    [
        'open("x")',
        "from pathlib import Path",
        "path.read_bytes()",
        "file.typed",
        "InFile(words[0])",
        'import os\nos.open("x", 0)',
        "from ledger.files.access import write_whole",
        "def verb():\n    import subprocess",
    ],
)
def test_this_test_notices_files(text: str, tmp_path: Path) -> None:
    path = tmp_path / "verb.py"
    path.write_text(text, "utf-8")
    assert list(forbidden_in(path))


OPENED_BY = {
    "duckdb.connect": {
        "projections/season/loading",
        "projections/season/tables",
    },
    "open_season": {"cli/season", "projections/season/tables"},
    "sqlite3.connect": {
        *(
            "cli/desk/remembered.py",
            "ledger/files/locks.py",
            "ledger/proof",
            "ledger/store/sqlite.py",
            "ledger/store/sqlite_files.py",
        ),
        *("projections/season/exports.py", "projections/season/league.py"),
    },
}
"""The rooms that open databases, by the call that does: others ask them."""

CONFINED = {
    "ledger/proof/evidence",
    "ledger/store/sqlite",
    "cli/desk",
    "projections/season/league.py",
}
"""The rooms whose databases may come from a stranger, and are opened with `confine`."""


def opening_calls(path: Path) -> set[str]:
    """The calls in a file that open a database, under whatever name they were imported."""
    imported = {
        name: dotted for node in ast.walk(tree_of(path)) for name, dotted in _imported(node)
    }
    called = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            words = ast.unparse(node.func).split(".")
            dotted = ".".join((imported.get(words[0], words[0]), *words[1:]))
            called |= {each for each in OPENED_BY if f".{dotted}".endswith(f".{each}")}
    return called


def test_databases_are_opened_through_their_doors_alone() -> None:
    """A verb that opened a season or store itself would run what a stranger put into it."""
    assert not [
        (name_of(path), call)
        for path in SOURCES
        for call in opening_calls(path)
        if not name_of(path).startswith(tuple(OPENED_BY[call]))
    ]
    named = {place for places in OPENED_BY.values() for place in places}
    assert not [place for place in named if not (ROOT / place).exists()]


def test_a_strangers_database_is_confined_where_it_is_opened() -> None:
    opening = [path for path in SOURCES if name_of(path).startswith(tuple(CONFINED))]
    assert not [
        name_of(path)
        for path in opening
        if "sqlite3.connect" in opening_calls(path)
        and not re.search(r"\b(confine|refuse_strange)\(", path.read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "import duckdb\nduckdb.connect('x')",
        "from duckdb import connect as c\nc('x')",
        "from projections.season.tables.database import open_season as o\no('x')",
        "import sqlite3 as s\ns.connect('x')",
    ],
)
def test_this_test_notices_databases(text: str, tmp_path: Path) -> None:
    path = tmp_path / "verb.py"
    path.write_text(text, "utf-8")
    assert opening_calls(path)


def test_a_parameter_that_names_a_file_has_the_type_of_one() -> None:
    named, typed = set(), set()
    for path, verb in VERBS.items():
        files = files_in(function_of(verb))
        typed |= {(path, name) for name in files}
        named |= {
            (path, param.name)
            for param in command_of(path).params
            if NAMES_A_FILE.search(param.metavar or "")
        }
    assert named | NAMED_OTHERWISE == typed


@cache
def definitions_of(module: str) -> tuple[Mapping[str, ast.AST], Mapping[str, str]]:
    """The functions and classes of a module by name, and its imported names as dotted names."""
    path = ROOT / f"{module.replace('.', '/')}.py"
    if not path.is_file():
        return {}, {}
    body = tree_of(path).body
    own = {node.name: node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return own, {name: dotted for node in body for name, dotted in _imported(node)}


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
    elif isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name, alias.name


@cache
def names_in(module: str, name: str) -> frozenset[str]:
    """The dotted names that one function of a module uses; its own module's are dotted, too."""
    own, imported = definitions_of(module)
    if name not in own:
        return frozenset()
    known = {each: f"{module}.{each}" for each in own} | dict(imported)
    nodes = list(ast.walk(own[name]))
    for node in nodes:
        known.update(_imported(node))
    used = {known.get(node.id, node.id) for node in nodes if isinstance(node, ast.Name)}
    used |= {
        f"{known[node.value.id]}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in known
    }
    return frozenset(used)


def reached_from(module: str, function: str) -> set[str]:
    """Every dotted name that a verb's function uses, through the functions of other verbs."""
    waiting, found = [f"{module}.{function}"], set[str]()
    while waiting:
        above, _, name = waiting.pop().rpartition(".")
        more = names_in(above, name) - found
        found |= more
        waiting += (each for each in more if each.startswith("cli.verbs."))
    return found


def shown_touches(names: Iterable[str]) -> set[str]:
    return {
        str(touch.name)
        for touch, beginnings in SHOWN_BY.items()
        if any(each.startswith(beginnings) and each not in _NO_KEYS for each in names)
    }


@pytest.mark.parametrize("path", VERBS)
def test_a_verb_declares_what_it_touches(path: str) -> None:
    verb = VERBS[path]
    declared = {str(each.name) for each in verb.touches}
    assert shown_touches(reached_from(verb.module, verb.function)) <= declared


def test_declarations_are_no_wider_than_what_verbs_use() -> None:
    """But for what a verb reaches by code below the verbs, which is named here."""
    wider = {
        path: " ".join(sorted(lacking))
        for path, verb in VERBS.items()
        if (
            lacking := {str(each.name) for each in verb.touches & ~TO_PAGE}
            - shown_touches(reached_from(verb.module, verb.function))
        )
    }
    assert wider == BY_CODE_BELOW


BY_CODE_BELOW = dict.fromkeys(("publish", "rehearse", "sign now"), "KEYS")


def test_a_page_grants_the_event_and_nothing_else() -> None:
    taken = {path for path in VERBS if path.split()[0] in FIRST_WORDS}
    refused = {path for path in taken if VERBS[path].touches & ~TO_PAGE}
    assert refused == {"evidence", "round watch", "links new", "links print"}
    assert all(touched_by(verb) in TO_TERMINAL for verb in VERBS.values())


CLOCKS = {"now", "today", "utcnow", "time", "time_ns", "localtime", "gmtime", "ctime"}
"""What reads the date, called on a module or class of the library that knows it."""


def test_the_clock_is_read_in_one_place() -> None:
    """A day whose clock is given must answer the same on every date."""
    found = [
        f"{name_of(path)}:{call.lineno}"
        for path in SOURCES
        for call in ast.walk(tree_of(path))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in CLOCKS
        and ast.unparse(call.func.value) in {"date", "datetime", "time", "datetime.datetime"}
    ]
    assert [each for each in found if not each.startswith("cli/outside.py:")] == []
    assert found != []
