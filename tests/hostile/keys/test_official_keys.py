"""Once keyed, always keyed: every way around an official's key, by everybody, on both stores."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec import structs

from ledger.books.book import open_book
from ledger.errors import InvalidLog, LedgerError
from ledger.exchange.log_files import replay
from ledger.facts.keys import KeyRegistered, KeyRevoked
from ledger.facts.office import NoteTaken, PenaltyGiven
from ledger.facts.shared import RulingMade
from ledger.fold import fold_lines
from ledger.lines.line import decode, encode, unsigned
from ledger.lines.recorded import signed
from ledger.proof import notes
from ledger.proof.formats import Invalid
from ledger.proof.signatures import signed_body
from ledger.proof.verifier import verify_file
from ledger.rules import check
from ledger.rules.keys import RegisterKey, RevokeKey
from ledger.rules.office import Penalize, Rule, TakeNote
from projections.standings.table import ranking
from tests.hostile.keys.keyed_days import (
    ALL,
    AT,
    JUDGE,
    JUDGE_GONE,
    LOG,
    MARSHAL,
    NEW,
    NO_ORGANIZER,
    NUMBER,
    OFFICIALS,
    ORGANIZER,
    ORGANIZER_GONE,
    OTHER_JUDGE,
    OWN,
    SCOREKEEPER,
    THIEF,
    TWO,
    Keyed,
    agreed,
    behind,
    day_of,
    registration,
    signed_behind,
)
from tests.support.files.imports import import_file
from tests.support.signed_logs import head_of, tree_of, write_log
from tests.truth import second_officials

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.facts.base import Event
    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.rules.signing import Sign
    from ledger.store import Store
    from ledger.tournament.state import Tournament


class Attempt(NamedTuple):
    """Who enters what on which day, signed with which key; None: with none."""

    keyed: Keyed
    by: int
    event: Event
    signer: notes.Signer | None = None


def public_of(holder: int) -> str:
    return notes.base64_of(OWN[holder].key.public)


SIGNING = {"nothing": None, "the new key": NEW, "a thief's key": THIEF}
DAYS = {"all keyed": ALL, "organizer without": NO_ORGANIZER, "judge's revoked": JUDGE_GONE}
SECOND_KEY = registration(JUDGE, NEW)
REVOKED = {
    "the judge's": KeyRevoked(public_of(JUDGE), "away"),
    "the marshal's": KeyRevoked(public_of(MARSHAL), "away"),
    "the log's": KeyRevoked(public_of(LOG), "away"),
}


def second_keys() -> dict[str, Attempt]:
    """Everybody but the judge registers a second key for the judge, with whatever they hold."""
    found = {}
    for (day, keyed), by in product(DAYS.items(), OFFICIALS):
        if by == JUDGE:
            continue
        for said, signer in {**SIGNING, "their own": OWN[by], "the log's": OWN[LOG]}.items():
            name = f"a second key for the judge by o{by}, {day}, signed with {said}"
            found[name] = Attempt(keyed, by, SECOND_KEY, signer)
    return found


def revocations() -> dict[str, Attempt]:
    """Everybody revokes another's key with none, or with one that is not theirs to revoke with."""
    found = {}
    for (whose, event), by in product(REVOKED.items(), OFFICIALS):
        for said, signer in {**SIGNING, "the scorekeeper's": OWN[SCOREKEEPER]}.items():
            name = f"{whose} key is revoked by o{by}, signed with {said}"
            found[name] = Attempt(NO_ORGANIZER, by, event, signer)
    return found


def acts_in_keyed_names() -> dict[str, Attempt]:
    """Acts in the judge's name without their signature, while it is in use and after."""
    events = {
        "a ruling": RulingMade(JUDGE, "the other one wins", 1),
        "a penalty": PenaltyGiven(1, "warning", "late"),
        "a note": NoteTaken("the hall was dark"),
    }
    found = {}
    for (what, event), (day, keyed) in product(events.items(), DAYS.items()):
        for said, signer in {**SIGNING, "the log's": OWN[LOG], "the organizer's": OWN[1]}.items():
            found[f"{what}, {day}, with {said}"] = Attempt(keyed, JUDGE, event, signer)
        found[f"{what}, {day}, for a player, unsigned"] = Attempt(keyed, JUDGE, event)
    entered = RulingMade(JUDGE, "the other one wins", 1)
    for by in (ORGANIZER, MARSHAL, SCOREKEEPER, OTHER_JUDGE):
        for said, signer in {"none": None, "their own": OWN[by]}.items():
            name = f"a ruling in the judge's name by o{by} with {said}"
            found[name] = Attempt(NO_ORGANIZER, by, entered, signer)
    return found


def by_two(second: object, **changed: object) -> KeyRegistered:
    return structs.replace(SECOND_KEY, second=second, **changed)


FIRST = registration(SCOREKEEPER, NEW)
OTHER = notes.signer("other", b"x" * 32)
AGREEMENTS = {
    "the holder is the second": Attempt(
        ALL, ORGANIZER, by_two(agreed(JUDGE, OWN[JUDGE])), OWN[ORGANIZER]
    ),
    "the holder is the first": Attempt(
        ALL, JUDGE, by_two(agreed(MARSHAL, OWN[MARSHAL])), OWN[JUDGE]
    ),
    "one leader twice": Attempt(
        ALL, ORGANIZER, by_two(agreed(ORGANIZER, OWN[ORGANIZER])), OWN[ORGANIZER]
    ),
    "a second without a key": Attempt(
        ALL, ORGANIZER, by_two(agreed(OTHER_JUDGE, OWN[OTHER_JUDGE])), OWN[ORGANIZER]
    ),
    "a scorekeeper as the second": Attempt(
        Keyed((*ALL.holders, SCOREKEEPER)),
        ORGANIZER,
        by_two(agreed(SCOREKEEPER, OWN[SCOREKEEPER])),
        OWN[ORGANIZER],
    ),
    "a scorekeeper as the first": Attempt(
        Keyed((*ALL.holders, SCOREKEEPER)),
        SCOREKEEPER,
        by_two(agreed(MARSHAL, OWN[MARSHAL])),
        OWN[SCOREKEEPER],
    ),
    "the second's consent by another's key": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, THIEF)), OWN[ORGANIZER]
    ),
    "the second's consent by the log's key": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[LOG])), OWN[ORGANIZER]
    ),
    "a consent to another key": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL], new=OTHER)), OWN[ORGANIZER]
    ),
    "a consent to another's key": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL], ORGANIZER)), OWN[ORGANIZER]
    ),
    "a consent from another log": Attempt(
        ALL,
        ORGANIZER,
        by_two(agreed(MARSHAL, OWN[MARSHAL], number="8" * 32)),
        OWN[ORGANIZER],
    ),
    "two agree, and nobody signs the line": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL]))
    ),
    "two agree, and the log's key signs the line": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL])), OWN[LOG]
    ),
    "a leader whose key is revoked agrees": Attempt(
        ORGANIZER_GONE, MARSHAL, by_two(agreed(ORGANIZER, OWN[ORGANIZER])), OWN[MARSHAL]
    ),
    "two agree, and the key is lost as well": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL]), lost="x"), OWN[ORGANIZER]
    ),
    "lost, where two others hold keys": Attempt(
        ALL, ORGANIZER, registration(JUDGE, NEW, lost="the laptop"), OWN[LOG]
    ),
    "lost, without the log's key": Attempt(
        TWO, ORGANIZER, registration(JUDGE, NEW, lost="the laptop"), OWN[ORGANIZER]
    ),
    "lost, unsigned": Attempt(TWO, ORGANIZER, registration(JUDGE, NEW, lost="the laptop")),
    "lost for no reason": Attempt(TWO, ORGANIZER, registration(JUDGE, NEW, lost=" "), OWN[LOG]),
    "the log's key lost, where two others hold keys": Attempt(
        ALL, ORGANIZER, registration(LOG, NEW, lost="the laptop")
    ),
    "the log's key lost, by the judge": Attempt(
        TWO, JUDGE, registration(LOG, NEW, lost="the laptop"), OWN[JUDGE]
    ),
    "the log's further key unsigned": Attempt(ALL, ORGANIZER, registration(LOG, NEW)),
    "the log's further key by the organizer's": Attempt(
        ALL, ORGANIZER, registration(LOG, NEW), OWN[ORGANIZER]
    ),
    "the log's further key by itself": Attempt(ALL, ORGANIZER, registration(LOG, NEW), NEW),
    "the log's further key by the judge": Attempt(ALL, JUDGE, registration(LOG, NEW), OWN[LOG]),
    "a first key by the judge": Attempt(ALL, JUDGE, FIRST, OWN[JUDGE]),
    "a first key by its holder": Attempt(ALL, SCOREKEEPER, FIRST, NEW),
    "a first key by the organizer, unsigned": Attempt(ALL, ORGANIZER, FIRST),
    "a first key by an organizer whose key is revoked": Attempt(ORGANIZER_GONE, ORGANIZER, FIRST),
    "a first key that two agree to": Attempt(
        ALL,
        ORGANIZER,
        structs.replace(FIRST, second=agreed(MARSHAL, OWN[MARSHAL], SCOREKEEPER)),
        OWN[ORGANIZER],
    ),
    "a first key in a lost one's place": Attempt(
        ALL, ORGANIZER, structs.replace(FIRST, lost="x"), OWN[ORGANIZER]
    ),
    "the judge's key is revoked with the marshal's": Attempt(
        ALL, MARSHAL, REVOKED["the judge's"], OWN[MARSHAL]
    ),
    "the marshal's key as the judge's": Attempt(
        ALL, JUDGE, registration(JUDGE, OWN[MARSHAL]), OWN[JUDGE]
    ),
    "the log's key as the judge's": Attempt(ALL, JUDGE, registration(JUDGE, OWN[LOG]), OWN[JUDGE]),
    "a new key that signed for another holder": Attempt(
        ALL,
        JUDGE,
        structs.replace(SECOND_KEY, proof=registration(MARSHAL, NEW).proof),
        OWN[JUDGE],
    ),
    "a new key whose holder may not have it": Attempt(
        ALL,
        JUDGE,
        structs.replace(SECOND_KEY, proof=registration(JUDGE, THIEF).proof),
        OWN[JUDGE],
    ),
    "a revoked key again": Attempt(JUDGE_GONE, JUDGE, registration(JUDGE, OWN[JUDGE]), OWN[JUDGE]),
    "a revoked key is revoked again": Attempt(
        JUDGE_GONE, ORGANIZER, KeyRevoked(public_of(JUDGE), "x"), OWN[ORGANIZER]
    ),
    "the log's only key is revoked": Attempt(
        ALL, ORGANIZER, KeyRevoked(public_of(LOG), "x"), OWN[LOG]
    ),
}
ATTEMPTS = {**second_keys(), **revocations(), **acts_in_keyed_names(), **AGREEMENTS}


def test_there_are_enough() -> None:
    assert len(ATTEMPTS) >= 60


def forged(attempt: Attempt) -> tuple[tuple[bytes, ...], Recorded]:
    lines = day_of(attempt.keyed)
    made = behind(lines, f"o{attempt.by}", attempt.event)
    return lines, signed_behind(lines, made, attempt.signer) if attempt.signer else made


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(ATTEMPTS))
def test_every_reader_refuses(name: str, tmp_path: Path) -> None:
    lines, line = forged(ATTEMPTS[name])
    assert check(fold_lines(lines), line, tree=tree_of(lines))
    edited = [*lines, encode(line)]
    path = tmp_path / "log"
    write_log(path, edited, head_of(edited, OWN[LOG]))
    with pytest.raises(Invalid, match=rf"line {len(edited)}"):
        verify_file(path)
    with pytest.raises(InvalidLog, match=rf"line {len(edited)}"):
        replay(path, ranking)
    assert second_officials.read([each + b"\n" for each in edited]) is None


@pytest.mark.parametrize("lost", [b"3", b"null", b'["a bag"]'], ids=bytes.decode)
def test_how_a_key_was_lost_is_a_text(lost: bytes, tmp_path: Path) -> None:
    """Else one reader takes the key as renewed without the old one, and another as signed for."""
    lines = list(day_of(ALL))
    first = next(place for place, line in enumerate(lines) if b'"KeyRegistered' in line)
    del lines[first + 1 :]
    assert second_officials.read([each + b"\n" for each in lines]) is not None
    lines[first] = lines[first].removesuffix(b"}}") + b',"lost":' + lost + b"}}"
    write_log(path := tmp_path / "log", lines, head_of(lines, OWN[LOG]))
    with pytest.raises(Invalid, match="must state in a text how the key was lost"):
        verify_file(path)
    assert second_officials.read([each + b"\n" for each in lines]) is None


def forcing(signer: notes.Signer | None) -> Sign:
    """Sign with a key whether or not it is one that may."""

    def sign(_: Tournament, recorded: Recorded, root: bytes) -> Recorded:
        if signer is None:
            return recorded
        body = signed_body(NUMBER, recorded.seq - 1, root, unsigned(recorded))
        return signed(recorded, notes.base64_of(signer.sign(body)))

    return sign


def command_of(event: Event) -> Command:
    match event:
        case KeyRegistered(second=second):
            two = (second.official, second.sig) if second else (0, "")
            return RegisterKey(event.holder, event.public, event.proof, *two, event.lost)
        case KeyRevoked():
            return RevokeKey(event.public, event.reason)
        case RulingMade():
            return Rule(event.official, event.ruling, match=event.match)
        case PenaltyGiven():
            return Penalize(event.player, event.kind, event.infraction)
        case NoteTaken():
            return TakeNote(event.text)
        case _:
            raise AssertionError(event)


@pytest.mark.slow
@pytest.mark.parametrize("keyed", [*DAYS.values(), TWO, ORGANIZER_GONE], ids=str)
def test_no_store_takes_it(keyed: Keyed, store: Store, tmp_path: Path) -> None:
    """By a desk that signs with whatever it has, and by an import."""
    lines = day_of(keyed)
    store.transact(NUMBER, 0, lambda _: [(decode(line).type, line) for line in lines])
    taken = []
    for name, attempt in ATTEMPTS.items():
        if attempt.keyed != keyed:
            continue
        book = open_book(store, NUMBER, ranking, lambda: bytes(32))
        book.sign = forcing(attempt.signer)
        try:
            book.act(command_of(attempt.event), by=f"o{attempt.by}", command_id="x", at=AT)
        except LedgerError:
            pass
        else:
            taken.append(name)
        path = tmp_path / "log"
        path.write_bytes(b"".join(line + b"\n" for line in (*lines, encode(forged(attempt)[1]))))
        with pytest.raises(InvalidLog):
            import_file(store, path, ranking=ranking)
    assert not taken
    assert store.lines(NUMBER) == list(lines)


RIGHT = {
    "the judge's further key by the judge": Attempt(ALL, JUDGE, SECOND_KEY, OWN[JUDGE]),
    "the judge's further key, entered by the organizer": Attempt(
        ALL, ORGANIZER, SECOND_KEY, OWN[JUDGE]
    ),
    "the judge's further key by two leaders": Attempt(
        ALL, ORGANIZER, by_two(agreed(MARSHAL, OWN[MARSHAL])), OWN[ORGANIZER]
    ),
    "a revoked judge's by two leaders": Attempt(
        JUDGE_GONE, MARSHAL, by_two(agreed(ORGANIZER, OWN[ORGANIZER])), OWN[MARSHAL]
    ),
    "a lost judge's by the log's key": Attempt(
        TWO, ORGANIZER, registration(JUDGE, NEW, lost="the laptop"), OWN[LOG]
    ),
    "the log's lost key": Attempt(TWO, ORGANIZER, registration(LOG, NEW, lost="the laptop")),
    "the log's key by two leaders": Attempt(
        ALL,
        MARSHAL,
        registration(LOG, NEW, agreed(JUDGE, OWN[JUDGE], LOG)),
        OWN[MARSHAL],
    ),
    "the log's key by the log's": Attempt(ALL, ORGANIZER, registration(LOG, NEW), OWN[LOG]),
    "a first key": Attempt(ALL, ORGANIZER, FIRST, OWN[ORGANIZER]),
    "revoked by the holder": Attempt(ALL, JUDGE, REVOKED["the judge's"], OWN[JUDGE]),
    "revoked by the organizer": Attempt(ALL, ORGANIZER, REVOKED["the judge's"], OWN[ORGANIZER]),
    "revoked by the log": Attempt(ALL, MARSHAL, REVOKED["the judge's"], OWN[LOG]),
}


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_what_was_agreed_to_is_taken(name: str, tmp_path: Path) -> None:
    lines, line = forged(RIGHT[name])
    assert not check(fold_lines(lines), line, tree=tree_of(lines))
    edited = [*lines, encode(line)]
    path = tmp_path / "log"
    write_log(path, edited, head_of(edited, OWN[LOG]))
    verdict = verify_file(path)
    assert second_officials.read([each + b"\n" for each in edited]) is not None
    tournament = fold_lines(edited)
    assert tournament.keys == verdict.log.keys


def test_what_goes_back_to_a_lost_key_says_so() -> None:
    lines, line = forged(RIGHT["a lost judge's by the log's key"])
    edited = [*lines, encode(line)]
    held = fold_lines(edited).keys[NEW.key.public]
    assert held.lost == len(edited)
    later = registration(JUDGE, OTHER)
    further = signed_behind(edited, behind(edited, "o2", later), NEW)
    keys = fold_lines([*edited, encode(further)]).keys
    assert keys[OTHER.key.public].lost == len(edited)
