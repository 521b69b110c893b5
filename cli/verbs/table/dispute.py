"""`confirm`, `dispute`, `disputes`, `appeal`, `review`, `match`: a result that is in question."""

from __future__ import annotations

from typing import Annotated

from cli.desk.acts import acting_official, carry_out
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.remembered import ruling_of, table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason, with_reason
from cli.input.cited import cited_clause
from cli.input.file_names import NO_OUTPUT, OutFile
from cli.input.matches import Typed, find_match
from cli.input.moments import NOW, AtRound, look_at
from cli.input.options import Facts, NeededReason, Reason, flag, option, word
from cli.input.reports import read, stated_in
from cli.languages.speaking import in_figures, tr
from cli.render.records import refuse_csv, show_value, shows_table
from cli.terminal.output import say
from cli.verbs.day.report import Ended  # noqa: TC001 - the parser resolves them
from ledger.tournament.state import Match

Ruling = Annotated[str, word("RULING", "The ruling's event, or R/T for the ruling on that match.")]
TableOf = Annotated[str, word("TABLE", "A table, R/T, or a player at the table.")]


@shows_table
def confirm(
    desk: Desk,
    table: Annotated[str, word("[TABLE]", "A table, R/T, or a player at the table.")] = "",
) -> None:
    """Confirm a reported result, or list the unconfirmed ones.

    Name the player with --for; without it the desk confirms. If the player who disputed a result
    confirms it, the dispute is settled.

        tourney confirm 4 --for bob
    """
    from cli.render.dispute_tables import show_unconfirmed
    from ledger.rules.disputes import ConfirmResult

    if not table:
        show_unconfirmed(desk, desk.clock)
        return
    match = table_of(desk, table)
    order = ConfirmResult(match.number)
    if match.round < len(desk.tournament.rounds):
        confirm_breaches(desk, order)
    carry_out(desk, order, tr("{table} is confirmed", table=f"{match.round}/{match.table}"))


def dispute(
    desk: Desk,
    words: Annotated[
        list[str], word("TABLE [WINNER [WORD]]", "The table, and the result that is claimed.")
    ],
    reason: Reason = "",
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Dispute a reported result.

    Name the player with --for. A `report --for` of the opponent with another result does the same.

        tourney dispute 4 bob --for bob --reason "the slip shows my win"
        tourney dispute 4 --for bob
    """
    from ledger.rules.disputes import DisputeResult

    match = table_of(desk, words[0])
    where, typed = f"{match.round}/{match.table}", Typed(ended, tuple(fact or ()))
    claim = None
    if words[1:] or typed:
        claim = read(desk.tournament, [where, *words[1:]], typed).result
    carry_out(
        desk, DisputeResult(match.number, claim, reason), tr("{table} is disputed", table=where)
    )


def withdraw_dispute(desk: Desk, table: TableOf, reason: NeededReason = "") -> None:
    """Withdraw a dispute."""
    from ledger.rules.disputes import WithdrawDispute

    needs_reason(reason, tr("withdrawing a dispute"), desk.tournament.ruleset.cites("FFG-RULING"))
    carry_out(desk, WithdrawDispute(table_of(desk, table).number, reason))


@shows_table
def disputes(
    desk: Desk,
    settled: Annotated[bool, flag("--all", "Include settled disputes.")] = False,
    moment: AtRound = NOW,
) -> None:
    """List the disputes: their age, both claims, who acts next."""
    from cli.render.dispute_tables import show_disputes

    look_at(desk, moment)
    show_disputes(desk, desk.clock, settled=settled)


@shows_table
def show_match(
    desk: Desk,
    table: TableOf,
    html: Annotated[
        OutFile, option("FILE", "Write a page with the timeline as a picture.", "--html")
    ] = NO_OUTPUT,
    moment: AtRound = NOW,
) -> None:
    """Show the whole history of a match, event by event.

    The page shows who learned what, and when: both players, the desk, the judges and the public.

        tourney match 1/4
        tourney match 1/4 --html timeline.html
    """
    match = find_match(look_at(desk, moment), table)
    if html:
        _write_timeline(desk, match, html)
        return
    from cli.render.dispute_tables import show_story

    show_story(desk, match)


def _write_timeline(desk: Desk, match: Match, html: OutFile) -> None:
    from cli.render.timelines import timeline_page
    from projections.matches import story_in

    refuse_csv(desk, "--html")
    page = timeline_page(desk.book.tournament, match, story_in(desk.book, match)).encode()
    size = desk.files.write(html, [page])
    show_value(desk, {"file": str(html), "bytes": size, "match": match.number})
    say(
        tr(
            "{file}: the timeline of {table}, {count} bytes",
            file=html,
            table=f"{match.round}/{match.table}",
            count=in_figures(size),
        )
    )


def appeal(desk: Desk, ruling: Ruling, reason: Reason = "") -> None:
    """Ask a marshal to review a ruling, on behalf of a player.

    tourney appeal 2/4 --for bob --reason "the judge saw one slip of two"
    """
    from ledger.rules.disputes import Appeal

    found = ruling_of(desk, ruling)
    carry_out(desk, Appeal(found.seq, reason), tr("ruling {number} is appealed", number=found.seq))


def withdraw_appeal(desk: Desk, ruling: Ruling, reason: NeededReason = "") -> None:
    """Withdraw an appeal."""
    from ledger.rules.disputes import WithdrawAppeal

    found = ruling_of(desk, ruling)
    needs_reason(
        reason, tr("withdrawing an appeal"), desk.tournament.ruleset.cites("FFG-ROLE-JUDGE")
    )
    carry_out(desk, WithdrawAppeal(found.seq, reason))


def review(
    desk: Desk,
    ruling: Ruling,
    text: Annotated[list[str] | None, word("[TEXT]", "The decision.")] = None,
    upheld: Annotated[bool, flag("--upheld", "The ruling remains in force.")] = False,
    overturned: Annotated[
        bool, flag("--overturned", "The ruling is overturned; in a dispute, the report counts.")
    ] = False,
    result: Annotated[
        str, option("WORDS", "The ruling is overturned: the result, as for `report`.")
    ] = "",
    clause: Annotated[str, option("CLAUSE", "The clause that the decision is based on.")] = "",
    reason: Reason = "",
) -> None:
    """Decide an appeal against a ruling; the decision is final.

    A marshal decides, or the organizer if there is no marshal.

    tourney review 2/4 "both slips say so" --upheld --as mara
    tourney review 2/4 "bob won the last game" --result bob --as mara
    """
    from ledger.rules.office import Rule

    decision = with_reason(text, reason)
    if not decision:
        raise UsageError(tr('give the decision: review 2/4 "both slips agree" --upheld'))
    if upheld == bool(overturned or result):
        raise UsageError(tr("give one of --upheld, --overturned and --result WORDS"))
    found = ruling_of(desk, ruling)
    match = desk.tournament.matches[found.made.match]
    order = Rule(
        official=acting_official(desk, "FFG-ROLE-JUDGE"),
        ruling=decision,
        match=found.made.match,
        clause=cited_clause(desk.tournament, clause),
        reviews=found.seq,
        upheld=upheld,
        decides=stated_in(desk.tournament, match, result) if result else None,
    )
    confirm_breaches(desk, order)
    carry_out(desk, order)
