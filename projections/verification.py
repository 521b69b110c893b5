"""A log checked: its draws, pairings and postings derived again, and the table of all checks.

Each is derived from the lines before it. Draws need the key that the log reveals at its end; a draw
with a key that was lost cannot be repeated. Without the key a Swiss round is still compared with
the least gap that its field allows. Each kind that was derived is counted; the others give the
reason.

The rows of the closing table are those of the small verifier (`ledger.proof.verifier`), always the
same. The small verifier does not check the rules; a reader that does fills in the open rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from ledger import ENGINE
from ledger.books.open_log import events_of
from ledger.errors import InvalidLog, LedgerError, NoDrawKey
from ledger.facts.base import Event
from ledger.facts.draws import RanksDrawn
from ledger.facts.list_rules import check_clause
from ledger.facts.people import PlayerRegistered
from ledger.facts.rounds import Posted, RoundPaired
from ledger.facts.setups import DraftGroupsDrawn, has_outline
from ledger.facts.shared import DeckChecksDrawn, ScenarioDrawn
from ledger.fold import evolve
from ledger.lines.line import decode
from ledger.lines.recorded import Recorded
from ledger.pairing import Field, pair_swiss
from ledger.pairing.meetings import grounds
from ledger.pairing.shuffling import Draws
from ledger.pairing.swiss import Board, mutual_bans
from ledger.problems import Phrase, phrase
from ledger.proof import table as proof_table
from ledger.proof.table import CheckTable, Row
from ledger.proof.verifier import SEALED_MARK
from ledger.rules.command import Command, Context
from ledger.rules.draws import drawn_ranks, rank_of
from ledger.rules.lists import DrawDeckChecks
from ledger.rules.pairing import ELIMINATION, SWISS, PairRound
from ledger.rules.setups import DrawDraftGroups, DrawScenario
from ledger.tournament.disputes import OPEN_DISPUTE
from ledger.tournament.progress import draws_wait_for
from ledger.tournament.state import Tournament
from projections.standings.table import (
    fingerprint,
    posted_pairings,
    posted_standings,
    ranking,
    standings,
)

if TYPE_CHECKING:
    from ledger.books.vault import Vault
    from ledger.exchange.log_files import Replay
    from ledger.proof.formats import Checkpoint, Key

Lines = Callable[[], Iterable[bytes]]
Ranked = PlayerRegistered | RanksDrawn

ANY_KEY = b"any key: the least gap does not hang on it"

ELSEWHERE = "an imported tournament was drawn elsewhere"


class Rederived(Struct):
    """Numbers of facts by kind: derived again, or not derived, with the reasons."""

    checked: dict[str, int] = field(default_factory=dict)
    left: dict[str, int] = field(default_factory=dict)
    unchecked: dict[str, str] = field(default_factory=dict)
    tournament: Tournament = field(default_factory=Tournament)
    """State after the last line, without the names that are sealed."""

    def count(self, kind: str) -> None:
        """Count one more fact that was derived again."""
        self.checked[kind] = self.checked.get(kind, 0) + 1

    def leave(self, kind: str, count: int, why: str) -> None:
        """Count further facts that could not be derived, with the reason."""
        self.left[kind] = self.left.get(kind, 0) + count
        known = self.unchecked.get(kind, "")
        if why not in known:
            self.unchecked[kind] = f"{known}; {why}" if known else why


class _Draws:
    """The draws of a log by the key that they were made with, and which of them can be repeated."""

    def __init__(self, shuffle_key: str) -> None:
        self.key = bytes.fromhex(shuffle_key)
        self._commitment = sha256(self.key).hexdigest() if self.key else ""
        self._left: dict[int, list[Event]] = {}

    def can_repeat(self, tournament: Tournament, event: Event) -> bool:
        """Return whether the revealed key was in use; otherwise note where another key was used."""
        used = tournament.draw_keys[-1] if tournament.draw_keys else None
        if self.key and (used is None or used.commitment == self._commitment):
            return True
        self._left.setdefault(used.seq if used else 0, []).append(event)
        return False

    def settle(self, tournament: Tournament, found: Rederived) -> None:
        """Say which draws could not be repeated, and why."""
        later = {
            one.seq: other.seq
            for one, other in zip(tournament.draw_keys, tournament.draw_keys[1:], strict=False)
        }
        for seq, events in self._left.items():
            why = "the key of the draws is revealed at the finish"
            if seq in later:
                lost = f"can never be shown again: line {later[seq]} replaced the lost key"
                why = f"{_counted(events)} {lost}"
            found.leave("draws", len(events), why)
        if tournament.opening is not None and tournament.opening.imported is not None:
            found.leave("draws", 0, ELSEWHERE)
        if tournament.head is not None:
            for why in _left_open(tournament):
                found.leave("draws", 0, why)


def _left_open(tournament: Tournament) -> Iterator[str]:
    """Say what the head at the start does not rule out."""
    if tournament.head is not None and not tournament.head.signature:
        yield "the head at the start is not signed: the holder of the key could foresee the draws"
    if not tournament.witness:
        yield "line 1 names no witness: nothing shows whether words were tried before the start"


def _counted(events: list[Event]) -> str:
    rounds = [str(each.round) for each in events if isinstance(each, RoundPaired)]
    others = len(events) - len(rounds)
    draws = f"draw{'s' * (others > 1)}"
    if not rounds:
        return f"{others} {draws}"
    named = f"round{'s' * (len(rounds) > 1)} {', '.join(dict.fromkeys(rounds))}"
    return f"{named} and {others} other {draws}" if others else named


UNLIKE_BEFORE: Mapping[str, Phrase] = MappingProxyType(
    {
        "pairings": phrase("the posted pairings do not match the lines before"),
        "standings": phrase("the posted standings do not match the lines before"),
    }
)
"""The problem of a posting that does not match, by the kind of posting."""

POSTING_ALIKE = frozenset({"tourney 0.2.0", ENGINE})
"""The releases whose postings this release makes again byte for byte."""


class _Wall:
    """The expected postings, each made when the log reaches the line that the posting shows."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._asked: dict[int, set[tuple[str, int]]] = {}
        self._made: dict[tuple[int, str, int], str] = {}
        for _, posted in events_of(Posted, iter(lines)):
            if posted.engine in POSTING_ALIKE:
                self._asked.setdefault(posted.up_to, set()).add((posted.what, posted.round))

    def pass_by(self, tournament: Tournament) -> None:
        """Make the postings that show this state."""
        for what, number in self._asked.pop(tournament.seq, ()):
            self._made[tournament.seq, what, number] = posted_of(tournament, what, number)

    def hold(self, recorded: Recorded, event: Posted, found: Rederived) -> None:
        """Compare a posting with the expected one.

        Raises:
            InvalidLog: the postings differ.
        """
        if event.engine not in POSTING_ALIKE:
            found.leave("postings", 1, f"some were made by {event.engine}, but this is {ENGINE}")
            return
        if self._made[event.up_to, event.what, event.round] != event.sha256:
            raise _wrong(recorded, UNLIKE_BEFORE[event.what])
        found.count("postings")


def posted_of(seen: Tournament, what: str, number: int) -> str:
    """Return the SHA-256 of the posting of a round, or of now (0); empty without the round."""
    if number > len(seen.rounds):
        return ""
    if what == "standings":
        table = standings(seen, through_round=number or None)
        return fingerprint(posted_standings(table))
    return fingerprint(posted_pairings(seen.rounds[number - 1]) if number else b"")


def rederive(lines: Lines, shuffle_key: str) -> Rederived:
    """Derive a log of admissible lines again; each call gives the lines from the first.

    The lines are read twice, for any number of postings. `shuffle_key` is in hex, and empty if it
    is not revealed.

    Raises:
        InvalidLog: an event differs from its derivation; the error names the first such event.
    """
    found = Rederived()
    draws = _Draws(shuffle_key)
    wall = _Wall(lines())
    tournament = found.tournament
    for line in lines():
        recorded = decode(line)
        event = recorded.event
        if isinstance(event, Posted):
            wall.hold(recorded, event, found)
        elif not tournament.importing:
            _drawn(tournament, recorded, draws, found)
        elif isinstance(event, RoundPaired):
            found.leave("draws", 1, ELSEWHERE)
        evolve(tournament, recorded)
        wall.pass_by(tournament)
    draws.settle(tournament, found)
    return found


def _wrong(recorded: Recorded, what: Phrase) -> InvalidLog:
    return InvalidLog(phrase("line {line}: {what}", line=recorded.seq, what=what))


def _drawn(tournament: Tournament, recorded: Recorded, draws: _Draws, found: Rederived) -> None:
    event = recorded.event
    if isinstance(event, RoundPaired) and event.procedure == SWISS:
        _least_gap(tournament, recorded, event)
        found.count("least gaps")
    command = _command_of(tournament, event)
    if command is None or not draws.can_repeat(tournament, event):
        return
    context = Context(ranking, draws.key, ENGINE)
    try:
        again = next(iter(_again(command, tournament, context, recorded)), None)
    except LedgerError as error:
        what = phrase("the draw cannot be repeated: {refusal}", refusal=error.words)
        raise _wrong(recorded, what) from None
    if again != event:
        raise _wrong(recorded, phrase("{event} does not match its draw", event=recorded.type))
    found.count("draws")


def repeats(tournament: Tournament, recorded: Recorded, context: Context) -> bool:
    """Return whether the key gives this draw as the next event; True for an event without a draw.

    Raises:
        NoDrawKey: the key of the draws is not available.
    """
    command = _command_of(tournament, recorded.event)
    if command is None:
        return True
    try:
        again = next(iter(_again(command, tournament, context, recorded)), None)
    except NoDrawKey:
        raise
    except LedgerError:
        return False
    return again == recorded.event


def _command_of(tournament: Tournament, event: Event) -> Command | Ranked | None:
    """Return the command of a drawn event, or the event if it has ranks; None without a draw."""
    match event:
        case RoundPaired(procedure=procedure) if procedure in {SWISS, ELIMINATION}:
            return _pairing(tournament, event)
        case DeckChecksDrawn():
            return DrawDeckChecks(len(event.tables))
        case DraftGroupsDrawn():
            return DrawDraftGroups()
        case ScenarioDrawn(by_hand=False) if not has_outline(tournament):
            return DrawScenario()
        case PlayerRegistered() | RanksDrawn():
            late = isinstance(event, PlayerRegistered) and draws_wait_for(tournament)
            return None if late else event
        case _:
            return None


def _pairing(tournament: Tournament, event: RoundPaired) -> PairRound:
    """Return the command of a round that was drawn, with the leave that its waiver gives."""
    waived = set(event.waiver.clauses) if event.waiver else set()
    return PairRound(
        event.games[: event.by_hand],
        event.reason,
        bool({tournament.ruleset.rematch.clause, "FFG-BYE-LATER"} & waived),
        check_clause(tournament) in waived,
        OPEN_DISPUTE in waived,
        event.byes,
    )


def _again(
    command: Command | Ranked, tournament: Tournament, context: Context, recorded: Recorded
) -> list[Event]:
    if isinstance(command, PlayerRegistered):
        return [structs.replace(command, random_rank=rank_of(tournament, context, command.player))]
    if isinstance(command, RanksDrawn):
        return list(islice(drawn_ranks(tournament, context), 1))
    return list(command.decide(tournament, context, recorded.by))


def _least_gap(tournament: Tournament, recorded: Recorded, event: RoundPaired) -> None:
    """Compare a round with the least gap that its own field allows, with the same bye."""
    drawn = event.games[event.by_hand :]
    tables = [game for game in drawn if 0 not in game]
    players = [player for table in tables for player in table]
    known = grounds(tournament, tournament.stages[event.stage - 1])
    met, spare = known.bars([player for game in drawn for player in game if player])
    board = Board(players, known.score, mutual_bans(players, met))
    allowed = event.waiver is not None
    tables_of = Field(players, known.score, met, spare=spare)
    best = pair_swiss(tables_of, Draws(ANY_KEY, SWISS), allow_rematch=allowed)
    if not best.rematches and board.gap(tables) != best.gap:
        gap = board.gap(tables)
        what = phrase("a gap of {gap}, but {least} is possible", gap=gap, least=best.gap)
        raise _wrong(recorded, what)


DERIVED = ("draws", "postings")
"""The rows that only a full check of a log fills in."""

GAPS = "least gaps"


def of_replay(replayed: Replay, missing: str) -> CheckTable:
    """Fill in the rows that a replay checks: all rows except draws and postings.

    `missing` is the sentence for a log without a head.
    """
    lines, forgotten = replayed.tournament.seq, replayed.tournament.forgotten
    sealed = [each for each in replayed.seals.names.values() if each.of not in forgotten]
    few_rules = f"only few rules apply to imported facts ({replayed.imported:,} lines)"
    return CheckTable(
        *proof_table.rows_of_head(
            replayed.vouched,
            lines,
            missing,
            replayed.fitting,
            replayed.stray,
            replayed.taken_for,
        ),
        proof_table.row_of_acts(
            replayed.signed, replayed.unsigned, replayed.renewed, pinned=replayed.pinned
        ),
        Row(lines, lines, "lines were entered by a person who was allowed to"),
        Row(
            lines - replayed.imported,
            lines,
            "lines were checked against every rule",
            few_rules if replayed.imported else "",
        ),
        proof_table.row_of_names(len(replayed.seals.keys), len(sealed)),
        proof_table.row_of_texts(replayed.texts),
        Row(first=proof_table.drawn_again(replayed.drawn_again)),
        Row(),
    )


def of_receipt(
    head: Checkpoint, signed: Mapping[Key, int], recorded: Recorded, further: str = ""
) -> CheckTable:
    """Fill in the rows that a receipt shows: one line, and the head of the tree that contains it.

    `further` is added to the words about the line.
    """
    alone = Row(unchecked="a receipt is one line of its log")
    times = [f"{key.name} (Unix time {at})" for key, at in signed.items() if at]
    cosigned = Row(len(times), len(times), f"accepted by the policy: {', '.join(times)}")
    shown = f"line: event {recorded.seq}, {recorded.type}, is in the tree{further}"
    return CheckTable(
        Row(1, head.size, shown, "a receipt shows one line" if head.size > 1 else ""),
        Row(1, 1, f"by {head.origin}, signed at line {head.size}"),
        cosigned if times else Row(unchecked=proof_table.NO_WITNESSES),
        *[alone] * (len(CheckTable._fields) - 3),
    )


def texts_in_vault(row: Row, lines: Sequence[bytes], found: Vault, missing: str) -> Row:
    """Fill in the texts whose keys are in a vault, and the reason that others are missing."""
    opened = sum(
        line.count(SEALED_MARK)
        for line in lines
        if SEALED_MARK in line and f"text:{decode(line).id}" in found.fits
    )
    filled = proof_table.row_of_texts(row.of, opened)
    gone = "the keys of the others were destroyed, or were not part of an import"
    return filled._replace(unchecked=missing or gone) if filled.unchecked else filled


def with_derived(table: CheckTable, found: Rederived) -> CheckTable:
    """Fill in the draws and postings that were derived again."""
    gaps = found.checked.get(GAPS, 0)
    least = f"; {_least(gaps)}" if gaps else ""
    return table._replace(
        draws=_derived(found, "draws", f"gave the same result again{least}")._replace(
            first=table.draws.first
        ),
        postings=_derived(found, "postings", "gave the same result again"),
    )


def as_json(table: CheckTable) -> dict[str, dict[str, object]]:
    """Return a table for scripts; its list of unchecked parts is null if everything was checked."""
    return {name: _row_as_json(row) for name, row in table._asdict().items()}


def _row_as_json(row: Row) -> dict[str, object]:
    """Return a row for scripts; the first line is omitted if it is empty."""
    value = row._asdict() | {"unchecked": row.unchecked or None}
    return value if row.first else {name: value[name] for name in value if name != "first"}


def _derived(found: Rederived, kind: str, said: str) -> Row:
    checked, left = found.checked.get(kind, 0), found.left.get(kind, 0)
    why = found.unchecked.get(kind, "")
    if kind == "draws" and not checked and (gaps := found.checked.get(GAPS)):
        why = f"{why}; {_least(gaps)}" if why else why
    return Row(checked, checked + left, said, why)


def _least(gaps: int) -> str:
    if gaps == 1:
        return "1 round has the smallest gap that its players allow"
    return f"{gaps:,} rounds have the smallest gap that their players allow"
