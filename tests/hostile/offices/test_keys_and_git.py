"""The folder of keys in a checkout: git ignores it, and no other account opens it."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.files.access import make_private_folder

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

KEYS = ".tourney-keys"

GIT = shutil.which("git") or ""

with_git = pytest.mark.skipif(not GIT, reason="git is not installed")


def git(folder: Path, *words: str) -> str:
    done = subprocess.run([GIT, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


@with_git
def test_git_ignores_the_keys_of_an_event_in_a_checkout(desk: Desk) -> None:
    git(desk.folder, "init", "-q")
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    assert list((desk.folder / KEYS).glob("*.key"))
    assert KEYS not in git(desk.folder, "status", "--porcelain", "--untracked-files=all")
    git(desk.folder, "add", "--all")
    assert KEYS not in git(desk.folder, "ls-files")


@with_git
def test_git_ignores_a_folder_of_before_once_a_key_is_written_to_it(desk: Desk) -> None:
    git(desk.folder, "init", "-q")
    (desk.folder / KEYS).mkdir()
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    assert KEYS not in git(desk.folder, "status", "--porcelain", "--untracked-files=all")


@with_git
def test_git_ignores_the_folder_in_a_checkout_of_this_project() -> None:
    project = Path(__file__).parents[3]
    if not (project / ".git").exists():
        pytest.skip("this is not a checkout")
    git(project, "check-ignore", f"{KEYS}/log.key")


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_folder_that_is_made_inside_of_it_opens_neither(tmp_path: Path) -> None:
    """The folder of seen heads may be made first; the one above it holds the keys later."""
    before = os.umask(0)
    try:
        make_private_folder(tmp_path / KEYS / "seen")
    finally:
        os.umask(before)
    for place in (tmp_path / KEYS, tmp_path / KEYS / "seen"):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert (tmp_path / KEYS / ".gitignore").read_text() == "*\n"
    assert not (tmp_path / KEYS / "seen" / ".gitignore").exists()
