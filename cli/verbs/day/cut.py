"""`cut`, `finish`: who goes on, and the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer, carry_out, say_with_next
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.guide import next_step
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.find_people import find_player, name_of, short_name
from cli.input.options import flag, option, word
from cli.render.game_tables import left_mark
from cli.render.records import as_read
from cli.terminal.output import say, show_json, show_table
from cli.terminal.tables import Column
from cli.verbs.day.pairing import DESPITE_HELP
from ledger.errors import Refused
from ledger.rules import elimination

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.lines.recorded import Recorded
    from ledger.rules.command import Command
    from ledger.tournament.state import Tournament

NEXT = "next"
WAITING_NAMED = 4
"""Who waits for a place, named after a cut."""


DespiteDispute = Annotated[bool, flag("--despite-dispute", DESPITE_HELP)]
Asked = Annotated[list[str], word("PLAYER|next", "Who is asked; the next ranked.")]
Reason = Annotated[str, option("TEXT", "Why despite a dispute.")]


def cut(
    desk: Desk,
    players: Annotated[
        list[str] | None, word("[PLAYER]...", "Only where the stage is entered by a list.")
    ] = None,
    despite_dispute: DespiteDispute = False,
    reason: Reason = "",
) -> None:
    """Make the announced cut.

    Until the first game the next ranked is asked to take the place.

    tourney cut
    tourney cut accept next
    tourney cut take-back --reason "a result was corrected"
    """
    listed = tuple(find_player(desk.tournament, words) for words in players or ())
    order = elimination.MakeCut(listed, despite_dispute, reason)
    _confirm_over_dispute(desk, order, reason, despite_dispute=despite_dispute)
    recorded = desk.act(order)
    seeds = _show_seeds(desk, recorded)
    done = f"cut to {seeds}" if recorded else "already so: the cut is made"
    for line in _waiting_in_words(desk.after(recorded)):
        say(line)
    say_with_next(done, next_step(desk.book.tournament))


def _confirm_over_dispute(
    desk: Desk, order: Command, reason: str, *, despite_dispute: bool
) -> None:
    """Ask for a reason and a confirmation where an open dispute is passed over.

    Raises:
        UsageError: the reason is missing, or there is nothing that it would be for.
    """
    if despite_dispute:
        needs_reason(reason, "--despite-dispute")
        confirm_breaches(desk, order)
    elif reason:
        raise UsageError("--reason goes with --despite-dispute")


def accept(desk: Desk, player: Asked) -> None:
    """Let the player who is asked take the free place in the cut."""
    _answer_replacement(desk, player, accepts=True)


def decline(desk: Desk, player: Asked) -> None:
    """Record that the player who is asked does not want the place."""
    _answer_replacement(desk, player, accepts=False)


def _answer_replacement(desk: Desk, player: list[str], *, accepts: bool) -> None:
    number = _asked(desk.tournament, " ".join(player))
    carry_out(desk, elimination.AnswerReplacement(number, accepts))


def forfeit(desk: Desk) -> None:
    """Leave the place in the cut empty: nobody is left to be asked."""
    carry_out(desk, elimination.ForfeitPlace())


def take_back(desk: Desk, reason: Annotated[str, option("TEXT", "Required: why.")] = "") -> None:
    """Take the cut back, until its stage is paired."""
    needs_reason(reason, "taking the cut back")
    carry_out(desk, elimination.TakeBackCut(reason))


def _asked(tournament: Tournament, words: str) -> int:
    """Find who answers; `next` is the next ranked."""
    if words != NEXT:
        return find_player(tournament, words)
    waiting = elimination.stage_with_vacancy(tournament).waiting
    if not waiting:
        raise Refused("nobody is left to be asked: `cut forfeit`")
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
        yield f"waiting, the next first: {named}{f' and {more} more' if more > 0 else ''}"


def finish(desk: Desk, despite_dispute: DespiteDispute = False, reason: Reason = "") -> None:
    """Close play.

    The secret behind the draws is revealed, so that anyone can check them.
    """
    from projections.standings.bracket import winner

    order = elimination.FinishTournament(despite_dispute, reason)
    _confirm_over_dispute(desk, order, reason, despite_dispute=despite_dispute)
    recorded = desk.act(order)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    tournament = desk.book.tournament
    first = winner(tournament)
    say(f"winner: {short_name(tournament, first)}" if first else "nobody won the last game")
    answer(desk, recorded, "the tournament is finished")
