"""Sealed text: it opens in its place with its key, and nowhere else; hostile lines do no harm."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.books.forgetting import MATCH_FIELD, OFFICIAL_FIELD, PLAYER_FIELDS
from ledger.errors import InvalidLog
from ledger.facts.base import Waiver
from ledger.facts.office import PenaltyGiven
from ledger.facts.people import PlayerRegistered
from ledger.facts.rounds import SeatsSwapped
from ledger.facts.shared import PersonRecorded
from ledger.facts.vocabulary import EVENTS
from ledger.lines.line import decode, encode, read
from ledger.lines.recorded import record
from ledger.lines.sealing import Seals, holds_text, texts
from ledger.lines.texts import DAMAGED, FORGOTTEN, UNOPENED
from ledger.proof import ciphers
from ledger.proof.ciphers import SEALED, seal_text, unseal_text
from ledger.proof.formats import Invalid
from tests.support.examples import examples

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded

HERE = ["here"]
KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
STREAM = "e" * 32
AT = "2026-03-14T09:00:00.000Z"
ABOUT_NOBODY = {
    "LinksGuessed",
    "RoundExtended",
    "RoundPaused",
    "StructureAnnounced",
    "RoundUnpaired",
    "RoundReopened",
    "RoundClosed",
    "CutMade",
    "ActWithdrawn",
    "TournamentFinished",
    "ForkAccepted",
    "ShuffleKeyReplaced",
    "HiddenKeyReplaced",
    "PersonRecorded",
}
"""Events whose text is about the round or the event; a name has its own key."""

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=1_000)
NAMES = TEXTS.filter(lambda text: bool(text.strip()) and not text.startswith(SEALED))


def put(event: Event, event_id: str = "cmd") -> Recorded:
    return record(9, event_id, AT, "o1", event)


def name(text: str, of: str = "p1") -> Recorded:
    return put(PersonRecorded(of, text))


def seals(key: bytes = KEY, tournament: str = STREAM) -> Seals:
    return Seals(
        tournament, {"master:p1": key, "master:p2": key, "text:cmd": key, "text:cmd.1": key}
    )


@given(NAMES)
@examples(200)
def test_what_is_sealed_is_opened_as_it_was_typed(text: str) -> None:
    line, other = (encode(name(each), seals().seal) for each in (text, "another"))
    assert decode(line, seals().open) == name(text)
    sealed, as_another = (read(each).event.name for each in (line, other))  # type: ignore[attr-defined] # a PersonRecorded
    assert sealed.startswith(SEALED)
    assert line.replace(sealed.encode(), b"") == other.replace(as_another.encode(), b"")


@given(TEXTS)
@examples(100)
def test_one_text_in_one_place_is_sealed_to_one_string(text: str) -> None:
    sealed = seal_text(KEY, HERE, text)
    assert seal_text(KEY, HERE, text) == sealed
    assert unseal_text(KEY, HERE, sealed) == text
    for key, place in ((OTHER, HERE), (KEY, ["there"])):
        assert seal_text(key, place, text) != sealed
        with pytest.raises(Invalid):
            unseal_text(key, place, sealed)


def test_every_text_of_an_event_is_sealed_and_blank_ones_stay() -> None:
    waived = SeatsSwapped(1, (1, 2), "they asked", Waiver(("FFG-REMATCH",), "a small field"))
    registered = PlayerRegistered(1, 5, attributes={"club": "Harbour", "note": " "})
    assert [place.path for place, _ in texts(waived)] == ["reason", "waiver.reason"]
    assert [place.path for place, _ in texts(registered)] == ["attributes.club"]
    for event in (waived, registered):
        line = encode(put(event), seals().seal)
        assert line.count(SEALED.encode()) == len(texts(event))
        assert decode(line, seals().open) == put(event)
    assert b'"note":" "' in line
    assert b"FFG-REMATCH" in encode(put(waived), seals().seal)


def test_the_texts_of_one_event_differ_though_they_say_the_same() -> None:
    same = SeatsSwapped(1, (1, 2), "same", Waiver(("X",), "same"))
    stored = read(encode(put(same), seals().seal)).event
    assert isinstance(stored, SeatsSwapped)
    assert stored.waiver
    sealed = (stored.reason, stored.waiver.reason)
    nonces = {base64.b64decode(text.rpartition(":")[2])[:16] for text in sealed}
    assert len(nonces) == 2


@pytest.mark.parametrize("event", [name("Ann Lee").event, PenaltyGiven(1, "warning", "late")])
def test_a_sealed_text_means_nothing_in_another_place(event: Event) -> None:
    line = encode(put(event), seals().seal)
    shown = [text for _, text in texts(decode(line, seals().open).event)]
    assert DAMAGED not in shown
    moved = [
        decode(line.replace(b'"id":"cmd"', b'"id":"cmd.1"'), seals().open),
        decode(line, seals(tournament="f" * 32).open),
        decode(line, seals(OTHER).open),
        decode(line, seals(KEY[:-1]).open),
        decode(line, seals(b"").open),
    ]
    assert [[text for _, text in texts(each.event)] for each in moved] == [[DAMAGED]] * 5


def test_a_sealed_text_does_not_open_under_another_member() -> None:
    same = SeatsSwapped(1, (1, 2), "first", Waiver(("X",), "other"))
    stored = read(encode(put(same), seals().seal)).event
    assert isinstance(stored, SeatsSwapped)
    assert stored.waiver
    turned = SeatsSwapped(1, (1, 2), stored.waiver.reason, Waiver(("X",), stored.reason))
    shown = seals().open(put(turned)).event
    assert [text for _, text in texts(shown)] == [DAMAGED, DAMAGED]


def test_without_the_key_it_is_said_why() -> None:
    line = encode(name("Ann Lee"), seals().seal)
    without = Seals(STREAM)
    assert decode(line) == decode(line, without.open) == name(UNOPENED)
    without.forgotten = frozenset({"master:p1"})
    assert decode(line, without.open) == name(FORGOTTEN)


def test_every_letter_of_a_sealed_text_counts() -> None:
    sealed = encode(name("Ann Lee"), seals().seal)
    start = sealed.index(SEALED.encode())
    end = sealed.index(b'"', start)
    for place in range(start, end):
        for letter in (b"A", b"=", b":", b"+", b"%"):
            changed = sealed[:place] + letter + sealed[place + 1 :]
            if changed == sealed:
                continue
            shown = decode(changed, seals().open).event.name  # type: ignore[attr-defined] # as above
            assert (shown == DAMAGED) == (place >= start + len(SEALED))
            assert shown != "Ann Lee"


DIGEST = "KFK6mQXvlEhFHPkpIaPUWwUInlDuBbUKFpOY2mYNx4Y="


@pytest.mark.parametrize(
    "body",
    [
        "",
        ":",
        f"{DIGEST}",
        f"{DIGEST}:",
        f"{DIGEST}:AAAA",
        f"{DIGEST}:{'A' * 36}",  # a nonce and a tag around nothing
        f"{DIGEST}:{'A' * 39}",
        f"{DIGEST}:{'A' * 54}B=",  # not canonical
        f"{DIGEST}: {'A' * 56}",
        f"{DIGEST}:{'A' * 56}\n",
        f"{DIGEST}:{'é' * 56}",
        f"{DIGEST[:-1]}:{'A' * 56}",
        f"{DIGEST[4:]}:{'A' * 56}",
        f"{DIGEST}:{'A' * 56}:{'A' * 56}",
        f"{DIGEST.lower()}::{'A' * 56}",
    ],
)
def test_a_malformed_seal_is_refused_and_harms_no_view(body: str) -> None:
    good = encode(name("Ann Lee"), seals().seal)
    start = good.index(SEALED.encode())
    written = body.encode().replace(b"\n", b"\\n")
    bad = good[:start] + SEALED.encode() + written + good[good.index(b'"', start) :]
    with pytest.raises(InvalidLog, match="name"):
        read(bad)
    assert decode(bad, seals().open).event.name == DAMAGED  # type: ignore[attr-defined] # as above
    assert decode(bad).event.name == UNOPENED  # type: ignore[attr-defined] # as above


def test_a_seal_over_too_much_or_nothing_is_damaged() -> None:
    for text in ("", "x" * 1_001):
        sealed = seal_text(KEY, [STREAM, "cmd", "name"], text, ciphers.NAME_STEP)
        assert seals().open(name(sealed)) == name(DAMAGED)
    body = ciphers.seal(KEY, ciphers.TEXT_DOMAIN, HERE, b"\xff", 32)
    not_text = seal_text(KEY, HERE, "x").rpartition(":")[0] + f":{base64.b64encode(body).decode()}"
    with pytest.raises(Invalid, match="not UTF-8 text"):
        unseal_text(KEY, HERE, not_text)


def test_the_length_of_a_text_is_not_to_be_seen() -> None:
    lengths = [len(seal_text(KEY, HERE, "x" * size)) for size in range(1, 65)]
    assert len(set(lengths[:31])) == len(set(lengths[31:63])) == 1
    assert lengths[30] < lengths[31] < lengths[63]
    for text in ("x" * 31, "x" * 32, "end\0", "\0\0", "\u0100\u0080", "\u0080\0"):
        assert unseal_text(KEY, HERE, seal_text(KEY, HERE, text)) == text


def test_all_names_of_a_usual_length_look_alike() -> None:
    lengths = {len(encode(name("x" * size), seals().seal)) for size in range(1, 64)}
    assert len(lengths) == 1
    assert len(encode(name("x" * 64), seals().seal)) > max(lengths)


@pytest.mark.parametrize(
    "filled",
    [b"Ann", b"Ann" + bytes(29), b"Ann\x80" + bytes(60), b"Ann\x80" + bytes(28) + b"x", bytes(32)],
)
def test_a_text_that_is_filled_up_otherwise_is_damaged(
    filled: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ciphers, "_filled", lambda *_: filled)
        sealed = seal_text(KEY, HERE, "Ann")
    with pytest.raises(Invalid):
        unseal_text(KEY, HERE, sealed)


def test_nobody_can_type_a_sealed_text() -> None:
    for event in (PersonRecorded("p1", SEALED), PenaltyGiven(1, "warning", f"{SEALED}x")):
        for sealer in (None, seals().seal):
            with pytest.raises(InvalidLog, match="is reserved for sealed text"):
                encode(put(event), sealer)


@pytest.mark.parametrize("sealer", [None, seals().seal])
def test_the_bound_of_a_text_is_that_of_what_was_typed(sealer: object) -> None:
    longest = "王" * 1_000
    line = encode(name(longest), sealer)  # type: ignore[arg-type] # one of the two above
    assert decode(line, seals().open) == name(longest)
    with pytest.raises(InvalidLog, match="`name` can have at most 1,000 characters"):
        encode(name(f"{longest}x"), sealer)  # type: ignore[arg-type] # as above
    with pytest.raises(InvalidLog, match="at most 1,000"):
        read(encode(name("Ann")).replace(b"Ann", b"A" * 1_001))


def test_every_event_with_text_says_whom_it_is_about() -> None:
    named = {
        *PLAYER_FIELDS,
        OFFICIAL_FIELD,
        MATCH_FIELD,
        "players",
        "games",
        "game",
        "withdraws",
        "public",
    }
    unclear = {
        kind
        for kind, event in EVENTS.items()
        if holds_text(event) and named.isdisjoint(event.__struct_fields__)
    }
    # The first is about who is known by it alone, the other about whom the link let in.
    assert unclear - ABOUT_NOBODY == {"RegistrationAsked", "LinkRevoked", "PlainHttpChosen"}


@given(st.binary(max_size=90))
def test_noise_in_a_seal_never_does_more_than_show_damage(noise: bytes) -> None:
    shown = seals().open(name(f"{SEALED}{noise.hex()}")).event
    assert shown == PersonRecorded("p1", DAMAGED)
