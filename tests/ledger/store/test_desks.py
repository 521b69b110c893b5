"""Several desks on one store: no line lost, doubled or out of order, whoever is killed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ledger.store import open_store
from tests.support.store_fixtures import Desk, all_at_once, recorder_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.store import Store

A, B = "a" * 32, "b" * 32


@pytest.mark.slow
def test_four_desks_lose_and_double_nothing(location: str) -> None:
    all_at_once(*[("append", location, A, "50", f"desk{number}") for number in range(4)])
    with open_store(location, create=False) as store:
        lines = [line.decode() for line in store.lines(A)]
        assert store.size(A) == len(lines) == 200
        for desk in range(4):
            mine = [line for line in lines if line.startswith(f"desk{desk}-")]
            assert mine == [f"desk{desk}-{number}" for number in range(50)]
        ids = [each.id for each in recorder_of(store).select_notifications(None, 1_000)]
        assert ids == sorted(set(ids))


@pytest.mark.slow
def test_desks_of_two_tournaments_do_not_mix(location: str) -> None:
    all_at_once(*[("append", location, stream, "40", stream[0]) for stream in (A, B)])
    with open_store(location, create=False) as store:
        for stream in (A, B):
            expected = [f"{stream[0]}-{number}".encode() for number in range(40)]
            assert store.lines(stream) == expected
        assert sorted(store.streams()) == [A, B]


@pytest.mark.slow
def test_eight_desks_make_one_store_at_once(location: str) -> None:
    all_at_once(*[("start", location)] * 8)
    with open_store(location, create=False) as store:
        assert store.lines("0" * 32) == [b"started"] * 8


@pytest.mark.slow
def test_what_a_killed_desk_was_told_is_stored_is_there(location: str) -> None:
    stored = 0
    for turn in range(5):
        desk = Desk("forever", location, A)
        desk.go()
        told = [desk.read() for _ in range(3 * turn + 1)]
        acknowledged = int([*told, *desk.kill()][-1])
        with open_store(location) as store:
            stored_before, stored = stored, store.size(A)
            assert stored_before < acknowledged <= stored <= acknowledged + 1
            assert len(store.lines(A)) == stored
            store.transact(A, stored, lambda _: [("Noted", b"after the crash")])
        stored += 1


def test_a_desk_that_waits_sees_what_the_other_wrote(store: Store, location: str) -> None:
    inside = threading.Event()
    seen: list[list[bytes]] = []

    def slow(_: Sequence[bytes]) -> list[tuple[str, bytes]]:
        inside.set()
        waiting.join(0.3)
        assert waiting.is_alive()
        return [("Noted", b"first")]

    def second() -> None:
        inside.wait()
        with open_store(location) as other:
            seen.append(other.transact(A, 0, lambda _: [("Noted", b"second")]))

    waiting = threading.Thread(target=second)
    waiting.start()
    store.transact(A, 0, slow)
    waiting.join()
    assert seen == [[b"first"]]
    assert store.lines(A) == [b"first", b"second"]


def test_threads_share_one_store_and_read_it_while_they_decide(store: Store) -> None:
    def work(label: bytes) -> None:
        for _ in range(20):
            store.transact(A, 0, lambda _: [("Noted", b"%s %d" % (label, store.size(A)))])

    threads = [threading.Thread(target=work, args=(label,)) for label in (b"x", b"y", b"z")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert [int(line.split()[1]) for line in store.lines(A)] == list(range(60))
