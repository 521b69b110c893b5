"""`call`: who wants a judge, and who went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out
from cli.desk.remembered import table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.find_people import name_of, shown_name
from cli.input.moments import time_in
from cli.input.options import word
from cli.languages.speaking import tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from cli.wording.phrases import table_in_words
from ledger.errors import NotFound
from ledger.problems import phrase
from ledger.rules.office import AnswerCall, CallJudge
from ledger.tournament.disputes import word_of

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament
    from ledger.tournament.table_records import JudgeCall


@shows_table
def call(
    desk: Desk,
    table: Annotated[str, word("[TABLE]", "The table that needs a judge.")] = "",
    reason: Annotated[str, word("[WHY]", "The reason, as one text in quotes.")] = "",
) -> None:
    """Call a judge to a table, or list the open calls.

    tourney call 7 "is this in the rules?" --as p12
    tourney call
    """
    if not table:
        _show_calls(desk)
        return
    match = table_of(desk, table)
    player = word_of(desk.tournament, desk.by)
    carry_out(desk, CallJudge(match.number, player, reason), tr("a judge was called to this table"))


def answer_call(
    desk: Desk, table: Annotated[str, word("TABLE", "The table, or the number of the call.")]
) -> None:
    """Record that the official at this desk goes to the table."""
    tournament = desk.tournament
    official = int(desk.by.partition("/")[0][1:]) if desk.by.startswith("o") else 0
    if not official:
        raise UsageError(tr("only an official can answer a call: use --as OFFICIAL"))
    carry_out(desk, AnswerCall(_waiting_at(desk, tournament, table).seq, official))


def _waiting_at(desk: Desk, tournament: Tournament, typed: str) -> JudgeCall:
    waiting = waiting_calls(tournament)
    if found := next((each for each in waiting if str(each.seq) == typed), None):
        return found
    match = table_of(desk, typed)
    found = next((each for each in waiting if each.made.match == match.number), None)
    if not found:
        raise NotFound(
            phrase(
                "there is no open call for a judge at {table}",
                table=f"{match.round}/{match.table}",
            )
        )
    return found


def waiting_calls(tournament: Tournament) -> list[JudgeCall]:
    """Return the calls that nobody has answered, the first one first."""
    return [each for each in tournament.floor.judge_calls if not each.answered]


def call_as_json(tournament: Tournament, call: JudgeCall) -> dict[str, object]:
    """Return a call for a program."""
    made, match = call.made, tournament.matches[call.made.match]
    return {
        "call": call.seq,
        "at": call.at,
        "match": made.match or None,
        "round": match.round or None,
        "table": match.table or None,
        "player": made.player or None,
        "name": name_of(tournament, made.player) if made.player else None,
        "reason": made.reason,
    }


def _show_calls(desk: Desk) -> None:
    tournament = desk.tournament
    waiting = [call_as_json(tournament, each) for each in waiting_calls(tournament)]
    columns = (
        Column("call", right=True),
        Column("time", key="at", text=lambda each: time_in(tournament, each["at"])),
        Column(
            "table",
            text=lambda each: table_in_words(tournament, each["match"]) if each["match"] else "",
        ),
        Column(
            "who",
            flexible=True,
            key="name",
            text=lambda each: (
                shown_name(tournament, each["player"]) if each["player"] else tr("the desk")
            ),
        ),
        Column("why", flexible=True, wraps=True, key="reason"),
    )
    if show_records(desk, columns, waiting):
        calls = how_many(len(waiting), "open call")
        say(
            tr("{calls}; to answer one: `call answer TABLE --as JUDGE`", calls=calls)
            if waiting
            else calls
        )
