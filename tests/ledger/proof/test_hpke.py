"""Sealing to a public key against RFC 9180's vector and a second computation; keys of readers."""

from __future__ import annotations

import random
import re

import pytest

from ledger.proof.ciphers import (
    PUBLIC,
    Reader,
    open_sealed,
    parse_reader,
    parse_reader_secret,
    reader_secret,
    seal_for,
)
from ledger.proof.formats import Invalid
from ledger.proof.notes import base64_of
from tests.truth import second_hpke as second

LEAGUE = reader_secret("league", b"l" * 32)

# RFC 9180, A.2.1 and A.2.1.1, sequence number 0.
EPHEMERAL = "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"
PRIVATE = "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"
PUBLIC_KEY = "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"
ENC = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
CIPHERTEXT = (
    "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"
)
INFO, AAD = b"Ode on a Grecian Urn", b"Count-0"
PLAIN = b"Beauty is truth, truth beauty"


def test_the_published_vector() -> None:
    private, public = bytes.fromhex(PRIVATE), bytes.fromhex(PUBLIC_KEY)
    assert reader_secret("rfc", private).reader.public == public
    sealed = bytes.fromhex(ENC + CIPHERTEXT)
    assert second.opened(private, sealed, INFO, AAD) == PLAIN
    assert second.sealed_to(public, bytes.fromhex(EPHEMERAL), PLAIN, INFO, AAD) == sealed


@pytest.mark.slow
def test_both_computations_open_what_the_other_sealed() -> None:
    draw = random.Random(5)
    for number in range(100):
        secret = reader_secret("r", draw.randbytes(32))
        plain, info = draw.randbytes(draw.randrange(200)), draw.randbytes(number)
        public = second.x25519(secret.private, second.BASE_POINT)
        assert secret.reader.public == public
        ours = seal_for(secret.reader, plain, info)
        assert len(ours) == len(plain) + 48
        assert second.opened(secret.private, ours, info) == plain
        theirs = second.sealed_to(public, draw.randbytes(32), plain, info)
        assert open_sealed(secret, theirs, info) == plain


def test_nothing_else_opens() -> None:
    sealed = seal_for(LEAGUE.reader, b"a ruling", b"texts")
    wrong = [sealed[:length] for length in range(len(sealed))] + [sealed + b"\0"]
    wrong += [
        sealed[:place] + bytes([sealed[place] ^ 1]) + sealed[place + 1 :]
        for place in range(len(sealed))
    ]
    for each in wrong:
        with pytest.raises(Invalid, match="does not open with the key of league"):
            open_sealed(LEAGUE, each, b"texts")
    with pytest.raises(Invalid):
        open_sealed(LEAGUE, sealed, b"a backup")
    with pytest.raises(Invalid):
        open_sealed(reader_secret("league", b"m" * 32), sealed, b"texts")


def test_keys_are_read_in_one_spelling() -> None:
    text = LEAGUE.reader.text
    assert re.fullmatch(r"READER\+league\+[0-9a-f]{8}\+[A-Za-z0-9+/]{43}=", text)
    assert parse_reader(text) == LEAGUE.reader
    assert parse_reader_secret(LEAGUE.text) == LEAGUE
    for wrong in (
        "",
        text + "\n",
        text[:-1],
        text.lower(),
        text.replace("league", "leagve"),
        text.replace("league", ""),
        text.replace("league", "the league"),
        text.replace("league", "l" * 81),
        text.replace(LEAGUE.reader.id, LEAGUE.reader.id.upper() + "0"),
        LEAGUE.text,
    ):
        with pytest.raises(Invalid):
            parse_reader(wrong)
    with pytest.raises(Invalid, match="does not match its id"):
        parse_reader_secret(reader_secret("league", b"m" * 32).text[:24] + LEAGUE.text[24:])


P = 2**255 - 19
ORDER_EIGHT = 325606250916557431795983626356110631294008115727848805560023387167927233504
LOW = (0, 1, ORDER_EIGHT, P - 1, P, P + 1, P - 1 + 2**255, 2**255)


@pytest.mark.parametrize("u", LOW)
def test_a_key_that_everybody_opens_is_refused(u: int) -> None:
    with pytest.raises(Invalid, match="of low order"):
        parse_reader(Reader("league", u.to_bytes(32, "little")).text)


@pytest.mark.parametrize("more", [2**255, P])
def test_a_second_spelling_of_a_key_is_refused(more: int) -> None:
    value = int.from_bytes(LEAGUE.reader.public, "little") if more == 2**255 else 9
    public = (value + more).to_bytes(32, "little")
    with pytest.raises(Invalid, match="not in canonical form"):
        parse_reader(Reader("league", public).text)


def test_the_id_is_of_name_and_key() -> None:
    other = Reader("other", LEAGUE.reader.public)
    assert other.id != LEAGUE.reader.id
    forged = f"{PUBLIC}other+{LEAGUE.reader.id}+{base64_of(LEAGUE.reader.public)}"
    with pytest.raises(Invalid, match="does not match its id"):
        parse_reader(forged)
