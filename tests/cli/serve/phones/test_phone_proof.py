"""What a phone checks by itself, in JavaScript: the published vectors, and what Python signs.

Skipped where node is absent; a browser runs the same files in `test_witness_browser.py`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import TYPE_CHECKING

import pytest
import segno

from ledger.proof.evidence import Prover
from ledger.proof.formats import Checkpoint
from ledger.proof.notes import checkpoint_text, signed_note, signer, vkey
from tests.cli.serve.phones.phone import Phone, needs_node
from tests.support.hall import hall_open
from tests.support.shared import needs_shared, vectors

if TYPE_CHECKING:
    from tests.support.cli_desk import Desk

pytestmark = needs_node


@pytest.fixture(scope="module")
def phone(tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"))


def test_hashes_as_python_has_them(phone: Phone) -> None:
    texts = [bytes((7 * i + size) % 256 for i in range(size)) for size in (*range(130), 1000)]
    for name in ("sha256", "sha512"):
        expected = [hashlib.new(name, each).hexdigest() for each in texts]
        assert phone.ask(name, *(each.hex() for each in texts)) == expected
    macs = [hmac.digest(each, each, "sha256").hex() for each in texts]
    assert phone.ask("hmac", *([each.hex(), each.hex()] for each in texts)) == macs


def test_signatures_as_python_makes_them_and_no_others(phone: Phone) -> None:
    """One bit in key, signature or message, an S that is too large, points that are none."""
    made = [signer("n", bytes([number]) * 32) for number in range(6)]
    good = [
        (each.key.public, each.sign(bytes([n]) * n), bytes([n]) * n) for n, each in enumerate(made)
    ]
    order = 2**252 + 27742317777372353535851937790883648493
    wrong: list[tuple[bytes, bytes, bytes]] = []
    for key, signature, message in good:
        wrong += [(_flipped(key), signature, message), (key, signature, message + b"x")]
        wrong += [
            (key, _flipped(signature), message),
            (key, _flipped(signature[::-1])[::-1], message),
        ]
        s = int.from_bytes(signature[32:], "little") + order
        wrong.append((key, signature[:32] + s.to_bytes(32, "little"), message))
    neutral = (1).to_bytes(32, "little")
    wrong += [(neutral, neutral + bytes(32), b"any"), (b"\xff" * 32, good[0][1], b"")]
    asked = [[part.hex() for part in each] for each in (*good, *wrong)]
    assert phone.ask("signed", *asked) == [True] * len(good) + [False] * len(wrong)


def _flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def test_trees_and_proofs_as_python_makes_them(phone: Phone) -> None:
    leaves = [bytes([number]) * number for number in range(40)]
    prover = Prover(leaves)
    sizes = range(1, 41)
    roots = phone.ask("root", *([each.hex() for each in leaves[:size]] for size in sizes))
    assert roots == [prover.root(size).hex() for size in sizes]
    pairs = [(old, new) for new in sizes for old in range(1, new + 1)]
    asked, twisted = [], []
    for old, new in pairs:
        proof = [each.hex() for each in prover.consistency(old, new)] if old < new else []
        before = {"size": old, "root": prover.root(old).hex()}
        after = {"size": new, "root": prover.root(new).hex()}
        asked.append([before, after, proof])
        other = _flipped(prover.root(old)).hex()
        twisted += [[before | {"root": other}, after, proof], [before, after, [*proof, other]]]
        twisted.append([before, after | {"root": _flipped(prover.root(new)).hex()}, proof])
        twisted += [[before, after, proof[:-1]]] if proof else []
    assert all(phone.ask("consistent", *asked))
    assert not any(phone.ask("consistent", *twisted))


@needs_shared
def test_the_published_vectors(phone: Phone) -> None:
    answers, probes = vectors("known-answers"), vectors("merkle-probes")["consistency"]
    tree = answers["rfc6962_reference_tree"]
    expected = tree["roots_size_1_to_8"]
    prefixes = [tree["leaves_hex"][:size] for size in range(1, 9)]
    assert phone.ask("root", *prefixes) == expected
    asked = [
        [
            {"size": each["size1"], "root": _hex(each["root1"])},
            {"size": each["size2"], "root": _hex(each["root2"])},
            [_hex(part) for part in each["proof"] or []],
        ]
        for each in probes
    ]
    assert phone.ask("consistent", *asked) == [not each["wantErr"] for each in probes]
    known = answers["sum_golang_org_checkpoint"]
    note, script = known["note"], answers["witness_consistency_5_8"]
    heads = [[each, [script["vkey"]]] for each in (script["old"], script["new"])]
    found = phone.ask("head", [note, [known["vkey"]]], *heads)
    assert "no known key" in found[0]  # it is signed under another name than the log's
    old, new = ({"size": each[1], "root": each[2]} for each in found[1:])
    assert phone.ask("consistent", [old, new, script["proof"]]) == [True]


def _hex(encoded: str | None) -> str:
    return base64.b64decode(encoded or "").hex()


def test_a_head_counts_with_the_logs_signature_alone(phone: Phone) -> None:
    made, thief = signer("tourney/event", b"k" * 32), signer("tourney/event", b"t" * 32)
    text = checkpoint_text(Checkpoint("tourney/event", 57, b"r" * 32))
    note = signed_note(text, made).decode()
    keys = [vkey(made.key)]
    wrong = {
        signed_note(text, thief).decode(): "no known key",
        note.replace("57", "58"): "is wrong",
        note[:-1]: "not a signed head",
        note.replace("\n\n", "\n"): "not a signed head",
        note.replace("\u2014", "-"): "is not a signature",
        "": "not a signed head",
    }
    found = phone.ask("head", [note, keys], *([each, keys] for each in wrong))
    assert found[0] == ["tourney/event", 57, (b"r" * 32).hex()]
    for (each, why), said in zip(wrong.items(), found[1:], strict=True):
        assert why in said, each
    both = signed_note(text, made, thief).decode()
    assert phone.ask("head", [both, keys])[0][1] == 57


def test_a_code_is_drawn_as_another_program_draws_it(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every version up to 20, full and not: segno fills a whole byte where none is missing."""
    full = [17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718]
    full += [792, 858]
    texts = [
        ("http://desk.local:8600/carried?" * 40)[: size - less] for size in full for less in (0, 3)
    ]
    found = phone.ask("code", *texts)
    versions = set()
    for text, rows in zip(texts, found, strict=True):
        with monkeypatch.context() as patch:
            if len(text) not in full:
                patch.setattr(segno.encoder, "write_padding_bits", lambda *_: None)
            made = segno.make(text, error="l", mode="byte", mask=0, micro=False, boost_error=False)
        assert rows == [list(row) for row in made.matrix], len(text)
        versions.add(made.version)
    assert versions == set(range(1, 21))


def test_a_renewed_key_counts_where_the_one_before_signed_for_it(phone: Phone, desk: Desk) -> None:
    """A real log whose key was renewed twice; then each way in which nobody signed for it."""
    desk.open(2)
    with hall_open() as browser:
        first = browser.get("/api/v1/head").json()
        assert first["renewed"] == []
        for reason in ("sold", "sold again"):
            desk.done("key", "renew", "--reason", reason)
        value = browser.get("/api/v1/head").json()
    origin, renewals = value["note"].partition("\n")[0], value["renewed"]
    publics = [json.loads(each["line"])["data"]["public"] for each in renewals]
    one, two = renewals
    (last,) = value["keys"]
    strange = [(origin, [two]), (f"{origin}0", renewals)]
    for old, new in (('"seq":', '"seq":1'), ('"holder":0', '"holder":1'), (publics[0], publics[1])):
        strange.append((origin, [one | {"line": one["line"].replace(old, new)}, two]))
    strange += [(origin, [one | {"root": two["root"]}]), (origin, [one | {"line": _unsigned(one)}])]
    asked = [[first["keys"], of, lines] for of, lines in [(origin, renewals), *strange]]
    found = phone.ask("keys", *asked, [[last], origin, renewals])
    assert [each[1:] for each in found] == [publics, *([] for _ in strange), []]


def _unsigned(renewal: dict[str, str]) -> str:
    return renewal["line"].partition(',"sig"')[0] + "}"


def test_a_key_that_was_lost_is_signed_for_by_nobody(desk: Desk) -> None:
    desk.open(2)
    with hall_open() as browser:
        for each in (desk.folder / ".tourney-keys").glob("log-*.key"):
            each.unlink()
        desk.done("key", "renew", "--lost", "--reason", "the machine burnt")
        assert browser.get("/api/v1/head").json()["renewed"] == []
