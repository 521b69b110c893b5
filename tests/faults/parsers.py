"""Every parser of the program: what it reads, what it may raise, and inputs that it takes."""

from __future__ import annotations

import json
import os
from functools import cache
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from typing import Any
from typing import NamedTuple
from typing import cast

from cli.typed import facts
from cli.typed import matches
from cli.typed import moments
from cli.typed import people
from cli.typed import places
from cli.typed import reports
from cli.typed import structures
from cli.typed import whatif
from cli.typed.arguments import UsageError
from cli.typed.arguments import hoist
from cli.typed.sheets import read_entries
from ledger import formats
from ledger import rulesets
from ledger.errors import InvalidLog
from ledger.errors import InvalidRuleset
from ledger.errors import NotFound
from ledger.errors import Refused
from ledger.exchange.nrtm import read_nrtm
from ledger.exchange.replaying import replay
from ledger.exchange.sheets import rounds as sheets
from ledger.filekinds import kind_of
from ledger.formats.card_files import read_cards
from ledger.formats.lists import read_list
from ledger.lines import read
from ledger.moments import last_event
from ledger.proof import notes
from ledger.proof.formats import COSIGNATURE
from ledger.proof.formats import ED25519
from ledger.proof.formats import Invalid
from ledger.proof.formats import open_note
from ledger.proof.formats import parse_checkpoint
from ledger.proof.formats import parse_key
from ledger.proof.formats import parse_note
from ledger.proof.formats import parse_policy
from ledger.proof.fraud import check_fork
from ledger.proof.fraud import prove_fork
from ledger.proof.keyfiles import read_key
from ledger.proof.receipts import parse_receipt
from ledger.proof.tree import Prover
from ledger.proof.verifier import read_line
from ledger.proof.verifier import verify_file
from ledger.proof.witness import Request
from ledger.proof.witness import parse_request
from ledger.proof.witness import write_request
from ledger.store.backup import read_through
from projections.season.points import load_scheme
from projections.standings import ranking
from tests import nrtm_files
from tests.faults.exports import SAMPLES
from tests.faults.exports import WITNESSES
from tests.faults.exports import exports
from tests.faults.mutators import Grammar
from tests.faults.mutators import mutated
from tests.faults.structured import json_mutated
from tests.faults.structured import line_mutated
from tests.faults.structured import toml_mutated
from tests.sample_season import SCHEME
from tests.signed_logs import head_of
from tests.signed_logs import log_signer
from tests.signed_logs import tournament_of
from tests.simulate import Day
from tests.simulate import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from cli.desk.session import Desk
    from ledger.state import Tournament

    Mutator = Callable[[Grammar, Random], bytes]
    Reader = Callable[[bytes, Path], object]

Raised = tuple[type[Exception], ...]


class Parser(NamedTuple):
    """A parser under test: its reader, what the reader may raise, and what inputs are made of."""

    read: Reader
    raises: Raised
    grammar: Callable[[], Grammar]
    mutate: Mutator
    short: int = 400
    long: int = 1_000_000


class UnlikeError(AssertionError):
    """Two readers of one thing do not agree."""


def on_file(reader: Callable[[Path], object], name: str = "input") -> Reader:
    """Let a reader of files read from memory."""

    def read_file(data: bytes, folder: Path) -> object:
        path = folder / name
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:  # noqa: PTH123
            file.write(data)
        return reader(path)

    return read_file


def of_bytes(reader: Callable[[bytes], object]) -> Reader:
    return lambda data, _: reader(data)


def of_text(reader: Callable[[str], object]) -> Reader:
    """Let a reader of what is typed have it as the system hands it over."""
    return lambda data, _: reader(data.decode("utf-8", "surrogateescape"))


def of_words(reader: Callable[[list[str]], object]) -> Reader:
    return of_text(lambda text: reader(text.split(" ")))


# --- the proof ---


def _notes() -> Grammar:
    made = tuple(each.note for each in exports()[:4])
    return Grammar(made, ("\u2014 ".encode(), b"witness1", b"tourney/", b"\n\n", b"=", b"=="))


def _checkpoints() -> Grammar:
    return Grammar(tuple(each.note.partition(b"\n\n")[0] + b"\n" for each in exports()[:4]))


def _receipts() -> Grammar:
    made = [each.receipt(n) for each in exports()[:3] for n in (0, 5, len(each.lines) - 1)]
    return Grammar(tuple(made), (b"c2sp.org/tlog-proof@v1\n", b"index ", b"extra ", b"\n\n"))


def _policies() -> Grammar:
    words = (b"log ", b"witness ", b"group ", b"quorum ", b"any", b"all", b"none", b"#")
    return Grammar(tuple(each.policy_text for each in exports()[:3]), words)


def _vkeys() -> Grammar:
    keys = [each.key for each in WITNESSES] + [log_signer(tournament_of(exports()[0].lines)).key]
    return Grammar(tuple(notes.vkey(key).encode() for key in keys), (b"+", b"=", b"AQ", b"BA"))


def _key_files() -> Grammar:
    plain = tuple(notes.private_text(each).encode() + b"\n" for each in WITNESSES)
    sealed = {"scrypt": 1 << 15, "salt": "A" * 22 + "==", "nonce": "A" * 16, "sealed": "A" * 80}
    return Grammar((*plain, json.dumps(sealed).encode()), (b"PRIVATE+KEY+", b"scrypt", b"32768"))


def _requests() -> Grammar:
    made = [
        write_request(Request(old, each.prover.consistency(old, len(each.lines)), each.note))
        for each in exports()[:3]
        for old in (1, 7, 16)
    ]
    return Grammar(tuple(made), (b"old ", b"\n\n"))


@cache
def _forks() -> Grammar:
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


def _fork(data: bytes) -> object:
    return check_fork(data, [log_signer(tournament_of(exports()[0].lines)).key])


def _cosignatures(data: bytes) -> object:
    return open_note(parse_note(data), [each.key for each in WITNESSES])


def _head(data: bytes) -> object:
    return parse_checkpoint(data.decode("utf-8", "replace"))


# --- lines and logs ---


def _lines() -> Grammar:
    every = tuple(line for each in exports() for line in each.lines if len(line) < 4_000)
    return Grammar(every, (b'"sig":', b'"data":{', b'"seq":', b'"by":"o1"', b'"by":"o1/p2"'))


def _line(data: bytes) -> object:
    """Read a line by both readers: what the program takes, a sceptic's verifier takes."""
    recorded = read(data)
    try:
        read_line(data)
    except Invalid as error:
        raise UnlikeError(f"the verifier refuses it: {error}") from None
    return recorded


def _logs() -> Grammar:
    every = [b"".join(each.whole) for each in exports() if len(each.lines) < 60]
    words = (b"p1", b"o1", b"win", b"loss", b"draw", b"bye", b"swiss", b"single", b"relaxed")
    return Grammar(tuple(every), words)


# --- files of games ---


def _rulesets() -> Grammar:
    return Grammar(tuple(rulesets.text_of(key).encode() for key in sorted(rulesets.names())))


def _formats() -> Grammar:
    return Grammar(tuple(formats.text_of(key).encode() for key in formats.names()))


def _schemes() -> Grammar:
    return Grammar((SCHEME.encode(),), (b"relaxed", b"[[bands]]", b"[[tiers]]", b"places"))


def _cards() -> Grammar:
    found = sorted((SAMPLES / "cards").iterdir())
    return Grammar(tuple(path.read_bytes()[:6_000] for path in found), (b"#", b"name", b"type"))


def _lists() -> Grammar:
    texts = [path.read_bytes() for path in sorted((SAMPLES / "lists").iterdir())]
    cards = {"deck": [{"name": "Iron Mine", "count": 3}, "Way of the Crab"], "stronghold": ["X"]}
    return Grammar((*texts, json.dumps({"player": "Ann", "sections": cards}).encode()))


def _card_file(key: str, data: bytes) -> object:
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


def _nrtm() -> Grammar:
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


def _sheet(key: str, data: bytes) -> object:
    return sheets.read_rounds(data, sheets.Details(rulesets.text_of(key), "", ""), "a.csv")


@cache
def _backups() -> Grammar:
    """Backups made by a store, so that their check sums fit."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - once

    from ledger.store import open_store  # noqa: PLC0415 - as above
    from tests.sealed_days import played  # noqa: PLC0415 - as above

    with TemporaryDirectory() as name, open_store(f"{name}/s.db") as store:
        played(store)
        path = Path(name) / "backup"
        store.backup(str(path), None, lambda *_: None)
        return Grammar((path.read_bytes(),), (b'"kind":"end"', b'"kind":"log"', b'"events":'))


def _backup_mutated(grammar: Grammar, chance: Random) -> bytes:
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
    return body + b'{"kind":"end","sha256":"%s"}\n' % sha256(chosen).hexdigest().encode()


# --- what is typed ---


@cache
def _running() -> Tournament:
    return _day("l5r").tournament


@cache
def _scored() -> Tournament:
    return _day("runewars").tournament


def _day(ruleset: str) -> Day:
    names = ["Ann Lee", "Bob Ray", "Cas Dor", "Dee Fox", "Émile Öz", "王小明"]
    day = Day(names, ruleset=ruleset)
    day.start(3)
    day.pair()
    return day


@cache
def _ended() -> Day:
    return play(3, 8, rounds=2, cut=2, disputes=True)


def _typed() -> Grammar:
    """Reports as they would be typed of both days, with what else may be typed."""
    told = [
        f"{match.table} #{match.players[0]}{word}".encode()
        for match in _running().matches[1:]
        for word in ("", " modified", " no-show", " --ended time")
    ]
    scores = [b"1 200-140", b"1 --fact score=107:49", b"1/2 90-90 --ended time", b"3 170-20"]
    return Grammar((*TYPED, *told, *scores), WORDS)


TYPED = (
    *(b"1 ann", b"2/1 bob", b"1 200-140", b"2 no-show bob", b"1 draw", b"1 ann modified", b"#3"),
    *(b"1 ann 200-80 --ended time", b"1 --fact score=107:49", b"3/4 none", b"ann stayed"),
    *(b"ann dropped 2", b"1/1 ann and bob dropped 2", b"p1", b"o1", b"\xe7\x8e\x8b", b"R1", b"1/2"),
)
WORDS = (
    *(
        b"no-show",
        b"draw",
        b"modified",
        b"--ended",
        b"--ended=time",
        b"--fact",
        b"--fact=score=1:1",
    ),
    *(
        b"none",
        b"and",
        b"dropped",
        b"stayed",
        b"dq",
        b"#1",
        b"1/1",
        b"0",
        b"-1",
        b"2-1-0",
        b"concede",
    ),
)
MOMENTS = (
    *(
        b"57",
        b"round:3",
        b"posted",
        b"14:05",
        b"14:05:30",
        b"2026-03-14T08:31",
        b"2026-03-14",
        b"now",
    ),
    *(b"posted:standings", b"2026-03-14T08:31:00+02:00", b"pairings:2", b"14:05Z", b"9999-12-31"),
)


class _Opening:
    """As much of a desk as reading a moment needs: the first line."""

    stream = ""

    def store(self) -> _Opening:
        return self

    def entries(self, *_: object) -> list[tuple[str, bytes]]:
        return [("", _ended().lines[0])]


def _moment(text: str) -> object:
    moment = moments.read_moment(cast("Desk", _Opening()), text)
    return moment and last_event(moment, _ended().lines)


def _report(words: list[str]) -> object:
    rest, typed = facts.taken_out(words)
    tournament = _scored() if len(words) % 2 else _running()
    reported = reports.read(tournament, rest, typed)
    return reports.as_report(reported), reports.as_correction(reported, "why")


def _whatif(words: list[str]) -> object:
    rest, typed = facts.taken_out(words)
    return whatif.read_facts(_ended().tournament, rest, typed)


def _found(text: str) -> object:
    """Look for a text in each of the places where a person types what is meant."""
    readers: tuple[Callable[[Any, str], object], ...] = (
        people.find_player,
        people.find_official,
        people.find_person,
        matches.find_match,
        matches.find_ruling,
    )
    readers[len(text) % len(readers)](_ended().tournament, text)
    return None


def _place(text: str) -> object:
    readers = (places.checked_date, places.checked_zone, structures.stage_of, places.zone_of)
    return readers[len(text) % len(readers)](text)


PLACES = (
    *(b"2026-03-14", b"Europe/Rome", b"UTC", b"swiss:3", b"top:8", b"single top 8", b"../etc"),
    *(b"double:4", b"single:16", b"2026-02-29", b"America/Argentina/Buenos_Aires", b"3", b"+02:00"),
)

OPTIONS = (b"--store", b"--as", b"-t", b"--id", b"--json", b"--for", b"--", b"--store=x", b"-tx")
PROOF: Raised = (Invalid,)
TYPING: Raised = (UsageError, NotFound, Refused, InvalidLog)

PARSERS: dict[str, Parser] = {
    "note": Parser(of_bytes(parse_note), PROOF, _notes, mutated),
    "checkpoint": Parser(of_bytes(_head), PROOF, _checkpoints, mutated),
    "cosignature": Parser(of_bytes(_cosignatures), PROOF, _notes, mutated),
    "receipt": Parser(of_bytes(parse_receipt), PROOF, _receipts, mutated),
    "policy": Parser(of_bytes(parse_policy), PROOF, _policies, mutated),
    "verifier-key": Parser(
        of_text(lambda text: parse_key(text, ED25519, COSIGNATURE)), PROOF, _vkeys, mutated
    ),
    "key-file": Parser(on_file(read_key, "k.key"), PROOF, _key_files, mutated),
    "witness-request": Parser(of_bytes(parse_request), PROOF, _requests, mutated),
    "fork-proof": Parser(of_bytes(_fork), PROOF, _forks, json_mutated),
    "line": Parser(of_bytes(_line), (InvalidLog,), _lines, json_mutated),
    "line-of-a-sceptic": Parser(of_bytes(read_line), PROOF, _lines, json_mutated),
    "log": Parser(on_file(partial(replay, ranking=ranking)), (InvalidLog,), _logs, line_mutated),
    "log-of-a-sceptic": Parser(on_file(verify_file), PROOF, _logs, line_mutated),
    "backup": Parser(
        on_file(lambda path: read_through(str(path), lambda *_: None)),
        (InvalidLog,), _backups, _backup_mutated,
    ),
    "ruleset": Parser(
        on_file(rulesets.load_file), (InvalidRuleset,), _rulesets, toml_mutated, short=60
    ),
    "format": Parser(
        on_file(formats.load_file), (InvalidRuleset,), _formats, toml_mutated, short=60
    ),
    "points-scheme": Parser(on_file(load_scheme), (InvalidRuleset,), _schemes, toml_mutated),
    "cards": Parser(of_bytes(partial(_card_file, "l5r")), (InvalidRuleset,), _cards, mutated, 60),
    "cards-legion": Parser(
        of_bytes(partial(_card_file, "legion")), (InvalidRuleset,), _cards, mutated, short=60
    ),
    "list": Parser(of_bytes(read_list), (Refused,), _lists, mutated),
    "players": Parser(
        on_file(lambda path: read_entries(str(path))), (Refused,),
        lambda: Grammar(PLAYERS, (b"name", b"faction", b"\t", b";")), mutated,
    ),
    "rounds": Parser(
        of_bytes(partial(_sheet, "l5r")), (InvalidLog,), lambda: Grammar(ROUNDS, HEADS), mutated
    ),
    "rounds-with-scores": Parser(
        of_bytes(partial(_sheet, "mtg")), (InvalidLog,), lambda: Grammar(ROUNDS, HEADS), mutated
    ),
    "nrtm": Parser(of_bytes(read_nrtm), (InvalidLog,), _nrtm, json_mutated),
    "moment": Parser(of_text(_moment), TYPING, lambda: Grammar(MOMENTS), mutated),
    "report": Parser(of_words(_report), TYPING, _typed, mutated),
    "what-if": Parser(of_words(_whatif), TYPING, _typed, mutated),
    "names-typed": Parser(of_text(_found), TYPING, _typed, mutated),
    "places-typed": Parser(of_text(_place), TYPING, lambda: Grammar(PLACES), mutated),
    "options": Parser(of_words(hoist), TYPING, lambda: Grammar(TYPED, OPTIONS), mutated),
    "file-kind": Parser(of_bytes(kind_of), (), _logs, mutated),
}  # fmt: skip
