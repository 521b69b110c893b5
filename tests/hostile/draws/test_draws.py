"""Whoever wants other first tables: words tried, heads and cosignatures chosen, ranks forged."""

from __future__ import annotations

import json
import shutil
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

from ledger.errors import InvalidLog
from ledger.exchange.log_files import replay_lines
from ledger.facts.draws import HeadCosigned, RanksDrawn
from ledger.facts.opening import TournamentFinished, TournamentStarted
from ledger.facts.people import PlayerRegistered
from ledger.facts.shared import HeadRecorded, Stage
from ledger.lines.line import encode
from ledger.lines.recorded import record
from ledger.pairing.shuffling import Draws
from ledger.proof.formats import COSIGNATURE, unbase64
from ledger.proof.notes import base64_of, signature_line, signer, vkey
from ledger.proof.signatures import origin_of
from ledger.rules.draws import CosignHead
from ledger.rules.opening import StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry, RegisterPlayers, WithdrawRegistration
from projections.standings.table import ranking
from projections.verification import rederive
from tests.support.simulate import Day

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.facts.base import Event
    from ledger.proof.notes import Signer
    from tests.support.cli_desk import Desk

STREAM = "5" * 32
LOG = signer(origin_of(STREAM), b"l" * 32)
WITNESS = signer("league.example/cup", b"w" * 32, COSIGNATURE)
AT = "2026-03-14T12:00:00.000Z"
SWISS = Stage("swiss", 3)
WORDS = [f"word {n}" for n in range(397)]


def a_day(*, witness: str = "", players: int = 8) -> Day:
    """A day whose log has a key, at the desk that has it; nobody has started it."""
    day = Day(players, keys=(base64_of(LOG.key.public), witness))
    day.context = structs.replace(day.context, sign_head=LOG.sign)
    return day


def witnessed() -> Day:
    day = a_day(witness=vkey(WITNESS.key))
    day.start(3, word="heron")
    return day


def cosignature(day: Day, time: int = 1_000, by: Signer = WITNESS) -> str:
    """What a witness signs of the head of the start, in base64."""
    head = day.tournament.head
    assert head is not None
    root = base64_of(bytes.fromhex(head.root))
    line = signature_line(by, f"{LOG.key.name}\n{head.size}\n{root}\n", time)
    return base64_of(unbase64(line.split()[-1])[4:])


def taken(day: Day, *events: Event) -> str:
    """What import and replay say of the lines with these events behind them."""
    seq = day.tournament.seq
    forged = [record(seq + n, f"forged{n}", AT, "o1", event) for n, event in enumerate(events, 1)]
    try:
        replay_lines("log", [*day.lines, *map(encode, forged)], ranking)
    except InvalidLog as error:
        return str(error)
    return ""


def ranks(day: Day) -> list[int]:
    return [player.random_rank for player in day.tournament.players[1:]]


def foretold(day: Day, word: str, anchor: str) -> list[int]:
    """What somebody with the shuffle key computes before the start, by the page alone."""
    key = day.context.shuffle_key
    numbers = range(1, len(day.tournament.players))
    return [
        Draws(key, "random-rank@1", number, word=word, anchor=anchor).random_rank()
        for number in numbers
    ]


# --- the word ---


def test_nobody_has_a_rank_before_the_start() -> None:
    day = a_day()
    assert set(ranks(day)) == {0}
    assert not any(b"random_rank" in line for line in day.lines)
    day.start(3)
    assert len(set(ranks(day))) == 8


@pytest.mark.slow
def test_words_cannot_be_tried_with_the_shuffle_key_alone() -> None:
    """Before, one of 397 words gave the wished tables, as foretold with the key of the vault."""
    for word in WORDS[::40]:
        day = a_day()
        tried = {each: foretold(day, each, "") for each in WORDS}
        day.start(3, word=word)
        assert ranks(day) not in tried.values()
        assert ranks(day) == foretold(day, word, day.tournament.anchor)


def test_a_preview_draws_nothing_that_the_start_will_draw() -> None:
    """Who asks at a desk what a word would give signs no head, and sees other ranks."""
    day = a_day()
    without_key = structs.replace(day.context, sign_head=None)
    day.context, with_key = without_key, day.context
    lines, tournament = list(day.log), day.tournament
    day.start(3, word="heron")
    seen = ranks(day)
    day.log, day.tournament, day.context = lines, day.folded(lines), with_key
    assert tournament is not day.tournament
    tree = type(with_key.tree)()
    for line in day.lines:
        tree.add(sha256(b"\0" + line).digest())
    day.context = structs.replace(with_key, tree=tree, added=[])
    day.start(3, word="heron")
    assert ranks(day) != seen


@pytest.mark.parametrize("word", ["crane", "heron2", "her on"])
def test_there_is_no_second_word(word: str) -> None:
    day = a_day()
    day.start(3, word="Blue  HERON ")
    assert day.tournament.word == "blue heron"
    stages = day.tournament.stages[0].plan
    told = day.refused(StartTournament("custom", (stages,), word=word))
    assert "it can no longer be changed" in told
    other = (structs.replace(stages, rounds=2),)
    day.do(StartTournament("custom", other, word="blue HERON", reason="the hall closes"))
    assert day.tournament.word == "blue heron"
    assert "the tournament has already started" in taken(day, TournamentStarted(word))
    assert "the tournament has already started" in taken(day, TournamentStarted(""))


@pytest.mark.parametrize("word", ["Heron", "blue  heron", " heron", "e\u0301", "a\nb"])
def test_a_word_stands_in_one_spelling(word: str) -> None:
    day = a_day()
    announced = day.do(StartTournament("custom", (SWISS,)))[0].event
    assert "must be in lower case and normalized Unicode" in taken(
        a_day(), announced, TournamentStarted(word)
    )


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (" \t\n ", "must not be empty"),
        ("x" * 101, "at most 100"),
        ("a\u202eb", "202E"),
        ("\U0001f98a", "1F98A"),
    ],
)
def test_no_word_that_nobody_can_call_out(word: str, why: str) -> None:
    day = a_day()
    assert why in day.refused(StartTournament("custom", (SWISS,), word=word))


# --- the head of the start ---


def test_nothing_is_drawn_before_the_head() -> None:
    day = a_day()
    assert "not started" in day.refused(PairRound())
    assert "not started" in taken(day, RanksDrawn(1, (1,) * 8))
    late = PlayerRegistered(9, random_rank=7)
    assert "before the ranks are drawn" in taken(day, late)
    announced, started, head, drawn = (each.event for each in _started(day))
    assert "head of the start is not on record" in taken(a_day(), announced, started, drawn)
    assert "must be the next event after the start" in taken(a_day(), announced, head)
    assert not taken(a_day(), announced)


def _started(day: Day) -> Sequence[Any]:
    before = len(day.log)
    day.start(3)
    return day.log[before:]


def test_the_head_is_that_of_the_lines() -> None:
    """The root of other lines, fewer lines, another's signature, none where a witness waits."""
    day = a_day()
    day.start(3)
    lines, head = day.lines, day.tournament.head
    assert head is not None
    place = next(n for n, line in enumerate(lines) if b"HeadRecorded" in line)
    thief = signer(LOG.key.name, b"t" * 32)
    text = f"{LOG.key.name}\n{head.size}\n{base64_of(bytes.fromhex(head.root))}\n"
    stolen = base64_of(thief.sign(text.encode()))
    for changed, why in (
        (structs.replace(head, root="0" * 64, signature=""), "does not match the lines before it"),
        (structs.replace(head, size=head.size - 1), f"must cover {head.size} lines"),
        (structs.replace(head, signature=stolen), "not signed with the log's key"),
        (structs.replace(head, signature="AAAA"), "not signed with the log's key"),
    ):
        forged = structs.replace(day.log[place], event=changed)
        with pytest.raises(InvalidLog, match=why):
            replay_lines("log", [*lines[:place], encode(forged)], ranking)
    assert "is already on record" in taken(day, head)


def test_a_head_without_the_logs_key_is_none_for_a_witness() -> None:
    day = a_day(witness=vkey(WITNESS.key))
    day.context = structs.replace(day.context, sign_head=None)
    assert "start at the desk that has the key" in day.refused(StartTournament("custom", (SWISS,)))


# --- the witness ---


def test_no_draw_before_the_cosignature() -> None:
    day = witnessed()
    assert set(ranks(day)) == {0}
    told = day.refused(PairRound())
    assert "need the cosignature of the witness league.example/cup" in told
    assert "[start.witnessed]" in told
    assert "need the cosignature of the witness" in taken(day, RanksDrawn(1, (1,) * 8))
    day.do(CosignHead(cosignature(day)))
    assert ranks(day) == foretold(day, "heron", cosignature(day))
    day.pair()


def test_there_is_no_second_cosignature() -> None:
    """Of the same head at another time: the ranks would be others."""
    day = witnessed()
    day.do(CosignHead(cosignature(day)))
    other = cosignature(day, time=1_001)
    assert "has already cosigned" in day.refused(CosignHead(other))
    assert "has already cosigned" in taken(day, HeadCosigned(other))
    assert day.do(CosignHead(cosignature(day))) == []


def test_only_the_named_witness_cosigns() -> None:
    day = witnessed()
    thief = signer(WITNESS.key.name, b"t" * 32, COSIGNATURE)
    good = cosignature(day)
    for wrong in (cosignature(day, by=thief), "", good[:-4], good + "AAAA", good.lower()):
        assert "not the witness's cosignature" in taken(day, HeadCosigned(wrong))
    other = a_day()
    other.start(3)
    assert "names no witness" in taken(other, HeadCosigned(good))


def test_a_witness_cosigns_a_head_once(desk: Desk, tmp_path: Path) -> None:
    """Asked again it gives the very same cosignature; another word is another history to it."""
    vkey_line = desk.done("witness", "init", "league.example/cup").out.split()[-1]
    desk.done("new", "Cup", "--ruleset", "l5r", "--organizer", "Kim", "--witness", vkey_line)
    for name in ("Ann", "Bob", "Cas", "Dee"):
        desk.done("register", name)
    own = desk.done("checkpoint", "--policy").out.split()[1]
    desk.done("witness", "trust", own)
    before = tmp_path / "before"
    shutil.copytree(desk.folder, before, ignore=shutil.ignore_patterns("before"))
    started = desk.done("start", "basic", "--word", "heron", "-o", "ask").err
    assert "the draws need the cosignature of the witness league.example/cup" in started
    assert "next: pair" not in started
    first = desk.done("witness", "cosign", "ask").out
    size = json.loads(desk.done("witness", "--json").out)[0]["size"]
    desk.done("witness", "ask", "--old", str(size), "-o", "again")
    assert desk.done("witness", "cosign", "again").out == first
    (before / ".tourney-keys" / "witnessed.db").unlink(missing_ok=True)
    for path in (desk.folder / ".tourney-keys").glob("*wit*"):
        shutil.copy(path, before / ".tourney-keys")
    desk.patch.chdir(before)
    desk.done("start", "basic", "--word", "crane", "-o", "ask")
    assert desk.type("witness", "cosign", "ask").code == 1
    desk.done("witness", "ask", "--old", str(size), "-o", "again")
    told = desk.type("witness", "cosign", "again")
    assert (told.code, told.out) == (1, "")


# --- commitments and ranks ---


def test_a_commitment_to_nothing_is_opened_by_nothing() -> None:
    """Before, SHA-256 of no bytes was opened by an empty key."""
    day = Day(2, shuffle_key=b"")
    empty = sha256(b"").hexdigest()
    assert day.tournament.draw_keys[0].commitment == empty
    hidden = day.context.hidden_key.hex()
    assert "the revealed shuffle key does not match" in day.refused_event(
        TournamentFinished("", hidden)
    )


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_a_key_has_32_bytes(size: int) -> None:
    key = b"k" * size
    day = Day(2, hidden_key=key)
    shuffle = day.context.shuffle_key.hex()
    assert "the revealed hidden key does not match" in day.refused_event(
        TournamentFinished(shuffle, key.hex())
    )


@pytest.mark.parametrize("place", range(8))
def test_a_forged_rank_is_found_once_the_key_is_revealed(place: int) -> None:
    day = a_day()
    day.start(1)
    key = day.context.shuffle_key.hex()
    assert rederive(lambda: day.lines, key).checked["draws"] == 1
    number = next(n for n, each in enumerate(day.log) if isinstance(each.event, RanksDrawn))
    drawn = day.log[number].event
    assert isinstance(drawn, RanksDrawn)
    changed = list(drawn.ranks)
    changed[place] = (changed[place] + 1) % 2**48
    forged = structs.replace(day.log[number], event=RanksDrawn(1, tuple(changed)))
    lines = [*day.lines[:number], encode(forged), *day.lines[number + 1 :]]
    with pytest.raises(InvalidLog, match="RanksDrawn does not match its draw"):
        rederive(lambda: lines, key)


@pytest.mark.parametrize(
    "forged", [RanksDrawn(1, (5,) * 7), RanksDrawn(2, (5,) * 7), RanksDrawn(1, (5,) * 9)]
)
def test_ranks_are_everybodys_and_in_order(forged: RanksDrawn) -> None:
    day = witnessed()
    told = taken(day, HeadCosigned(cosignature(day)), forged)
    assert "the next ranks to draw are those of players 1 to 8" in told


def test_the_order_of_registrations_is_settled_before_the_ranks() -> None:
    """A registration taken back and made again is another number, whose rank nobody foretells."""
    day = a_day()
    for _ in range(5):
        number = len(day.tournament.players) - 1
        day.do(WithdrawRegistration(number, "another number, please"))
        day.do(RegisterPlayers((Entry("Player 0008"),)))
    tried = foretold(day, "heron", "")
    day.start(3, word="heron")
    assert not set(tried) & set(ranks(day))


def test_an_event_that_draws_here_commits_to_its_keys() -> None:
    lines = a_day().lines
    first = json.loads(lines[0])
    for member in ("commitment", "hidden"):
        data = {name: value for name, value in first["data"].items() if name != member}
        line = json.dumps(first | {"data": data}, separators=(",", ":"), ensure_ascii=False)
        with pytest.raises(InvalidLog, match="commit to both the key of its draws"):
            replay_lines("log", [line.encode()], ranking)


def test_a_head_is_recorded_by_whoever_starts() -> None:
    day = a_day()
    day.start(3)
    assert isinstance(day.log[-2].event, HeadRecorded)
    assert {each.by for each in day.log[-3:]} == {"o1"}
