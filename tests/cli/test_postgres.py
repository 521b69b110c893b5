"""The command line over PostgreSQL, and a server that goes away and comes back."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest

from tests.support.store_fixtures import PASSWORD, Server, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of this module's own, to be stopped at will."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with running_server("fsync=off") as running:
        yield running


def refuse_password(text: str) -> None:
    assert PASSWORD not in text
    assert "sesame" not in text


@pytest.mark.slow
def test_a_day_and_a_server_that_goes_away(desk: Desk, server: Server) -> None:
    desk.patch.setenv("TOURNEY_STORE", server.url)
    desk.open(4, "basic")
    desk.done("pair")
    line = ("report", "1", f"#{desk.seats(1)[0]}")
    before = desk.log()
    server.stop()
    try:
        away = desk.refused(*line)
    finally:
        server.start()
    assert away.code == 4
    refuse_password(away.err)
    repeated = shlex.split(away.err.partition("to repeat the command: ")[2])
    assert repeated[0] == "tourney"
    assert repeated[-3:] == list(line)
    for _ in range(2):
        desk.done(*repeated[1:])
        log = desk.log()
        assert log.startswith(before)
        assert log.count("\n") == before.count("\n") + 1


@pytest.mark.slow
def test_a_password_in_the_line_is_hidden_in_the_repetition(desk: Desk, server: Server) -> None:
    wrong = server.url.replace("open%20sesame", "close%20sesame")
    answer = desk.refused("new", "Night", "--ruleset", "l5r", "--store", wrong)
    assert answer.code == 4
    refuse_password(answer.err)
    assert "desk:***@127.0.0.1" in answer.err


@pytest.mark.slow
def test_a_store_in_hand_keeps_its_password_to_itself(desk: Desk, server: Server) -> None:
    opened = desk.done("new", "Night", "--ruleset", "l5r", "--store", server.url)
    refuse_password(opened.out + opened.err)
    assert "which only you can read" in opened.err
    for verb in ("tournaments", "list", "use", "log"):
        answer = desk.done(verb)
        refuse_password(answer.out + answer.err)
    assert (desk.folder / ".tourney").stat().st_mode & 0o077 == 0
