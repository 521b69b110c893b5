"""Taking the last act back: in words what it was, and what to do instead where it stays."""

from __future__ import annotations

from itertools import groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import structs

from cli.desk.acts import act_as_json, answer, say_with_next
from cli.desk.confirm_breaches import confirm
from cli.desk.guide import next_here
from cli.languages.speaking import marked, tr
from cli.terminal.output import say, show_json
from cli.wording.event_words import acts_in_words
from ledger.errors import Refused
from ledger.facts.opening import TournamentFinished
from ledger.facts.undo import ActWithdrawn
from ledger.lines.recorded import record
from ledger.problems import phrase, problem
from ledger.rules import before_signing
from ledger.rules.undo import SIDE_EFFECTS, Undo, instead_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cli.desk.session import Desk
    from ledger.books.book import Book
    from ledger.lines.recorded import Recorded
    from ledger.problems import Problem
    from ledger.tournament.state import Tournament


def _with_advice(
    tournament: Tournament, act: list[Recorded], problems: Iterable[Problem]
) -> Iterator[Problem]:
    """Say, beside why an act cannot be taken back, what to do instead."""
    instead = instead_of(tournament, act)
    for each in problems:
        has_advice = each.remedies or "`" in str(each)
        yield each if has_advice else structs.replace(each, remedies=instead)


def take_back(desk: Desk, reason: str) -> None:
    """Take this desk's last act back.

    Raises:
        Refused: something depends on the act; the problems say what to do instead.
    """
    before = _before(desk)
    act = before.last_act(desk.by)
    if before is desk.tournament:
        _refuse_a_second(desk, act)
    undone = "; ".join(acts_in_words(act, desk.tournament))
    try:
        recorded = desk.act(Undo(reason))
    except Refused as refusal:
        if any(isinstance(each.event, TournamentFinished) for each in act):
            say(
                tr(
                    "the tournament stays finished, as its draw key is public; results can be "
                    "corrected"
                )
            )
        raise Refused(*_with_advice(desk.tournament, act, refusal.problems)) from None
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    say(tr("undoing: {acts}", acts=undone))
    answer(desk, recorded)


def is_undoable(book: Book, by: str, at: str) -> bool:
    """Return whether `undo` takes back the last act of an official, without trying it.

    What follows from an act of several events is not looked at: `undo` itself may still refuse.
    """
    tournament = book.tournament
    act = tournament.last_act(by)
    if not act or all(isinstance(each.event, ActWithdrawn) for each in act):
        return False
    try:
        answers = list(Undo().decide(tournament, book.context(), by))
    except Refused:
        return False
    first = next(iter(answers), None)
    if first is None:
        return False
    return not before_signing(tournament, record(tournament.seq + 1, "undo", at, by, first))


def _before(desk: Desk) -> Tournament:
    """Return the state in which an act with this id is decided: an earlier one if it was sent."""
    first = desk.tournament.ids.get(desk.command_id)
    return desk.book.at(first - 1) if first else desk.tournament


def _refuse_a_second(desk: Desk, act: list[Recorded]) -> None:
    """Refuse to take a taking back back: the act before it may be meant, which `undo 1` takes."""
    if not act or not all(isinstance(each.event, ActWithdrawn) for each in act):
        return
    before = next(_own_acts(desk, desk.tournament.seq), None)
    if before is None:
        raise Refused(phrase("your last act is already undone, and there is no earlier one"))
    words = "; ".join(acts_in_words(before, desk.tournament))
    raise Refused(
        phrase(
            "your last act is already undone; `undo 1` undoes the one before: {words}", words=words
        )
    )


def take_steps_back(desk: Desk, steps: int, reason: str) -> None:
    """Take the last acts back as one act, all or none; each is named before it happens.

    Raises:
        Refused: there are fewer acts, or something depends on one of them: none is taken back.
    """
    acts = list(islice(_own_acts(desk, _before(desk).seq), steps))
    if len(acts) < steps:
        raise Refused(
            phrase(
                "you have only {count} act to undo",
                plural="you have only {count} acts to undo",
                count=len(acts),
            )
        )
    for step, act in enumerate(acts, start=1):
        say(
            tr(
                "{step} of {steps}: undoing: {acts}",
                step=step,
                steps=steps,
                acts="; ".join(acts_in_words(act, desk.tournament)),
            )
        )
    confirm(desk, tr("go on?") if steps == 1 else tr("undo all {steps} as one act?", steps=steps))
    events = tuple(recorded for act in reversed(acts) for recorded in act)
    try:
        recorded = desk.act(Undo(reason, events))
    except Refused as refusal:
        problems = list(_with_advice(desk.tournament, list(events), refusal.problems))
        if steps > 1:
            text = marked("none of the {count} acts was undone")
            problems.append(problem("undo.none", text, count=steps))
        raise Refused(*problems) from None
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded))
    happened = (
        tr("{steps} acts are undone, as one act", steps=steps) if steps > 1 else tr("it is undone")
    )
    say_with_next(happened, next_here(desk))


def _own_acts(desk: Desk, size: int) -> Iterator[list[Recorded]]:
    """Yield the acts entered at this desk that count in a log of this size, latest first.

    An act does not count if it was withdrawn, even if a name that it recorded stays on record.
    """
    book, own = desk.book, desk.by.partition("/")[0]
    gone: set[int] = set()
    events = (book.recorded_at(seq) for seq in range(size, 0, -1))
    for _, of_act in groupby(events, key=attrgetter("command_id")):
        act = list(of_act)[::-1]
        gone |= {each.event.withdraws for each in act if isinstance(each.event, ActWithdrawn)}
        counting = [
            recorded
            for recorded in act
            if recorded.by.partition("/")[0] == own
            and recorded.seq not in gone
            and not isinstance(recorded.event, ActWithdrawn)
        ]
        is_withdrawn = any(recorded.seq in gone for recorded in act)
        if is_withdrawn and all(type(recorded.event) in SIDE_EFFECTS for recorded in counting):
            continue
        if counting:
            yield counting
