"""Links, cookies and drafts on PostgreSQL: two servers, one database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("psycopg", reason="psycopg is not installed")

from starlette.testclient import TestClient

from cli.serve.app import app_of
from tests.support.hall import HERE, LOOPBACK, opened, secret_of, sign_in
from tests.support.store_fixtures import Server, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

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
