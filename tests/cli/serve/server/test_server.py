"""The server around the hall: its addresses, its certificate, its keys, and what goes wrong."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `serve` is not installed")

import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.testclient import TestClient

from cli.desk import session
from cli.input.arguments import Options
from cli.machine import keyring
from cli.serve.acts import Doing
from cli.serve.app import app_of
from cli.serve.door.guard import is_own_host
from cli.serve.ports import certificates, numbers, server
from cli.serve.ports.server import announced, local_name, resolves
from cli.verbs.day.report import line_reader
from ledger.errors import Refused, StoreUnavailable
from ledger.store.sqlite import SQLiteStore
from tests.support.cli_desk import typed_once
from tests.support.hall import HERE, first_round, hall_open, official, opened

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli_desk import Desk

WON = {"type": "Report", "match": 1, "result": {"outcome": "win"}}


day = typed_once(first_round)


def made(folder: Path, name: str, *, days: int = 10, phrase: bytes = b"") -> tuple[str, str]:
    """A certificate for a name, and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(name), x509.DNSName("*.hall.example")])
    cert = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(now - timedelta(days=30))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    sealing = serialization.BestAvailableEncryption(phrase) if phrase else None
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        sealing or serialization.NoEncryption(),
    )
    paths = folder / f"{name}{days}{len(phrase)}.pem", folder / f"{name}{days}{len(phrase)}.key"
    paths[0].write_bytes(cert.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(pem)
    return str(paths[0]), str(paths[1])


def test_a_certificate_names_the_address_and_its_host_is_taken(tmp_path: Path) -> None:
    found = certificates.certificate(*made(tmp_path, "hall.example.org"))
    assert found is not None
    assert found.names == ("hall.example.org",)
    first, *_ = server.addresses(numbers.LOOPBACK, 8600, cert=found)
    assert first == "https://hall.example.org:8600/"
    assert is_own_host("Hall.example.org:8600", found.names)
    assert not is_own_host("hall.example.org:8600")
    assert certificates.certificate("", "") is None


def test_without_the_extra_no_address_is_shown(day: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    answer = day.refused("serve", "--port", "0")
    assert (answer.code, answer.out) == (4, "")
    assert answer.err == "tourney: serving needs uvicorn: pip install 'tourney-ledger[serve]'\n"


def test_a_certificate_that_does_not_fit_is_one_line(day: Desk, tmp_path: Path) -> None:
    good, other = made(tmp_path, "a.example"), made(tmp_path, "b.example")
    late, sealed = (
        made(tmp_path, "c.example", days=-1),
        made(tmp_path, "d.example", phrase=b"x" * 9),
    )
    (tmp_path / "text").write_text("nothing", "utf-8")
    pairs = {
        (good[0], other[1]): "the key does not belong to the certificate",
        (good[0], str(tmp_path / "gone")): "cannot be read",
        (str(tmp_path / "text"), good[1]): "not a certificate and its key",
        (good[0], ""): "must be given together",
        late: "browsers reject it today",
        sealed: "the key has a passphrase",
    }
    for (cert, key), words in pairs.items():
        typed = [*(["--cert", cert] if cert else []), *(["--key", key] if key else [])]
        assert words in day.refused("serve", *typed).err, words


def test_the_name_in_local_comes_first_where_it_resolves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "own_numbers", lambda: ["10.0.0.7"])
    monkeypatch.setattr(server, "resolves", lambda name, _: name == "desk.local")
    found = server.addresses(server.EVERYWHERE, 8600, "desk.local")
    assert found == ["http://desk.local:8600/", "http://10.0.0.7:8600/"]
    found = server.addresses(server.EVERYWHERE, 8600, "other.local")
    assert found == ["http://10.0.0.7:8600/", "http://other.local:8600/"]
    assert not resolves("no-such-machine.invalid", ["127.0.0.1"])
    assert local_name().endswith(".local")
    assert is_own_host(local_name())


def test_without_zeroconf_there_is_no_such_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with announced("Night", 8600, ["127.0.0.1"]) as name:
        assert name == ""


def test_an_address_that_changes_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = ["10.0.0.7"]
    monkeypatch.setattr(server, "own_numbers", lambda: ["10.0.0.9"])
    server.look_at_numbers(seen)
    server.look_at_numbers(seen)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "no longer 10.0.0.7: the hall is now at 10.0.0.9" in said
    server.look_at_numbers(["10.0.0.7"], lambda: "http://10.0.0.9:8600/")
    assert f"take the code {numbers.typed_address('http://10.0.0.9:8600/')}" in (
        capsys.readouterr().err
    )


def test_keys_are_opened_at_the_start_and_nobody_is_asked_later(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    del day
    monkeypatch.setattr(keyring, "_nobody_is_asked", False)
    server.open_keys(session.Desk(Options(), []))
    with pytest.raises(Refused, match="no terminal to ask at"):
        keyring.asked("passphrase: ")


def test_an_address_is_who_asks_and_not_what_they_say(
    day: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who guesses at codes would be another at each try."""
    del day
    asked: list[int] = []

    def run(self: uvicorn.Server, sockets: object) -> None:
        del sockets
        asking = TestClient(self.config.loaded_app, base_url=HERE, client=("127.0.0.1", 50_000))
        with asking:
            for each in range(12):
                headers = {"origin": HERE, "x-forwarded-for": f"10.0.0.{each}"}
                answer = asking.post("/in", data={"code": "ABCD-EFGH"}, headers=headers)
                asked.append(answer.status_code)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    with server.listening(numbers.LOOPBACK, 0) as taken:
        desk = session.Desk(Options(), [])
        options = server.HallOptions(streams=server.served_here(desk))
        server.serve(desk, taken, line_reader(), options)
    assert asked == [409] * 12


@pytest.mark.slow
def test_two_servers_on_one_file_lose_nothing(day: Desk) -> None:
    """Each act lands once, whichever server takes it, and each sees the other's."""
    with hall_open(official(1)) as one, hall_open(official(1)) as two:
        for place in range(6):
            asking = (one, two)[place % 2]
            note = {"type": "TakeNote", "text": f"note {place}"}
            assert asking.act(note, f"note-number-{place}").status_code == 200
        assert two.act(WON, "the-same-act").json() == one.act(WON, "the-same-act").json()
        assert one.get("/api/v1/log").text == two.get("/api/v1/log").text
    assert day.log().count('"type":"NoteTaken"') == 6
    assert day.log().count('"id":"the-same-act"') == 1
    day.done("verify")


def test_a_store_that_is_away_and_back_is_words_here_and_there(
    day: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del day

    def full(*_: object, **__: object) -> object:
        raise StoreUnavailable("the disk is full; free some space and repeat")

    monkeypatch.setattr("cli.serve.writing.POLL_SECONDS", 0.02)
    with hall_open(official(1)) as asking:
        capsys.readouterr()
        with monkeypatch.context() as patch:
            for method in ("transact", "lines", "size", "vault_put_all"):
                patch.setattr(SQLiteStore, method, full)
            answer = asking.act(WON, "while-it-is-full")
            assert (answer.status_code, answer.json()["status"]) == (503, 503)
            assert "the disk is full" in answer.json()["detail"]
            page = asking.do("report", match="1", outcome="win")
            assert page.status_code == 503
            assert "the disk is full" in page.text
            assert asking.get("/pairings").status_code == 200
            asyncio.run(asyncio.sleep(0.1))
        asyncio.run(asyncio.sleep(0.1))
        assert asking.act(WON, "while-it-is-full").status_code == 200
    said = capsys.readouterr().err.splitlines()
    away, back = said
    assert away == "the pages are out of date: the disk is full; free some space and repeat"
    assert back == "the store is available again"


@pytest.mark.parametrize("hours", [-1, 30], ids=["back", "ahead"])
def test_a_clock_that_jumps_hinders_nobody_and_is_in_the_audit(
    day: Desk, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Pages and acts go on, with the clock as it is; the audit names one that ran back."""
    with hall_open(official(1)) as asking:
        jumped = datetime.now(UTC) + timedelta(hours=hours)
        text = jumped.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        monkeypatch.setattr("cli.outside.now", lambda: text)
        for path in ("/", "/clock", "/desk", "/judge", "/screen/1", "/parts/clock"):
            assert asking.get(path).status_code == 200, path
        assert asking.act(WON, "after-the-jump").status_code == 200
        line = asking.line("drop #4")
        assert asking.confirm(line).status_code == 200
        assert asking.get("/api/v1/clock").json()["tables"]
        found = asking.get("/api/v1/audit").json()
    assert ("earlier" in str(found) or "ran back" in str(found)) == (hours < 0), found
    day.done("verify")


def test_a_fault_of_ours_shows_nothing_of_itself(
    day: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    del day

    async def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(Doing, "post", broken)
    monkeypatch.delenv("TOURNEY_TRACE")
    with TestClient(app_of(opened()), base_url=HERE) as asking:
        answer = asking.post("/do/report", data={"x": "y"}, headers={"origin": HERE})
    assert answer.status_code == 500
    assert "a fault in tourney itself" in answer.text
    assert "secret" not in answer.text
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.slow
def test_a_browser_that_knows_the_certificate_reads_the_hall(day: Desk, tmp_path: Path) -> None:
    """Over TLS the cookie is Secure, and its name is taken."""
    cert, key = made(tmp_path, "localhost")
    words = [sys.executable, "-m", "cli", "serve", "--port", "0", "--cert", cert, "--key", key]
    with subprocess.Popen(words, cwd=day.folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        line = next(each for each in running.stdout if each.startswith("The tournament is at "))
        assert line.startswith("The tournament is at https://localhost:")
        port = int(line.rstrip("/\n").rpartition(":")[2])
        context = ssl.create_default_context(cafile=cert)
        secure = http.client.HTTPSConnection("localhost", port, context=context, timeout=20)
        for _ in range(50):
            try:
                secure.request("GET", "/api/v1/standings")
                break
            except OSError:
                asyncio.run(asyncio.sleep(0.1))
        assert secure.getresponse().status == 200
        secure.close()
        with socket.create_connection(("127.0.0.1", port)) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert not plain.recv(100).startswith(b"HTTP/1.1 200")
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 0
