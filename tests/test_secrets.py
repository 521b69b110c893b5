"""Secrets that are damaged, missing or lost for good: who hears of it, and the way on."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger import commands
from ledger.errors import Refused
from ledger.events.opening import TournamentFinished
from ledger.rulesets import text_of
from ledger.sealing import digest_of
from ledger.store import open_store
from ledger.vault import SHUFFLE_KEY
from ledger.vault import examined
from tests.sealed_days import act
from tests.sealed_days import again
from tests.sealed_days import opened
from tests.set_ups import BATTLE
from tests.set_ups import BY_TOTAL
from tests.set_ups import DRAFT
from tests.set_ups import LOWER_CHOOSES
from tests.test_clauses_setups import SEASONS

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Store
    from tests.cli_desk import Answer
    from tests.cli_desk import Desk

STORE, VAULT, SAVED, LOG = "tourney.db", "tourney.db-vault", "day.backup", "day.jsonl"
NOT_COMMITTED = "is not the one that line 1 commits to"
LOST = "can never be shown again"


@pytest.fixture
def day(desk: Desk, location: str) -> Desk:
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


def events(day: Desk, kind: str) -> list[dict[str, object]]:
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
        assert NOT_COMMITTED in context.lacks
    for changed_key in (key[:-1], key + b"\0", b""):
        store.vault_put(book.stream, SHUFFLE_KEY, changed_key)
        with pytest.raises(Refused, match=NOT_COMMITTED):
            act(again(store), commands.RegisterPlayers((commands.Entry("Gil Hart"),)))
    store.vault_put(book.stream, SHUFFLE_KEY, key)
    act(again(store), commands.RegisterPlayers((commands.Entry("Gil Hart"),)))


@pytest.mark.parametrize("bit", [0, 100, 255])
def test_nothing_is_drawn_with_a_damaged_key(day: Desk, location: str, bit: int) -> None:
    flip(location, SHUFFLE_KEY, bit)
    assert day.done("standings").err == "after 1 round\n"
    for words in (("pair",), ("register", "Late Comer")):
        assert NOT_COMMITTED in refused(day, *words).err
        assert "key draws" in refused(day, *words).err
    for words in (("verify",), ("backup", SAVED), ("export",)):
        told = refused(day, *words).err
        assert "1 of 8 secrets is damaged: the shuffle key (event 1)" in told
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


@pytest.fixture
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


def test_nothing_of_the_set_up_is_drawn_or_sealed_with_it(table: Desk) -> None:
    set_up(table, 2)
    flip(STORE, SHUFFLE_KEY)
    draws = (("scenario", "draw"), ("draft", "draw"), ("first", "1", "--totals", "190-190"))
    for words in (*draws, ("battle", "2", *CARDS)):
        assert NOT_COMMITTED in refused(table, *words).err
    flip(STORE, SHUFFLE_KEY)
    for words in (("scenario", "draw"), ("first", "1", "--totals", "190-190")):
        table.done(*words)
    table.done("battle", "2", *CARDS)


def test_cards_that_were_sealed_with_a_lost_key_stay_sealed(table: Desk) -> None:
    for number in (1, 2):
        set_up(table, number)
        table.done("battle", str(number), *CARDS)
    destroy(STORE, SHUFFLE_KEY)
    table.done("key", "draws", "--reason", "lost")
    table.done("battle", "2", *CARDS)  # laid out once more: this time with the new key
    table.report_all()
    table.done("start", "custom", "--rounds", "1", "--change", "--reason", "enough")
    table.done("finish")
    shown = [row["battle"] for row in table.done("scenario", "--json").json["tables"]]
    assert shown[0] is None
    assert shown[1]
    table.done("verify")


def test_every_other_secret_that_is_damaged_is_named_by_its_event(day: Desk, location: str) -> None:
    at = {f"text:{line['id']}": line["seq"] for line in map(json.loads, day.log().splitlines())}
    names = {f"name:{line['data']['of']}": line["seq"] for line in events(day, "PersonRecorded")}  # type: ignore[index] # JSON
    assert len(secrets(location)) == 8
    for name in secrets(location).keys() - {SHUFFLE_KEY}:
        flip(location, name, 13)
        seq = (at | names)[name]
        what = f"{name.removeprefix('name:')}'s name" if name in names else "a text"
        named = f"1 of 8 secrets is damaged: the key of {what} (event {seq})"
        for words in (("verify",), ("backup", SAVED), ("export",)):
            assert named in refused(day, *words).err
        assert named in day.done("export", "--without-names").err
        for words in (("standings",), ("list",), ("log",), ("pairings", "--print")):
            answer = day.done(*words)
            assert "some are damaged" in answer.err
        if name.startswith("name:p"):
            who = f"player {name[6:]} (name damaged)"
            assert who in day.done("list").out
            assert who in day.done("standings").out
        day.done("backup", f"{seq}.backup", "--incomplete")
        flip(location, name, 13)
    day.done("verify")
    day.done("pair")
    day.done("export")


def test_the_whole_way_on_with_a_key_that_is_lost(day: Desk, location: str) -> None:
    day.done("pair")
    day.report_all()
    told = refused(day, "key", "draws", "--reason", "to have other tables").err
    assert "there is nothing to replace" in told
    flip(location, SHUFFLE_KEY)
    refused(day, "pair")
    assert day.type("key", "draws").code == 2
    day.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    (replaced,) = events(day, "ShuffleKeyReplaced")
    again_ = day.done("--id", "once", "key", "draws", "--reason", "the disk had a bad block")
    assert "draws with another key" in again_.err
    assert events(day, "ShuffleKeyReplaced") == [replaced]
    assert day.done("standings").err == "after 2 rounds\n"
    day.done("pair")
    day.report_all()
    day.done("finish")
    day.done("backup", SAVED)
    day.done("export", "-o", LOG)
    (end,) = events(day, "TournamentFinished")
    revealed = bytes.fromhex(end["data"]["shuffle_key"])  # type: ignore[index] # JSON
    assert revealed == secrets(location)[f"{SHUFFLE_KEY}:once"]
    for words in (("verify",), ("verify", LOG)):
        answer = day.done(*words, "--json").json
        told = answer["unchecked"]["draws"]
        assert told.startswith("rounds 1, 2 and 4 other draws ")
        assert f"{LOST}: line {replaced['seq']} " in told
        assert answer["checked"]["draws"] == "1 derived again"
    (found,) = day.done("audit", "--json").json["findings"][-1:]
    assert {"draw-key"} <= {each["kind"] for each in day.done("audit", "--json").json["findings"]}
    assert found
    assert f"{LOST}" in day.done("replay", LOG).err
    day.done("explain", "pairing", "1/1")
    day.done("explain", "pairing", "3/1")
    games = events(day, "RoundPaired")[0]["data"]["games"]  # type: ignore[index] # JSON
    day.done("whatif", "1/1", f"#{games[0][1]}")
    with open_store(f"{day.folder}/elsewhere.db") as elsewhere:
        pass
    day.done("import", LOG, "--store", elsewhere.where)
    day.done("verify", "--store", elsewhere.where)


def test_a_draw_after_it_that_is_not_what_the_new_key_gives(day: Desk, location: str) -> None:
    flip(location, SHUFFLE_KEY)
    day.done("key", "draws", "--reason", "lost")
    day.done("pair")
    day.report_all()
    day.done("pair")
    day.report_all()
    day.done("finish")
    lines = day.log().splitlines()
    place = next(i for i, line in enumerate(lines) if '"round":3' in line and "RoundPaired" in line)
    event = json.loads(lines[place])
    assert event["data"]["games"]
    event["data"]["games"] = [game[::-1] for game in event["data"]["games"]]
    lines[place] = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    (day.folder / LOG).write_text("\n".join(lines) + "\n", "utf-8")
    assert (
        f"line {place + 1}: RoundPaired is not what its draw gives" in day.type("verify", LOG).err
    )


def test_who_may_replace_it_and_when(day: Desk, location: str) -> None:
    day.done("official", "Pat Jones", "--role", "judge")
    destroy(location, SHUFFLE_KEY)
    assert day.type("--as", "pat", "key", "draws", "--reason", "lost").code == 1
    day.done("key", "draws", "--reason", "lost")
    day.done("pair")
    for _ in range(2):
        day.report_all()
        day.type("pair")
    day.done("finish")
    destroy(location)
    answer = day.type("key", "draws", "--reason", "lost")
    assert answer.code == 1
    assert "play is closed" in answer.err


def test_the_same_act_sent_again_when_its_key_is_lost(day: Desk, location: str) -> None:
    day.done("--id", "second", "pair")
    day.report_all()
    flip(location, SHUFFLE_KEY)
    day.done("key", "draws", "--reason", "lost")
    told = refused(day, "--id", "second", "pair").err
    assert "the key that was drawn with then is lost" in told


def test_the_key_that_is_revealed_is_the_last_one(store: Store) -> None:
    """A log whose end opens an earlier commitment than the last is refused."""
    book = opened(store)
    first = store.vault_items(book.stream)[SHUFFLE_KEY]
    store.vault_delete(book.stream, SHUFFLE_KEY)
    act(book, commands.ReplaceShuffleKey(book.another_shuffle_key("x"), "lost"), "x")
    assert book.context().shuffle_key == store.vault_items(book.stream)[f"{SHUFFLE_KEY}:x"]
    from ledger.checks.opening import CHECKS  # noqa: PLC0415 - the check alone

    told = list(CHECKS[TournamentFinished](book.tournament, TournamentFinished(first.hex())))
    assert f"the one that event {book.length} committed to" in told[-1]


def test_without_the_vault_every_verb_says_so_once(day: Desk, location: str) -> None:
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    destroy(location)
    for words in (
        ("list",),
        ("standings",),
        ("pairings",),
        ("pairings", "--print"),
        ("log",),
        ("match", "1/1"),
        ("audit",),
        ("explain", "#1"),
        ("round",),
        ("verify",),
        ("export", "--without-names"),
    ):
        answer = day.done(*words)
        assert answer.err.count("the vault is missing: ") == 1, words
        assert "vault" in answer.err.partition(" holds nothing of this tournament")[0]
        assert "Player 01" not in answer.out
    for words in (("list",), ("standings",), ("pairings", "--print")):
        assert "player 1 (name sealed)" in day.done(*words).out
    assert (
        "8 of 8 secrets are not there"
        in day.done("verify", "--json").json["unchecked"]["missing secrets"]
    )
    for words in (("backup", "other"), ("pair",), ("export",)):
        assert day.type(*words).code in {1, 3}
    for options in ((), ("--incomplete",)):
        assert day.type("backup", *options, SAVED).code == 1
    assert (day.folder / SAVED).read_bytes() == good
    assert not (day.folder / "other").exists()
    assert "were taken from it" in day.done("restore", SAVED).err
    assert day.done("list").err.count("\n") == 1
    day.done("pair")


def test_a_store_copied_without_its_vault_makes_none_by_reading(desk: Desk) -> None:
    desk.open(4, "basic")
    (desk.folder / VAULT).unlink()
    for words in (("list",), ("standings",), ("log",), ("pairings",)):
        desk.type(*words)
    assert not (desk.folder / VAULT).exists()
    (desk.folder / VAULT).touch()
    assert "the vault is missing" in desk.done("list").err
    assert not (desk.folder / VAULT).stat().st_size
    told = desk.type("note", "from here on").err
    assert "the vault is missing" in told


def test_an_older_backup_gives_back_what_was_lost_and_no_more(day: Desk, location: str) -> None:
    day.done("backup", SAVED)
    day.done("forget", "2")
    day.done("pair")
    before = secrets(location)
    assert "older than the store" in refused(day, "restore", SAVED).err
    flip(location, SHUFFLE_KEY)
    destroy(location, "name:p1")
    day.done("restore", SAVED)
    after = secrets(location)
    assert {name: after[name] for name in before if name in after} | {} == {
        name: secret for name, secret in before.items() if name in after
    }
    assert before.keys() - after.keys() <= {"snapshots"}
    assert "name:p2" not in after
    assert "forgotten 2" in day.done("list").out
    day.done("verify")


def test_a_backup_that_holds_more_is_never_written_over(day: Desk) -> None:
    day.done("backup", SAVED)
    shorter = f"{day.folder}/shorter.db"
    day.done("restore", SAVED, "--store", shorter)
    day.done("pair")
    day.done("backup", SAVED)
    good = (day.folder / SAVED).read_bytes()
    answer = day.type("backup", SAVED, "--store", shorter)
    assert answer.code == 1
    assert "name another file" in answer.err
    day.done("new", "Other Night", "--ruleset", "l5r", "--organizer", "Kim", "--store", shorter)
    answer = day.type("backup", SAVED, "--store", shorter, "-t", "Other Night")
    assert "which this one would not have" in answer.err
    assert (day.folder / SAVED).read_bytes() == good
    day.done("forget", "2", "-t", "Library")
    day.done("backup", SAVED, "-t", "Library")  # what was destroyed on purpose is no loss


def test_an_import_comes_without_some_and_lacks_nothing(day: Desk, tmp_path: Path) -> None:
    day.done("export", "-o", LOG)
    day.done("export", "-o", "bare.jsonl", "--without-names")
    for file in (LOG, "bare.jsonl"):
        store = ("--store", f"{tmp_path}/{file}.db")
        day.done("import", file, *store)
        assert "vault" not in day.done("list", *store).err
        day.done("verify", *store)
        day.done("backup", f"{file}.backup", *store)
    destroy(f"{tmp_path}/{LOG}.db")
    assert "the vault is missing" in day.done("list", "--store", f"{tmp_path}/{LOG}.db").err
    assert day.type("backup", "third", "--store", f"{tmp_path}/{LOG}.db").code == 1


def test_what_is_asked_for_is_what_the_lines_name(store: Store) -> None:
    book = opened(store)
    found = examined(book.lines, store.vault_items(book.stream))
    assert (found.damaged, found.missing) == ({}, {})
    for name in found.fits:
        secret = store.vault_items(book.stream)[name]
        digest = digest_of(secret)
        assert name == SHUFFLE_KEY or any(digest.encode() in line for line in book.lines)
    assert examined(book.lines, {}).missing.keys() == found.fits


def test_a_copied_folder_is_a_store(desk: Desk, tmp_path: Path) -> None:
    """What README names as a store's files is all there is to it."""
    desk.open(4, "basic")
    desk.done("pair")
    place = tmp_path / "copy"
    place.mkdir()
    for path in desk.folder.iterdir():
        if path.name.startswith((STORE, ".tourney")):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, place / path.name)
    desk.patch.chdir(place)
    desk.report_all()
    desk.done("pair")
    desk.done("verify")
