"""Questions at the terminal for what a result hangs on, one after the other, with the names."""

from __future__ import annotations

import re
import sys
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import structs

from cli import outside
from cli.desk.acts import carry_out
from cli.desk.confirm_breaches import YES, is_asked
from cli.input.arguments import UsageError
from cli.input.find_people import find_at_table, find_official, short_name
from cli.input.matches import UNKNOWN, Typed, game_as_left
from cli.input.reports import ending_last, example, read
from cli.languages.speaking import marked, tr
from cli.terminal.output import complain, say
from cli.terminal.problems import lines_of, sentence_of
from cli.terminal.tables import broken, terminal_width
from cli.wording.event_words import acts_in_words
from ledger.errors import NotFound, Refused
from ledger.problems import phrase
from ledger.rules.games_left import GameAsLeft
from ledger.rules.results import Report, result_from, time_not_over
from ledger.rules.rounds import UnpairRound
from ledger.tournament.progress import may_be_paired_again

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cli.desk.session import Desk
    from ledger.lines.recorded import Recorded
    from ledger.rules.clock import ModeratePace
    from ledger.rules.components import GiveUpComponent, MissComponent
    from ledger.rules.games_left import LeaveTable
    from ledger.rules.office import Penalize
    from ledger.rules.people import DisqualifyPlayer, DropPlayer
    from ledger.rules.results import Concede, StatedResult
    from ledger.rulesets.procedures import Fact, Procedure
    from ledger.tournament.state import Match, Tournament

    EndsGame = (
        Concede
        | DisqualifyPlayer
        | DropPlayer
        | GiveUpComponent
        | LeaveTable
        | MissComponent
        | ModeratePace
        | Penalize
    )
    """An act that can end a game, with `facts` and `unknown`."""

    Against = Callable[[dict[str, tuple[int, int]]], Refused | None]
    """Returns what refuses the facts of a game; None if a result follows from them."""

    Ways = Mapping[tuple[int, int] | None, Fact | None]
    """Answers that lead to a result, each with the fact that must be given next to it."""

QUESTIONS_MAX = 40
LINE_CHARACTERS_MAX = 1_000
ANSWER_CELLS = 8
"""What stays free behind a question, for the answer."""
QUIT = frozenset({"q", "quit", "exit"})
HELP = frozenset({"?", "h", "help"})
"""Answers that end a loop of questions, and that explain it."""
ESCAPE = "\x1b"
"""First character of a key such as an arrow."""

TIME_CALLED = marked("no clock runs in this round: was time called?")
WITHOUT_CLOCK = frozenset({"result.time_early", "result.time_not_called"})
"""Codes of the refusal of a game that ended by time in a round without a running clock."""
NOBODY_HAS = frozenset({"", "-", "0", "none", "nobody", "no"})
BOTH_HAVE = frozenset({"both", "1", "y", "yes"})

_TWO = re.compile(r"([0-9]{1,7})\s*[-: ]\s*([0-9]{1,7})")
_ONE = re.compile(r"[0-9]{1,7}")

Pair = tuple[int, int]

YES_OR_NO: tuple[Pair, ...] = ((1, 0), (0, 1), (1, 1), (0, 0))
"""The answers of both sides to a fact that is 0 or 1."""

MARKS = YES_OR_NO[:2]
"""Answers that name only one side."""


def asked(question: str) -> str:
    """Ask one thing at the terminal and return the answer; Refused where nobody answers."""
    lines = broken(question, terminal_width(sys.stderr) - ANSWER_CELLS)
    sys.stderr.write("\n".join(lines) + " ")
    sys.stderr.flush()
    line = sys.stdin.readline(LINE_CHARACTERS_MAX)
    if not line or line.strip().lower() in {"q", "quit"}:
        raise Refused(phrase("nothing was written"))
    return line.strip()


def agreed(question: str) -> bool:
    """Ask at the terminal for a yes; Refused where nobody answers."""
    return asked(f"{question} [y/N]").lower() in YES


def report_asking(
    desk: Desk,
    match: Match,
    stated: StatedResult,
    act: Callable[[Report], list[Recorded]],
) -> list[Recorded]:
    """Report a result, and ask for each missing fact, or whether time was called.

    The second question is asked once in a round without a running clock.

    Raises:
        Refused: no answer would make the result admissible.
    """
    _refuse_before_time(desk, match, stated)

    def report(game: GameAsLeft) -> list[Recorded]:
        facts = game.facts or stated.facts
        result = structs.replace(stated, facts=facts, unknown=game.unknown)
        try:
            return act(Report(match.number, result))
        except Refused as refusal:
            if not any(problem.code in WITHOUT_CLOCK for problem in refusal.problems):
                raise
            if not (desk.options.yes or agreed(tr(TIME_CALLED))):
                raise
            return act(Report(match.number, result, time_called=True))

    def against(facts: dict[str, Pair]) -> Refused | None:
        try:
            result_from(desk.book.tournament, match, structs.replace(stated, facts=facts))
        except Refused as refusal:
            return refusal
        return None

    game = GameAsLeft(stated.facts or {}, stated.unknown)
    return _asking(desk, match, game, report, against)


def _refuse_before_time(desk: Desk, match: Match, stated: StatedResult) -> None:
    """Refuse a game that ended by time while its clock runs, before anything is asked.

    Raises:
        Refused: time is not over, so no answer would make the result admissible.
    """
    declared = desk.tournament.ruleset.derives
    ending = declared.ending(stated.ending) if declared and stated.ending else None
    is_again = desk.command_id in desk.book.tournament.ids
    if ending is None or ending.manner != "time" or is_again or match.result is not None:
        return
    problems = time_not_over(desk.tournament, match, outside.now())
    if early := [problem for problem in problems if problem.code not in WITHOUT_CLOCK]:
        raise Refused(*early)


def end_game(
    desk: Desk,
    match: Match | None,
    typed: Sequence[str] | None,
    order: EndsGame,
    *,
    reason: str = "",
    already: str = "",
) -> None:
    """Carry out an act that ends a match, and ask at a terminal for each missing number.

    `order` is the act without the numbers; `reason` is its own, which tells why a number is
    unknown; `already` states what is so if nothing happens.

    Raises:
        UsageError: the numbers cannot be read, or no match ends.
        Refused: the act has another fault, or there is no terminal to ask at.
    """

    def act(game: GameAsLeft) -> list[Recorded]:
        complete = structs.replace(order, facts=game.facts, unknown=game.unknown)
        return carry_out(desk, complete, already)

    game = game_as_left(desk.tournament, match, typed or (), reason)
    if match is None or not is_asked():
        act(game)
    else:
        _asking(desk, match, game, act)


def _asking(
    desk: Desk,
    match: Match,
    game: GameAsLeft,
    act: Callable[[GameAsLeft], list[Recorded]],
    against: Against = lambda _: None,
) -> list[Recorded]:
    """Carry out an act, and ask for each number that it lacks; `against` refuses a game's facts."""
    declared = desk.book.tournament.ruleset.derives
    typed = frozenset(game.facts)
    for _ in range(QUESTIONS_MAX):
        try:
            return act(game)
        except Refused as refusal:
            refused, fact = refusal, _fact_lacking(refusal, declared)
            if fact is None or declared is None or fact.name in typed or game.unknown:
                raise
            if fact.name in game.facts:  # the answer does not fit: ask again
                for line in lines_of(refusal, desk.names):
                    complain(line)
        ways = _ways_on(declared, fact, game.facts, against)
        if not ways:
            raise Refused(*refused.problems)
        try:
            game = GameAsLeft(_told(desk, match, fact, game.facts, ways, against))
        except _NobodyKnows as answer:
            game = GameAsLeft(game.facts, answer.reason)
    raise Refused(
        phrase("too many details are missing, so nothing was written: type them on the line")
    )


def _told(
    desk: Desk,
    match: Match,
    fact: Fact,
    facts: Mapping[str, Pair],
    ways: Ways,
    against: Against,
) -> dict[str, Pair]:
    """Ask for a fact, and for what has to be told beside the answer; return all facts."""
    tournament, declared = desk.book.tournament, desk.book.tournament.ruleset.derives
    assert declared is not None  # noqa: S101 - whose fact it is
    answers = {
        one.name: _answer(tournament, match, one, ways) for one in _asked_together(declared, fact)
    }
    told = {name: pair for name, pair in {**facts, **answers}.items() if pair is not None}
    beside = ways.get(answers[fact.name])
    if beside is not None:
        complain(
            tr(
                "these answers do not give the result yet: it depends on {fact}",
                fact=tr(beside.meaning),
            )
        )
    while beside is not None:
        pair = _answer(tournament, match, beside, ways)
        told |= {beside.name: pair} if pair is not None else {}
        refusal = _stopped_by(declared, told, against)
        if refusal is None:
            break
        for line in lines_of(refusal, desk.names):
            complain(line)
    return told


class _NobodyKnows(Exception):  # noqa: N818 - an answer
    """The answer that a number is unknown, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _fact_lacking(refusal: Refused, declared: Procedure | None) -> Fact | None:
    """Return the fact that a refusal asks for."""
    for problem in refusal.problems if declared else ():
        for way in problem.remedies:
            name = way.about.get("fact", "")
            if way.act == "report.score" and declared:
                name = declared.main
            if declared and isinstance(name, str) and name in declared.labels:
                return declared.labels[name]
    return None


def _ways_on(declared: Procedure, fact: Fact, facts: dict[str, Pair], against: Against) -> Ways:
    """Return the answers to a yes or no of both sides that a result can follow from.

    Each comes with the fact that has to be told beside it, as who conceded if nobody passed.
    """
    ways: dict[Pair | None, Fact | None] = {}
    for pair in YES_OR_NO:
        known = {**facts, fact.name: pair}
        others = [one for one in declared.facts if one.sides == "one" and one.name not in known]
        beside = (
            one
            for one in others
            if any(_leads_on(declared, {**known, one.name: mark}, against) for mark in MARKS)
        )
        if not _is_yes_or_no(fact) or _leads_on(declared, known, against):
            ways[pair] = None
        elif (told := next(beside, None)) is not None:
            ways[pair] = told
    return ways


def _leads_on(declared: Procedure, facts: dict[str, Pair], against: Against) -> bool:
    """Return whether these facts are a result, or lack only a fact that is not among them."""
    return _stopped_by(declared, facts, against) is None


def _stopped_by(declared: Procedure, facts: dict[str, Pair], against: Against) -> Refused | None:
    """Return what refuses these facts, whatever is told beside them; None if they lead on."""
    refusal = against(facts)
    lacking = _fact_lacking(refusal, declared) if refusal else None
    return refusal if lacking is None or lacking.name in facts else None


def _is_yes_or_no(fact: Fact) -> bool:
    return fact.sides == "each" and (fact.min, fact.max) == (0, 1)


def _asked_together(declared: Procedure, fact: Fact) -> list[Fact]:
    """Return a fact, and the one behind it that at most one side has: who reads both reads all."""
    place = declared.facts.index(fact)
    following = declared.facts[place + 1 : place + 2]
    return [fact, *(each for each in following if each.sides == "most-one")]


def _answer(tournament: Tournament, match: Match, fact: Fact, ways: Ways) -> Pair | None:
    """Ask for a fact until the answer is one; None: at most one side has it, and none does."""
    first, second = (short_name(tournament, player) for player in match.players)
    declared = tournament.ruleset.derives
    endings = declared.endings if declared else ()
    may_be_unknown = any(fact.name in ending.asks for ending in endings)
    question = _question(fact, (first, second), ways, may_be_unknown=may_be_unknown)
    before = ""
    while True:
        answer = asked(question)
        if answer.lower() in HELP - {"h"}:  # h may be a part of a name
            complain(tr("answer with a word of the question; q quits, and writes nothing"))
            continue
        if may_be_unknown and answer.lower() == UNKNOWN:
            raise _NobodyKnows(_why())
        try:
            return _read(tournament, match, fact, answer)
        except (UsageError, NotFound) as error:
            text = _in_words(error)
            again = tr("refused as before; q quits, and writes nothing")
            complain(again if text == before else text)
            before = text


def _in_words(error: UsageError | NotFound) -> str:
    """Return why an answer does not fit."""
    if isinstance(error, UsageError):
        return str(error)
    return "; ".join(sentence_of(each, {}) for each in error.problems)


def _question(fact: Fact, names: tuple[str, str], ways: Ways, *, may_be_unknown: bool) -> str:
    """Return the question for a fact, with the answers that are not names."""
    about = fact.name if fact.name == fact.meaning else f"{fact.name}, {tr(fact.meaning)}"
    first, second = names
    if fact.sides == "shared":
        return f"{about}:"
    if (fact.min, fact.max) != (0, 1):
        if may_be_unknown:
            text = marked("{fact}: {first} and {second}, as 3 2, or unknown:")
        else:
            text = marked("{fact}: {first} and {second}, as 3 2:")
        return tr(text, fact=about, first=first, second=second)
    text = marked("{fact}: {first} or {second}?")
    if fact.sides == "most-one":
        text = marked("{fact}: {first} or {second}, or Enter for none?")
    elif fact.sides == "each":
        text = _OFFERED.get(((1, 1) in ways, (0, 0) in ways), text)
    return tr(text, fact=about, first=first, second=second)


_OFFERED: Mapping[tuple[bool, bool], str] = MappingProxyType(
    {
        (True, True): marked("{fact}: {first} or {second}, both or none?"),
        (True, False): marked("{fact}: {first} or {second}, or both?"),
        (False, True): marked("{fact}: {first} or {second}, or none?"),
    }
)
"""The question for a fact of both sides, by whether both can have it, and whether none can."""


def _why() -> str:
    while not (reason := asked(tr("why is it unknown?"))):
        pass
    return reason


def _read(tournament: Tournament, match: Match, fact: Fact, typed: str) -> Pair | None:
    if found := _TWO.fullmatch(typed):
        pair = int(found[1]), int(found[2])
        if fact.min <= min(pair) and max(pair) <= fact.max:
            return pair
        text = tr(
            "{fact} must be from {least} to {most}", fact=fact.name, least=fact.min, most=fact.max
        )
        raise UsageError(text)
    if fact.sides == "shared":
        if fact.official:
            number = find_official(tournament, typed)
            return number, number
        if _ONE.fullmatch(typed):
            return int(typed), int(typed)
        raise UsageError(
            tr("{fact} must be one number from {least}", fact=fact.name, least=fact.min)
        )
    if (fact.min, fact.max) != (0, 1):
        raise UsageError(tr("{fact} needs both players' numbers, such as 3 2", fact=fact.name))
    if fact.sides == "each" and not typed:
        text = tr("{fact}: type a name, or one of the other words in the question", fact=fact.name)
        raise UsageError(text)
    if fact.sides != "one" and typed.lower() in NOBODY_HAS:
        return None if fact.sides == "most-one" else (0, 0)
    if fact.sides == "each" and typed.lower() in BOTH_HAVE:
        return 1, 1
    player = find_at_table(tournament, match.players, typed)
    return (1, 0) if player == match.first else (0, 1)


def how_it_ended(desk: Desk, player: int, match: Match) -> None:
    """Ask about the open match of a player who leaves, and report it if it was played.

    If its round has not started, the pairing can be undone instead.
    """
    tournament = desk.book.tournament
    who, where = short_name(tournament, player), f"{match.round}/{match.table}"
    other = short_name(tournament, next(each for each in match.players if each != player))
    answers = ["conceded", "played"]
    text = marked("{table} against {other} has no result: conceded by {player}, or played?")
    if may_be_paired_again(tournament, player):
        answers.append("again")
        text = marked(
            "{table} against {other} has no result: conceded by {player}, or played? "
            "Or pair again without {player}?"
        )
    question = tr(text, table=where, other=other, player=who)
    letters = "/".join(answer[0] for answer in answers)
    word = ""
    while not word:  # a beginning of an answer: "cancel" concedes nothing
        typed = asked(f"{question} [{letters}]").lower()
        word = next((answer for answer in answers if typed and answer.startswith(typed)), "")
    if word == "again":
        unpaired = desk.act(UnpairRound(f"{who} left before the start"), f"{desk.command_id}-match")
        say("; ".join(acts_in_words(unpaired, desk.book.tournament)))
    while word == "played":
        try:
            words = _how_typed(example(tournament.ruleset, who))
            reported = read(tournament, *ending_last(tournament, [where, *words], Typed()))
            done = report_asking(desk, match, reported.result, lambda each: _first(desk, each))
        except (UsageError, NotFound) as error:
            complain(_in_words(error))
        else:
            say("; ".join(acts_in_words(done, desk.book.tournament)))
            return


def _how_typed(shown: str) -> list[str]:
    """Ask how a match ended, with an example of the answer, and return the words of the answer."""
    return asked(tr("how did it end, as `{example}`?", example=shown)).split()


def _first(desk: Desk, report: Report) -> list[Recorded]:
    """Report before the act that was typed, by an id that follows from its own."""
    return desk.act(report, f"{desk.command_id}-match")
