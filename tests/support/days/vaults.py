"""A day whose vault is tampered with: flipped, emptied, looked into."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ledger.store import open_store

if TYPE_CHECKING:
    from typing import Any

    from tests.support.cli_desk import Answer, Desk

STORE, VAULT, SAVED, LOG = "tourney.db", "tourney.db-vault", "day.backup", "day.jsonl"
NOT_COMMITTED = "does not match the commitment in line 1"
LOST = "can never be shown again"


def a_day(desk: Desk, location: str) -> Desk:
    """A day of four on each kind of store, one round played, with a note and a correction."""
    desk.patch.setenv("TOURNEY_STORE", location)
    desk.open(4, "custom", "--rounds", "3", "--word", "plum")
    desk.done("pair")
    desk.report_all()
    words = ("1/1", f"#{desk.seats(1)[0]}", "modified")
    desk.done("correct", *words, "--reason", "both signed the wrong line")
    desk.done("note", "a quiet hall")
    return desk


def secrets(location: str) -> dict[str, bytes]:
    with open_store(location) as store:
        return store.vault_items(store.streams()[0])


def flip(location: str, name: str, bit: int = 7) -> None:
    with open_store(location) as store:
        stream = store.streams()[0]
        secret = bytearray(store.vault_items(stream)[name])
        secret[bit // 8] ^= 1 << bit % 8
        store.vault_put(stream, name, bytes(secret))


def destroy(location: str, *names: str) -> None:
    """Take secrets out of the vault, all of them where none is named."""
    with open_store(location) as store:
        stream = store.streams()[0]
        store.vault_delete_all(stream, names or store.vault_items(stream))


def events(day: Desk, kind: str) -> list[dict[str, Any]]:
    lines = map(json.loads, day.log().splitlines())
    return [line for line in lines if line["type"] == kind]


def refused(day: Desk, *words: str) -> Answer:
    """Run what must fail, and leave the log as it was."""
    before = day.log()
    answer = day.type(*words)
    assert answer.code == 1, (words, answer)
    assert answer.out == ""
    assert day.log() == before
    return answer
