"""Acts that came in over the hall and wait for their official's signature, without a hall."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from cli.serve.commands import Draft
from ledger.books.vault import DRAFT
from ledger.rules.office import TakeNote
from ledger.store import open_store

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

AT = "2026-05-17T10:00:00.000Z"


def judge_with_key(desk: Desk) -> Desk:
    """Two tables of round 1; the judge, Mara, holds a key that is on this machine."""
    desk.done("new", "Night", "--ruleset", "l5r", "--organizer", "Kim Larsen")
    desk.done("official", "add", "Mara", "--role", "judge")
    for name in ("Ann", "Ben", "Cleo", "Dana"):
        desk.done("register", name)
    desk.done("start", "custom", "--rounds", "2")
    desk.done("pair")
    desk.done("round", "start")
    desk.done("key", "new", "Mara")
    return desk


def keep_notes(desk: Desk, by: str, *ids: str) -> None:
    """Keep a note for each id, as a page of the only event in the store does."""
    with open_store(str(desk.folder / "tourney.db"), create=False) as store:
        (stream,) = store.streams()
        for each in ids:
            sent = msgspec.Raw(msgspec.json.encode(TakeNote(f"this came over {each}")))
            draft = Draft(each, by, AT, "NoteTaken", sent)
            store.vault_put(stream, f"{DRAFT}{each}", msgspec.json.encode(draft))
