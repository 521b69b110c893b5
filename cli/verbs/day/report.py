"""Results: `report`, `concede`, `correct`, `undo`, and the loop of `report`.

The loop carries out lines one after another, at a prompt or through a pipe: results, other verbs,
`undo`. It is one process and one fold: each line is read, decided and written like a separate
command, with the id `<id>-<line number>`. A line that is refused is named, the rest lands. A page
of the hall reads the same lines, shows their consequences, and sends the acts.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, TextIO

from typer import Exit

from cli.desk.acts import act_as_json, carry_out
from cli.desk.confirm_breaches import confirm_breaches, is_asked
from cli.desk.guide import next_here
from cli.desk.questions import ESCAPE, HELP, QUIT, asked, end_game, report_asking
from cli.desk.remembered import hold_to_seats, in_full, ruling_of, show_tables
from cli.desk.session import CommandFound, Desk, ReadLine
from cli.input.arguments import END, UsageError, needs_reason, split_global_options, whole
from cli.input.find_people import find_official, find_player, labelled, official_names
from cli.input.matches import Typed, find_match, taken_out
from cli.input.options import MEANT, Facts, Reason, option, word
from cli.input.reports import NO_SHOW, Reported, ending_last, explained, read
from cli.languages.speaking import in_figures, marked, tr
from cli.terminal.output import (
    PROGRAM,
    complain,
    finish,
    overhearing,
    say,
    show_json,
    show_misuse,
    show_problems,
    show_prose,
)
from cli.terminal.problems import lines_of
from cli.terminal.visible import how_many, visible
from cli.verbs import RENAMED, path_of
from cli.wording.event_words import acts_in_words
from cli.wording.phrases import result_in_words
from ledger.errors import LedgerError, NotFound, Refused, StoreUnavailable
from ledger.problems import phrase, problem
from ledger.rules.disputes import CarryOut
from ledger.rules.results import Concede, Correct, Report
from ledger.rules.undo import Undo
from ledger.tournament.progress import open_match_of, open_matches, round_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cli.desk.session import LineKind, LineReader, ReadingDesk
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament

STEPS_MAX = 100
NAMED = 2
"""Officials from whom one is asked for."""

Ended = Annotated[str, option("HOW", "The way the game ended, such as time.", "--ended")]


def report(
    desk: Desk,
    words: Annotated[
        list[str] | None,
        word("[TABLE WINNER [WORD]]", "Omit it to enter several results in a row."),
    ] = None,
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Report a result, or several in a row.

    Without arguments it asks for one result after another until you type q.
    TABLE is a table of the current round, or 2/7 for table 7 of round 2, or a player at the table.
    WINNER is any part of a name. WORD is an outcome that is not the full win.

        tourney report 7 ann
        tourney report 7 ann modified
        tourney report 7 6-0
        tourney report 7 draw
        tourney report 7 no-show bob
        tourney report 7 107-49 --ended time
        tourney report 7 ann --fact army=120:100 --fact objectives=20:0

    The last two are for rulesets that compute results from facts; the numbers are in the order of
    the pairing, or the winner's number comes first if a winner is named.

    The same lines can come through a pipe: refused lines are listed, all others are recorded.
    """
    typed = Typed(ended, tuple(fact or ()))
    if not words and not typed:
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
    player: Annotated[list[str], word("PLAYER", "The player who concedes.")],
    fact: Facts = None,
) -> None:
    """Concede a player's open match: the opponent gets a full win.

    If the points depend on losses so far, give them with --fact, in the order of the pairing.

    tourney concede ann --fact army=60:120
    tourney concede ann --fact "wounds=unknown: both had packed up"
    """
    number = find_player(desk.tournament, " ".join(player))
    hold_to_seats(desk, [number])
    match = open_match_of(desk.tournament, number)
    end_game(desk, match, fact, Concede(number))


def correct(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[TABLE WINNER [WORD]]", "The correct result, as for `report`.")
    ] = None,
    reason: Annotated[str, option("TEXT", "Required: the reason, unless --ruling gives it.")] = "",
    ruling: Annotated[str, option("SEQ|R/T", "The ruling to carry out; see `rule`.")] = "",
    ended: Ended = "",
    fact: Facts = None,
) -> None:
    """Replace a wrong result.

    The old result stays in the log, and later rounds stay as they were played.
    After a ruling on the result, --ruling is all that is needed.

    tourney correct 2/7 bob modified --reason "slip read wrongly"
    tourney correct --ruling 2/7
    """
    _ask_who_enters(desk)
    found = ruling_of(desk, ruling) if ruling else None
    rests_on = found.seq if found else 0
    if rests_on and not words:
        order = CarryOut(rests_on, reason)
        confirm_breaches(desk, order)
        carry_out(desk, order, tr("the result agrees with the ruling"))
        return
    words = in_full(desk, words or ())
    reason = reason if found is None or reason.strip() else found.made.ruling
    if not reason.strip():
        _refuse_what_is_in_question(desk.tournament, words)
    needs_reason(reason, tr("a correction"), desk.tournament.ruleset.cites("FFG-RULING"))
    typed = Typed(ended, tuple(fact or ()))
    reported = read(desk.tournament, words, typed, default=reason)
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
    number = find_official(
        tournament,
        asked(tr("play is closed: which official enters this? {listed}:", listed=listed)),
    )
    desk.enter_as(f"o{number}")


def _refuse_what_is_in_question(tournament: Tournament, words: Sequence[str]) -> None:
    """Say what settles it, before a reason is asked for: a ruling says why itself."""
    from cli.wording.dispute_words import next_act
    from ledger.tournament.disputes import dispute_of

    match = find_match(tournament, words[0]) if words else None
    dispute = dispute_of(tournament, match.number) if match else None
    if dispute is not None:
        due, clause = next_act(tournament, dispute), tournament.ruleset.cites("FFG-RULING")
        raise Refused(problem("dispute.due", "{due}", clause=clause, due=due))


def undo(
    desk: Desk,
    steps: Annotated[str, word("[STEPS]", "Number of your acts to undo, the latest first.")] = "",
    reason: Reason = "undone",
) -> None:
    """Undo your latest act, or several, if nothing depends on them.

    Several acts are undone together, all or none. They are listed first, and a terminal asks once.

    tourney undo
    tourney undo 3
    """
    from cli.desk.undoing import take_back, take_steps_back

    if steps:
        take_steps_back(desk, whole("steps", steps, 1, STEPS_MAX), reason)
    else:
        take_back(desk, reason)


LINE_CHARACTERS_MAX = 10_000


def _with_old_words(names: str) -> frozenset[str]:
    """Return verbs, and what earlier releases called them."""
    verbs = frozenset(names.split())
    return verbs | {old for old, new in RENAMED.items() if new in verbs}


_LOOKING = "bracket clause disputes evidence explain list log match pairings standings whatif"
LOOKING = frozenset(_LOOKING.split())
"""First words of what is only looked at."""

_VERBS_HERE = """
amend appeal call check-in component concede conduct confirm correct cut disqualify dispute disputes
draft drop evidence explain finish first late lists match note pair pairings penalty post prize
recommend register rejoin rename repair-round requests review round rule scenario side slow-play
standings swap terrain unpair unregister whatif
"""
VERBS_HERE = _with_old_words(_VERBS_HERE) | LOOKING
"""First words of the other lines that the loop takes."""


def words_of(line: str) -> list[str]:
    """Split a line at spaces; double quotes hold a name together, apostrophes are letters."""
    if len(line) >= LINE_CHARACTERS_MAX:
        raise UsageError(
            tr(
                "a result must be shorter than {most} characters",
                most=in_figures(LINE_CHARACTERS_MAX),
            )
        )
    words: list[str] = []
    for place, part in enumerate(line.split('"')):
        words += [part] if place % 2 else part.split()
    words = [word for word in words if word.strip()]
    return words[1:] if words[:1] == [PROGRAM] else words


def kind_of(words: Sequence[str]) -> LineKind:
    """Return what the words of a page's line ask for, by their first one."""
    from cli.verbs.on_pages import FIRST_WORDS

    first = words[0].lower() if words else ""
    if first in LOOKING:
        return "look"
    return "act" if first in FIRST_WORDS or is_undo(words) else "result"


def line_reader() -> LineReader:
    """Return how the lines of pages are read, and which verbs they have."""
    from cli.desk.session import LineReader, PageVerbs
    from cli.verbs import on_pages, verbs_of
    from cli.verbs.tree import command_of

    verbs = PageVerbs(
        on_pages.page_verbs,
        verbs_of,
        on_pages.summary_of,
        command_of,
        on_pages.printed,
        on_pages.only_at_a_terminal,
        on_pages.page_instead,
    )
    return LineReader(words_of, line_read, kind_of, verbs)


def is_undo(words: Sequence[str]) -> bool:
    """Whether a line takes the last act back."""
    return [word.lower() for word in words] == ["undo"]


def reported_by(desk: Desk, words: list[str], command_id: str) -> Reported:
    """Read the words of a result, whose table is the one that this desk was shown."""
    rest, typed = taken_out(words)
    tournament = desk.at_command(command_id)
    if words and words[0].lower() in NO_SHOW:
        rest = _no_show_first(tournament, rest)
    rest, typed = ending_last(tournament, rest, typed)
    return read(tournament, in_full(desk, rest, command_id), typed)


def run_verb(desk: Desk, words: list[str], command_id: str) -> None:
    """Answer another verb's line as if it were typed after `tourney`, with this desk's book."""
    from cli.verbs.tree import run

    options, line = split_global_options([words[0].lower(), *words[1:]])
    other = desk.typing(options, line, command_id)
    run(other)
    desk.shown = other.shown


def line_read(desk: ReadingDesk, words: list[str]) -> ReadLine:
    """Return what the words of a page's line come to, with nothing carried out.

    UsageError, NotFound or Refused say why they come to nothing.
    """
    with overhearing() as kept:
        try:
            _read(desk, words)
        except CommandFound as found:
            return ReadLine(found.command, found.by, tuple(kept.said), kept.data)
    return ReadLine(None, desk.by, tuple(kept.said), kept.data)


def _read(desk: ReadingDesk, words: list[str]) -> None:
    """Raise CommandFound where the words ask for an act."""
    from cli.verbs.on_pages import FIRST_WORDS, out_of_reach

    first = words[0].lower() if words else ""
    if is_undo(words):
        _refuse_newer_acts(desk)
        desk.act(Undo())
    if first in FIRST_WORDS or first == "undo":
        if refusal := out_of_reach([first, *words[1:]]):
            raise UsageError(refusal)
        _run_on_page(desk, words)
        return
    try:
        reported = reported_by(desk, _without_verb(words), desk.command_id)
    except NotFound:
        if refusal := out_of_reach([first, *words[1:]]):
            raise UsageError(refusal) from None
        raise
    desk.act(Report(reported.match.number, reported.result))


def _without_verb(words: list[str]) -> list[str]:
    """Return the words of a result whose line begins with its verb, as a form makes it."""
    if not words or words[0].lower() != "report":
        return words
    return [word for word in words[1:] if word != END]


def _run_on_page(desk: ReadingDesk, words: list[str]) -> None:
    """Answer the verb of a page's line; if the page grants too little, name the page that does it.

    Raises:
        Refused: as the verb does, or the verb touches what a page does not grant.
    """
    from cli.verbs.on_pages import place_of

    try:
        run_verb(desk, words, desk.command_id)
    except Refused as error:
        codes = {each.code for each in error.problems}
        place = place_of([words[0].lower(), *words[1:]])
        if not place or codes.isdisjoint({"page.not_granted", "page.no_files"}):
            raise
        text = marked("on a page: {place}")
        raise Refused(*error.problems, problem("page.instead", text, place=place)) from None


def _refuse_newer_acts(desk: ReadingDesk) -> None:
    """Refuse to take an act back that the page has not shown."""
    act = desk.book.tournament.last_act(desk.by)
    if act and desk.command_id not in desk.book.tournament.ids and act[-1].seq > desk.knows:
        raise Refused(
            phrase("you have entered another act since this page was loaded: reload it, then undo")
        )


def _no_show_first(tournament: Tournament, words: list[str]) -> list[str]:
    """Put `no-show bob` as `TABLE no-show bob`: at whose table it is follows from the name."""
    names = words[1:]
    if not names:
        raise UsageError(tr("name the absent player: no-show PLAYER, or both players of a table"))
    with suppress(NotFound):
        names = [f"#{find_player(tournament, ' '.join(names))}"]
    first = find_match(tournament, names[0])
    return [str(first.table), words[0], *names]


ID_MAX = 56
"""The longest id that leaves room for a line's number."""

SAME_AGAIN = marked("refused as before; ? shows the lines to type, q quits")
"""The refusal of a line that repeats the line before."""

TABLES_SHOWN = 12
"""Tables in the prompt."""

LISTED_MAX = 24
"""Tables listed with their players."""


def report_lines(desk: Desk) -> int:
    """Report line after line; return the exit code, 1 if any was refused in a pipe."""
    if len(desk.command_id) > ID_MAX:
        raise Refused(
            phrase("--id can have at most {most} characters if several results follow", most=ID_MAX)
        )
    if sys.stdin.isatty():
        _prompt(desk)
        return 0
    return _pipe(desk)


def _prompt(desk: Desk) -> None:
    _show_open(desk)
    number, refused = 0, list[str]()
    while True:
        sys.stderr.write(f"{_prompt_text(desk.book.tournament)}> ")
        sys.stderr.flush()
        line = sys.stdin.readline(LINE_CHARACTERS_MAX)
        number += 1
        word = line.strip().lower()
        if not line:
            say("")
        if not line or word in QUIT:
            break
        if word in HELP:
            _explain(desk.book.tournament)
        elif not word:
            desk.book.refresh()
            _show_open(desk)
        elif ESCAPE in line:
            complain(
                tr("arrow keys and the like do nothing here: type the line again; ? shows how")
            )
        elif not (refused := _take(desk, line, number, "", asking=True, before=refused)):
            played = round_in_play(desk.book.tournament)
            if played is not None and not played.unreported:
                say(tr("{following}; type it here, or q to quit", following=next_here(desk)))
    say(next_here(desk))


def _pipe(desk: Desk) -> int:
    refused = 0
    for number, line in enumerate(_lines(sys.stdin), start=1):
        text = line.strip()
        if text.lower() in QUIT:
            break
        if text and not text.startswith("#") and text.lower() not in HELP:
            refused += bool(_take(desk, line, number, tr("line {number}: ", number=number)))
    say(next_here(desk))
    if refused:
        say(tr("{lines} refused, all others recorded", lines=how_many(refused, "line")))
    return 1 if refused else 0


def _lines(stream: TextIO) -> Iterator[str]:
    """Yield the lines of a stream; of an endless one only its beginning."""
    while line := stream.readline(LINE_CHARACTERS_MAX):
        rest = line
        while not rest.endswith("\n") and (rest := stream.readline(LINE_CHARACTERS_MAX)):
            pass
        yield line


def _take(
    desk: Desk,
    line: str,
    number: int,
    where: str,
    *,
    asking: bool = False,
    before: Sequence[str] = (),
) -> list[str]:
    """Carry one line out, or say what refuses it; return that, nothing if it was carried out.

    What was said `before` of the last line is not said again.
    """
    command_id = f"{desk.command_id}-{number}"
    try:
        recorded = _carry_out(desk, line, command_id, asking=asking)
    except StoreUnavailable:
        raise
    except LedgerError as error:
        if desk.json:
            show_problems(error, desk.names)
        return _complained(lines_of(error, desk.names), where, before)
    except UsageError as error:
        if desk.json:
            show_misuse(str(error))
        return _complained([str(error)], where, before)
    if recorded is not None:
        _answer(desk, command_id, recorded)
    finish()
    return []


def _complained(problems: list[str], where: str, before: Sequence[str]) -> list[str]:
    """Say what refuses a line, in short if the last line was refused likewise; return it whole."""
    for text in [tr(SAME_AGAIN)] if problems == before else problems:
        complain(f"{where}{text}")
    return problems


def _answer(desk: Desk, command_id: str, recorded: list[Recorded]) -> None:
    tournament = desk.book.tournament
    if desk.json:
        show_json(act_as_json(command_id, recorded))
        return
    happened = "; ".join(acts_in_words(recorded, tournament)) or tr(
        "nothing to change: this is already recorded"
    )
    show_prose(f"{happened} | {_to_go(tournament)}")


def _carry_out(desk: Desk, line: str, command_id: str, *, asking: bool) -> list[Recorded] | None:
    """Do what a line says; None where a verb has answered itself."""
    words = _without_verb(words_of(line))
    desk.seen = None
    first = words[0].lower() if words else ""
    if is_undo(words):
        return desk.act(Undo(), command_id)
    if first in VERBS_HERE or first == "undo":
        run_verb(desk, words, command_id)
        return None
    try:
        reported = reported_by(desk, words, command_id)
    except NotFound:
        if refusal := _not_here(words):
            raise UsageError(refusal) from None
        raise

    def act(command: Report) -> list[Recorded]:
        return desk.act(command, command_id)

    if asking:
        return report_asking(desk, reported.match, reported.result, act)
    return act(Report(reported.match.number, reported.result))


def _not_here(words: Sequence[str]) -> str:
    """Return what to do about a line that begins with a verb of the shell; empty for others."""
    first = words[0].lower() if words else ""
    if meant := MEANT.get(first):
        return tr(
            "{word} is not a player or a verb; did you mean {verbs}?",
            word=repr(first),
            verbs=tr(" or ").join(meant),
        )
    path = path_of([first, *words[1:]])
    if not path or path.partition(" ")[0] in VERBS_HERE:
        return ""
    return tr(
        "`{path}` cannot be typed here: type q first, then `{program} {path}`; ? shows the rest",
        path=path,
        program=PROGRAM,
    )


def _to_go(tournament: Tournament) -> str:
    played = round_in_play(tournament)
    if played is None:
        return tr("no round is being played")
    if not played.unreported:
        return tr("round {number} complete", number=played.number)
    return tr("{results} missing", results=how_many(played.unreported, "result"))


def _prompt_text(tournament: Tournament) -> str:
    played = round_in_play(tournament)
    if played is None:
        return f"{tr('no round is being played')} "
    tables = [str(match.table) for match in open_matches(played)]
    if not tables:
        return f"{tr('round {number} complete', number=played.number)} "
    shown = " ".join(tables[:TABLES_SHOWN]) + (" …" if len(tables) > TABLES_SHOWN else "")
    return f"{tr('round {number}, open: {tables}', number=played.number, tables=shown)} "


def _show_open(desk: Desk) -> None:
    show_tables(desk, here_alone=True)
    tournament = desk.book.tournament
    played = round_in_play(tournament)
    matches = open_matches(played) if played else []
    for match in matches[:LISTED_MAX]:
        first, second = (labelled(tournament, player) for player in (match.first, match.second))
        say(f"{match.table:>5}  {first} - {second}")
    if len(matches) > LISTED_MAX:
        more = how_many(len(matches) - LISTED_MAX, "more table")
        say(f"      {tr('and {tables}: `tourney round` lists them', tables=more)}")


def _explain(tournament: Tournament) -> None:
    for line in explained(tournament.ruleset):
        say(line)
