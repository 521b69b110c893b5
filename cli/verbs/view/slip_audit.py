"""`audit begin`, `audit draw`, `audit slip`: paper slips held to the log, by a limit to risk."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import carry_out, sign_with_the_log
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.matches import Typed, find_match
from cli.input.options import flag, option, word
from cli.input.reports import read
from cli.terminal.output import say
from cli.verbs.day.report import Ended, Facts  # noqa: TC001 - the parser resolves them
from ledger.errors import NotFound
from ledger.rules.draws import BeginSlipAudit, DrawSlips, ReadSlip, WithdrawSlip

if TYPE_CHECKING:
    from ledger.tournament.state import Stage, Tournament

RISK = "5%"
MILLION = 1_000_000
HOW = "5%, 2.5% or 0.05: more than nothing, and no more than 50%"
_RISK = re.compile(r"([0-9]{1,2}(?:\.[0-9]{1,4})?)%|(0?\.[0-9]{1,6})", re.ASCII)

Risk = Annotated[str, option("PERCENT", "How likely a wrong cut may pass; default: 5%.", "--risk")]
CutStage = Annotated[
    str, option("N", "The stage that is cut to; default: the cut made last, or next.", "--stage")
]
Table = Annotated[str, word("R/T", "The table of the slip, with its round.")]


def begin(desk: Desk, risk: Risk = RISK, stage: CutStage = "") -> None:
    """Begin a slip audit: put the head on record.

    The head is shown before a word is called out. It says how many wrong results it takes to
    change the cut, and how many slips are enough.

        tourney audit --slips --risk 5%
        tourney audit begin --risk 5%
    """
    limit, cut = risk_of(risk), stage_of_cut(desk.tournament, stage)
    sign_with_the_log(desk)
    carry_out(desk, BeginSlipAudit(cut.number, limit), "this audit has begun")
    _say_where_it_stands(desk)


def draw(
    desk: Desk, text: Annotated[list[str], word("WORD", "As it was called out in the room.")]
) -> None:
    """Draw the slips that are pulled, by a word called out.

    The word comes after the head was shown.

    tourney audit draw blue heron
    """
    carry_out(desk, DrawSlips(" ".join(text)), "the slips are drawn by this word")
    _say_where_it_stands(desk)


def slip(
    desk: Desk,
    words: Annotated[list[str], word("R/T [RESULT]", "The slip, and what it says.")],
    agrees: Annotated[bool, flag("--agrees", "It says what the log says.")] = False,
    missing: Annotated[
        bool, flag("--missing", "It is not there, or nobody can say what it says.")
    ] = False,
    note: Annotated[str, option("TEXT", "What was seen; it stays in the log.")] = "",
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Record what a slip says, as for `report`.

    Best by somebody who does not look at the log. Two slips of one table that say different things
    count as missing.

        tourney audit slip 3/4 bob
        tourney audit slip 3/4 --agrees
        tourney audit slip 3/4 --missing --note "two slips, two winners"
    """
    match = find_match(desk.tournament, words[0])
    typed = Typed(ended, tuple(fact or ()))
    said = bool(words[1:] or typed)
    if said + agrees + missing != 1:
        raise UsageError("say what the slip says, or --agrees, or --missing: one of the three")
    where = f"{match.round}/{match.table}"
    result = read(desk.tournament, [where, *words[1:]], typed).result if said else None
    carry_out(desk, ReadSlip(match.number, result, agrees, note), f"the slip of {where} is read")
    _say_what_comes_next(desk)


def withdraw(
    desk: Desk,
    table: Table,
    reason: Annotated[str, option("TEXT", "Required: why.", "--reason")] = "",
) -> None:
    """Take back what was entered of a slip, to read it again."""
    needs_reason(reason, "taking a slip back")
    match = find_match(desk.tournament, table)
    carry_out(desk, WithdrawSlip(match.number, reason))
    _say_what_comes_next(desk)


def _say_what_comes_next(desk: Desk) -> None:
    from cli.wording.audit_words import next_slip_in_words
    from projections.audit.slips import status_of

    book = desk.book
    status = status_of(list(book.recorded()), book.tournament.floor.slip_audits[-1])
    say(next_slip_in_words(book.tournament, status))


def _say_where_it_stands(desk: Desk) -> None:
    from cli.render.audit_tables import show_status

    if desk.options.for_person:
        show_status(desk, desk.book.tournament.floor.slip_audits[-1])


def stage_of_cut(tournament: Tournament, typed: str = "") -> Stage:
    """Return the stage whose cut is in question; NotFound where none is announced."""
    from projections.whatif.cut_margin import cut_stage, cut_stages

    last = cut_stage(tournament)
    if not last:
        raise NotFound("no cut by the standings is announced: no slip says who is in it")
    known = {str(each.number): each for each in cut_stages(tournament)}
    if typed and typed not in known:
        raise NotFound(f"no cut by the standings to stage {typed}; known: {', '.join(known)}")
    return known[typed] if typed else last


def risk_of(typed: str) -> int:
    """Read a limit to the risk, in millionths; UsageError for anything else."""
    found = _RISK.fullmatch(typed.replace(" ", ""))
    if found is not None:
        share = Fraction(found[1]) / 100 if found[1] else Fraction(found[2])
        millionths = share * MILLION
        if millionths.denominator == 1 and 0 < millionths <= MILLION // 2:
            return int(millionths)
    raise UsageError(f"--risk is {HOW}; not {typed!r}")
