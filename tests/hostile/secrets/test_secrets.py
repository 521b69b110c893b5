"""Secrets that are damaged: nothing is drawn with them, and each is named by its event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.books.vault import HIDDEN_KEY, SHUFFLE_KEY, examined
from ledger.errors import Refused
from ledger.facts.shared import Stage
from ledger.lines.sealing import MASTER
from ledger.proof.ciphers import digest_of, record_key
from ledger.rules.opening import StartTournament
from ledger.rulesets import text_of
from tests.clauses.test_setups import SEASONS
from tests.support.cli_desk import typed_once
from tests.support.days.sealed_days import act, again, opened
from tests.support.days.set_ups import BATTLE, BY_TOTAL, DRAFT, LOWER_CHOOSES
from tests.support.days.vaults import (
    NOT_COMMITTED,
    SAVED,
    STORE,
    a_day,
    destroy,
    events,
    flip,
    refused,
    secrets,
)

if TYPE_CHECKING:
    from ledger.store import Store
    from tests.support.cli_desk import Desk


@pytest.fixture
def day(desk: Desk, location: str) -> Desk:
    """A day of four on each kind of store, one round played."""
    return a_day(desk, location)


@pytest.mark.slow
def test_each_bit_of_the_shuffle_key_counts(store: Store) -> None:
    book = opened(store)
    key = store.vault_items(book.stream)[SHUFFLE_KEY]
    assert again(store).context().shuffle_key == key
    for bit in range(len(key) * 8):
        changed = bytearray(key)
        changed[bit // 8] ^= 1 << bit % 8
        store.vault_put(book.stream, SHUFFLE_KEY, bytes(changed))
        context = again(store).context()
        assert context.shuffle_key == b""
        assert NOT_COMMITTED in str(context.lacks)
    start = StartTournament("custom", (Stage("swiss", 2),))
    for changed_key in (key[:-1], key + b"\0", b""):
        store.vault_put(book.stream, SHUFFLE_KEY, changed_key)
        with pytest.raises(Refused, match=NOT_COMMITTED):
            act(again(store), start)
    store.vault_put(book.stream, SHUFFLE_KEY, key)
    act(again(store), start)


@pytest.mark.slow
@pytest.mark.parametrize("bit", [0, 100, 255])
def test_nothing_is_drawn_with_a_damaged_key(day: Desk, location: str, bit: int) -> None:
    flip(location, SHUFFLE_KEY, bit)
    assert day.done("standings").err == "after 1 round\n"
    for words in (("pair",), ("register", "Late Comer")):
        assert NOT_COMMITTED in refused(day, *words).err
        assert "key draws" in refused(day, *words).err
    for words in (("verify",), ("backup", SAVED), ("export",)):
        told = refused(day, *words).err
        assert "1 of 9 secrets is damaged: the shuffle key (event 1)" in told
    assert not (day.folder / SAVED).exists()
    assert "the shuffle key (event 1)" in day.done("export", "--without-names").err
    flip(location, SHUFFLE_KEY, bit)
    day.done("pair")
    assert not day.done("verify").err.count("damaged")


CARDS = (
    *(
        f"--{kind}={kind[0]}{n}"
        for kind in ("objective", "deployment", "condition")
        for n in (1, 2, 3)
    ),
    *(f"--strike={kind}" for kind in ("objective", "pass", "objective", "condition")),
)


@typed_once
def table(desk: Desk) -> Desk:
    """Four players in round 1 of a game that draws and seals at the table."""
    rules = text_of("l5r").partition("[floor.first]")[0] + SEASONS + BY_TOTAL + LOWER_CHOOSES
    (desk.folder / "game.toml").write_text(rules + BATTLE + DRAFT, "utf-8")
    desk.open(4, "custom", "--rounds", "2", ruleset="game.toml")
    desk.done("pair")
    return desk


def set_up(desk: Desk, number: int) -> None:
    """Say who is blue, who lays out the battle cards."""
    one, two = (f"#{seat}" for seat in desk.seats(number))
    desk.done("first", str(number), one, "--totals", "190-200")
    desk.done("side", str(number), two, "--totals", "190-200")


@pytest.mark.slow
def test_nothing_of_the_set_up_is_drawn_or_sealed_with_it(table: Desk) -> None:
    set_up(table, 2)
    flip(STORE, SHUFFLE_KEY)
    flip(STORE, HIDDEN_KEY)
    draws = (("scenario", "draw"), ("draft", "draw"), ("first", "draw", "1", "--totals", "190-190"))
    for words in (*draws, ("battle", "2", *CARDS)):
        assert NOT_COMMITTED in refused(table, *words).err
    assert "key hidden" in refused(table, "battle", "2", *CARDS).err
    flip(STORE, SHUFFLE_KEY)
    flip(STORE, HIDDEN_KEY)
    for words in (("scenario", "draw"), ("first", "draw", "1", "--totals", "190-190")):
        table.done(*words)
    table.done("battle", "2", *CARDS)


@pytest.mark.slow
def test_cards_that_were_sealed_with_a_lost_key_stay_sealed(table: Desk) -> None:
    for number in (1, 2):
        set_up(table, number)
        table.done("battle", str(number), *CARDS)
    destroy(STORE, HIDDEN_KEY)
    table.done("key", "hidden", "--reason", "lost")
    table.done("battle", "2", *CARDS)  # laid out once more: this time with the new key
    table.report_all()
    table.done("start", "custom", "--rounds", "1", "--reason", "enough")
    table.done("finish")
    shown = [row["battle"] for row in table.done("scenario", "--json").json["tables"]]
    assert shown[0] is None
    assert shown[1]
    table.done("verify")


@pytest.mark.slow
def test_every_other_secret_that_is_damaged_is_named_by_its_event(day: Desk, location: str) -> None:
    at = {f"text:{line['id']}": line["seq"] for line in map(json.loads, day.log().splitlines())}
    names = {f"master:{line['data']['of']}": line["seq"] for line in events(day, "PersonRecorded")}
    assert len(secrets(location)) == 9
    for name in secrets(location).keys() - {HIDDEN_KEY, SHUFFLE_KEY}:
        flip(location, name, 13)
        seq = (at | names)[name]
        what = f"{name.removeprefix('master:')}'s name" if name in names else "a text"
        named = f"1 of 9 secrets is damaged: the key of {what} (event {seq})"
        for words in (("verify",), ("backup", SAVED), ("export",)):
            assert named in refused(day, *words).err
        assert named in day.done("export", "--without-names").err
        for words in (("standings",), ("list",), ("log",), ("pairings", "--print")):
            answer = day.done(*words)
            assert "some are damaged" in answer.err
        if name.startswith("master:p"):
            who = f"player {name[8:]} (name damaged)"
            assert who in day.done("list").out
            assert who in day.done("standings").out
        day.done("backup", f"{seq}.backup", "--incomplete")
        flip(location, name, 13)
    day.done("verify")
    day.done("pair")
    day.done("export")


@pytest.mark.slow
def test_what_is_asked_for_is_what_the_lines_name(store: Store) -> None:
    book = opened(store)
    found = examined(book.lines, store.vault_items(book.stream))
    assert (found.damaged, found.missing) == ({}, {})
    for name in found.fits:
        secret = store.vault_items(book.stream)[name]
        ids = [json.loads(line)["id"] for line in book.lines]
        keys = [record_key(secret, each) for each in ids] if name.startswith(MASTER) else [secret]
        digests = [digest_of(key).encode() for key in keys]
        is_said = any(each in line for each in digests for line in book.lines)
        assert name in {HIDDEN_KEY, SHUFFLE_KEY} or is_said
    assert examined(book.lines, {}).missing.keys() == found.fits
