"""Several tournaments at one address, the owner of this computer, and files in and out of pages."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from time import sleep
from typing import TYPE_CHECKING
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient

from cli.desk.session import Desk as OwnDesk
from cli.input.arguments import Options
from cli.serve.door.owner import COOKIE, Owner
from cli.serve.entry import Addresses
from cli.serve.looking import FILE_MAX, Looking
from cli.serve.ports.server import HallOptions, served_here, store_of
from cli.verbs.day.report import line_reader
from cli.verbs.on_pages import out_of_reach, place_of
from ledger import rulesets
from ledger.errors import Refused
from tests.support.cli_desk import without_isolates
from tests.support.hall import A_PHONE, HERE, LOOPBACK, WIFI, Phone, forms_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from httpx2 import Response

    from cli.serve.entry import Served
    from tests.support.cli_desk import Desk


class House:
    """The entry of a folder, its owner's browser and a stranger's."""

    def __init__(self, desk: Desk) -> None:
        own = OwnDesk(Options(), ())
        self.desk, self.owner = desk, Owner()
        reader = line_reader()
        streams = served_here(own)
        self.store = store_of(own, reader, HallOptions(streams=streams), self.owner, ())
        self.app = Addresses(streams, self.store, self.owner, Looking(), ())
        self.here = TestClient(self.app, base_url=HERE, client=LOOPBACK, follow_redirects=False)
        self.stranger = TestClient(self.app, base_url=WIFI, client=A_PHONE, follow_redirects=False)

    def enter(self) -> Response:
        """Sign the owner in."""
        return self.post("/owner", token=self.owner.new_token())

    def post(self, path: str, **fields: str) -> Response:
        """Post a form from the owner's browser."""
        return self.here.post(path, data=fields, headers={"origin": HERE})

    def send(self, job: str, content: bytes) -> Response:
        """Send a file from the owner's browser."""
        kind = {"content-type": "application/octet-stream", "origin": HERE}
        return self.here.post(f"/events/files?job={job}", content=content, headers=kind)

    def choose(self, job: str, content: bytes) -> Response:
        """Send a file as a form does where no script runs."""
        file = {"file": ("sent.jsonl", content, "application/octet-stream")}
        address = f"/events/files?job={job}"
        return self.here.post(address, files=file, headers={"origin": HERE})

    def new(self, name: str, ruleset: str = "l5r") -> str:
        """Make a tournament on the page; return the letters of its address."""
        answer = self.post("/events/new", name=name, ruleset=ruleset, organizer="Kim Larsen")
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).split("/")[2]


@pytest.fixture
def house(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """An empty folder that is served."""
    monkeypatch.chdir(desk.folder)
    house = House(desk)
    with house.here:
        yield house


def test_the_owner_signs_in_once_at_this_computer_alone(house: House) -> None:
    token = house.owner.new_token()
    wifi = {"origin": WIFI}
    assert house.stranger.post("/owner", data={"token": token}, headers=wifi).status_code == 401
    for headers in ({"x-forwarded-for": "127.0.0.1"}, {"via": "a proxy"}):
        answer = house.here.post(
            "/owner", data={"token": token}, headers={"origin": HERE, **headers}
        )
        assert answer.status_code == 401, headers
    assert house.post("/owner", token=token[:-1]).status_code == 401
    assert house.post("/owner", token=token).status_code == 303
    again = house.post("/owner", token=token)
    assert again.status_code == 401, "a token works once"
    for text in ("nothing is lost", "phones come back by themselves", "prints the new address"):
        assert text in again.text
    cookie = house.here.cookies[COOKIE]
    house.stranger.cookies.set(COOKIE, cookie)
    assert "New tournament" not in house.stranger.get("/events").text, "not from another computer"
    assert "New tournament" in house.here.get("/events").text


def test_a_token_ends_after_its_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    token = house.owner.new_token(60)
    monkeypatch.setattr("cli.serve.door.owner.monotonic", lambda: 10.0**9)
    assert house.post("/owner", token=token).status_code == 401


OWNERS_PATHS = {
    "GET": (
        *("/events/new", "/events/look", "/events/export", "/events/backup", "/events/verify"),
        *("/events/publish", "/events/persons"),
    ),
    "POST": (
        *("/events/new", "/events/open", "/events/close", "/events/files", "/events/persons"),
    ),
}


def test_what_is_the_owners_is_nobody_elses(house: House) -> None:
    """Every path of the entry but the list and the sign-in asks for the owner."""
    house.enter()
    log = house.new("Berlin")
    house.here.cookies.clear()
    paths = {(method, path) for method, paths in OWNERS_PATHS.items() for path in paths}
    routes = {
        (method, route.path)
        for route in house.app.routes
        for method in route.methods or ()
        if method != "HEAD" and route.path.startswith("/events/")
    }
    assert routes == paths
    for client, origin in ((house.here, HERE), (house.stranger, WIFI)):
        for path in OWNERS_PATHS["GET"]:
            assert client.get(f"{path}?tournament={log}&file=x").status_code == 401, path
        for path in OWNERS_PATHS["POST"]:
            kind = "octet-stream" if path.endswith("files") else "x-www-form-urlencoded"
            headers = {"origin": origin, "content-type": f"application/{kind}"}
            answer = client.post(path, content=b"tournament=x", headers=headers)
            assert answer.status_code == 401, path
    assert house.stranger.get(f"/e/{log}/desk").status_code == 401
    assert house.here.get(f"/e/{log}/desk").status_code == 401


def test_a_tournament_is_made_and_run_on_pages_alone(house: House) -> None:
    house.enter()
    log = house.new("Kotei <b>Berlin")
    page = house.here.get(f"/e/{log}/desk")
    assert page.status_code == 200
    assert "Kotei &lt;b&gt;Berlin" in page.text
    assert f'<base href="/e/{log}/">' in page.text
    answer = house.post(
        f"/e/{log}/line", line='register "Ann Lee"', id="abcdefgh-1", seen="3", at="/desk"
    )
    assert answer.status_code == 200, "an act is asked about before it lands"
    assert "Ann Lee" in answer.text
    said = re.search(r'name="id" value="([^"]+)"', answer.text)
    assert said
    refused = house.post("/events/new", name="", organizer="Kim", ruleset="l5r")
    assert refused.status_code == 400
    assert "fill in the name" in refused.text
    refused = house.post("/events/new", name="X", organizer="Kim", ruleset="/etc/passwd")
    assert refused.status_code == 409
    assert "root:" not in refused.text


def test_two_tournaments_are_never_mixed_up(house: House) -> None:
    """An act goes to its page's tournament; the root is the first one's while that is open."""
    house.enter()
    first, second = house.new("Berlin"), house.new("Ashes Day", "ashes")
    both = house.here.get("/").text
    assert f"e/{first}/pairings" in both
    assert f"e/{second}/pairings" in both
    assert f'data-log="{first}"' in house.here.get("/me").text
    assert f'data-log="{second}"' in house.here.get(f"/e/{second}/me").text
    desk = house.desk
    for log in (first, second):
        desk.done("-t", log, "register", "Ann Lee")
    links = {
        log: desk.done("-t", log, "links", "new", "ann", "--json").json for log in (first, second)
    }
    phone = Phone(house.app)
    secret = str(links[second]["links"][0]["address"]).partition("#")[2]
    assert f"/e/{second}/in#" in links[second]["links"][0]["address"]
    assert f"e/{first}/in" in phone.get("/in").text, "where to sign in is asked"
    phone.base_url = f"{WIFI}/e/{second}"
    assert phone.enter(secret).status_code == 200
    own = phone.get("/me")
    assert "Ann" in own.text
    # The same browser is nobody in the other one, whatever it posts there.
    before = desk.done("-t", first, "log").out
    command = {"type": "CallJudge", "player": 1}
    for place in (WIFI, f"{WIFI}/e/{first}"):
        phone.base_url = place
        answer = phone.post(
            "/api/v1/acts",
            json={"id": "abcdefgh", "command": command},
            headers={"origin": WIFI},
        )
        assert answer.status_code == 401, answer.text
    assert desk.done("-t", first, "log").out == before
    house.post("/events/close", tournament=first)
    assert house.stranger.get(f"/e/{first}/me").status_code == 404
    for path in ("me", "static/hall.svg", "api/v1/stream"):
        closed = house.stranger.get(f"/e/{first}/{path}")
        assert "not open here" in closed.text
        assert closed.headers["tourney-event"] == "closed", "an open page waits for it"
    for path in (f"/e/{second}/nothing", "/nothing"):
        assert "tourney-event" not in house.stranger.get(path).headers, path
    assert f'data-log="{second}"' in house.stranger.get("/me").text, "now the only one"
    assert served_here(OwnDesk(Options(), ())) == served_here(OwnDesk(Options(), ()))


def test_a_code_of_another_tournament_here_leads_there(house: House) -> None:
    """By its proof and as it is typed; a wrong code, a short one and one that ended do not."""
    house.enter()
    first, second = house.new("Berlin"), house.new("Bonn <b>")
    house.desk.done("-t", second, "register", "Ann Lee")
    link = house.desk.done("-t", second, "links", "new", "ann", "--json").json["links"][0]
    secret, code = str(link["address"]).partition("#")[2], str(link["code"])
    phone = Phone(house.app)
    phone.base_url = f"{WIFI}/e/{first}"
    for tried in (secret, code):
        answer = phone.enter(tried)
        assert answer.status_code == 409
        detail = without_isolates(answer.json()["detail"])
        said = f"this code belongs to another tournament here, Bonn <b>: sign in at /e/{second}/in"
        assert detail == said
        assert answer.json()["problems"][0]["about"]["place"] == f"/e/{second}/in"
    typed = house.post(f"/e/{first}/in", code=code)
    assert f'<a href="/e/{second}/in">Sign in there</a>' in typed.text
    assert "Bonn &lt;b&gt;" in typed.text
    for wrong in (f"{code[:-1]}{'A' if code[-1] != 'A' else 'B'}", "ABCDEFGH"):
        assert (
            "belongs to another" not in house.post(f"/e/{first}/in", code=wrong, owner="Ann").text
        )
    house.desk.done("-t", second, "links", "revoke", "ann")
    assert phone.enter(secret).json()["problems"][0]["code"] == "link.not_one"
    assert "belongs to another" not in house.post(f"/e/{first}/in", code=code).text


def test_a_tournament_in_use_is_closed_after_a_question(house: House, desk: Desk) -> None:
    """It says what that means for phones; a finished one that nobody looks at closes at once."""
    house.enter()
    log = house.new("Berlin")

    def closing() -> str:
        page = house.here.get("/events").text
        return page.partition("Desk</a>")[2].partition("</section>")[0].partition("</ul>")[2]

    asked = closing()
    assert "<summary>Close it</summary>" in asked
    assert "Phones and screens will show that this tournament was closed" in asked
    assert ">Do it</button>" in asked
    for name in ("Ann", "Ben"):
        desk.done("-t", log, "register", name)
    desk.done("-t", log, "start", "custom", "--rounds", "1")
    for line in (("pair",), ("round", "start"), ("report", "1", "Ann"), ("finish",)):
        desk.done("-t", log, *line)
    for _ in range(100):  # the hall follows what another program writes
        if "<summary>" not in (at_once := closing()):
            break
        sleep(0.1)
    assert "<summary>" not in at_once
    assert ">Close it</button>" in at_once
    hall = next(iter(house.app._open.values())).hall
    with hall.listening():
        assert "<summary>Close it</summary>" in closing()
    assert house.post("/events/close", tournament=hall.event).status_code == 303


def test_the_owner_gets_from_a_desk_to_all_tournaments(house: House) -> None:
    house.enter()
    log = house.new("Berlin")
    assert '<a href="/events">Tournaments</a>' in house.here.get(f"/e/{log}/desk").text
    assert '"/events"' not in house.here.get(f"/e/{log}/pairings").text


def test_the_head_of_a_tournament_beside_it_is_nothing_to_notice(house: House) -> None:
    house.enter()
    logs = [house.new(name) for name in ("Berlin", "Prague")]
    note = house.here.get(f"/e/{logs[0]}/api/v1/head").json()["note"]
    answer = house.here.post(
        f"/e/{logs[1]}/api/v1/kept", json={"kept": note, "renewed": []}, headers={"origin": HERE}
    )
    assert answer.json() == {"kept": False}
    assert "another tournament" not in house.here.get(f"/e/{logs[1]}/desk").text


def test_a_restart_serves_the_same_tournaments_in_the_same_order(house: House) -> None:
    house.enter()
    made = [house.new(name) for name in ("One", "Two", "Three")]
    house.post("/events/close", tournament=made[1])
    assert [each[:8] for each in served_here(OwnDesk(Options(), ()))] == [made[0], made[2]]


def test_no_more_tournaments_are_open_at_once_than_may_be(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.serve.entry.OPEN_MAX", 2)
    house.enter()
    house.new("One")
    house.new("Two")
    answer = house.post("/events/new", name="Three", ruleset="l5r", organizer="Kim Larsen")
    assert answer.status_code == 409
    assert "2 tournaments are open" in answer.text
    assert len(house.app.open_logs) == 2


def test_redirects_stay_within_their_tournament(house: House) -> None:
    house.enter()
    house.new("One")
    log = house.new("Two")
    answer = house.here.get(f"/e/{log}/screen")
    assert answer.headers["location"] == f"/e/{log}/screen/1"
    answer = house.post(f"/e/{log}/out", here="1")
    assert answer.headers["location"] == f"/e/{log}/in"


def test_no_page_of_a_tournament_has_a_link_that_leaves_its_place(house: House) -> None:
    house.enter()
    log = house.new("Berlin")
    for path in ("pairings", "standings", "clock", "in", "desk", "judge", "screen/1", "head", "me"):
        page = house.here.get(f"/e/{log}/{path}").text
        assert f'<base href="/e/{log}/">' in page, path
        links = re.findall(r' (?:href|src|action|formaction)="([^"]*)"', page)
        assert links
        away = [link for link in links if link.startswith("/") and link != f"/e/{log}/"]
        assert set(away) <= {"/events"}, path
    for name in (
        "outbox",
        "acts",
        "forms",
        "tabs",
        "rows",
        "proofs",
        "marks",
        "player",
        "hall",
        "staff",
        "screen",
        "witness",
        "following",
    ):
        script = house.here.get(f"/static/{name}.js").text
        assert not re.search(r'(?:fetch|assign|replace|EventSource)\(["`]/', script), name


def test_files_go_out_and_come_in_without_a_path_of_this_computer(house: House) -> None:
    house.enter()
    log = house.new("Berlin Ö")
    house.desk.done("-t", log, "register", "Ann Lee")
    exported = house.here.get(f"/events/export?tournament={log}")
    assert exported.headers["content-disposition"].startswith("attachment; filename*=UTF-8''Berlin")
    with ZipFile(io.BytesIO(exported.content)) as archive:
        names = archive.namelist()
        text = archive.read("log.jsonl")
    assert "log.jsonl" in names
    answer = house.send("look", text)
    assert answer.status_code == 200, answer.text
    shown = house.here.get(f"/{answer.json()['to']}")
    assert shown.status_code == 200
    assert "Berlin Ö" in shown.text
    assert "authority:" in shown.text
    assert "tourney-look-" not in shown.text
    other = house.send(
        f"diff {answer.json()['to'].partition('=')[2]}", text.replace(b"Berlin", b"Bonn")
    )
    assert other.status_code == 200, other.text
    compared = house.here.get(f"/{other.json()['to']}").text
    assert "Bonn" in compared
    damaged = house.send("look", text.replace(b'"seq":2', b'"seq":3'))
    page = house.here.get(f"/{damaged.json()['to']}").text
    assert 'role="alert"' in page
    assert "log.jsonl: line 2" in page
    assert "tourney-look-" not in page
    refused = house.send("look", b"not a log at all\n")
    refused = house.send("restore", b"not a backup\n")
    assert refused.status_code == 409
    assert "tourney-look-" not in refused.text
    assert house.send("look", b"").status_code == 400
    assert house.send("look", b"x" * (FILE_MAX + 1)).status_code == 400
    assert house.send("anything", b"x").status_code == 400
    assert "postings:" in house.here.get(f"/events/verify?tournament={log}").text


def test_the_public_pages_go_out_as_the_verb_writes_them(house: House) -> None:
    """The folder's own files, each by its place in it; nothing of the temporary folder beside."""
    house.enter()
    log = house.new("Berlin")
    house.desk.done("-t", log, "register", "Ann Lee")
    answer = house.here.get(f"/events/publish?tournament={log}")
    assert answer.headers["content-disposition"].endswith("Berlin-publish.zip")
    house.desk.done("-t", log, "publish", "written")
    written = house.desk.folder / "written"
    expected = {path.relative_to(written) for path in written.rglob("*") if path.is_file()}
    with ZipFile(io.BytesIO(answer.content)) as archive:
        archive.extractall(house.desk.folder / "unpacked")
    unpacked = house.desk.folder / "unpacked"
    found = {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}
    assert found == {"public" / path for path in expected}
    assert any(len(path.parts) > 1 for path in expected), "tiles are in folders of their own"
    for name in ("log.jsonl", "index.html"):
        assert (unpacked / "public" / name).read_bytes() == (written / name).read_bytes()
    assert f"events/publish?tournament={log}" in house.here.get("/events").text


@pytest.mark.parametrize(
    "verb", ["backup", "export", "new", "publish", "replay", "restore", "tournaments", "verify"]
)
def test_a_verb_of_the_owners_pages_is_named_with_its_page(verb: str) -> None:
    """A line of the desk that names such a verb is answered by the page that does the same."""
    assert "/events" in place_of([verb])
    assert place_of([verb]) in out_of_reach([verb])


def test_a_backup_is_restored_in_an_empty_folder(house: House, tmp_path: Path) -> None:
    house.enter()
    log = house.new("Berlin")
    backup = house.here.get(f"/events/backup?tournament={log}").content
    house.desk.folder.joinpath("tourney.db").rename(tmp_path / "elsewhere.db")
    house.desk.folder.joinpath("tourney.db-vault").rename(tmp_path / "elsewhere.db-vault")
    house.post("/events/close", tournament=log)
    answer = house.send("restore", backup)
    assert answer.status_code == 200, answer.text
    (said,) = said_on(house.here.get(answer.json()["to"]))
    assert re.fullmatch(r"Berlin is restored, \d+ events added: open it in the list\.", said)
    assert "Berlin" in house.here.get("/events").text


def test_a_tournament_that_cannot_be_served_keeps_no_other_away(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(desk.folder)
    desk.open(4, "custom", "--rounds", "2")
    own, owner = OwnDesk(Options(), ()), Owner()
    (stream,) = served_here(own)
    store = store_of(own, line_reader(), HallOptions(), owner, ())
    app = Addresses(["0" * 32, stream], store, owner, Looking(), ())
    with TestClient(app, base_url=HERE, client=LOOPBACK) as browser:
        assert browser.get("/in").status_code == 200
        assert app.open_logs == [stream[:8]]
    assert "00000000 is not served: " in capsys.readouterr().err


def test_the_tournament_in_hand_is_served_by_the_desk_of_the_terminal(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its log is folded once, and the keys that were opened at the start sign."""
    monkeypatch.chdir(desk.folder)
    desk.open(4, "custom", "--rounds", "2")
    own = OwnDesk(Options(), ())
    streams, options = served_here(own), HallOptions(streams=served_here(own))
    store = store_of(own, line_reader(), options, Owner(), ())
    first, again = (store.served(streams[0]).hall for _ in range(2))
    assert first._desk is own
    assert again._desk is not own
    first._worker.close()
    again._worker.close()


def test_two_requests_open_a_tournament_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.enter()
    log = house.new("Berlin")
    stream = house.store.listed()[0].stream
    house.post("/events/close", tournament=log)
    made: list[str] = []

    def served(of: str) -> Served:
        made.append(of)
        return house.store.served(of)

    monkeypatch.setattr(house.app, "_store", house.store._replace(served=served))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: house.post("/events/open", tournament=stream), range(4)))
    assert [answer.status_code for answer in answers] == [303] * 4
    assert made == [stream]


# --- what the page of tournaments answers


def said_on(page: Response) -> list[str]:
    """The lines of the alert or of the answer at the top of a page."""
    text = without_isolates(unescape(page.text))
    _, found, rest = text.partition('<main id="part" data-position="0"><div')
    return re.findall(r"<p[^>]*>(.*?)</p>", rest.partition("</div>")[0]) if found else []


def test_a_backup_of_what_is_here_says_so_with_and_without_script(house: House) -> None:
    house.enter()
    log = house.new("Berlin <b>")
    backup = house.here.get(f"/events/backup?tournament={log}").content
    expected = (
        "Berlin &lt;b&gt; is already here with all that this backup has: nothing was changed. "
        "Open it in the list."
    )
    by_script, by_form = house.send("restore", backup), house.choose("restore", backup)
    assert (by_script.status_code, by_form.status_code) == (200, 303)
    for to in (by_script.json()["to"], by_form.headers["location"]):
        page = house.here.get(to)
        assert unescape(expected) in said_on(page)[0]
        assert expected in without_isolates(page.text)
        assert 'role="status"' in page.text
    assert said_on(house.here.get("/events")) == []
    house.here.cookies.clear()
    assert said_on(house.here.get(by_script.json()["to"])) == [], "it is the owner's to read"


GETS = ("export", "backup", "publish", "verify")


def test_a_refused_form_or_link_of_the_list_shows_the_list_with_the_reason(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.enter()
    log = house.new("Berlin")
    stream = house.store.listed()[0].stream
    house.new("Prague")

    def shows(answer: Response, status: int, reason: str) -> None:
        assert answer.status_code == status, reason
        assert said_on(answer) == [reason]
        assert "New tournament" in answer.text
        assert "Prague" in answer.text

    house.post("/events/close", tournament=stream)
    text = "this tournament is not open here: nothing was closed"
    shows(house.post("/events/close", tournament=stream), 404, text)
    for name in GETS:
        text = "this tournament is not open here: open it first"
        shows(house.here.get(f"/events/{name}?tournament={log}"), 404, text)
    text = "this store has no such tournament: load the list of tournaments again"
    shows(house.post("/events/open", tournament="x"), 404, text)
    monkeypatch.setattr("cli.serve.entry.OPEN_MAX", 1)
    text = "1 tournaments are open: close one that has ended"
    shows(house.post("/events/open", tournament=stream), 409, text)
    monkeypatch.setattr("cli.serve.entry.OPEN_MAX", 2)
    house.post("/events/open", tournament=stream)

    def refuses(words: Sequence[str], _: str = "") -> str:
        raise Refused(f"no {words[-1]}")

    monkeypatch.setattr("cli.serve.entry.run_verb", refuses)
    for name in GETS:
        answer = house.here.get(f"/events/{name}?tournament={log}")
        assert answer.status_code == 409
        assert said_on(answer)[0].startswith("no ")
    asked = {"name": "Third", "ruleset": "ashes", "organizer": "Kim", "date": "2026-11-28"}
    answer = house.post("/events/new", **asked, tier="formal", names="number")
    assert (answer.status_code, said_on(answer)) == (409, ["no Third"])
    (form,) = (form for form in forms_in(answer.text) if form.action == "events/new")
    assert {name: form.fields[name].value for name in asked} == asked
    assert (form.fields["tier"].value, form.fields["names"].value) == ("formal", "number")


@pytest.mark.parametrize(
    ("job", "content", "status", "reason"),
    [
        ("restore", b"not a backup\n", 409, "this file is not a tourney backup"),
        ("restore", b"", 400, "this file is empty: choose another one"),
        ("look", b"", 400, "this file is empty: choose another one"),
        ("diff 0123456789abcdef", b"", 400, "this file is empty: choose another one"),
        ("anything", b"x", 400, "this file is for nothing that the page does"),
    ],
)
def test_a_refused_file_is_explained_with_and_without_script(
    house: House, job: str, content: bytes, status: int, reason: str
) -> None:
    house.enter()
    by_script, by_form = house.send(job, content), house.choose(job, content)
    assert by_script.status_code == by_form.status_code == status
    assert reason in by_script.json()["detail"]
    assert reason in said_on(by_form)[0]
    assert any(form.action.startswith("events/files") for form in forms_in(by_form.text))
    assert "tourney-look-" not in by_form.text


def test_who_is_no_owner_any_more_is_told_so_by_the_script_as_well(house: House) -> None:
    assert house.send("restore", b"x").status_code == 401
    assert "only for the person at the computer" in house.send("restore", b"x").json()["detail"]
    assert "only for the person at the computer" in said_on(house.choose("restore", b"x"))[0]


def test_the_form_of_a_new_tournament_shows_what_the_start_will_offer(house: House) -> None:
    """For each game, each number of players of its table; and the preview of the start agrees."""
    house.enter()
    page = house.here.get("/events/new").text
    sections = re.findall(r'<details class="structures" data-game="(\w+)">(.*?)</details>', page)
    assert [key for key, _ in sections] == list(rulesets.names())
    for key, text in sections:
        structures = rulesets.load(key).ruleset.structures
        rows = re.findall(r"<th scope=.row.>(.*?)</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>", text)
        bands = [band for table in structures.tables.values() for band in table.bands]
        assert len(rows) == len(bands), key
        assert text.count("<table>") == len(structures.tables)
        assert ("Custom: you give" in text) == structures.custom
        for (players, rounds, cut), band in zip(rows, bands, strict=True):
            assert players.split()[0] == str(band.players_min)
            words = rounds if rounds != "1" else "one"
            assert str(band.in_words).startswith(f"{words} round") or words == "one"
            shown = "no cut" if cut == "none" else f"a cut to {cut}"
            assert str(band.in_words).endswith(shown)
    l5r = dict(sections)["l5r"]
    assert "Basic structure" in l5r
    assert "L5R-BASIC" in l5r
