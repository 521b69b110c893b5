"""`links`: printed, given again, revoked; the secret is on paper alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.app import app_of
from cli.serve.ports import server
from cli.serve.ports.server import local_name
from ledger.books import links
from ledger.tournament.table_records import Link
from tests.cli.test_readme import WITH_A_SHELL, commands_of, run
from tests.support.cli_desk import typed_once
from tests.support.hall import LOOPBACK, Phone, hall_open, official, opened, secret_of
from tests.support.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

KEY = bytes(range(32))
HERE = ("--address", "http://10.0.0.7:8600")


@typed_once
def day(desk: Desk) -> Desk:
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    for name in ("Ann <b>", "Ben", "Cleo", "Dana"):
        desk.done("register", name)
    return desk


def given(desk: Desk, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.done("links", *words, *HERE, "--json").json["links"]
    return found


def test_everybody_gets_a_link_and_a_lost_sheet_is_printed_again(day: Desk) -> None:
    first = given(day, "print")
    assert [each["of"] for each in first] == ["p1", "p2", "p3", "p4"]
    assert all(each["address"].startswith("http://10.0.0.7:8600/e/") for each in first)
    assert len({each["code"] for each in first}) == 4
    before = day.log()
    assert given(day, "print") == first
    assert given(day, "print", "ben") == first[1:2]
    assert day.log() == before


def test_no_secret_is_on_record_nor_shown_again(day: Desk) -> None:
    secrets = [each["address"].partition("#")[2] for each in given(day, "print")]
    codes = [each["code"].replace("-", "") for each in given(day, "print")]
    shown = "".join(
        day.done(*words).out
        for words in (("log", "--json"), ("log",), ("links", "--json"), ("audit", "--json"))
    )
    written = (day.folder / "tourney.db").read_bytes()
    for each in (*secrets, *codes):
        assert each not in shown
        assert each.encode() not in written
    assert links.digest_of_link(secrets[0]) in shown


def test_another_link_ends_the_one_before_and_revoked_ones_are_told(day: Desk) -> None:
    (first,) = given(day, "print", "ann")
    (second,) = given(day, "new", "ann")
    assert (second["link"], second["of"]) == (2, "p1")
    assert second["address"] != first["address"]
    day.done("links", "revoke", "ann", "--reason", "badge lost")
    assert day.done("links", "--json").json == []
    ended = day.done("links", "--all", "--json").json
    assert [bool(each["until"]) for each in ended] == [True, True]
    assert "revoked link 2 of Ann <b> (#1): badge lost" in day.done("log").out
    assert "there is no valid link" in day.refused("links", "revoke", "ann").err
    assert day.done("links", "revoke", "link:1").err.startswith("nothing to change")


def test_the_same_id_gives_the_same_links_again(day: Desk) -> None:
    first = given(day, "new", "ann", "--id", "my-own-id")
    before = day.log()
    assert given(day, "new", "ann", "--id", "my-own-id") == first
    assert day.log() == before


def test_the_same_id_answers_alike_where_a_first_link_was_printed(day: Desk) -> None:
    line = ("links", "print", "ann", *HERE, "--json", "--id", "my-own-id")
    first = day.done(*line).out
    assert len(day.done(*line).json["events"]) == 1
    assert day.done(*line).out == first


def test_officials_and_screens_have_links_too(day: Desk) -> None:
    assert [each["of"] for each in given(day, "print", "--officials")] == ["o1"]
    assert [each["of"] for each in given(day, "print", "s3", "o1")] == ["s3", "o1"]
    assert "link of an official: Kim Larsen" in day.done("audit").out
    assert "issued link 2 to screen 3" in day.done("log").out


def test_a_sheet_of_badges_escapes_names_and_holds_all_it_needs(day: Desk) -> None:
    day.done("links", "print", "-o", "badges.html", *HERE)
    page = (day.folder / "badges.html").read_text("utf-8")
    assert page.count("<svg") == 4
    assert "Ann &lt;b&gt;" in page
    assert "<script" not in page
    assert "default-src &#39;none&#39;" in page
    codes = re.findall(r'class="code">([^<]+)<', page)
    assert codes == [each["code"] for each in given(day, "print")]


def test_who_is_forgotten_has_no_link_any_more(day: Desk) -> None:
    given(day, "print", "ann", "ben")
    day.done("forget", "ben")
    assert [each["of"] for each in day.done("links", "--json").json] == ["p1"]
    assert "no link can be issued" in day.refused("links", "new", "#2").err


def test_links_lead_where_the_server_is_shown(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a phone keeps belongs to one name: the one in `.local`, where that is found."""
    monkeypatch.setattr(server, "own_numbers", lambda: ["10.0.0.7"])
    for is_found, host in ((False, "10.0.0.7"), (True, local_name())):
        monkeypatch.setattr(server, "resolves", lambda *_, found=is_found: found)
        (link,) = day.done("links", "print", "#1", "--json").json["links"]
        assert link["address"].startswith(f"http://{host}:8600/e/")


def test_what_is_typed_wrong_is_said(day: Desk) -> None:
    assert "name the holders of the new links" in day.refused("links", "new").err
    assert "--officials" in day.refused("links", "print", "ann", "--officials").err
    assert "--address must be like" in day.refused("links", "print", "--address", "evil", "ann").err
    assert day.type("links", "print", "zoe").code == 3
    assert day.type("links", "revoke", "link:9").code in (2, 3)


def test_links_whose_key_is_lost_are_said_to_be(day: Desk) -> None:
    given(day, "print")
    (day.folder / "tourney.db-vault").rename(day.folder / "gone")
    assert "issue new links with `links new`" in day.type("links", "print", "#1", *HERE).err


def test_a_backup_brings_the_links_along(day: Desk) -> None:
    first = given(day, "print")
    day.done("backup", "night.backup")
    day.done("--store", "other.db", "restore", "night.backup")
    again = day.done("--store", "other.db", "links", "print", *HERE, "--json").json["links"]
    assert again == first


def test_nobody_types_an_id_of_a_link(day: Desk) -> None:
    given(day, "print", "ann")
    assert "belong to link 1" in day.refused("note", "quiet", "--id", "w1-abc").err
    assert "link 2, which was never issued" in day.refused("note", "quiet", "--id", "w2-abc").err
    day.done("note", "quiet", "--id", "w-abc")
    assert "over link" not in day.done("log").out


def test_codes_and_cookies_follow_from_the_key() -> None:
    link = Link(7, "p3", links.digest_of_link("secret"), 9, "abc")
    code = links.code_of(KEY, link)
    assert len(code) == 16
    assert set(code) <= set(links.LETTERS)
    assert len(links.LETTERS) == 32
    typed = f" {links.shown_code(code).lower().replace('-', ' - ')} "
    assert links.typed_code(typed) == code
    browser = "0123456789abcdef"
    cookie = links.cookie_of(KEY, link, browser, "open")
    assert links.cookie_shown(KEY, {7: link}, cookie) == (link, browser, "open")
    assert not links.cookie_shown(KEY, {7: link}, cookie.replace("open", "private"))
    for other in (cookie[:-1] + "0", f"8{cookie[1:]}", "", f"{cookie}\n", "7.x.y", cookie.upper()):
        if other != cookie:
            assert links.cookie_shown(KEY, {7: link}, other) is None, other
    assert links.cookie_shown(bytes(32), {7: link}, cookie) is None
    link.until = 12
    assert links.cookie_shown(KEY, {7: link}, cookie) is None


ABOUT_LINKS = {
    "own link": ("new", "o1"),
    "own link, printed": ("print", "o1"),
    "own link after another": ("new", "o1"),
    "a player's link": ("new", "ann"),
    "every player's link": ("print",),
    "a screen's link": ("new", "s1"),
    "the tournament's link": ("print", "e1"),
    "a revoked link": ("revoke", "ann"),
    "plain HTTP": ("plain-http", "allow", "--reason", "no TLS here"),
}


def _of_official(desk: Desk) -> list[int]:
    """List the links in force of official 1."""
    return [each["link"] for each in desk.done("links", "--json").json if each["of"] == "o1"]


@pytest.mark.parametrize("act", ABOUT_LINKS)
def test_undo_without_a_number_keeps_the_link_in_use(day: Desk, act: str) -> None:
    """On the desk's page, over its interface, and at a terminal."""
    if "after another" in act or not act.startswith("own"):
        given(day, "new", "o1")
    if act == "a revoked link":
        given(day, "new", "ann")
    words = ABOUT_LINKS[act]
    day.done("links", *words, *(HERE if words[0] in {"new", "print"} else ()))
    own = _of_official(day)
    assert len(own) == 1
    with hall_open(official(1)) as browser:
        page = browser.line("undo")
        if "This would be recorded" in page.text:
            assert f"link {own[0]} " not in page.text
        elif act.startswith("own"):
            assert "would sign you out" in page.text
            assert 'href="desk?line=undo%201"' in page.text
            assert "Undo your last act</a>”" not in page.text
        assert browser.act({"type": "Undo"}).status_code in {200, 409}
    assert _of_official(day) == own
    day.type("undo")
    day.type("report", stdin="undo\n")
    assert _of_official(day) == own


def test_undo_with_a_number_takes_the_own_link_back(day: Desk) -> None:
    given(day, "new", "o1")
    assert "undo 1" in day.refused("undo").err
    day.done("undo", "1", "--yes")
    assert _of_official(day) == []


ON_LOOPBACK = ("--address", "http://127.0.0.1:8600")


def test_links_that_no_phone_reaches_are_told(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is of this computer only, or no hall answers there; one line says what to do."""
    monkeypatch.setattr(server, "own_numbers", lambda: ["127.0.0.1"])
    monkeypatch.setattr(server, "resolves", lambda *_: False)
    for words in (
        ("--json",),
        (*ON_LOOPBACK, "--json"),
        ("--address", "http://localhost:1", "--json"),
    ):
        (line,) = _warnings(day, "print", *words)
        assert "an address of this computer only: connect it to the phones' network" in line
    assert _warnings(day, "new", "o1", *ON_LOOPBACK, "--json") == []
    assert _warnings(day, "print", *HERE, "--json") == []
    monkeypatch.setattr(server, "own_numbers", lambda: ["192.0.2.77"])
    monkeypatch.setattr(server, "answers_at", lambda _: False)
    (line,) = _warnings(day, "print", "--json")
    assert line.endswith(
        "no hall answers at http://192.0.2.77:8600 yet: run `serve --lan` here "
        "before a link is opened"
    )
    monkeypatch.setattr(server, "answers_at", lambda _: True)
    assert _warnings(day, "print", "--json") == []


def _warnings(desk: Desk, *words: str) -> list[str]:
    err = desk.done("links", *words).err
    return [line for line in err.splitlines() if "phones cannot" in line or "no hall" in line]


def test_a_hall_that_takes_connections_answers() -> None:
    with server.listening("127.0.0.1", 0) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert server.answers_at(address)
    assert not server.answers_at(address)


CODE = re.compile(r"\b[A-Z2-9]{4}(?:-[A-Z2-9]{4}){3}\b")
ONLY_TERMINAL = "can be used only at a terminal"


@WITH_A_SHELL
def test_the_hall_of_the_readme(desk: Desk, tmp_path: Path) -> None:
    """Each line works, the sheet's code leads to the desk, and the desk's page takes its lines."""
    heading = "On the phones in the room"
    lines = commands_of("README.md", heading).splitlines()
    assert "pip install" in lines[0]
    assert lines[-1].startswith("tourney serve --lan ")
    script = "\n".join(["ln -s ../tourney/sample_logs sample_logs", *lines[1:-1]])
    ran = run(tmp_path, script)
    assert ran.returncode == 0, ran.stderr
    desk.folder = tmp_path / "day"
    desk.patch.chdir(desk.folder)
    assert CODE.search((desk.folder / "badges.html").read_text("utf-8"))
    (code,) = CODE.findall((desk.folder / "desk.html").read_text("utf-8"))
    with Phone(app_of(opened()), "http://127.0.0.1:8600", LOOPBACK) as browser:
        assert browser.enter(code).json()["to"] == "/desk"
    page = (ROOT / "README.md").read_text("utf-8").partition(f"## {heading}")[2]
    sentence = page.partition("Its field")[2].partition(" is typed at a terminal")[0]
    takes, refuses = (re.findall("`([^`]+)`", part) for part in sentence.split(";"))
    with hall_open(official(1)) as asking:
        for line in takes:
            assert ONLY_TERMINAL not in asking.line(line).text, line
        for line in refuses:
            assert ONLY_TERMINAL in asking.line(line).text, line
        assert "This would be recorded" in asking.line("pair").text
    assert min(len(takes), len(refuses)) > 3


def test_a_player_below_the_cut_still_reads_the_own_page(desk: Desk) -> None:
    desk.open(5, "custom", "--rounds", "1", "--cut", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.report_all()
    desk.done("round", "close")
    last = desk.done("standings", "--json").json[-1]["player"]
    (link,) = given(desk, "print", f"#{last}")
    desk.done("cut")
    with Phone(app_of(opened())) as phone:
        assert phone.enter(secret_of(link)).json()["to"] == "/me"
        page = phone.get("/me").text
        assert "You did not make the cut: 5th; the cut is 2." in page
        assert "do/" not in page[page.index("<main") :]
