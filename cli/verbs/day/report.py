"""`report`, `concede`, `correct`, `undo`: results as they come to the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Exit

from cli.desk.acts import carry_out
from cli.desk.confirm_breaches import confirm_breaches, is_asked
from cli.desk.questions import asked, report_asking
from cli.desk.remembered import hold_to_seats, in_full, ruling_of
from cli.desk.session import Desk
from cli.input.arguments import needs_reason, whole
from cli.input.find_people import find_official, find_player, official_names
from cli.input.matches import Typed, facts_of, find_match
from cli.input.options import option, word
from cli.input.reports import ending_last, read
from cli.terminal.visible import visible
from cli.wording.phrases import result_in_words
from ledger.errors import Refused
from ledger.rules.disputes import CarryOut
from ledger.rules.results import Concede, Correct, Report
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.tournament.state import Match, Tournament


STEPS_MAX = 100
NAMED = 2
"""Officials from whom one is asked for."""

Ended = Annotated[str, option("HOW", "How the game ended, as: time.", "--ended")]
Facts = Annotated[list[str] | None, option("NAME=A:B", "What the table saw; repeat it.", "--fact")]


def report(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[TABLE WINNER [WORD]]", "None: one result after another.")
    ] = None,
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Report a result, or one after another.

    Without words it asks for one result after another until you type q.
    TABLE is a table of the round in play, or 2/7 for table 7 of round 2, or a player at it.
    WINNER is any part of a name. WORD is another outcome than the full win.

        tourney report 7 ann
        tourney report 7 ann modified
        tourney report 7 6-0
        tourney report 7 draw
        tourney report 7 no-show bob
        tourney report 7 107-49 --ended time
        tourney report 7 ann --fact army=120:100 --fact objectives=20:0

    The last two where a ruleset derives results from what the table saw; the numbers stand in the
    order of the pairing, or the winner's first where one is named.

    The same lines may come through a pipe: those that are refused are named, the others land.
    """
    typed = Typed(ended, tuple(fact or ()))
    if not words and not typed:
        from cli.verbs.day.loop import report_lines

        raise Exit(report_lines(desk))

    words, typed = ending_last(desk.tournament, list(words or ()), typed)
    reported = read(desk.tournament, in_full(desk, words), typed)
    if not is_asked():
        order = Report(reported.match.number, reported.result)
        carry_out(desk, order, _stands(desk, reported.match))
        return
    so = _stands(desk, reported.match)
    report_asking(desk, reported.match, reported.result, lambda order: carry_out(desk, order, so))


def _stands(desk: Desk, match: Match) -> str:
    if match.result is None:
        return ""
    result = result_in_words(desk.tournament, match, match.result)
    return f"{match.round}/{match.table}: {result}"


def concede(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "Who gives the match up.")],
    fact: Facts = None,
) -> None:
    """Let a player give the open match up: a full win.

    Where the points hang on what was destroyed by then, that is asked for, in the order of the
    pairing.

    tourney concede ann --fact army=60:120
    """
    number = find_player(desk.tournament, " ".join(player))
    hold_to_seats(desk, [number])
    carry_out(desk, Concede(number, _seen_by_then(desk, number, fact or [])))


def _seen_by_then(desk: Desk, player: int, typed: list[str]) -> dict[str, tuple[int, int]]:
    match = open_match_of(desk.tournament, player)
    return facts_of(desk.tournament, match, typed, turned=False) if match and typed else {}


def correct(
    desk: Desk,
    words: Annotated[list[str] | None, word("[TABLE WINNER [WORD]]", "As for `report`.")] = None,
    reason: Annotated[str, option("TEXT", "Required: why, where no ruling says it.")] = "",
    ruling: Annotated[str, option("SEQ|R/T", "The ruling that is carried out; see `rule`.")] = "",
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Replace a result that was wrong.

    The old one stays in the log, and later rounds stay as they were played.
    After a ruling on the result that ruling is all that is needed.

    tourney correct 2/7 bob modified --reason "slip read wrongly"
    tourney correct --ruling 2/7
    """
    _ask_who_enters(desk)
    found = ruling_of(desk, ruling) if ruling else None
    rests_on = found.seq if found else 0
    if rests_on and not words:
        order = CarryOut(rests_on, reason)
        confirm_breaches(desk, order)
        carry_out(desk, order, "the result is as it was ruled")
        return
    words = in_full(desk, words or ())
    reason = reason if found is None or reason.strip() else found.made.ruling
    if not reason.strip():
        _refuse_what_is_in_question(desk.tournament, words)
    needs_reason(reason, "a correction")
    typed = Typed(ended, tuple(fact or ()))
    reported = read(desk.tournament, words, typed)
    correction = Correct(reported.match.number, reported.result, reason, rests_on)
    confirm_breaches(desk, correction)
    carry_out(desk, correction, _stands(desk, reported.match))


def _ask_who_enters(desk: Desk) -> None:
    """Ask who enters a correction where play is closed, unless the line says it."""
    tournament = desk.book.tournament
    officials = official_names(tournament)
    if not tournament.finished or desk.options.acting or len(officials) < NAMED or not is_asked():
        return
    listed = ", ".join(f"{number} {visible(name)}" for number, name in officials.items())
    number = find_official(tournament, asked(f"play is closed: who enters this? {listed}:"))
    desk.enter_as(f"o{number}")


def _refuse_what_is_in_question(tournament: Tournament, words: Sequence[str]) -> None:
    """Say what settles it, before a reason is asked for: a ruling says why itself."""
    from cli.wording.dispute_words import next_act
    from ledger.tournament.disputes import dispute_of

    match = find_match(tournament, words[0]) if words else None
    dispute = dispute_of(tournament, match.number) if match else None
    if dispute is not None:
        raise Refused(next_act(tournament, dispute))


def undo(
    desk: Desk,
    steps: Annotated[str, word("[STEPS]", "How many of your acts, the last first.")] = "",
    reason: Annotated[str, option("TEXT", "Why; it goes into the log.")] = "undone",
) -> None:
    """Take your last act back, or several, if nothing depends on them.

    Several are taken back as one act, all or none: each is named first, and a terminal asks once.

    tourney undo
    tourney undo 3
    """
    from cli.desk.undoing import take_back, take_steps_back

    if steps:
        take_steps_back(desk, whole("steps", steps, 1, STEPS_MAX), reason)
    else:
        take_back(desk, reason)
