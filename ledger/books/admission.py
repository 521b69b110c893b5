"""Admitting a command: each event that it proposes is checked, signed, sealed and applied."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from ledger.errors import LedgerError, Refused, Unsigned
from ledger.fold import evolve
from ledger.lines.line import encode
from ledger.lines.recorded import Recorded, record, signed
from ledger.problems import Act, Player, Problem, Table, marked, phrase, problem
from ledger.proof.formats import leaf_hash
from ledger.proof.lines import BY_PLAYERS
from ledger.proof.signatures import MAY_NEED_ONE
from ledger.rules import before_signing, check, signing
from ledger.rulesets.ruleset import cited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.command import Command, Context
    from ledger.tournament.state import Match, Tournament


def admit(
    command: Command, tournament: Tournament, context: Context, *, by: str, command_id: str, at: str
) -> list[Recorded]:
    """Decide, check and apply; tournament moves on by what is returned.

    Unsigned if nothing signs what has to be; Refused says why: it may have moved on in part.
    """
    _refuse_other_seats(command, tournament)
    admitted: list[Recorded] = []
    with _whole_or_not(tournament, context):
        for event in command.decide(tournament, context, by):
            number = len(admitted)
            event_id = f"{command_id}.{number}" if number else command_id
            unsigned = record(tournament.seq + 1, event_id, at, by, event)
            admitted.append(_admitted(unsigned, tournament, context))
    return admitted


@contextmanager
def _whole_or_not(tournament: Tournament, context: Context) -> Iterator[None]:
    """Put no line of an act into the context's tree, unless all of them were admitted.

    What a decision refuses cites the clauses of the game in play, as what a check refuses.
    """
    before, count = context.tree.copy(), len(context.added)
    try:
        yield
    except BaseException as error:
        context.tree.size, context.tree.frontier = before.size, before.frontier
        del context.added[count:]
        if isinstance(error, LedgerError):
            error.cite(partial(cited, tournament.rules))
        raise


def _admitted(unsigned: Recorded, tournament: Tournament, context: Context) -> Recorded:
    """Sign, seal and check one event, and apply it."""
    stored = _signed(unsigned, tournament, context)
    recorded = signed(unsigned, stored.sig)
    problems = check(tournament, recorded, context.ranking, stored, context.tree)
    if problems:
        raise Refused(*problems)
    if recorded.by.startswith("p") and recorded.type not in BY_PLAYERS:  # no reader takes the line
        text = marked("{act} is reserved for officials; {by} is a player")
        act = Act(recorded.type)
        raise Refused(problem("authority.official", text, act=act, by=recorded.by))
    if not stored.sig:
        stored = context.seal(recorded)
    line = encode(recorded, None if stored is recorded else lambda _: stored)
    evolve(tournament, recorded)
    context.tree.add(leaf_hash(line))
    context.added.append(line)
    return recorded


def _signed(recorded: Recorded, tournament: Tournament, context: Context) -> Recorded:
    """The event as its line has it, texts sealed, where it has to be signed; else as it is."""
    if recorded.type not in MAY_NEED_ONE:
        return recorded
    need = signing.needed(tournament, recorded)
    stored = recorded
    if need.held and context.sign is not None:
        stored = context.sign(tournament, context.seal(recorded), context.tree.root())
    if need.must and not stored.sig:
        if problems := before_signing(tournament, recorded):
            raise Refused(*problems)
        raise Unsigned(recorded.type, need)
    return stored


def _refuse_other_seats(command: Command, tournament: Tournament) -> None:
    """Refuse a command for a match where others sit by now than were seen there."""
    if command.seen is None:
        return
    known = range(1, len(tournament.matches))
    matches = [tournament.matches[number] for number in command.seen.matches if number in known]
    problems = [each for match in matches for each in _changed(tournament, match, command.seen.seq)]
    if problems:
        raise Refused(*problems)


def _changed(tournament: Tournament, match: Match, seq: int) -> Iterator[Problem]:
    table = Table(match.round, match.table)
    if match.void:
        text = marked("the pairing of {table} has been undone in the meantime")
        yield problem("seen.unpaired", text, table=table)
        return
    played = tournament.rounds[match.round - 1]
    if played.reseated.get(match.number, played.paired_seq) > seq:
        text = marked("{table} has changed in the meantime; now seated: {players}")
        players = tuple(
            Player(each) if each else phrase("a bye") for each in (match.first, match.second)
        )
        yield problem("seen.changed", text, table=table, players=players)
