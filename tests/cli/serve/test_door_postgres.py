"""The hall on PostgreSQL: links, marks, offices, drafts and the reader, over one database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("psycopg", reason="psycopg is not installed")

from psycopg import OperationalError
from starlette.testclient import TestClient

from cli.serve.app import app_of
from cli.serve.writing import Following
from ledger.store import open_store
from tests.support.hall import HERE, LOOPBACK, Phone, first_round, opened, secret_of, sign_in
from tests.support.store_fixtures import Server, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.serve.writing import Kept
    from ledger.store.base import Listener
    from tests.support.cli_desk import Desk

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres")]
FROM_HERE = {"origin": HERE}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running_server("fsync=off") as running:
        yield running


def test_a_cookie_of_one_server_is_known_to_the_other(desk: Desk, server: Server) -> None:
    desk.patch.setenv("TOURNEY_STORE", server.url)
    desk.open(4, "basic")
    desk.done("official", "add", "Mara", "--role", "judge")
    desk.done("key", "new", "Mara")
    (mara,) = desk.done("links", "print", "o2", "--json").json["links"]
    one = TestClient(app_of(opened()), base_url=HERE, client=LOOPBACK, follow_redirects=False)
    two = TestClient(app_of(opened()), base_url=HERE, client=LOOPBACK)
    with one, two:
        assert sign_in(one, secret_of(mara)).status_code == 200
        two.cookies.update(one.cookies)
        assert two.get("/api/v1/me").json()["official"] == 2
        act = {"id": "a-note-here", "command": {"type": "TakeNote", "text": "late"}}
        assert two.post("/api/v1/acts", json=act, headers=FROM_HERE).status_code == 202
        (landed,) = desk.done("sign", "now", "all", "--json").json
        assert one.post("/api/v1/acts", json=act, headers=FROM_HERE).json() == landed
        desk.done("links", "revoke", "o2")
        assert one.post("/api/v1/acts", json=act | {"id": "another-note"}, headers=FROM_HERE)
        assert '"another-note"' not in desk.log()
    assert desk.done("links", "--json").json == []


def test_phones_prove_their_links_and_mark_their_acts(desk: Desk, server: Server) -> None:
    """Each act of the Wi-Fi lands once with its mark; an ended link reads what a stranger reads."""
    desk.patch.setenv("TOURNEY_STORE", server.url)
    links = first_round(desk).done("links", "print", "--json").json["links"]
    phone = Phone(app_of(opened()))
    with phone:
        own = links[desk.seats(1)[0] - 1]
        assert phone.enter("AAAA-AAAA-AAAA-AAAA").status_code == 409
        assert phone.enter(own["code"]).status_code == 200
        command = {"type": "Report", "match": 1, "result": {"outcome": "win"}}
        act = {"id": "from-a-phone", "command": command}
        before = desk.log()
        unmarked = phone.post("/api/v1/acts", json=act, headers={"origin": phone.where})
        assert unmarked.status_code == 401
        mark = phone.mark("/api/v1/acts", b"other bytes", "from-a-phone")
        altered = phone.marked("/api/v1/acts", act, **{"tourney-mark": mark})
        assert altered.status_code == 401
        assert desk.log() == before
        answers = [phone.marked("/api/v1/acts", act) for _ in range(2)]
        assert [each.status_code for each in answers] == [200, 200]
        assert answers[0].json() == answers[1].json()
        assert desk.log().count('"by":"p') == before.count('"by":"p') + 1
        # the reader has a connection of its own, and every act that was answered
        explained = phone.get(f"/api/v1/explain/{own['of'][1:]}/points").json()
        assert explained["value"] != "0"
        assert phone.get("/me").status_code == 200
        desk.done("links", "revoke", str(own["link"]))
        assert phone.get("/me").status_code == 401
        late = phone.marked("/api/v1/acts", act | {"id": "after-the-end"})
        assert late.status_code == 401
        assert '"after-the-end"' not in desk.log()


def test_an_office_that_ends_takes_its_link_along(desk: Desk, server: Server) -> None:
    desk.patch.setenv("TOURNEY_STORE", server.url)
    first_round(desk).done("official", "add", "Mara", "--role", "scorekeeper")
    links = desk.done("links", "print", "--officials", "--json").json["links"]
    client = TestClient(app_of(opened()), base_url=HERE, client=LOOPBACK, follow_redirects=False)
    with client:
        assert sign_in(client, secret_of(links[1])).status_code == 200
        assert client.get("/api/v1/disputes").status_code == 200
        refused = desk.refused("links", "revoke", "o1", "--as", "Mara")
        assert refused.code == 1
        desk.done("official", "stand-down", "Mara")
        assert client.get("/api/v1/disputes").status_code == 401


def test_a_hall_that_closes_while_it_begins_to_listen_leaves_no_connection(
    desk: Desk, server: Server
) -> None:
    """A listener that comes too late is closed in the thread that opened it."""
    desk.patch.setenv("TOURNEY_STORE", server.url)
    desk.done("new", "Night", "--ruleset", "l5r")
    made: list[Listener] = []

    async def close_meanwhile() -> None:
        store = open_store(server.url)
        following: Following

        async def listen(kept: Kept) -> Listener | None:
            listener = store.listen()
            assert listener is not None
            made.append(listener)
            following.close()
            return await asyncio.to_thread(kept, listener)

        following = Following(listen)
        await following.wait()
        store.close()

    asyncio.run(close_meanwhile())
    with pytest.raises(OperationalError, match="closed"):
        made[0].fileno()
