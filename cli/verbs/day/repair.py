"""`repair`: after a late correction, the fewest tables to stop and seat again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason, whole_or_none
from cli.input.find_people import labelled
from cli.input.options import option
from cli.render.game_tables import pairing_columns, person_columns, seat_name
from cli.render.records import as_read, show_records, shows_table
from cli.terminal.output import say, show, show_table
from cli.terminal.tables import Column
from cli.terminal.visible import how_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.pairing.repair import RepairChoice
    from ledger.tournament.state import Tournament


@shows_table
def repair(
    desk: Desk,
    do: Annotated[str, option("N", "Carry out the choice that stops N tables.", "--do")] = "",
    reason: Annotated[str, option("TEXT", "Why it is done; it goes into the log.")] = "",
) -> None:
    """Show which tables to stop, and do it on your word.

    For a round that is paired when a result of an earlier one is corrected. Each choice tells
    what the round would cost by what is known now; the tables it does not name stay untouched.
    Tables with a result, or set by hand, are never stopped.

        tourney repair
        tourney repair --do 2 --reason "2/7 was corrected"
    """
    stopped = whole_or_none("--do", do, 0)
    if stopped is None:
        if reason:
            raise UsageError("--reason goes with --do N")
        _show(desk)
        return
    needs_reason(reason, "a repair")
    _do(desk, stopped, reason)


def _show(desk: Desk) -> None:
    from cli.machine.draw_keys import drawing
    from ledger.rules.pairing import choices

    tournament = desk.book.tournament
    found = drawing(desk.book, lambda: choices(tournament, desk.book.context()))
    columns = (
        Column("stopped", value=lambda each: each[0].stopped, only="program"),
        Column("table", right=True, value=lambda each: each[1] + 1),
        *person_columns(tournament, lambda each: each[0].seats[each[1]][0]),
        *person_columns(
            tournament, lambda each: each[0].seats[each[1]][1], "against", key="against"
        ),
    )
    if desk.options.for_person:
        for choice in found:
            show(_in_words(tournament, choice))
            show_table(*as_read(columns, [(choice, at) for at in sorted(choice.seats)]))
    else:
        seats = [(choice, at) for choice in found for at in sorted(choice.seats)]
        show_records(
            desk, columns, seats, json=lambda: [_as_json(tournament, each) for each in found]
        )
        return
    if len(found) == 1:
        say("no table that can be stopped would make the round better")
    else:
        say('nothing is changed yet: `repair --do N --reason "…"`')


def _in_words(tournament: Tournament, choice: RepairChoice) -> str:
    count = choice.stopped
    what = f"{count}: stop {how_many(count, 'table')}" if count else "0: leave as is"
    return f"{what}: {', '.join(_costs(tournament, choice))}"


def _costs(tournament: Tournament, choice: RepairChoice) -> Iterator[str]:
    cost = choice.cost
    yield f"score gap {cost.gap}"
    if cost.rematches:
        yield f"{how_many(cost.rematches, 'rematch', 'rematches')}"
    if cost.bye_place:
        yield f"the bye is {how_many(cost.bye_place, 'place')} too high"
    if holder := next((max(game) for game in choice.seats.values() if 0 in game), 0):
        yield f"the bye to {labelled(tournament, holder)}"


def _as_json(tournament: Tournament, choice: RepairChoice) -> dict[str, object]:
    matches = tournament.rounds[-1].matches
    return {
        "stopped": choice.stopped,
        "gap": choice.cost.gap,
        "rematches": choice.cost.rematches,
        "bye_place": choice.cost.bye_place,
        "tables": [
            {
                "table": at + 1,
                "match": matches[at].number,
                "players": choice.seats[at],
                "names": [
                    seat_name(tournament, each) if each else None for each in choice.seats[at]
                ],
            }
            for at in sorted(choice.seats)
        ],
    }


def _do(desk: Desk, stopped: int, reason: str) -> None:
    from ledger.events.rounds import TablesRepaired
    from ledger.rules.pairing import RepairRound

    recorded = carry_out(desk, RepairRound(stopped, reason), "the round stays as it is")
    if desk.json:
        return
    tournament = desk.book.tournament
    for each in recorded:
        if isinstance(each.event, TablesRepaired):
            matches = [tournament.rounds[-1].matches[table - 1] for table in each.event.tables]
            show_table(*as_read(pairing_columns(tournament, with_result=False), matches))
