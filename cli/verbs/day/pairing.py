"""Seats of players: `pair`, `unpair`, `swap`, `late` and `cut`; `finish` closes play."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer, carry_out, say_with_next
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.guide import next_here
from cli.desk.remembered import hold_to_seats
from cli.desk.session import Desk
from cli.input.arguments import SEPARATOR, UsageError, needs_reason
from cli.input.find_people import find_player, name_of, short_name
from cli.input.options import NeededReason, Reason, flag, option, reason_with, word
from cli.languages.speaking import marked, tr
from cli.render.game_tables import left_mark, pairing_columns, pairings_as_json
from cli.render.records import as_read
from cli.terminal.output import say, show_json, show_table
from cli.terminal.tables import Column
from cli.verbs.day.door import say_absent
from ledger.errors import NotFound, Refused
from ledger.facts.list_rules import check_clause
from ledger.facts.rounds import PlayersSeated, RoundPaired
from ledger.rules import elimination
from ledger.rules.pairing import PairRound
from ledger.rules.rounds import SeatPlayers, SwapSeats, UnpairRound
from ledger.rulesets.ruleset import cited
from ledger.tournament.progress import absent_players, bye_clause, next_round_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

ASKED = "asked for"
"""Why somebody has a named bye, where nothing else is said."""

SEATS = 2
"""How many sit at a table."""

DESPITE_HELP = marked("Continue despite an open dispute; only the organizer, with --reason.")


def pair(
    desk: Desk,
    table: Annotated[
        list[str] | None,
        option("A B", "Pair these two players by hand, at the first tables; can be repeated."),
    ] = None,
    bye: Annotated[list[str] | None, option("PLAYER", "Give this player the bye.")] = None,
    named_bye: Annotated[
        list[str] | None,
        option("BYE PLAYER", "Give one of the ruleset's named byes; can be repeated."),
    ] = None,
    reason: Annotated[str, reason_with("--table, --bye and the flags below")] = "",
    allow_rematch: Annotated[
        bool,
        flag("--allow-rematch", "Allow a rematch or second bye if unavoidable or set by hand."),
    ] = False,
    unchecked: Annotated[
        bool, flag("--unchecked", "Pair even if decks are unchecked or failed the check.")
    ] = False,
    despite_dispute: Annotated[bool, flag("--despite-dispute", DESPITE_HELP)] = False,
) -> None:
    """Pair the next round.

    The previous round is closed if it has all its results.

    tourney pair
    tourney pair --table ann bob --reason "paired by the head judge"
    """
    tournament = desk.tournament
    by_hand = [_two(tournament, typed) for typed in table or []]
    by_hand += [(find_player(tournament, typed), 0) for typed in bye or []]
    byes = _named_byes(tournament, named_bye or [])
    reason = reason if by_hand or not byes else reason or ASKED
    acts = {
        marked("a pairing by hand"): bool(by_hand),
        "--allow-rematch": allow_rematch,
        "--unchecked": unchecked,
        "--despite-dispute": despite_dispute,
    }
    for act in (act for act, is_asked in acts.items() if is_asked):
        needs_reason(reason, tr(act), _clause_of(tournament, act, only_byes=not table))
    by_hand += [(player, 0) for players in byes.values() for player in players]
    command = PairRound(tuple(by_hand), reason, allow_rematch, unchecked, despite_dispute, byes)
    if by_hand or allow_rematch or despite_dispute:
        confirm_breaches(desk, command)
    absent = absent_players(desk.tournament)
    say_absent(desk.tournament)
    recorded = desk.act(command)
    _show_pairing(desk, recorded, absent)
    answer(desk, recorded)


_CLAUSES = {"a bye for a latecomer": "FFG-BYE-LATER", "--despite-dispute": "FFG-RULING"}
"""By which clause an act needs a reason, as the shared regulations have it."""


def _clause_of(tournament: Tournament, act: str, *, only_byes: bool = False) -> str:
    """Return the clause by which an act needs a reason, as the game has it."""
    rules, number = tournament.ruleset, next_round_number(tournament)
    if act == "--allow-rematch":
        return rules.rematch.clause
    if act == "--unchecked":
        return check_clause(tournament)
    if act in _CLAUSES:
        return rules.cites(_CLAUSES[act])
    if only_byes:
        return rules.cites(bye_clause(number))
    return rules.floor.authority.adjusts or rules.cites("FFG-SWISS-LATER")


def _named_byes(tournament: Tournament, typed: list[str]) -> dict[str, tuple[int, ...]]:
    """Read who has which of the ruleset's named byes."""
    byes: dict[str, tuple[int, ...]] = {}
    for each in typed:
        name, _, player = each.partition(SEPARATOR)
        if not player:
            raise UsageError(tr("--named-bye needs a bye and a player: --named-bye half ann"))
        byes[name] = (*byes.get(name, ()), find_player(tournament, player))
    return byes


def _two(tournament: Tournament, typed: str) -> tuple[int, int]:
    one, _, other = typed.partition(SEPARATOR)
    if not one or not other:
        raise UsageError(tr("--table needs two players: --table ann bob"))
    return find_player(tournament, one), find_player(tournament, other)


def _show_pairing(desk: Desk, recorded: list[Recorded], absent: list[int]) -> None:
    tournament = desk.after(recorded)
    paired = next(each.event.round for each in recorded if isinstance(each.event, RoundPaired))
    played = tournament.rounds[paired - 1] if paired <= len(tournament.rounds) else None
    if desk.json:
        tables = pairings_as_json(tournament, played) if played else []
        away = [{"player": each, "name": name_of(tournament, each)} for each in absent]
        show_json(act_as_json(desk.command_id, recorded) | {"pairings": tables, "absent": away})
    elif played:
        show_table(*as_read(pairing_columns(tournament, with_result=False), played.matches))


def unpair(desk: Desk, reason: Reason = "") -> None:
    """Undo the pairing, as long as it has no result."""
    carry_out(desk, UnpairRound(reason))


def swap(
    desk: Desk,
    one: Annotated[str, word("A", "A player of the current round.")],
    other: Annotated[str, word("B", "The player who takes A's seat.")],
    reason: NeededReason = "",
    allow_rematch: Annotated[
        bool, flag("--allow-rematch", "Allow a rematch or a second bye.")
    ] = False,
) -> None:
    """Swap the seats of two players in the current round.

    tourney swap ann dan --reason "ann and eve came together"
    """
    needs_reason(reason, tr("a swap"), _clause_of(desk.tournament, "a swap"))
    players = (find_player(desk.tournament, one), find_player(desk.tournament, other))
    hold_to_seats(desk, players)
    command = SwapSeats(players, reason, allow_rematch)
    confirm_breaches(desk, command)
    carry_out(desk, command)
    if not desk.json:
        tournament = desk.book.tournament
        swapped = [
            match for match in tournament.rounds[-1].matches if {*match.players} & {*players}
        ]
        show_table(*as_read(pairing_columns(tournament, with_result=False), swapped))


def seat_latecomer(
    desk: Desk,
    players: Annotated[
        list[str], word("PLAYER [PLAYER]", "The latecomer; two latecomers share a table.")
    ],
    bye: Annotated[
        bool, flag("--bye", "Give the latecomer the bye: there is no opponent.")
    ] = False,
    reason: Annotated[str, reason_with("--bye and the flags below")] = "",
    allow_rematch: Annotated[
        bool, flag("--allow-rematch", "Allow a rematch or a second bye.")
    ] = False,
    unchecked: Annotated[
        bool, flag("--unchecked", "Seat the player even if the deck is not checked yet.")
    ] = False,
) -> None:
    """Seat a latecomer in the current round; no other pairing changes.

    The player must be registered, or have rejoined. They play the player who has the bye; if there
    is no bye, or the two have met, another latecomer. Their loss for this round is removed.

    tourney late tina
    tourney late tina udo
    tourney late tina --bye --reason "the only one who came late"
    """
    acts = {marked("a bye for a latecomer"): bye, "--allow-rematch": allow_rematch}
    for act in (act for act, is_asked in (acts | {"--unchecked": unchecked}).items() if is_asked):
        needs_reason(reason, tr(act), _clause_of(desk.tournament, act))
    numbers = _latecomers(desk.tournament, players)
    if len(numbers) > SEATS or (bye and len(numbers) > 1):
        raise UsageError(tr("name one latecomer, or two for a separate table; with --bye only one"))
    command = SeatPlayers(numbers, bye, reason, allow_rematch, unchecked)
    confirm_breaches(desk, command)
    recorded = carry_out(desk, command)
    if not desk.json:
        tournament = desk.after(recorded)
        tables = [each.event.table for each in recorded if isinstance(each.event, PlayersSeated)]
        seated = [match for match in tournament.rounds[-1].matches if match.table in tables]
        show_table(*as_read(pairing_columns(tournament, with_result=False), seated))


def _latecomers(tournament: Tournament, words: list[str]) -> tuple[int, ...]:
    """Find one player by all the words, or else one by each."""
    with suppress(NotFound):
        return (find_player(tournament, " ".join(words)),)
    return tuple(find_player(tournament, typed) for typed in words)


NEXT = "next"
WAITING_NAMED = 4
"""Who waits for a place, named after a cut."""


DespiteDispute = Annotated[bool, flag("--despite-dispute", DESPITE_HELP)]
Asked = Annotated[
    list[str],
    word("PLAYER|next", "The player who was asked; type `next` for the next player in rank."),
]


def cut(
    desk: Desk,
    players: Annotated[
        list[str] | None, word("[PLAYER]...", "Only for a stage whose players are listed by name.")
    ] = None,
    despite_dispute: DespiteDispute = False,
    reason: Annotated[str, reason_with("--despite-dispute")] = "",
) -> None:
    """Make the announced cut.

    If a player leaves before the first game, the next ranked player is asked to take the place.

    tourney cut
    tourney cut accept next
    tourney cut take-back --reason "a result was corrected"
    """
    listed = tuple(find_player(desk.tournament, words) for words in players or ())
    order = elimination.MakeCut(listed, despite_dispute, reason)
    _confirm_over_dispute(desk, order, reason, despite_dispute=despite_dispute)
    recorded = desk.act(order)
    seeds = _show_seeds(desk, recorded)
    done = (
        tr("cut to {seeds}", seeds=seeds)
        if recorded
        else tr("nothing to change: the cut is made already")
    )
    for line in _waiting_in_words(desk.after(recorded)):
        say(line)
    say_with_next(done, next_here(desk))


def _confirm_over_dispute(
    desk: Desk, order: Command, reason: str, *, despite_dispute: bool
) -> None:
    """Ask for a reason and a confirmation where an open dispute is passed over.

    Raises:
        UsageError: the reason is missing, or there is nothing that it would be for.
    """
    if despite_dispute:
        needs_reason(reason, "--despite-dispute", _clause_of(desk.tournament, "--despite-dispute"))
        confirm_breaches(desk, order)
    elif reason:
        raise UsageError(tr("--reason is only for --despite-dispute"))


def accept(desk: Desk, player: Asked) -> None:
    """Record that the next player accepts the free place in the cut."""
    _answer_replacement(desk, player, accepts=True)


def decline(desk: Desk, player: Asked) -> None:
    """Record that the next player declines the free place in the cut."""
    _answer_replacement(desk, player, accepts=False)


def _answer_replacement(desk: Desk, player: list[str], *, accepts: bool) -> None:
    number = _asked(desk.tournament, " ".join(player))
    carry_out(desk, elimination.AnswerReplacement(number, accepts))


def forfeit(desk: Desk) -> None:
    """Leave a place in the cut empty when no player is left to ask."""
    carry_out(desk, elimination.ForfeitPlace())


def take_back(desk: Desk, reason: NeededReason = "") -> None:
    """Undo the cut, as long as its stage is not paired."""
    needs_reason(reason, tr("undoing the cut"), desk.tournament.ruleset.cites("FFG-CUT"))
    carry_out(desk, elimination.TakeBackCut(reason))


def _asked(tournament: Tournament, words: str) -> int:
    """Find who answers; `next` is the next ranked."""
    if words != NEXT:
        return find_player(tournament, words)
    waiting = elimination.stage_with_vacancy(tournament).waiting
    if not waiting:
        raise Refused(cited(tournament.ruleset, elimination.nobody_in_line()))
    return waiting[0]


def _show_seeds(desk: Desk, recorded: list[Recorded]) -> int:
    tournament = desk.after(recorded)
    stages = [stage for stage in tournament.stages if stage.cut_seq]
    seeds = stages[-1].seeds if stages else []
    records = [
        {"seed": place, "player": player, "name": name_of(tournament, player)}
        for place, player in enumerate(seeds, start=1)
    ]
    columns = (
        Column("seed", right=True),
        Column("#", right=True, key="player"),
        Column("player", flexible=True, key="name"),
        Column("", value=lambda each: left_mark(tournament, each["player"])),
    )
    if desk.json:
        show_json(
            act_as_json(desk.command_id, recorded)
            | {"seeds": records, "waiting": _waiting(tournament)}
        )
    else:
        show_table(*as_read(columns, records))
    return len(seeds)


def _waiting(tournament: Tournament) -> list[int]:
    """Return who waits for a place in the last cut, the next first."""
    made = [stage.waiting for stage in tournament.stages if stage.cut_seq]
    return list(made[-1]) if made else []


def _waiting_in_words(tournament: Tournament) -> Iterator[str]:
    """Say who is asked where a place becomes free, the next first."""
    if waiting := _waiting(tournament):
        named = ", ".join(short_name(tournament, each) for each in waiting[:WAITING_NAMED])
        more = len(waiting) - WAITING_NAMED
        yield tr(
            "next in line for a free place: {players}{more}",
            players=named,
            more=tr(" and {count} more", count=more) if more > 0 else "",
        )


def finish(
    desk: Desk,
    despite_dispute: DespiteDispute = False,
    reason: Annotated[str, reason_with("--despite-dispute")] = "",
) -> None:
    """Close play.

    The secret key of the draws is revealed, so that anyone can check them.
    """
    from projections.standings.bracket import winner

    order = elimination.FinishTournament(despite_dispute, reason)
    _confirm_over_dispute(desk, order, reason, despite_dispute=despite_dispute)
    recorded = desk.act(order)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    tournament = desk.book.tournament
    first = winner(tournament)
    say(
        tr("winner: {player}", player=short_name(tournament, first))
        if first
        else tr("no player won the last game")
    )
    answer(desk, recorded, tr("the tournament is finished"))
