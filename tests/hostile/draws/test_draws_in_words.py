"""What `verify` and `audit` say of draws: what they rest on, what was begun once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.cli_desk import typed_once
from tests.support.files.nrtm_files import as_bytes, document, table

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk


@typed_once
def finished(desk: Desk) -> Desk:
    """A day whose pairing, registration and structure were taken back and made again."""
    desk.open(4)
    desk.done("register", "Eve Ames")
    desk.done("unregister", "eve", "--reason", "typed by mistake")
    desk.done("start", "custom", "--rounds", "2", "--word", "heron")
    desk.done("start", "custom", "--rounds", "1", "--reason", "the hall closes early")
    desk.done("pair")
    desk.done("unpair")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    return desk


def test_verify_says_what_the_draws_rest_on(finished: Desk) -> None:
    told = finished.done("verify", "--json").json["draws"]["unchecked"]
    assert "no witness: nothing shows whether words were tried" in told


def test_a_start_where_nobody_signs_is_said(desk: Desk) -> None:
    desk.done("new", "Cup", "--ruleset", "l5r", "--organizer", "Kim")
    for name in ("Ann", "Bob"):
        desk.done("register", name)
    for path in (desk.folder / ".tourney-keys").glob("log-*"):
        path.unlink()
    desk.done("start", "custom", "--rounds", "1")
    desk.done("pair")
    desk.report_all()
    desk.done("finish")
    told = desk.done("verify", "--json").json["draws"]["unchecked"]
    assert "the head at the start is not signed" in told


def test_what_was_begun_again_is_a_finding(finished: Desk) -> None:
    kinds = {each["kind"] for each in finished.done("audit", "--json").json["findings"]}
    assert {"unpaired", "re-paired", "started-again", "unregistered"} <= kinds


def test_an_import_says_that_it_was_drawn_elsewhere(desk: Desk) -> None:
    """Before, a finished import committed to nothing, and a key of nothing opened that."""
    content = document((1, 2), [[table(1, 2, 6, 0)]])
    (desk.folder / "event.json").write_bytes(as_bytes(content))
    desk.done("import", "event.json")
    row = desk.done("verify", "--json").json["draws"]
    assert row["checked"] == 0
    assert "drawn elsewhere" in row["unchecked"]
