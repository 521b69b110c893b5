"""A `Host` or `Origin` that another site could send reaches no page and lands no act."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.door.guard import is_own_host
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, first_round, hall_open, official, player

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

OWN = (
    *("127.0.0.1", "127.0.0.1:8600", "192.168.1.7:80", "10.0.0.1:65535", "0.0.0.0:8600"),
    *("[::1]", "[::1]:8600", "[fe80::1]:8600", "[::ffff:192.168.1.7]:8600", "[2001:DB8::7]"),
    *("localhost", "LOCALHOST:8600", "desk.local", "Desk.Local:8600", "a-b.hall_2.local:1"),
    *("hall.example.org", "hall.example.org:443"),
)
OTHERS = (
    # behind a bracket, a port or a number
    *("[::1]evil.com", "[::1].evil.com", "[::1]:8600.evil.com", "[::1]evil.com:8600", "[::1]x"),
    *("[::1]:", "[::1]::8600", "[::1]:8600:8600", "[::1]@evil.com", "[::1]/", "[::1]#", "[::1] "),
    *("[::1", "::1]", "[[::1]]", "[]", "[evil.com]", "[127.0.0.1]", "[::1%25eth0]", "[::1%eth0]"),
    *("::1", "::1:8600", "fe80::1", "[::1]\t", "[:::1]", "[1:2:3:4:5:6:7:8:9]", "[v1.a:b]"),
    *("127.0.0.1.evil.com", "127.0.0.1:8600.evil.com", "127.0.0.1:evil.com", "127.0.0.1:"),
    *("127.0.0.1:8600:80", "127.0.0.1:-1", "127.0.0.1:+80", "127.0.0.1:0x50", "127.0.0.1:65536"),
    *("127.0.0.1:100000", "127.0.0.1: 80", "127.0.0.1 ", " 127.0.0.1", "127.0.0.1/", "127.0.0.1\\"),
    *("127.0.0.1@evil.com", "user@127.0.0.1", "127.0.0.1,evil.com", "127.0.0.1;evil.com"),
    *("127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0"),
    *(
        "\u0661\u0662\u0667.0.0.1".encode().decode("latin-1"),
        "127.0.0.1:\u0668".encode().decode("latin-1"),
    ),
    # names that could be pointed here
    *("evil.com", "evil.com:8600", "localhost.evil.com", "localhost.", "localhost:evil.com"),
    *("localhost@evil.com", "localhost,evil.com", "xlocalhost", "localhost.localdomain", "local"),
    *(".local", "..local", "evil..local", "desk.local.", "desk.local.evil.com", "desk.localx"),
    *("-.local", "a-.local", "desk.local@evil.com", "evil.com/desk.local", "evil.com#desk.local"),
    *("evil.com?desk.local", "evil.com\\desk.local", "evil.com:80#.local", "evil.com desk.local"),
    *(
        "evil.com\tdesk.local",
        "hall.example.org.evil.com",
        "xhall.example.org",
        "hall.example.org:",
    ),
    *("hall.example.org@evil.com", "hall.example.org:443@evil.com", "", ":", ":8600", "*", "null"),
    *("http://127.0.0.1", "//127.0.0.1", "%31%32%37.0.0.1", f"{'a' * 300}.local", "d\xe9sk.local"),
)
"""Nearly a hundred; each differs from an own host by what stands before, between or behind."""

NAMES = frozenset({"hall.example.org"})
REPORT = {"type": "Report", "match": 1, "result": {"outcome": "win"}}

day = typed_once(first_round)


def test_every_form_of_an_own_host_is_known() -> None:
    """Numbers, localhost, names in `.local`, and the certificate's own names."""
    assert [each for each in OWN if not is_own_host(each, NAMES)] == []


def test_no_other_host_passes() -> None:
    """The whole text is read: no part of it that looks like an own host is enough."""
    assert len(OTHERS) > 60
    assert [each for each in OTHERS if is_own_host(each, NAMES)] == []


def test_a_request_under_another_host_reads_nothing(day: Desk) -> None:
    """Whatever page it asks for, and whoever is signed in."""
    del day
    with hall_open(player(1)) as asking:
        for host in OTHERS:
            for path in ("/", "/me", "/api/v1/pairings"):
                sent = {"host": host.encode("latin-1")}
                answer = asking.get(path, headers=sent)  # type: ignore[arg-type]
                assert answer.status_code == 421, (host, path)
                assert "Ann" not in answer.text


def test_an_act_from_another_origin_never_lands(day: Desk) -> None:
    """Not from a page of another site, not from none, and not under another host that agrees."""
    with hall_open(official(1)) as asking:
        before = len(day.log().splitlines())
        for other in OTHERS:
            for origin in (other, f"http://{other}", f"{HERE}{other}", f"{HERE}/{other}"):
                if origin == HERE:
                    continue
                sent = {"origin": origin.encode("latin-1")}
                value = {"id": "abcdefgh", "command": REPORT}
                answer = asking.post("/api/v1/acts", json=value, headers=sent)  # type: ignore[arg-type]
                assert answer.status_code == 403, origin
            both = {"host": other.encode("latin-1"), "origin": f"http://{other}".encode("latin-1")}
            answer = asking.post("/api/v1/acts", json=value, headers=both)  # type: ignore[arg-type]
            assert answer.status_code == 421, other
        assert len(day.log().splitlines()) == before
        assert asking.act(REPORT).status_code == 200
