"""The PostgreSQL store: durable or refused, and one clear line for each way a server can fail."""

from __future__ import annotations

import builtins
import socket
import socketserver
import sys
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from ledger.errors import StoreUnavailable
from ledger.store import open_store
from tests.support.store_fixtures import PASSWORD, running_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.store import Store
    from ledger.store.postgres import PostgresStore
    from tests.support.store_fixtures import Server

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")

A = "a" * 32

pytestmark = pytest.mark.slow


def noted(line: bytes) -> Callable[[Sequence[bytes]], list[tuple[str, bytes]]]:
    """Decide to append a line."""
    return lambda _: [("Noted", line)]


@pytest.fixture
def location(new_postgres: Callable[[], str]) -> str:
    """The location of a store that is not made yet."""
    return new_postgres()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server that a test may kill."""
    with running_server("fsync=off") as started:
        yield started


def refusal(location: str) -> str:
    """The one line that opening a store comes to."""
    with pytest.raises(StoreUnavailable) as caught:
        open_store(location)
    return one_line(caught.value)


def one_line(error: StoreUnavailable) -> str:
    """The error's text, which never spreads over lines nor tells the password."""
    said = str(error)
    assert "\n" not in said
    for secret in (PASSWORD, "open%20sesame", "hunter2"):
        assert secret not in said
    assert error.__suppress_context__ or error.__context__ is None
    return said


def session(store: Store, setting: str) -> str:
    """A setting of the store's own connection; `process` is the server's process behind it."""
    opened: PostgresStore = store  # type: ignore[assignment] # only its kind is tested here
    with opened._datastore.get_connection() as connection:
        if setting == "process":
            return str(connection.info.backend_pid)
        row = connection.execute("SELECT current_setting(%s) AS value", [setting]).fetchone()
    assert row is not None
    return str(row["value"])


def test_every_connection_keeps_what_it_acknowledges(location: str) -> None:
    weaker = (
        f"{location}%20-csynchronous_commit%3Doff%20-cdefault_transaction_isolation%3Dserializable"
    )
    with open_store(weaker) as store:
        assert session(store, "synchronous_commit") == "on"
        assert session(store, "default_transaction_isolation") == "read committed"
        assert session(store, "idle_in_transaction_session_timeout") == "25s"
        assert session(store, "lock_timeout") == "30s"
    with open_store(f"{location}%20-csynchronous_commit%3Dremote_apply") as store:
        assert session(store, "synchronous_commit") == "remote_apply"


def test_a_connection_that_would_keep_less_is_refused(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger.store import postgres_connections  # noqa: PLC0415 - psycopg may be absent

    weaker = postgres_connections._SESSION.replace("ELSE 'on'", "ELSE 'local'")
    monkeypatch.setattr(postgres_connections, "_SESSION", weaker)
    assert "does not allow synchronous_commit = on" in refusal(location)


def test_a_schema_that_is_not_there_is_not_made(location: str) -> None:
    assert "has no schema to use" in refusal(f"{location}_missing")


def test_the_tables_stand_in_the_schema_of_the_url(location: str, new_postgres: Any) -> None:  # noqa: ANN401 - as the fixture
    with open_store(location) as one, open_store(new_postgres()) as two:
        one.transact(A, 0, noted(b"one"))
        two.transact(A, 0, noted(b"two"))
        assert (one.lines(A), two.lines(A)) == ([b"one"], [b"two"])


@pytest.mark.slow
def test_a_server_that_is_away_is_named_without_the_password(server: Server) -> None:
    url = server.url.replace(f":{server.port}", ":1")
    said = refusal(url)
    assert said.startswith(
        "postgresql://desk@127.0.0.1:1/postgres does not answer: check that the server"
    )
    assert "refused" in said


@pytest.mark.slow
def test_a_wrong_password_is_named_but_not_told(server: Server) -> None:
    said = refusal(server.url.replace("open%20sesame%2F1", "hunter2"))
    assert "refuses the password; check user and password" in said


def test_a_wrong_user_or_database_is_named(server: Server) -> None:
    assert "refuses the password" in refusal(server.url.replace("desk", "stranger"))
    said = refusal(server.url.replace("/postgres", "/no_such"))
    assert "/no_such does not exist; create it with createdb" in said


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://desk:hunter2@[::1/x",
        "postgresql://desk:hun%ter2@localhost/x",
        "postgresql://localhost/x?password",
        "postgresql://localhost/x?passwort=hunter2",
        "postgresql://desk:hunter2@localhost:port/x",
    ],
)
def test_a_url_that_can_not_be_read_is_not_repeated(url: str) -> None:
    assert "postgresql://" in refusal(url)


def test_another_kind_of_database_is_refused_by_name() -> None:
    assert refusal("mysql://desk:hunter2@localhost/x").endswith("not mysql://")


def test_a_password_in_a_drivers_text_is_masked() -> None:
    from ledger.store.postgres_connections import PostgresAnswer  # noqa: PLC0415 - psycopg may be absent

    error = psycopg.OperationalError(f"bad {PASSWORD} or open%20sesame%2F1,\n\tsays libpq")
    with pytest.raises(StoreUnavailable) as caught, PostgresAnswer("the store", PASSWORD):
        raise error
    assert one_line(caught.value).endswith("(bad *** or ***, says libpq)")


def test_a_refusal_keeps_the_connection_and_lets_go_of_the_lock(location: str) -> None:
    with open_store(location) as store, open_store(location) as other:
        store.transact(A, 0, noted(b"1"))
        process = session(store, "process")
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                store.transact(A, 1, lambda _: [("Noted", b"%d" % (1 // 0))])
            assert store.transact(A, store.size(A), lambda _: []) == []
            other.transact(A, other.size(A), noted(b"2"))
            assert session(store, "process") == process


def test_without_psycopg_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *rest: Any) -> Any:  # noqa: ANN401 - as the built-in declares it
        if name.partition(".")[0] == "psycopg":
            raise ImportError("No module named 'psycopg'")
        return load(name, *rest)

    for name in [each for each in sys.modules if each.startswith("ledger.store.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    assert "pip install 'tourney-ledger[postgres]'" in refusal("postgresql://desk:hunter2@x/y")


def test_a_user_without_rights_is_told_so(server: Server) -> None:
    with psycopg.connect(server.url, autocommit=True) as owner:
        owner.execute("CREATE ROLE guest LOGIN PASSWORD 'hunter2'")
    guest = server.url.replace("desk:open%20sesame%2F1", "guest:hunter2")
    assert "does not permit this user to do that" in refusal(guest)


def test_a_newer_releases_store_is_left_alone(location: str) -> None:
    open_store(location).close()
    with psycopg.connect(location, autocommit=True) as other:
        other.execute("UPDATE tourney_format SET version = 3")
    assert "made by a newer release" in refusal(location)


def test_a_writer_that_never_ends_is_not_waited_for_without_end(location: str) -> None:
    with open_store(location) as store, open_store(location) as other:
        store.transact(A, 0, noted(b"1"))
        with other._datastore.get_connection() as connection:  # type: ignore[attr-defined] # as above
            connection.execute("SET lock_timeout = '100ms'")

        def slow(_: Sequence[bytes]) -> list[tuple[str, bytes]]:
            with pytest.raises(StoreUnavailable) as caught:
                other.transact(A, 1, noted(b"impatient"))
            said = one_line(caught.value)
            assert "is busy: another desk has been writing to it" in said
            assert said.endswith("; nothing was written")
            other.transact("b" * 32, 0, noted(b"another tournament"))
            return [("Noted", b"2")]

        store.transact(A, 0, slow)
        assert other.transact(A, 1, noted(b"3")) == [b"2"]


def test_a_desk_that_stands_still_in_the_lock_is_thrown_out(location: str) -> None:
    with open_store(location) as store:
        with store._datastore.get_connection() as connection:  # type: ignore[attr-defined] # as above
            connection.execute("SET idle_in_transaction_session_timeout = '50ms'")

        def slow(_: Sequence[bytes]) -> list[tuple[str, bytes]]:
            with psycopg.connect(location) as other:
                other.execute("SELECT pg_sleep(0.3)")
            return [("Noted", b"too late")]

        with pytest.raises(StoreUnavailable) as caught:
            store.transact(A, 0, slow)
        assert "which was too slow" in one_line(caught.value)
        assert store.size(A) == 0
        store.transact(A, 0, noted(b"in time"))


@pytest.mark.slow
def test_a_server_killed_in_the_middle_and_the_same_call_again_lands_once(server: Server) -> None:
    with open_store(server.url) as store:
        store.transact(A, 0, noted(b"1"))
        calls = 0

        def killing(_: Sequence[bytes]) -> list[tuple[str, bytes]]:
            nonlocal calls
            calls += 1
            if calls == 1:
                server.kill()
            return [("Noted", b"2")]

        with pytest.raises(StoreUnavailable) as caught:
            store.transact(A, 1, killing)
        said = one_line(caught.value)
        assert "is shutting down" in said or "does not answer" in said
        assert said.endswith("may or may not be stored: repeat it with the same id")
        assert calls == 1
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match=r"does not answer|is shutting down"):
                store.lines(A)
        server.start()
        store.transact(A, 1, killing)
        assert (store.lines(A), calls) == ([b"1", b"2"], 2)


def test_nothing_of_a_killed_server_goes_on(server: Server) -> None:
    """A process that is busy does not see at once that the server is gone, and may still commit."""
    with psycopg.connect(server.url, autocommit=True) as busy:
        busy.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 3000000)")
        server.kill()
        has_heard = bool(wait([busy.pgconn.socket], 0))
        busy.close()
    server.start()
    assert has_heard


class Cut(socketserver.BaseRequestHandler):
    """Pass on what a client says; once armed, cut the line when its act has gone through."""

    port: ClassVar[int]
    armed = threading.Event()

    def handle(self) -> None:
        """Serve one connection."""
        committed = False
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            while True:
                is_answer = server in wait([self.request, server])
                data = (server if is_answer else self.request).recv(65_536)
                if not data or (committed and is_answer):
                    return
                (self.request if is_answer else server).sendall(data)
                has_act = b"COMMIT" in data or b"id 8" in data
                if has_act and not is_answer and self.armed.is_set():
                    committed = True
                    self.armed.clear()


@pytest.fixture
def cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The server's URL over a line that is cut when `Cut` is armed."""
    monkeypatch.setattr(Cut, "port", server.port, raising=False)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Cut) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield server.url.replace(f":{server.port}", f":{proxy.server_address[1]}")
        proxy.shutdown()


def test_an_answer_that_is_lost_leaves_a_doubt_that_repeating_settles(cut_off: str) -> None:
    def once(lines: Sequence[bytes]) -> list[tuple[str, bytes]]:
        if b"id 7" in lines:
            return []
        Cut.armed.set()
        return [("Noted", b"id 7")]

    stream = "b" * 32
    with open_store(cut_off) as store:
        with pytest.raises(StoreUnavailable) as caught:
            store.transact(stream, 0, once)
        assert one_line(caught.value).endswith(
            "may or may not be stored: repeat it with the same id"
        )
        assert not Cut.armed.is_set()
        assert store.lines(stream) == [b"id 7"]
        assert store.transact(stream, 0, once) == [b"id 7"]
        assert store.lines(stream) == [b"id 7"]


def test_so_it_is_with_an_act_that_took_no_lock(cut_off: str) -> None:
    stream = "c" * 32

    def once(lines: Sequence[bytes]) -> list[tuple[str, bytes]]:
        return [] if b"id 8" in lines else [("Noted", b"id 8")]

    with open_store(cut_off) as store:
        store.transact(stream, 0, noted(b"id 7"))
        Cut.armed.set()
        with pytest.raises(StoreUnavailable, match="may or may not be stored: repeat it"):
            store.transact(stream, 1, once)
        assert not Cut.armed.is_set()
        assert store.transact(stream, 1, once) == [b"id 8"]
        assert store.lines(stream) == [b"id 7", b"id 8"]


@pytest.mark.slow
def test_a_connection_lost_while_idle_is_made_anew(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger.store import postgres_connections  # noqa: PLC0415 - psycopg may be absent

    monkeypatch.setattr(postgres_connections, "_TRUST_SECONDS", 0)
    with open_store(server.url) as store:
        size = store.size(A)
        with psycopg.connect(server.url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'tourney'"
            )
        assert store.size(A) == size
