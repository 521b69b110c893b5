"""Trees, keys, notes, heads and policies against published answers and a second verifier."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest

from ledger.proof import notes
from ledger.proof.evidence import Prover
from ledger.proof.formats import (
    COSIGNATURE,
    ED25519,
    EMPTY_ROOT,
    Checkpoint,
    Invalid,
    Key,
    Tree,
    checked_public,
    leaf_hash,
    open_note,
    parse_checkpoint,
    parse_key,
    parse_note,
    unbase64,
    verify_consistency,
    verify_inclusion,
)
from ledger.proof.signatures import pae
from tests.support.shared import needs_shared, vectors
from tests.truth import second_curve, second_lines, second_trees
from tests.truth import second_verifier as second

ANSWERS = vectors("known-answers")
PROBES = vectors("merkle-probes")


def either(text: str) -> Key:
    return parse_key(text, ED25519, COSIGNATURE)


def decoded(text: str | None) -> bytes:
    return base64.b64decode(text or "")


def held(check: Any, *values: Any) -> bool:  # noqa: ANN401 - any check, any values
    try:
        check(*values)
    except Invalid:
        return False
    return True


@needs_shared
def test_every_inclusion_probe() -> None:
    assert len(PROBES["inclusion"]) == 98
    for probe in PROBES["inclusion"]:
        index, size = probe["leafIdx"], probe["treeSize"]
        proof = [decoded(each) for each in probe["proof"] or []]
        leaf, root = decoded(probe["leafHash"]), decoded(probe["root"])
        expected = not probe["wantErr"]
        assert held(verify_inclusion, index, size, leaf, proof, root) == expected, probe["name"]
        assert second_trees.included(index, size, leaf, proof, root) == expected, probe["name"]


@needs_shared
def test_every_consistency_probe() -> None:
    assert len(PROBES["consistency"]) == 98
    for probe in PROBES["consistency"]:
        old = Checkpoint("o", probe["size1"], decoded(probe["root1"]))
        new = Checkpoint("o", probe["size2"], decoded(probe["root2"]))
        proof = [decoded(each) for each in probe["proof"] or []]
        expected = not probe["wantErr"]
        assert held(verify_consistency, old, new, proof) == expected, probe["name"]
        asked = second_trees.consistent(old.size, new.size, proof, old.root, new.root)
        assert asked == expected, probe["name"]


@needs_shared
def test_the_reference_tree() -> None:
    known = ANSWERS["rfc6962_reference_tree"]
    prover, tree = Prover(), Tree()
    assert tree.root() == prover.root(0) == EMPTY_ROOT
    for entry, root in zip(known["leaves_hex"], known["roots_size_1_to_8"], strict=True):
        prover.add(leaf_hash(bytes.fromhex(entry)))
        tree.add(leaf_hash(bytes.fromhex(entry)))
        assert tree.root().hex() == prover.root(prover.size).hex() == root
    for each in known["inclusion"]:
        path = [step.hex() for step in prover.inclusion(each["index"], each["size"])]
        assert path == each["path"]
    for each in known["consistency"]:
        steps = [step.hex() for step in prover.consistency(each["from"], each["to"])]
        assert steps == each["proof"]


@needs_shared
def test_a_real_entry_of_certificate_transparency() -> None:
    known = ANSWERS["ct_real_entry"]
    leaf, root = bytes.fromhex(known["leaf_hash"]), bytes.fromhex(known["root"])
    path = [bytes.fromhex(each) for each in known["path"]]
    verify_inclusion(known["index"], known["size"], leaf, path, root)


def flipped(proof: list[bytes], place: int) -> list[bytes]:
    return [*proof[:place], bytes([proof[place][0] ^ 1]) + proof[place][1:], *proof[place + 1 :]]


SIZES = 256


@pytest.mark.slow
def test_every_proof_up_to_256_verifies_and_no_flipped_one_does() -> None:
    prover = Prover(b"%d" % number for number in range(SIZES))
    leaves = prover.levels[0]
    for size in range(1, SIZES + 1):
        new = Checkpoint("o", size, prover.root(size))
        for index in range(size):
            proof = prover.inclusion(index, size)
            verify_inclusion(index, size, leaves[index], proof, new.root)
            if proof:
                bad = flipped(proof, (index + size) % len(proof))
                assert not held(verify_inclusion, index, size, leaves[index], bad, new.root)
            old = Checkpoint("o", index + 1, prover.root(index + 1))
            proof = prover.consistency(index + 1, size)
            verify_consistency(old, new, proof)
            if proof:
                bad = flipped(proof, (index + size) % len(proof))
                assert not held(verify_consistency, old, new, bad)


@pytest.mark.parametrize("size", [1, 2, 3, 6, 7, 8, 13, 32, 33, 100])
def test_every_hash_of_a_proof_counts_and_the_second_verifier_agrees(size: int) -> None:
    prover = Prover(b"%d" % number for number in range(size))
    assert second_trees.tree_hash(prover.levels[0]) == prover.root(size)
    new = Checkpoint("o", size, prover.root(size))
    for index in range(size):
        leaf, proof = prover.levels[0][index], prover.inclusion(index, size)
        assert second_trees.included(index, size, leaf, proof, new.root)
        for place in range(len(proof)):
            bad = flipped(proof, place)
            assert not held(verify_inclusion, index, size, leaf, bad, new.root)
            assert not second_trees.included(index, size, leaf, bad, new.root)
        old = Checkpoint("o", index + 1, prover.root(index + 1))
        proof = prover.consistency(index + 1, size)
        assert second_trees.consistent(old.size, size, proof, old.root, new.root)
        for place in range(len(proof)):
            bad = flipped(proof, place)
            assert not held(verify_consistency, old, new, bad)
            assert not second_trees.consistent(old.size, size, bad, old.root, new.root)
        for other in (proof[:-1], [*proof, new.root], []):
            if other != proof:
                assert not held(verify_consistency, old, new, other)
                assert not second_trees.consistent(old.size, size, other, old.root, new.root)


@needs_shared
def test_hashes_of_the_rfc() -> None:
    for each in ANSWERS["rfc6962_hash"]:
        match each["kind"]:
            case "empty_root":
                assert EMPTY_ROOT.hex() == each["hex"]
            case "leaf":
                assert leaf_hash(bytes.fromhex(each["data_hex"])).hex() == each["hex"]


@needs_shared
def test_the_notes_of_go() -> None:
    known = ANSWERS["note"]
    one, other = either(known["vkey"]), either(known["vkey2"])
    signer = notes.parse_private(known["skey"])
    assert (signer.key, notes.vkey(one), notes.private_text(signer)) == (
        one,
        known["vkey"],
        known["skey"],
    )
    assert notes.signature_line(signer, known["text"]) == known["sig"]
    data = (known["text"] + "\n" + known["sig"] + known["sig2"]).encode()
    note = parse_note(data)
    assert note.text == known["text"]
    assert open_note(note, [one, other]) == {one: 0, other: 0}
    assert open_note(note, [other]) == {other: 0}
    assert second.note_of(data, [known["vkey"]]) == (known["text"], {known["vkey"]})
    for bad in known["bad_vkeys"]:
        assert not held(either, bad)
        assert second.key_of(bad) is None


@needs_shared
def test_the_note_of_the_specification() -> None:
    known = ANSWERS["c2sp_note_example"]
    key = either(known["vkey"])
    assert open_note(parse_note(known["note"].encode()), [key]) == {key: 0}


@needs_shared
def test_heads_that_the_world_has_signed() -> None:
    known = ANSWERS["sum_golang_org_checkpoint"]
    note = parse_note(known["note"].encode())
    assert open_note(note, [either(known["vkey"])])
    assert parse_checkpoint(note.text).size == 35225469
    known = ANSWERS["witness_consistency_5_8"]
    heads = []
    for name in ("old", "new"):
        note = parse_note(known[name].encode())
        assert open_note(note, [either(known["vkey"])])
        heads.append(parse_checkpoint(note.text))
    old, new = heads
    verify_consistency(old, new, [bytes.fromhex(each) for each in known["proof"]])


@needs_shared
def test_a_cosignature_of_sigsum() -> None:
    known = ANSWERS["sigsum_cosigned_proof"]
    log, witness = (decoded(known[name])[-32:] for name in ("log_pub_ssh", "witness_pub_ssh"))
    origin = f"sigsum.org/v1/tree/{hashlib.sha256(log).hexdigest()}"
    text = notes.checkpoint_text(Checkpoint(origin, known["size"], bytes.fromhex(known["root"])))
    keys = [Key(origin, ED25519, log), Key("witness", COSIGNATURE, witness)]
    time = known["cosig_time"]
    blobs = [
        bytes.fromhex(known["log_sig"]),
        time.to_bytes(8, "big") + bytes.fromhex(known["cosig"]),
    ]
    signatures = [(key.name, key.id, blob) for key, blob in zip(keys, blobs, strict=True)]
    note = parse_note(f"{text}\n".encode() + b"\xe2\x80\x94 a AAAAAAAA\n")
    opened = open_note(note._replace(signatures=signatures), keys)
    assert opened == {keys[0]: 0, keys[1]: time}
    later = keys[1].name, keys[1].id, (time + 1).to_bytes(8, "big") + blobs[1][8:]
    forged = note._replace(signatures=[signatures[0], later])
    with pytest.raises(Invalid, match="wrong"):
        open_note(forged, keys)


@needs_shared
def test_a_cosigners_key() -> None:
    assert either(ANSWERS["cosigner_vkey_alg4"]).algorithm == COSIGNATURE


@needs_shared
def test_heads_that_are_none() -> None:
    for text in ANSWERS["checkpoint_bad_bodies"]:
        assert not held(parse_checkpoint, text), text
        assert second.head_of(text) is None, text
    root = base64.b64encode(bytes(32)).decode()
    assert held(parse_checkpoint, f"o\n42\n{root}\n")
    for size in ("042", "+42", "4_2", "\u0664\u0662", "-42", " 42", "42 ", "", "1e3", "9" * 17):
        assert not held(parse_checkpoint, f"o\n{size}\n{root}\n"), size
        assert second.head_of(f"o\n{size}\n{root}\n") is None, size
    for other in (root[:-4], "", root[:-2] + "B=", root.replace("A", "-"), root + "\nextension"):
        assert not held(parse_checkpoint, f"o\n42\n{other}\n"), other
    assert not held(parse_checkpoint, f"o\n0\n{root}\n")


@needs_shared
def test_dsse() -> None:
    known = ANSWERS["dsse_pae"]
    assert pae(known["type"], known["body"].encode()).decode() == known["pae"]


@pytest.mark.slow
@needs_shared
def test_every_mangling_of_a_verifier_key_is_refused() -> None:
    tried = 0
    for vkey in (ANSWERS["note"]["vkey"], ANSWERS["cosigner_vkey_alg4"]):
        assert either(vkey)
        for place in range(len(vkey) + 1):
            for letter in "Aa0+/=-_ \n\u2014\u0410":
                for end in (place, place + 1):
                    other = vkey[:place] + letter + vkey[end:]
                    if other != vkey:
                        assert not held(either, other), other
                        tried += 1
            if place < len(vkey):
                assert not held(either, vkey[:place] + vkey[place + 1 :])
    assert tried > 2_278


def small_points() -> list[int]:
    """The y of every point whose order divides 8, found by multiplying points by the group's."""
    found = {0, 1, second_curve.PRIME - 1}
    y = 2
    while len(found) < 5:
        point = second_curve.decompressed(y.to_bytes(32, "little"))
        if point is not None:
            found.add(second_curve.times(second_curve.ORDER, point)[1])
        y += 1
    return sorted(found)


@pytest.mark.slow
def test_keys_of_low_order_or_another_spelling_are_refused() -> None:
    points = small_points()
    assert len(points) == 5
    for y in points:
        for value in (y, y | 1 << 255, y + second_curve.PRIME):
            if value == y | 1 << 255 or value < 1 << 255:
                data = value.to_bytes(32, "little")
                assert not held(checked_public, data), hex(value)
                assert not second_curve.is_usable(data)
    for y in range(2, 200):
        data = y.to_bytes(32, "little")
        assert held(checked_public, data) == second_curve.is_usable(data), y


@pytest.mark.parametrize(
    "text", ["QQ", "QR==", "QQ==\n", " QQ==", "Q\u0410==", "QQ=", "Q===", "-_=="]
)
def test_base64_has_one_spelling(text: str) -> None:
    assert not held(unbase64, text)
    assert second_lines.plain(text) is None


def note_cases() -> list[bytes]:
    """Notes that a strict reader rejects, made out of a good one."""
    known = ANSWERS["note"]
    text, sig = known["text"], known["sig"]
    good = (text + "\n" + sig).encode()
    wrong = sig.replace("x08go/ZJ", "x08go/ZK")
    return [
        b"",
        good[:-1],
        good.replace(b"\n\n", b"\n"),
        (text + "\n" + wrong).encode(),
        (text + "\n" + wrong + sig).encode(),
        good.replace(b"If", b"I\x00f"),
        good.replace(b"If", b"I\tf"),
        good.replace(b"If", b"I\xfff"),
        good.replace(b"\n\n", b"\r\n\r\n"),
        good + b"junk\n",
        good + b"\n",
        good.replace("\u2014".encode(), b"-"),
        good.replace(b"PeterNeumann ", b"PeterNeumann  "),
        good.replace(b"PeterNeumann ", b"Peter+Neumann "),
        good.replace(b"nAM=", b"nAM"),
        good.replace(b"wJnAM=", b"wJnAN="),
        (text + "\n" + known["sig2"]).encode(),
        (text + "\n" + "\u2014 PeterNeumann x08goA==\n").encode(),
        (text + "\n" + "\u2014 x AAAAAAAA\n" * 101).encode(),
        b"x" * (1 << 17) + b"\n\n" + sig.encode(),
    ]


@needs_shared
@pytest.mark.parametrize("place", range(20))
def test_notes_that_are_rejected(place: int) -> None:
    vkey = ANSWERS["note"]["vkey"]
    data = note_cases()[place]

    def opened() -> None:
        open_note(parse_note(data), [either(vkey)])

    assert not held(opened)
    if place != 18:  # the cap is ours
        assert second.note_of(data, [vkey]) is None


def test_many_signatures_and_blank_lines_are_fine() -> None:
    signers = [notes.signer(f"s{number}", bytes([number]) * 32) for number in range(16)]
    data = notes.signed_note("first\n\nlast\n", *signers, *signers)
    note = parse_note(data)
    assert note.text == "first\n\nlast\n"
    assert len(open_note(note, [each.key for each in signers])) == 16
    vkeys = [notes.vkey(each.key) for each in signers[:2]]
    assert second.note_of(data, vkeys) == (note.text, set(vkeys))


def test_a_name_typed_in_bytes_that_are_no_text_is_no_name() -> None:
    for byte in ("\udc80", "\udcff"):
        with pytest.raises(Invalid, match="has no valid name"):
            parse_key(f"we{byte}st+00b2984f+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c", 4)
