"""An older Python is told in one line which one is needed: by pip, and by a checkout as it lies."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from itertools import chain

import pytest

from tests.support.paths import ROOT

AS_3_10 = """
import runpy
import sys

sys.version_info = (3, 10, 13, "final", 0)
sys.version = "3.10.13 (main)"
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
READ_BY_ALL = ("cli/__init__.py", "ledger/__init__.py")
"""What an older Python reads before it is told."""


@pytest.mark.parametrize("module", ["cli", "cli.main", "cli.entry", "ledger.proof.verifier"])
def test_a_checkout_says_which_python_it_needs(module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", AS_3_10, module],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stderr == "tourney needs Python 3.11 or newer; this is Python 3.10.13\n"
    assert (ran.returncode, ran.stdout) == (1, "")


@pytest.mark.parametrize("path", READ_BY_ALL)
def test_an_older_python_can_read_what_says_so(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match)
    assert not [node for node in ast.walk(tree) if isinstance(node, newer)]
    imported = [each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    assert "__future__" not in imported


@pytest.mark.slow
def test_no_requirement_is_looked_for_where_an_older_python_is_refused() -> None:
    """Else an older pip complains of the first that it cannot find, and names no Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    required = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    bound = re.compile(r"; (.+ and )?python_version >= '3\.11'$")
    assert [each for each in required if not bound.search(each)] == []
