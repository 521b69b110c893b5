"""`rule`, `conduct`, `recommend`, `penalty`: what leaders decide, on the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from cli.desk.acts import acting_official, carry_out, desk_of
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.seen import ruling_of, table_of
from cli.input.arguments import UsageError, choice, needs_reason, whole
from cli.input.belonging import refuse_others
from cli.input.people import find_at_table, find_player
from cli.input.reports import stated_in
from cli.render.office_tables import (
    show_conduct,
    show_penalties,
    show_recommendations,
    show_rulings,
)
from cli.render.records import shows_table
from cli.terminal.diagnostics import say

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.tournament.state import Match, Tournament


Reviews = Annotated[
    str, typer.Option(metavar="SEQ", help="The ruling that this one decides anew, for good.")
]
Overrules = Annotated[
    str, typer.Option(metavar="TEXT", help="The mistake in the documents that it puts right.")
]
Stands = Annotated[
    bool, typer.Option("--stands", help="Of a dispute: the result stays as reported.")
]
Ruled = Annotated[
    str, typer.Option(metavar="WORDS", help="The result that the match has, as for `report`.")
]
TakenBack = Annotated[
    bool, typer.Option("--withdraw", help="Take your ruling back; TEXT says why.")
]


@shows_table
def rule(
    context: typer.Context,
    table: Annotated[
        str, typer.Argument(metavar="[TABLE]", help="A table, R/T, a player; or 0: no match.")
    ] = "",
    text: Annotated[
        list[str] | None, typer.Argument(metavar="[TEXT]", help="What was decided.")
    ] = None,
    clause: Annotated[str, typer.Option(metavar="ID", help="The clause it rests on.")] = "",
    player: Annotated[str, typer.Option(metavar="PLAYER", help="Who raised it.")] = "",
    spectator: Annotated[bool, typer.Option("--spectator", help="A spectator raised it.")] = False,
    review: Annotated[
        bool, typer.Option("--review", help="The player asks a marshal to review it.")
    ] = False,
    reviews: Reviews = "",
    overrules: Overrules = "",
    stands: Stands = False,
    result: Ruled = "",
    only: Annotated[bool, typer.Option("--only", help="Leave the correction to the desk.")] = False,
    withdraw: TakenBack = False,
) -> None:
    """Record a ruling of the official at the desk, or list rulings.

    A judge rules first, a marshal in review; nobody on a match that they play. With --stands or
    --result it settles a dispute. A --result also counts where nobody disputes: who may correct
    results corrects it at once, else `correct --ruling` is due. Until something was decided on it,
    who ruled may take it back: for TABLE say its event, or R/T.

        tourney rule 4 "it stays" --as pat --clause L5R-TIME --player ann --review
        tourney rule 4 "it is discarded" --as kim --reviews 57
        tourney rule 4 "the slip shows it" --as pat --clause FFG-RULING --result bob
        tourney rule 2/4 "the wrong table" --withdraw --as pat
    """
    from ledger.decisions.office import Rule

    desk = desk_of(context)
    refuse_others(context, "RULING TEXT --withdraw" if withdraw else "TABLE TEXT" if table else "")
    if not table:
        show_rulings(desk)
        return
    if not text:
        raise UsageError('say what was decided, as rule 4 "the card stays"')
    if player and spectator:
        raise UsageError("either a player raised it or a spectator")
    tournament = desk.tournament
    if withdraw:
        _take_back(desk, table, " ".join(text))
        return
    match = None if table == "0" else table_of(desk, table)
    if (stands and result) or (match is None and (stands or result)):
        raise UsageError("at a table the report --stands, or the --result is another")
    order = Rule(
        official=acting_official(desk),
        ruling=" ".join(text),
        match=match.number if match else 0,
        clause=clause,
        raised="player" if player else "spectator" if spectator else "official",
        player=_asking(tournament, match, player),
        review=review,
        reviews=whole("--reviews", reviews, 1) if reviews else 0,
        overrules=overrules,
        stands=stands,
        decides=stated_in(tournament, match, result) if match and result else None,
        corrects=not only,
    )
    if stands or result:
        confirm_breaches(desk, order)
    carry_out(desk, order)
    _remind(desk, order.match)


def _take_back(desk: Desk, ruling: str, why: str) -> None:
    from ledger.decisions.disputes import WithdrawRuling

    carry_out(desk, WithdrawRuling(ruling_of(desk, ruling).seq, why))


def _asking(tournament: Tournament, match: Match | None, player: str) -> int:
    """Find who raised it: at the table, or of all where it is about none; 0: nobody is named."""
    if player and match is not None:
        return find_at_table(tournament, match.players, player)
    return find_player(tournament, player) if player else 0


def _remind(desk: Desk, match: int) -> None:
    """Say that a dispute of the match is still to be ruled on."""
    from ledger.tournament.disputes import dispute_of

    dispute = dispute_of(desk.book.tournament, match)
    if dispute is not None and not dispute.ruling:
        say(f"dispute {dispute.seq} is still open: rule on it with --stands or --result")


@shows_table
def conduct(
    context: typer.Context,
    player: Annotated[str, typer.Argument(metavar="[PLAYER]", help="Any part of the name.")] = "",
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="As stalling, cheating.")] = "",
    remedy: Annotated[str, typer.Option(metavar="TEXT", help="What follows from it.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What happened.")] = "",
) -> None:
    """Record unsporting conduct and its remedy, or list it.

    A marshal decides; with none, the organizer. Kinds: stalling, excessive-force,
    inappropriate-behavior, discourtesy, cheating, collusion-on-scores, notes-or-outside-material,
    help-from-spectators, other.

        tourney conduct bob stalling --remedy "a warning"
    """
    from ledger.decisions.office import NoteConduct
    from ledger.events.office import Misconduct

    desk = desk_of(context)
    refuse_others(context, "PLAYER KIND" if player else "")
    if not player:
        show_conduct(desk)
        return
    if not kind or not remedy.strip():
        raise UsageError('say the kind and what follows, as --remedy "a warning"')
    number = find_player(desk.tournament, player)
    found = choice(kind, get_args(Misconduct), "kind of conduct")
    carry_out(desk, NoteConduct(number, found, remedy, note))


@shows_table
def recommend(
    context: typer.Context,
    player: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]", help="Any part of the name.")
    ] = None,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why; it stands in the log.")] = "",
    clause: Annotated[str, typer.Option(metavar="ID", help="The clause that was broken.")] = "",
) -> None:
    """Recommend a disqualification to the organizer, or list those.

    The organizer decides, with `disqualify`; the decision names the recommendation. Until then
    the audit tells of it.

        tourney recommend bob --reason "two decks" --as mara
    """
    from ledger.decisions.office import RecommendDisqualification

    desk = desk_of(context)
    if not player:
        show_recommendations(desk)
        return
    needs_reason(reason, "a recommendation", "FFG-AUTH-DQ")
    number = find_player(desk.tournament, " ".join(player))
    carry_out(desk, RecommendDisqualification(number, reason, clause))


@shows_table
def penalty(
    context: typer.Context,
    player: Annotated[str, typer.Argument(metavar="[PLAYER]", help="Any part of the name.")] = "",
    kind: Annotated[str, typer.Argument(metavar="[KIND]", help="As warning, match-loss.")] = "",
    infraction: Annotated[str, typer.Option("--for-what", metavar="TEXT", help="Why.")] = "",
    clause: Annotated[str, typer.Option(metavar="ID", help="The clause that was broken.")] = "",
) -> None:
    """Give a penalty, or list those that were given.

    Kinds: warning, corrected-play, discard, game-forfeit, match-loss, removal, declared-win,
    declared-draw, other. A match loss and a game forfeit end the player's open match; a removal,
    by the organizer, is for good.

        tourney penalty bob warning --for-what "drew a card too many" --clause AOP-PENALTY
    """
    from ledger.decisions.office import Penalize
    from ledger.events.office import PenaltyKind

    desk = desk_of(context)
    refuse_others(context, "PLAYER KIND" if player else "")
    if not player:
        show_penalties(desk)
        return
    if not kind or not infraction.strip():
        raise UsageError("say the kind, and why with --for-what (AOP-PENALTY)")
    number = find_player(desk.tournament, player)
    found = choice(kind, get_args(PenaltyKind), "penalty")
    carry_out(desk, Penalize(number, found, infraction, clause))
