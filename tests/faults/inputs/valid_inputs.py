"""Inputs that the parsers of files and proofs take: what their fuzzing begins with."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ledger import formats, rulesets
from ledger.exchange import sheets
from ledger.exchange.programs import read_program
from ledger.exchange.translating import translate
from ledger.formats.card_files import read_cards
from ledger.lines.line import read
from ledger.proof import notes
from ledger.proof.evidence import Prover, Request, check_fork, prove_fork, write_request
from ledger.proof.formats import Invalid, open_note, parse_checkpoint, parse_note
from ledger.proof.lines import read_line
from projections.standings.table import ranking
from tests.faults.inputs.mutators import Grammar, mutated
from tests.faults.inputs.structured import json_mutated
from tests.faults.logs.exports import SAMPLES, WITNESSES, exports
from tests.support.files import aesops_files, nrtm_files, program_files
from tests.support.sample_season import SCHEME
from tests.support.signed_logs import head_of, log_signer, tournament_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from ledger.exchange.foreign import ForeignTournament

    Mutator = Callable[[Grammar, Random], bytes]
    Reader = Callable[[bytes, Path], object]


class UnlikeError(AssertionError):
    """Two readers of one thing do not agree."""


# --- the proof ---


def notes_grammar() -> Grammar:
    made = tuple(each.note for each in exports()[:4])
    return Grammar(made, ("\u2014 ".encode(), b"witness1", b"tourney/", b"\n\n", b"=", b"=="))


def checkpoints_grammar() -> Grammar:
    return Grammar(tuple(each.note.partition(b"\n\n")[0] + b"\n" for each in exports()[:4]))


def receipts_grammar() -> Grammar:
    made = [each.receipt(n) for each in exports()[:3] for n in (0, 5, len(each.lines) - 1)]
    return Grammar(tuple(made), (b"c2sp.org/tlog-proof@v1\n", b"index ", b"extra ", b"\n\n"))


def policies_grammar() -> Grammar:
    words = (b"log ", b"witness ", b"group ", b"quorum ", b"any", b"all", b"none", b"#")
    return Grammar(tuple(each.policy_text for each in exports()[:3]), words)


def vkeys_grammar() -> Grammar:
    keys = [each.key for each in WITNESSES] + [log_signer(tournament_of(exports()[0].lines)).key]
    return Grammar(tuple(notes.vkey(key).encode() for key in keys), (b"+", b"=", b"AQ", b"BA"))


def key_files_grammar() -> Grammar:
    plain = tuple(notes.private_text(each).encode() + b"\n" for each in WITNESSES)
    sealed = {"scrypt": 1 << 17, "salt": "A" * 22 + "==", "nonce": "A" * 16, "sealed": "A" * 80}
    return Grammar((*plain, json.dumps(sealed).encode()), (b"PRIVATE+KEY+", b"scrypt", b"131072"))


def requests_grammar() -> Grammar:
    made = [
        write_request(Request(old, each.prover.consistency(old, len(each.lines)), each.note))
        for each in exports()[:3]
        for old in (1, 7, 16)
    ]
    return Grammar(tuple(made), (b"old ", b"\n\n"))


@cache
def forks_grammar() -> Grammar:
    one = exports()[0]
    other = (*one.lines[:-1], one.lines[-1].replace(b"2026", b"2027", 1))
    heads = [head_of(one.lines), head_of(other)]
    signer = log_signer(tournament_of(one.lines))
    shorter = [head_of(other[:-1] + other[-2:-1]), head_of((*other, other[-1]))]
    proofs = [
        prove_fork(heads, Prover(other), [signer.key]),
        prove_fork([shorter[1], heads[0]], Prover((*other, other[-1])), [signer.key]),
    ]
    return Grammar(tuple(each for each in proofs if each))


def read_fork(data: bytes) -> object:
    return check_fork(data, [log_signer(tournament_of(exports()[0].lines)).key])


def read_cosignatures(data: bytes) -> object:
    return open_note(parse_note(data), [each.key for each in WITNESSES])


def read_head(data: bytes) -> object:
    return parse_checkpoint(data.decode("utf-8", "replace"))


# --- lines and logs ---


def lines_grammar() -> Grammar:
    every = tuple(line for each in exports() for line in each.lines if len(line) < 4_000)
    return Grammar(every, (b'"sig":', b'"data":{', b'"seq":', b'"by":"o1"', b'"by":"o1/p2"'))


def read_both_ways(data: bytes) -> object:
    """Read a line by both readers: what the program takes, a sceptic's verifier takes."""
    recorded = read(data)
    try:
        read_line(data)
    except Invalid as error:
        raise UnlikeError(f"the verifier refuses it: {error}") from None
    return recorded


def logs_grammar() -> Grammar:
    every = [b"".join(each.whole) for each in exports() if len(each.lines) < 60]
    words = (b"p1", b"o1", b"win", b"loss", b"draw", b"bye", b"swiss", b"single", b"relaxed")
    return Grammar(tuple(every), words)


# --- files of games ---


def rulesets_grammar() -> Grammar:
    return Grammar(tuple(rulesets.text_of(key).encode() for key in sorted(rulesets.names())))


def tiebreakers_grammar() -> Grammar:
    """A short ruleset with a few tiebreakers that name each other, so that circles are near."""
    text = rulesets.text_of("swiss")
    declared = text.index("# PS-TIEBREAK"), text.index("# PS-STRUCTURE")
    ways = {
        "T1": (
            "own",
            "points",
            'records = ["W", "D"]\ntrailing = { rounds = ["bye"], points = 1 }',
        ),
        "T2": ("opponents", "T1", 'times = "points"\ncut = { low = 1, by = "source" }'),
        "T3": ("progress", "points", 'plus = ["T1"]\ndivide = 2'),
        "T4": ("opponents", "T2", 'virtual = { rounds = ["bye", "lost"], source = "T3" }'),
        "T5": ("tied", "points", 'missing = "decided"'),
        "T6": ("own", "points", 'minus = ["T3", "T4"]'),
        "T7": (
            "opponents",
            "T6",
            'where = { source = "points", per = "held" }\nsince = "2026-01-01"',
        ),
    }
    listed = "".join(
        f'[[tiebreakers]]\nclause = "PS-TIEBREAK"\ncode = "{code}"\nname = "tie {code}"\n'
        f'over = "{over}"\nsource = "{source}"\nreduction = "sum"\n{more}\n\n'
        for code, (over, source, more) in ways.items()
    )
    words = (
        *(b'"%s"' % code.encode() for code in ways),
        b'"opponents"',
        b'"tied"',
        b'["T1", "T7"]',
    )
    made = text[: declared[0]] + listed + text[declared[1] :]
    ranked = made.replace("confirmation =", 'ranked_by = ["T5", "T4"]\nconfirmation =', 1)
    return Grammar((made.encode(), ranked.encode()), words)


def formats_grammar() -> Grammar:
    return Grammar(tuple(formats.text_of(key).encode() for key in formats.names()))


def schemes_grammar() -> Grammar:
    return Grammar((SCHEME.encode(),), (b"relaxed", b"[[bands]]", b"[[tiers]]", b"places"))


def cards_grammar() -> Grammar:
    found = sorted((SAMPLES.parent / "cards").iterdir())
    return Grammar(tuple(path.read_bytes()[:6_000] for path in found), (b"#", b"name", b"type"))


def lists_grammar() -> Grammar:
    texts = [path.read_bytes() for path in sorted((SAMPLES.parent / "lists").iterdir())]
    cards = {"deck": [{"name": "Iron Mine", "count": 3}, "Way of the Crab"], "stronghold": ["X"]}
    return Grammar((*texts, json.dumps({"player": "Ann", "sections": cards}).encode()))


def read_card_file(key: str, data: bytes) -> object:
    return read_cards(data, formats.load(key).format, "cards")


# --- sheets and foreign files ---

PLAYERS = (
    b"name,faction,league id,seat\nAnn Lee,Crane,17,1\nBob Ray,Lion,18,2\n",
    b'Name;Clan;Note\n"Cas; Dor";Crab;x\nDee Fox;;\n',
    "\ufeffname\tfaction\nÅsa Öst\tDragon\n王小明\tPhoenix\n".encode(),
)
ROUNDS = (
    b"round,table,player1,player2,outcome1,points1,points2\n1,1,Ann,Bob,win,10,1\n1,2,Cas,,,,\n",
    b"round;player1;player2;winner;drop\n1;Ann;Bob;Ann;\n2;Bob;Ann;draw;Ann\n",
    b"Round,Player 1,Player 2,Score\nR1,Ann,Bob,2-1\nR1,Cas,BYE,\nTop 2,Ann,Cas,2-0\n",
    b"round,player1,player2,games\n1,Ann,Bob,2-1\n2,Bob,Ann,1-1\n",
    b"round,player1,player2,result,points1,points2\n1,Ann,Bob,win,3,0\n1,Cas,,,,\n",
    b"stage,round,player1,player2,result\nswiss,1,Ann,Bob,win\ncut,1,Ann,Bob,loss\n",
)
HEADS = (b"round", b"table", b"player1", b"player2", b"score", b"winner", b"stage", b"drop", b"bye")


def nrtm_grammar() -> Grammar:
    one = nrtm_files.table
    played = [
        [one(1, 2, 3, 0), one(3, 4, 1, 1)],
        [one(1, 3, 3, 0), one(2, None, 3, None), one(4, 1, 0, 3)],
        [nrtm_files.game(1, 3, 1)],
    ]
    documents = (
        nrtm_files.document([1, 2, 3, 4], played, cutToTop=2, eliminationPlayers=[]),
        nrtm_files.document(["a", "b"], [[one("a", "b", 3, 0)]]),
    )
    return Grammar(tuple(json.dumps(each).encode() for each in documents))


def aesops_grammar() -> Grammar:
    seat, cut = aesops_files.seat, aesops_files.knockout
    played = [
        [seat(1, 101, 102, ("3", "0")), seat(2, 103, "(BYE)", ("3", ""))],
        [seat(1, 103, 101, ("1", "1")), seat(2, "(BYE)", 102, ("", "3"))],
        [cut(1, 101, 103, 101)],
    ]
    made = aesops_files.aesops(3, played, cutToTop=2)
    return Grammar((program_files.as_bytes(made),), (b"(BYE)", b"101", b"Round", b"winner_id"))


def fortress_grammar() -> Grammar:
    rows = program_files.pilots((1, 250, "0.5", 1), (1, 300, "0.50", 2), (0, 150, "0", 99))
    duel = program_files.duel
    rounds = [
        (1, 1, [duel(101, 102, (100, 50), 101), duel(103, None, (0, None), None)]),
        (2, 2, [duel(101, 102, (7, 7), 102)]),
    ]
    return Grammar((program_files.as_bytes(program_files.fortress(rounds, rows)),))


def melee_grammar() -> Grammar:
    rounds = [
        ("Round 1", [("Ann", "Bob", "2-1-0"), ("Cid", "-", "2-0-0")]),
        ("Round 2", [("Ann", "Cid", "1-1-1"), ("-", "Bob", "2-0-0")]),
        ("Top 2", [("Ann", "Cid", "2-0-0")]),
    ]
    rows = [program_files.row(1, "Ann", 4, 0.5, 0.6, 0.33), program_files.row(2, "Cid", 4, 1, 1, 1)]
    return Grammar((program_files.as_bytes(program_files.melee(rounds, rows)),))


def trf_grammar() -> Grammar:
    cells = [["   2 w 1", "   3 b ="], ["   1 b 0", "0000 - U"], ["0000 - Z", "   1 w ="]]
    made = program_files.trf(
        [(f"P{n}", "1.0", n, each) for n, each in enumerate(cells, 1)], "XXR 4"
    )
    return Grammar((made,), (b"001 ", b"240 H 003 0001", b"013 ", b"0000 - H", b" w 1", b" b +"))


def go_grammar() -> Grammar:
    return Grammar(
        (program_files.H9.encode(),), (b"2+/w0", b"0=", b"!b9", b" 5D ", b"; EV[", b"\t")
    )


def gotha_grammar() -> Grammar:
    people = [("Lee", "Ann", "5D"), ("Ray", "Bob", "4K"), ("Fox", "Dee", "1K")]
    games = [(1, "LEEANN", "RAYBOB", "RESULT_WHITEWINS"), (2, "FOXDEE", "LEEANN", "RESULT_EQUAL")]
    made = program_files.gotha(people, games).encode()
    return Grammar(
        (made,), (b"<Game ", b"<!DOCTYPE", b"<!ENTITY a '", b"&a;", b"roundNumber", b"/>")
    )


shipped_text = cache(rulesets.text_of)
"""A shipped ruleset's text, read from its folder once."""


def read_program_file(kind: str, ruleset: str, data: bytes) -> ForeignTournament:
    """Read another program's file."""
    return read_program(kind, data, shipped_text(ruleset))


def import_program_file(kind: str, ruleset: str, data: bytes) -> object:
    """Read another program's file and make its events, as an import does."""
    return translate(read_program_file(kind, ruleset, data), ranking)


def read_sheet(key: str, data: bytes) -> object:
    return sheets.read_rounds(data, sheets.Details(shipped_text(key)), "a.csv")


@cache
def backups_grammar() -> Grammar:
    """Backups made by a store, so that their check sums fit."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - once

    from ledger.store import open_store  # noqa: PLC0415 - as above
    from ledger.store.backup import save  # noqa: PLC0415 - as above
    from tests.support.days.sealed_days import played  # noqa: PLC0415 - as above

    with TemporaryDirectory() as name, open_store(f"{name}/s.db") as store:
        played(store)
        path = Path(name) / "backup"
        save(store, str(path))
        return Grammar((path.read_bytes(),), (b'"kind":"end"', b'"kind":"log"', b'"events":'))


def backup_mutated(grammar: Grammar, chance: Random) -> bytes:
    """Break a backup, mostly with a check sum that fits what was broken."""
    from hashlib import sha256  # noqa: PLC0415 - here alone

    data = mutated(grammar, chance)
    if chance.random() < 0.3:
        return data
    *lines, _ = data.removesuffix(b"\n").split(b"\n")
    body = b"".join(line + b"\n" for line in lines)
    if chance.random() < 0.7 and len(lines) > 1 and lines[1].startswith(b"{"):
        try:
            lines[1] = json_mutated(Grammar((lines[1],)), chance)
        except ValueError:
            return data
        body = b"".join(line + b"\n" for line in lines)
    first = body.partition(b"\n")[2]
    chosen = chance.choice((body, first))
    end = b'{"kind":"end","sha256":"%s","signed":{},"mac":""}\n'
    return body + end % sha256(chosen).hexdigest().encode()
