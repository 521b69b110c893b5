"""Every parser of the program: what it reads, what it may raise, and inputs that it takes."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cli.input.arguments import UsageError, split_global_options
from cli.input.sheets import read_entries
from ledger import formats, rulesets
from ledger.errors import InvalidLog, InvalidRuleset, NotFound, Refused
from ledger.exchange.log_files import replay
from ledger.exchange.programs.nrtm import read_nrtm
from ledger.exchange.restoring import Restoring
from ledger.files.key_files import read_key
from ledger.files.kinds import kind_of
from ledger.formats.play_lists import read_list
from ledger.proof.evidence import parse_receipt, parse_request
from ledger.proof.formats import COSIGNATURE, ED25519, Invalid, parse_key, parse_note
from ledger.proof.lines import read_line
from ledger.proof.policy import parse_policy
from ledger.proof.verifier import verify_file
from ledger.store.backup import Backup
from projections.season.points import load_scheme
from projections.standings.table import ranking
from tests.faults.inputs.mutators import Grammar, mutated
from tests.faults.inputs.structured import json_mutated, line_mutated, toml_mutated
from tests.faults.inputs.typed_inputs import (
    MOMENTS,
    OPTIONS,
    PLACES,
    TYPED,
    find_any,
    read_moment,
    read_place,
    read_report,
    read_whatif,
    typed_grammar,
)
from tests.faults.inputs.valid_inputs import (
    HEADS,
    PLAYERS,
    ROUNDS,
    aesops_grammar,
    backup_mutated,
    backups_grammar,
    cards_grammar,
    checkpoints_grammar,
    forks_grammar,
    formats_grammar,
    fortress_grammar,
    go_grammar,
    gotha_grammar,
    import_program_file,
    key_files_grammar,
    lines_grammar,
    lists_grammar,
    logs_grammar,
    melee_grammar,
    notes_grammar,
    nrtm_grammar,
    policies_grammar,
    read_both_ways,
    read_card_file,
    read_cosignatures,
    read_fork,
    read_head,
    read_program_file,
    read_sheet,
    receipts_grammar,
    requests_grammar,
    rulesets_grammar,
    schemes_grammar,
    tiebreakers_grammar,
    trf_grammar,
    vkeys_grammar,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from random import Random

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


PROOF: Raised = (Invalid,)
TYPING: Raised = (UsageError, NotFound, Refused, InvalidLog)

PROGRAMS: tuple[tuple[str, str, Callable[[], Grammar], Mutator], ...] = (
    ("listfortress", "xwing2", fortress_grammar, json_mutated),
    ("melee", "mtg", melee_grammar, json_mutated),
    ("trf", "swiss", trf_grammar, mutated),
    ("h9", "swiss", go_grammar, mutated),
    ("opengotha", "swiss", gotha_grammar, mutated),
)
"""Kinds of other programs' files, each with the ruleset of a game that is read by it."""

PARSERS: dict[str, Parser] = {
    "note": Parser(of_bytes(parse_note), PROOF, notes_grammar, mutated),
    "checkpoint": Parser(of_bytes(read_head), PROOF, checkpoints_grammar, mutated),
    "cosignature": Parser(of_bytes(read_cosignatures), PROOF, notes_grammar, mutated),
    "receipt": Parser(of_bytes(parse_receipt), PROOF, receipts_grammar, mutated),
    "policy": Parser(of_bytes(parse_policy), PROOF, policies_grammar, mutated),
    "verifier-key": Parser(
        of_text(lambda text: parse_key(text, ED25519, COSIGNATURE)), PROOF, vkeys_grammar, mutated
    ),
    "key-file": Parser(on_file(read_key, "k.key"), PROOF, key_files_grammar, mutated),
    "witness-request": Parser(of_bytes(parse_request), PROOF, requests_grammar, mutated),
    "fork-proof": Parser(of_bytes(read_fork), PROOF, forks_grammar, json_mutated),
    "line": Parser(of_bytes(read_both_ways), (InvalidLog,), lines_grammar, json_mutated),
    "line-of-a-sceptic": Parser(of_bytes(read_line), PROOF, lines_grammar, json_mutated),
    "log": Parser(
        on_file(partial(replay, ranking=ranking)), (InvalidLog,), logs_grammar, line_mutated
    ),
    "log-of-a-sceptic": Parser(on_file(verify_file), PROOF, logs_grammar, line_mutated),
    "backup": Parser(
        on_file(lambda path: Restoring(Backup(str(path)), ranking).examine()),
        (InvalidLog, Refused),
        backups_grammar,
        backup_mutated,
    ),
    "ruleset": Parser(
        on_file(rulesets.load_file), (InvalidRuleset,), rulesets_grammar, toml_mutated, short=60
    ),
    "tiebreakers": Parser(
        of_text(rulesets.parse), (InvalidRuleset,), tiebreakers_grammar, toml_mutated
    ),
    "format": Parser(
        on_file(formats.load_file), (InvalidRuleset,), formats_grammar, toml_mutated, short=60
    ),
    "points-scheme": Parser(on_file(load_scheme), (InvalidRuleset,), schemes_grammar, toml_mutated),
    "cards": Parser(
        of_bytes(partial(read_card_file, "l5r")), (InvalidRuleset,), cards_grammar, mutated, 60
    ),
    "cards-legion": Parser(
        of_bytes(partial(read_card_file, "legion")),
        (InvalidRuleset,),
        cards_grammar,
        mutated,
        short=60,
    ),
    "list": Parser(of_bytes(read_list), (Refused,), lists_grammar, mutated),
    "players": Parser(
        on_file(lambda path: read_entries(str(path), path.read_bytes())),
        (Refused,),
        lambda: Grammar(PLAYERS, (b"name", b"faction", b"\t", b";")),
        mutated,
    ),
    "rounds": Parser(
        of_bytes(partial(read_sheet, "l5r")), (InvalidLog,), lambda: Grammar(ROUNDS, HEADS), mutated
    ),
    "rounds-with-scores": Parser(
        of_bytes(partial(read_sheet, "mtg")), (InvalidLog,), lambda: Grammar(ROUNDS, HEADS), mutated
    ),
    "nrtm": Parser(of_bytes(read_nrtm), (InvalidLog,), nrtm_grammar, json_mutated),
    "aesops": Parser(of_bytes(read_nrtm), (InvalidLog,), aesops_grammar, json_mutated),
    **{
        kind: Parser(
            of_bytes(partial(read_program_file, kind, key)), (InvalidLog,), grammar, mutate
        )
        for kind, key, grammar, mutate in PROGRAMS
    },
    **{
        f"import-{kind}": Parser(
            of_bytes(partial(import_program_file, kind, key)),
            (InvalidLog,),
            grammar,
            mutate,
            long=100_000,
        )
        for kind, key, grammar, mutate in PROGRAMS
    },
    "moment": Parser(of_text(read_moment), TYPING, lambda: Grammar(MOMENTS), mutated),
    "report": Parser(of_words(read_report), TYPING, typed_grammar, mutated),
    "what-if": Parser(of_words(read_whatif), TYPING, typed_grammar, mutated),
    "names-typed": Parser(of_text(find_any), TYPING, typed_grammar, mutated),
    "places-typed": Parser(of_text(read_place), TYPING, lambda: Grammar(PLACES), mutated),
    "options": Parser(
        of_words(split_global_options), TYPING, lambda: Grammar(TYPED, OPTIONS), mutated
    ),
    "file-kind": Parser(of_bytes(kind_of), (), logs_grammar, mutated),
}
