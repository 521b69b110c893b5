"""Edits of an export and of all that lies beside it, each with what its verdict has to be."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, NamedTuple

from ledger.proof import notes
from ledger.proof.evidence import Prover, Receipt, parse_receipt, write_receipt
from tests.faults.inputs.mutators import Grammar, mutated
from tests.faults.logs import line_edits
from tests.faults.logs.exports import (
    WITNESSES,
    Export,
    cosigned,
    older_head,
    stolen_head,
    thiefs_head,
)
from tests.support.signed_logs import head_of, log_signer, tournament_of

if TYPE_CHECKING:
    from random import Random

    from tests.faults.logs.line_edits import Lines


class Edited(NamedTuple):
    """The files after an edit; `first` is the line that has to be named, 0: none has to be."""

    what: str
    lines: Lines
    note: bytes
    hashes: bytes
    policy: bytes
    first: int = 0


def honest(export: Export) -> Edited:
    """Return an export as it is."""
    return Edited("nothing", export.whole, export.note, export.hashes, export.policy_text)


def lines_edited(export: Export, chance: Random) -> Edited:
    """Edit the lines, and nothing else."""
    while True:
        kind = chance.choice(line_edits.KINDS)
        data = b"".join(kind(export.whole, chance))
        if data != b"".join(export.whole):
            break
    lines = split(data)
    first = line_edits.first_difference(export.whole, lines)
    return honest(export)._replace(what=f"lines: {name_of(kind)}", lines=lines, first=first)


def note_edited(export: Export, chance: Random) -> Edited:
    """Edit the head's note, its cosignatures among it."""
    ways = {
        "mutated": lambda: mutated(Grammar((export.note,), NOTE_WORDS), chance),
        "a flip": lambda: _flipped(export.note, chance),
        "older head": lambda: older_head(export),
        "cosignatures of another head": lambda: _moved(export, older_head(export), chance),
        "a thief's key": lambda: thiefs_head(export.lines),
        "a signature missing": lambda: _without(export.note, chance),
        "names exchanged": lambda: _exchanged(export.note),
        "another time": lambda: _at_another_time(export.note, chance),
    }
    what = chance.choice(["mutated", "a flip", *ways])
    return honest(export)._replace(what=f"head: {what}", note=ways[what]())


def hashes_edited(export: Export, chance: Random) -> Edited:
    """Edit the hashes, with the lines as they were or edited, too."""
    edited = mutated(Grammar((export.hashes,)), chance)
    if chance.random() < 0.5:
        return honest(export)._replace(what="hashes alone", hashes=edited)
    return lines_edited(export, chance)._replace(what="hashes and lines", hashes=edited, first=0)


def all_computed_again(export: Export, chance: Random) -> Edited:
    """Edit the lines, and make head and hashes for them without the log's key."""
    lines = lines_edited(export, chance).lines
    bare = tuple(line.rstrip(b"\n") for line in lines)
    tournament = tournament_of(export.lines).encode()
    note = export.note
    if bare and tournament in bare[0]:
        ways = (
            lambda: stolen_head(bare, export.note),
            lambda: thiefs_head(bare),
            lambda: cosigned(head_of(bare, _namesake(export))),
            lambda: stolen_head(bare, older_head(export)),
        )
        note = chance.choice(ways)()
    hashes = b"".join(Prover(bare).levels[0])
    return honest(export)._replace(what="all computed again", lines=lines, note=note, hashes=hashes)


def policy_edited(export: Export, chance: Random) -> Edited:
    """Edit the policy; what it then means is for both verifiers to say."""
    policy = mutated(Grammar((export.policy_text,), POLICY_WORDS), chance)
    return honest(export)._replace(what="policy", policy=policy)


def receipt_edited(export: Export, others: tuple[Export, ...], chance: Random) -> bytes:
    """Edit a receipt, or make one that says what is not so."""
    place = chance.randrange(len(export.lines))
    data = export.receipt(place)
    true = parse_receipt(data)
    match chance.randrange(6):
        case 0:
            extra = export.lines[chance.randrange(len(export.lines))]
            return write_receipt(true._replace(extra=extra))
        case 1:
            other = chance.choice(others)
            return other.receipt(chance.randrange(len(other.lines)))
        case 2:
            return write_receipt(true._replace(note=older_head(export)))
        case 3 if place:
            line = line_edits.flip(export.lines[place] + b"\n", chance).rstrip(b"\n")
            forged = (*export.lines[:place], line, *export.lines[place + 1 :])
            proof = Prover(forged).inclusion(place, len(forged))
            made_for = export.note if chance.random() < 0.5 else stolen_head(forged, export.note)
            return write_receipt(Receipt(place, proof, made_for, line))
        case _:
            return mutated(Grammar((data, export.receipt(0)), NOTE_WORDS), chance)


def is_harmless(export: Export, note: bytes) -> bool:
    """Whether an edited note still says the same, signed by all that have to sign it."""
    text, _, block = export.note.rpartition(b"\n\n")
    edited_text, _, edited_block = note.rpartition(b"\n\n")
    return text == edited_text and set(block.split(b"\n")) <= set(edited_block.split(b"\n"))


def is_earlier_export(export: Export, edited: Edited) -> bool:
    """Whether an edit came out as what was exported, and signed by all, two lines earlier.

    That is a true history, if an old one: who has nothing newer cannot refuse it.
    """
    return edited.lines == export.whole[:-2] and edited.note == older_head(export)


def split(data: bytes) -> Lines:
    """Split a file into lines, each with its newline but perhaps the last."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    rest = lines.pop()[:-1]
    return lines + ([rest] if rest else [])


def name_of(kind: object) -> str:
    """Return what an edit of lines is called."""
    inner = getattr(kind, "__closure__", None)
    function = inner[0].cell_contents if inner else kind
    return str(getattr(function, "__name__", function))


NOTE_WORDS = ("\u2014 ".encode(), b"witness1", b"witness2", b"tourney/", b"index 0", b"extra ")
POLICY_WORDS = (b"log ", b"witness ", b"group ", b"quorum ", b"any", b"all", b"none", b"1", b"2")


def _namesake(export: Export) -> notes.Signer:
    return log_signer(tournament_of(export.lines), b"n" * 32)


def _flipped(note: bytes, chance: Random) -> bytes:
    return line_edits.flip(note, chance)


def _moved(export: Export, other: bytes, chance: Random) -> bytes:
    """Put one or more of another head's signatures below this one, in the place of its own."""
    text, _, block = export.note.rpartition(b"\n\n")
    own, foreign = block.splitlines(), other.rpartition(b"\n\n")[2].splitlines()
    for place in chance.sample(range(len(own)), chance.randrange(1, len(own) + 1)):
        own[place] = foreign[place]
    return text + b"\n\n" + b"\n".join(own) + b"\n"


def _without(note: bytes, chance: Random) -> bytes:
    lines = note.split(b"\n")
    del lines[chance.choice([-2, -3, -4])]
    return b"\n".join(lines)


def _exchanged(note: bytes) -> bytes:
    one, other = (each.key.name.encode() for each in WITNESSES)
    return note.replace(one, b"\x00").replace(other, one).replace(b"\x00", other)


def _at_another_time(note: bytes, chance: Random) -> bytes:
    """Change the time that a witness gave; its signature covers it."""
    lines = note.split(b"\n")
    dash, name, encoded = lines[-2].split(b" ")
    blob = bytearray(base64.b64decode(encoded))
    blob[4 + chance.randrange(8)] ^= 1 << chance.randrange(8)
    lines[-2] = b" ".join((dash, name, notes.base64_of(bytes(blob)).encode()))
    return b"\n".join(lines)
