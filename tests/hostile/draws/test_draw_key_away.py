"""What becomes of the key of the draws where it is away: backups, the end, what is typed again."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from cli.machine.draw_keys import machine_name
from ledger.books.vault import DRAW_KEY_AT, SHUFFLE_KEY
from ledger.store import open_store
from tests.support.days.vaults import events, secrets

if TYPE_CHECKING:
    from tests.support.cli_desk import Answer, Desk
from tests.support.days.draw_desks import HALL, LOG, NEW, OWN, SAVED, Event


def restored(event: Event) -> Answer:
    """Take the backup into a store of its own, on another machine."""
    event.go_to(HALL)
    event.desk.patch.setenv("TOURNEY_STORE", str(event.desk.folder / "elsewhere.db"))
    return event.desk.done("restore", SAVED)


@pytest.mark.slow
def test_a_backup_says_which_file_it_does_not_hold(event: Event) -> None:
    event.play()
    said = event.desk.done("backup", SAVED).err
    name = event.file().name
    assert (
        "it does not contain the key of the draws: also copy "
        f"{OWN}-keys/{name} on the machine {OWN}" in said
    )
    assert "damaged" not in said
    assert "not there" not in said
    answer = restored(event)
    assert f"{name} on the machine {OWN}" in answer.err
    assert "not there" not in answer.err
    assert event.desk.type("pair").err.count(f"computer {OWN}: pair there") == 1
    event.desk.done("verify")
    (event.desk.folder / f"{HALL}-keys").mkdir(exist_ok=True)
    event.file().rename(event.desk.folder / f"{HALL}-keys" / name)
    event.play()
    event.desk.done("finish")
    assert "key of the draws" not in event.desk.done("backup", "later.backup").err


@pytest.mark.slow
def test_the_key_that_is_away_is_neither_missing_nor_damaged(event: Event) -> None:
    said = event.desk.done("verify").err
    assert f"does not contain the key of the draws, which is in {OWN}-keys/draws-" in said
    assert "damaged" not in said
    assert "not there" not in said
    event.desk.done("export", "-o", LOG)


@pytest.mark.slow
def test_after_the_end_nobody_needs_the_file(event: Event) -> None:
    event.play()
    event.desk.done("--id", "two", "pair")
    event.desk.report_all()
    event.desk.done("--id", "end", "finish")
    (end,) = events(event.desk, "TournamentFinished")
    assert bytes.fromhex(end["data"]["shuffle_key"]) == event.key()
    event.file().unlink()
    event.go_to(HALL)
    event.desk.done("verify")
    event.desk.done("--id", "two", "pair")
    event.desk.done("--id", "end", "finish")
    first, second = events(event.desk, "RoundPaired")[0]["data"]["games"][0]
    event.desk.done("whatif", "1/1", f"#{second}")
    event.desk.done("explain", "pairing", "1/1")
    assert first


def test_the_same_line_again_makes_no_second_key(desk: Desk, location: str) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    first = desk.done("--id", "once", *NEW, "here", "--json").json
    before = event.text()
    again = desk.done("--id", "once", *NEW, "here", "--json").json
    assert again == first
    assert first["draw_key_at"] == OWN
    assert event.text() == before
    event.file().unlink()
    assert desk.done("--id", "once", *NEW, "here", "--json").json == first


@pytest.mark.slow
def test_the_same_pairing_again_is_answered_where_the_key_is(event: Event) -> None:
    first = event.desk.done("--id", "once", "pair", "--json").json
    assert event.desk.done("--id", "once", "pair", "--json").json == first
    event.go_to(HALL)
    assert f"{OWN}: pair there" in event.refused("--id", "once", "pair")


@pytest.mark.slow
def test_without_it_any_desk_draws(desk: Desk, location: str) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    assert desk.done(*NEW[:-1], "--json").json["draw_key_at"] is None
    desk.done("register", "--file", "-", stdin="name\nAnn\nBob\n")
    event.go_to(HALL)
    desk.done("start", "custom", "--rounds", "1")
    assert "there is no file to seal" in event.refused(
        "key", "draws", "--passphrase", "--reason", "lost"
    )
    assert desk.type(*NEW, "there").code == 2


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("olga", "olga"),
        ("olga brandt's\x1b[31m", "olga-brandt-s-31m"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("x" * 300, "x" * 64),
        ("büro", "b-ro"),
    ],
)
def test_a_machines_name_is_shown_as_plain_text(
    monkeypatch: pytest.MonkeyPatch, host: str, shown: str
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: host)
    assert machine_name() == shown


@pytest.mark.slow
@pytest.mark.parametrize("name", [b"\x1b[31mred", b"two\nlines", b"", b"x" * 65, b"\xff", b"a b"])
def test_a_name_in_the_vault_that_none_of_ours_writes_is_never_shown(
    event: Event, name: bytes
) -> None:
    with open_store(event.location) as store:
        store.vault_put(store.streams()[0], DRAW_KEY_AT, name)
    event.go_to(HALL)
    said = event.refused("pair")
    assert "the shuffle key of this tournament is not in this store" in said
    event.go_to(OWN)
    event.desk.done("pair")


@pytest.mark.slow
def test_a_backup_names_no_machine_for_a_key_that_is_here(desk: Desk, location: str) -> None:
    """A forged name of a machine takes no draws away from the desks that make them."""
    desk.patch.setenv("TOURNEY_STORE", location)
    desk.open(4, "custom", "--rounds", "2")
    with open_store(location) as store:
        stream = store.streams()[0]
        key = store.vault_items(stream)[SHUFFLE_KEY]
        store.vault_delete(stream, SHUFFLE_KEY)
        store.vault_put(stream, DRAW_KEY_AT, b"nowhere")
    desk.done("backup", SAVED)
    with open_store(location) as store:
        store.vault_put(stream, SHUFFLE_KEY, key)
        store.vault_delete(stream, DRAW_KEY_AT)
    desk.done("restore", SAVED)
    assert DRAW_KEY_AT not in secrets(location)
    desk.done("pair")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ruleset", "words"), [("runewars", ("scenario", "draw")), ("ashes", ("draft", "draw"))]
)
def test_whatever_draws_is_done_where_the_key_is(
    desk: Desk, location: str, ruleset: str, words: tuple[str, ...]
) -> None:
    desk.patch.setenv("TOURNEY_STORE", location)
    event = Event(desk, location)
    event.go_to(OWN)
    desk.done(*[ruleset if each == "l5r" else each for each in NEW], "here")
    names = "".join(f"Player {number:02}\n" for number in range(1, 9))
    desk.done("register", "--file", "-", stdin=f"name\n{names}")
    desk.done("start", "custom", "--rounds", "3")
    if ruleset == "runewars":
        desk.done("pair")
    event.go_to(HALL)
    assert f"{OWN}: do it there" in event.refused(*words)
    event.go_to(OWN)
    desk.done(*words)


@pytest.mark.slow
def test_what_would_have_been_drawn_is_left_out_elsewhere(event: Event) -> None:
    event.play()
    event.play()
    first, second = events(event.desk, "RoundPaired")[0]["data"]["games"][0]
    wins = events(event.desk, "ResultReported")[0]["data"]["result"]["outcomes"][0] == "win"
    other = f"#{second if wins else first}"
    assert "not shown" not in event.desk.done("whatif", "1/1", other).err
    event.go_to(HALL)
    said = event.desk.done("whatif", "1/1", other).err
    assert (
        f"made on the computer {OWN}, so the tables that would have been drawn are not shown"
        in said
    )


@pytest.mark.slow
def test_a_vault_that_lost_the_machines_name_loses_no_key(event: Event) -> None:
    with open_store(event.location) as store:
        store.vault_delete(store.streams()[0], DRAW_KEY_AT)
    assert "there is nothing to replace" in event.refused("key", "draws", "--reason", "lost")
    event.desk.done("pair")
