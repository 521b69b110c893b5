"""The program that the interface's README shows, run as it is printed there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from tests.support.hall import served
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

README = Path(__file__).parents[3] / "cli/serve/README.md"
LINES_MAX = 15


def test_the_program_of_the_readme_enters_an_act(desk: Desk) -> None:
    (text,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert sum(bool(line.strip()) for line in text.splitlines()) <= LINES_MAX
    desk.open(4, "custom", "--rounds", "2")
    port = free_port()
    here = f"http://127.0.0.1:{port}"
    links = desk.done("links", "print", "--address", here, "--json").json["links"]
    program = desk.folder / "program.py"
    program.write_text(text, "utf-8")
    command = '{"type": "CallJudge", "match": 0, "player": 1, "reason": "a question"}'
    with served(desk, port):
        words = [sys.executable, str(program), links[0]["address"], command]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert f"'id': 'w{links[0]['link']}-" in done.stdout
    assert "a question" not in done.stderr
    assert '"JudgeCalled"' in desk.log()
