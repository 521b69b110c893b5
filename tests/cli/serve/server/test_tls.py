"""The second port, over TLS: a certificate that is made once, and what goes over that port."""

from __future__ import annotations

import http.client
import re
import signal
import ssl
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

from cli.serve.ports import certificates
from cli.serve.ports.certificates import OWN_FILE, fingerprint, own_certificate
from tests.support.cli_desk import typed_once
from tests.support.hall import first_round
from tests.support.store_fixtures import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.cli_desk import Desk

HOSTS = ("localhost", "127.0.0.1", "desk.local", "192.168.1.7")
day = typed_once(first_round)


def test_a_certificate_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / OWN_FILE
    first = own_certificate(path, HOSTS)
    assert set(first.names) == set(HOSTS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    shown = fingerprint(first.cert)
    assert len(shown.split(":")) == 32
    assert shown == shown.upper()
    before = path.read_bytes()
    again = own_certificate(path, ["192.168.9.9"])  # another network: the same fingerprint
    assert path.read_bytes() == before
    assert fingerprint(again.cert) == shown


def test_one_that_has_expired_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / OWN_FILE
    with monkeypatch.context() as patch:
        patch.setattr(certificates, "OWN_DAYS", 0)
        path.write_bytes(certificates._made(HOSTS))
    before = fingerprint(str(path))
    assert fingerprint(own_certificate(path, HOSTS).cert) != before
    assert "has expired" in capsys.readouterr().err
    assert timedelta(days=certificates.OWN_DAYS) <= timedelta(days=825)


def test_options_that_contradict_each_other_are_refused(day: Desk) -> None:
    day.done("list")
    for words in (("--cert", "a.pem"), ("--key", "a.key")):
        assert "--tls makes its own certificate" in day.refused("serve", "--tls", *words).err
    assert "must be below 65535" in day.refused("serve", "--tls", "--port", "65535").err


@contextmanager
def two_ports(desk: Desk) -> Iterator[tuple[int, str]]:
    """Serve on two ports; gives the first one, and the fingerprint that is printed."""
    port = free_port()
    words = [sys.executable, "-m", "cli", "serve", "--port", str(port), "--tls"]
    with subprocess.Popen(words, cwd=desk.folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        said = list(
            iter(running.stdout.readline, "Press Ctrl-C to stop; the log stays unchanged.\n")
        )
        try:
            assert f"Officials act at https://127.0.0.1:{port + 1}/\n" in said
            yield port, said[-1].strip()
        finally:
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 0


def read(connection: http.client.HTTPConnection) -> int:
    """Ask until the server answers."""
    for _ in range(100):
        try:
            connection.request("GET", "/api/v1/pairings")
            return connection.getresponse().status
        except OSError:
            connection.close()
            time.sleep(0.1)
    raise AssertionError("no answer")


@pytest.mark.slow
def test_both_ports_answer_and_the_certificate_is_the_printed_one(day: Desk) -> None:
    shown = []
    for _ in range(2):
        with two_ports(day) as (port, printed):
            shown.append(printed)
            context = ssl.create_default_context(
                cafile=str(day.folder / ".tourney-keys" / OWN_FILE)
            )
            plain = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            assert read(plain) == 200
            plain.close()
            secure = http.client.HTTPSConnection("127.0.0.1", port + 1, context=context, timeout=20)
            assert read(secure) == 200
            secure.close()
            given = ssl.get_server_certificate(("127.0.0.1", port + 1), timeout=20)
            (day.folder / "given.pem").write_text(given, "utf-8")
            assert fingerprint(str(day.folder / "given.pem")) == printed
    assert shown[0] == shown[1]


def test_links_of_officials_lead_to_the_second_port_once_there_is_a_certificate(day: Desk) -> None:
    def address(of: str) -> str:
        found = day.done("links", "print", of, "--json").json["links"]
        return str(found[0]["address"].partition("#")[0])

    assert address("o1").startswith("http://")
    own_certificate(day.folder / ".tourney-keys" / OWN_FILE, HOSTS)
    assert address("o1").startswith("https://")
    assert re.search(r":8601/e/[0-9a-f]{8}/in\Z", address("o1"))
    assert address("#1").startswith("http://")
