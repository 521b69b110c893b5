"""`pair`, `unpair`, `swap`: making a round and mending it before it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer, carry_out
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.seen import hold_to_seats
from cli.desk.session import Desk
from cli.input.arguments import SEPARATOR, UsageError, needs_reason
from cli.input.find_people import find_player
from cli.render.game_tables import pairing_columns, pairings_as_json
from cli.render.records import as_read
from cli.terminal.output import show_json, show_table
from cli.verbs.options import flag, option, word
from ledger.decisions.pairing import PairRound
from ledger.decisions.rounds import SwapSeats, UnpairRound
from ledger.events.rounds import RoundPaired

if TYPE_CHECKING:
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Tournament


DESPITE_HELP = "Go on over an open dispute; the organizer's, with --reason."


def pair(
    desk: Desk,
    table: Annotated[
        list[str] | None, option("A B", "Two players by hand, at the first tables; repeat it.")
    ] = None,
    bye: Annotated[list[str] | None, option("PLAYER", "The bye by hand.")] = None,
    reason: Annotated[str, option("TEXT", "Why by hand, a rematch, or unchecked.")] = "",
    allow_rematch: Annotated[
        bool, flag("--allow-rematch", "A second meeting or bye, where it must be or by hand.")
    ] = False,
    unchecked: Annotated[bool, flag("--unchecked", "Before every deck has been checked.")] = False,
    despite_dispute: Annotated[bool, flag("--despite-dispute", DESPITE_HELP)] = False,
) -> None:
    """Pair the next round.

    The round before is closed if all its results are in.

    tourney pair
    tourney pair --table ann bob --reason "paired by the head judge"
    """
    tournament = desk.tournament
    by_hand = [_two(tournament, typed) for typed in table or []]
    by_hand += [(find_player(tournament, typed), 0) for typed in bye or []]
    acts = {
        "a pairing by hand": bool(by_hand),
        "--allow-rematch": allow_rematch,
        "--unchecked": unchecked,
        "--despite-dispute": despite_dispute,
    }
    for act in (act for act, is_asked in acts.items() if is_asked):
        needs_reason(reason, act)
    command = PairRound(tuple(by_hand), reason, allow_rematch, unchecked, despite_dispute)
    if by_hand or allow_rematch or despite_dispute:
        confirm_breaches(desk, command)
    recorded = desk.act(command)
    _show_pairing(desk, recorded)
    answer(desk, recorded)


def _two(tournament: Tournament, typed: str) -> tuple[int, int]:
    one, _, other = typed.partition(SEPARATOR)
    if not one or not other:
        raise UsageError("--table needs two players, as --table ann bob")
    return find_player(tournament, one), find_player(tournament, other)


def _show_pairing(desk: Desk, recorded: list[Recorded]) -> None:
    tournament = desk.after(recorded)
    paired = next(each.event.round for each in recorded if isinstance(each.event, RoundPaired))
    played = tournament.rounds[paired - 1] if paired <= len(tournament.rounds) else None
    if desk.json:
        tables = pairings_as_json(tournament, played) if played else []
        show_json(act_as_json(desk.command_id, recorded) | {"pairings": tables})
    elif played:
        show_table(*as_read(pairing_columns(tournament, with_result=False), played.matches))


def unpair(
    desk: Desk, reason: Annotated[str, option("TEXT", "Why it is taken back.")] = ""
) -> None:
    """Take the pairing back, while it has no result."""
    carry_out(desk, UnpairRound(reason))


def swap(
    desk: Desk,
    one: Annotated[str, word("A", "A player of the round in play.")],
    other: Annotated[str, word("B", "Who takes A's seat.")],
    reason: Annotated[str, option("TEXT", "Required: why; it stands in the log.")] = "",
    allow_rematch: Annotated[
        bool, flag("--allow-rematch", "Even if two meet again, or one has a second bye.")
    ] = False,
) -> None:
    """Let two players of the round in play change places.

    tourney swap ann dan --reason "ann and eve came together"
    """
    needs_reason(reason, "a swap")
    players = (find_player(desk.tournament, one), find_player(desk.tournament, other))
    hold_to_seats(desk, players)
    command = SwapSeats(players, reason, allow_rematch)
    confirm_breaches(desk, command)
    carry_out(desk, command)
    if not desk.json:
        tournament = desk.book.tournament
        swapped = [each for each in tournament.rounds[-1].matches if {*each.players} & {*players}]
        show_table(*as_read(pairing_columns(tournament, with_result=False), swapped))
