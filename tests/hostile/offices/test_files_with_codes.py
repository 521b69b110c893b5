"""Files that hold a link's code or a secret: only their owner reads them, at every moment."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest

from ledger.files.access import write_whole
from tests.support.cli_desk import typed_once
from tests.support.hall import first_round

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.cli_desk import Desk

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")

day = typed_once(first_round)

WRITERS = {
    "badges.html": ("links", "print"),
    "badges.txt": ("links", "print"),
    "off.html": ("links", "print", "--officials"),
    "poster.html": ("links", "print", "e1"),
    "ann.html": ("links", "new", "#1"),
    "backup.db": ("backup",),
}
"""A file with a code or with the vault in it, and the line that writes it with `-o` or a path."""


@pytest.fixture(params=["0", "22"])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """The widest umask there is, and the usual one."""
    before = os.umask(int(request.param, 8))
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _line(name: str) -> tuple[str, ...]:
    verb = WRITERS[name]
    return (*verb, name) if verb == ("backup",) else (*verb, "-o", name)


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("name", WRITERS)
def test_a_file_with_a_code_is_its_owners(day: Desk, name: str) -> None:
    day.done(*_line(name))
    assert mode(day.folder / name) == 0o600


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("name", [name for name in WRITERS if name != "backup.db"])
def test_a_file_that_was_open_to_all_is_closed(day: Desk, name: str) -> None:
    path = day.folder / name
    path.write_text("an older one")
    path.chmod(0o666)
    day.done(*_line(name))
    assert mode(path) == 0o600


@pytest.mark.usefixtures("umask")
def test_no_file_with_a_code_is_open_for_a_moment(day: Desk) -> None:
    """Each file that the program opens to write is looked at while it is written."""
    seen: dict[str, int] = {}

    def hear(event: str, args: tuple[object, ...]) -> None:
        if event != "os.rename" or not is_heard:
            return
        for name in map(str, args[:2]):
            if os.path.exists(name):  # noqa: PTH110 - the name is the audit event's
                seen[name] = stat.S_IMODE(os.stat(name).st_mode)  # noqa: PTH116 - as above

    is_heard = True
    sys.addaudithook(hear)
    day.done("links", "print", "-o", "badges.html")
    is_heard = False
    drafts = [found for name, found in seen.items() if "badges.html" in name]
    assert drafts == [0o600]


def test_a_draft_is_not_written_through_a_link(tmp_path: Path) -> None:
    """A link with the draft's name, put there by another account, is not followed."""
    target = tmp_path / "taken"
    (tmp_path / f".badges.html.{os.getpid()}.part").symlink_to(target)
    write_whole(tmp_path / "badges.html", [b"secret"], is_secret=True)
    assert not target.exists()
    assert mode(tmp_path / "badges.html") == 0o600


@pytest.mark.usefixtures("umask")
def test_the_vault_is_closed_where_an_earlier_one_was_open(day: Desk) -> None:
    (vault,) = day.folder.glob("*-vault")
    assert mode(vault) == 0o600
    vault.chmod(0o644)
    day.done("links", "new", "#1")
    assert mode(vault) == 0o600


def test_a_page_for_everybody_is_not_closed(day: Desk) -> None:
    before = os.umask(0o022)
    try:
        day.done("pairings", "--print", "-o", "pairings.html")
    finally:
        os.umask(before)
    assert mode(day.folder / "pairings.html") == 0o644
