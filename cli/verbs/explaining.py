"""Numbers taken apart and compared, and other outcomes tried: `explain`, `diff`, `whatif`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.session import Desk
from cli.input.arguments import UsageError, whole, whole_or_none
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.find_people import find_player, labelled
from cli.input.matches import Typed, find_match, find_round, is_place
from cli.input.moments import FORMS, NOW, At, AtRound, is_moment, look_at
from cli.input.options import Policy, flag, option, word
from cli.languages.speaking import marked, tr
from cli.render.records import shows_table
from cli.terminal.output import say, show, show_json
from cli.terminal.problems import said
from cli.terminal.visible import in_quotes
from ledger.books.vault import needs_draw_key
from ledger.errors import LedgerError, NotFound
from ledger.problems import Phrase, phrase
from ledger.tournament.state import Round, Tournament

if TYPE_CHECKING:
    from ledger.rules.command import Context
    from projections.whatif import Alternative

LEVELS = 2
"""How far down a tree is shown where nothing is said."""


@shows_table
def diff(
    desk: Desk,
    first: Annotated[
        InFile, word("FROM", "A moment, as described above; or a log, a saved head, or a proof.")
    ],
    second: Annotated[
        InFile, word("[TO]", "Another moment, default: now; or another copy of the same log.")
    ] = NO_INPUT,
    policy: Policy = NO_INPUT,
    output: Annotated[
        OutFile, option("FILE", "File for the proof of a fork.", "--output", "-o")
    ] = NO_OUTPUT,
) -> None:
    """Show what differs between two moments, or two copies of a log.

    It answers where two histories part; `verify` checks one copy.

    A moment is an event's number, round:N (as round N was closed), posted, a time of the clock
    such as 14:05, or now. The answer lists what changed, and which events did it.

        tourney diff round:3 now
        tourney diff posted

    Of two copies the answer states what one states and the other does not, event by event, and
    which copy its signed head vouches for. A copy may be damaged, cut off or forged.

        tourney diff mine.jsonl theirs.jsonl

    With a policy it fails unless signed heads vouch for both copies. If two heads are signed and
    neither copy continues the other, they are a proof of that which anyone can check. One of the
    two can be only a head, saved by a phone or read from the hall's code:

        tourney diff mine.jsonl theirs.jsonl --policy policy -o fork.json
        tourney diff fork.json --policy policy
        tourney diff phone.txt cup.jsonl --policy policy
    """
    typed = [file for file in (first, second) if file]
    moments = [is_moment(str(file)) for file in typed]
    is_there = any(desk.files.exists(file) for file in typed)
    if any(moments) and not all(moments) and is_there:
        raise UsageError(
            tr("give two moments or two files: a moment and a file cannot be compared")
        )
    if not any(moments) and (policy or output or is_there):
        from cli.verbs.proof.comparing import compare_files

        compare_files(desk, first, second, policy, output)
        return
    if policy or output:
        raise UsageError(tr("--policy and -o are only for two copies of a log, as files"))
    for file, is_one in zip(typed, moments, strict=True):
        if not is_one:
            word = in_quotes(str(file))
            raise UsageError(
                tr("{word} is not a file, and a moment must be {forms}", word=word, forms=tr(FORMS))
            )
    _diff_moments(desk, str(first), str(second) if second else "now")


def _diff_moments(desk: Desk, one: str, other: str) -> None:
    """Show what changed between two moments, and which events did it."""
    from cli.input.moments import between
    from cli.render.differences import show_causes, show_differences
    from projections.explain.differences import (
        as_json,
        causes,
        differences,
        opponents,
        reach_of,
        reasons,
        with_reasons,
    )

    before, after, events = between(desk, one, other)
    newer = max(before, after, key=lambda each: each.seq)
    found = differences(before, after)
    moving = causes(events, newer)
    ties = newer.ruleset.tiebreakers
    met, reach = opponents(before, after), reach_of(ties)
    of = {row.player: reasons(row.player, moving, met, reach) for row in found.rows}

    def json() -> dict[str, object]:
        return with_reasons(as_json(found, newer.names, ties), moving, of)

    if not show_differences(desk, found, newer, json):
        return
    show_causes(moving, of, newer)
    if not found:
        say(tr("nothing changed between the two moments"))


def explain(
    desk: Desk,
    words: Annotated[list[str], word("PLAYER [COLUMN]")],
    depth: Annotated[str, option("N", "Number of levels to show; --json shows all.")] = "",
    moment: AtRound = NOW,
) -> None:
    """Explain a number in the standings, down to its events.

    Columns: rank (the comparison with the next higher and the next lower player), points, record,
    every tiebreaker, and after a cut seed and place.

    tourney explain "Ann Lee"
    tourney explain "Ann Lee" SOS --depth 3
    """
    from cli.render.trees import Sources, is_cut_off, tree_as_json, tree_in_words
    from projections.explain import explain as take_apart

    levels = whole_or_none("--depth", depth)
    if is_place(words[0]):
        raise UsageError(
            tr(
                "explain takes a player; for a table: `match {place}`, or `explain pairing "
                "{place}`",
                place=words[0],
            )
        )
    tournament = look_at(desk, moment)
    root = take_apart(tournament, *_player_and_column(tournament, words))
    sources = Sources(desk.book)
    if desk.json:
        show_json(tree_as_json(root, sources, levels))
        return
    levels = levels or LEVELS
    show(*tree_in_words(root, sources, levels))
    if is_cut_off(root, levels):
        say(tr("--depth {count} shows more levels", count=levels + 1))
    if desk.tournament.ruleset.scoring.halves:
        say(tr("points are counted in half points here: 2 here is 1 in other views"))


def _player_and_column(tournament: Tournament, words: list[str]) -> tuple[int, str]:
    """Read a player's name of one or more words, and the column after it, if there is one."""
    try:
        return find_player(tournament, " ".join(words)), "rank"
    except NotFound:
        if len(words) == 1:
            raise
        return find_player(tournament, " ".join(words[:-1])), words[-1]


def explain_pairing(
    desk: Desk,
    where: Annotated[str, word("R/T", "A table, such as 3/4.")],
    moment: AtRound = NOW,
) -> None:
    """Explain why two players were paired."""
    from cli.render.trees import Sources, log_of, meeting_as_json, meeting_in_words, show_indented
    from projections.explain.pairings import meeting

    tournament = look_at(desk, moment)
    sources = Sources(desk.book)
    found = meeting(tournament, find_match(tournament, where), log_of(desk.book, sources))
    if desk.json:
        show_json(meeting_as_json(found, sources))
    else:
        show_indented(meeting_in_words(found, sources), tournament)


def _no_bye(tournament: Tournament, round_: Round, player: int) -> str:
    """Say that nobody drew a bye for somebody, and which one they had instead."""
    who = labelled(tournament, player)
    for match in round_.matches:
        if match.named and player in match.players:
            return tr(
                "{player} had the bye {bye} in round {number}; this bye was set by hand, not drawn",
                player=who,
                bye=repr(match.named),
                number=round_.number,
            )
    return tr("{player} had no bye in round {number}", player=who, number=round_.number)


def explain_bye(
    desk: Desk,
    which: Annotated[str, word("ROUND")],
    who: Annotated[list[str] | None, word("[PLAYER]")] = None,
    moment: AtRound = NOW,
) -> None:
    """Explain why a player had the bye."""
    from cli.render.trees import Sources, bye_as_json, bye_in_words, log_of, show_indented
    from projections.explain.pairings import bye, byes_of

    tournament = look_at(desk, moment)
    this_round = find_round(tournament, whole(tr("a round"), which, 1))
    byes = byes_of(this_round)
    if who:
        asked = find_player(tournament, " ".join(who))
        if asked not in byes:
            raise NotFound(_no_bye(tournament, this_round, asked))
        byes = [asked]
    if not byes:
        raise NotFound(phrase("no player had a bye in round {number}", number=this_round.number))
    sources = Sources(desk.book)
    log = log_of(desk.book, sources)
    found = [bye(tournament, this_round.number, player, log) for player in byes]
    if desk.json:
        show_json([bye_as_json(each, sources) for each in found])
        return
    for each in found:
        show_indented(bye_in_words(each, sources), tournament)


AS_PLAYED = marked("later rounds as they were played; nothing was written")


@shows_table
def whatif(
    desk: Desk,
    words: Annotated[list[str] | None, word("[FACT [and FACT]...]", "The other outcome.")] = None,
    number: Annotated[str, option("N", "Show how round N would have been drawn.", "--round")] = "",
    ended: Annotated[str, option("HOW", "Another ending of the game.", "--ended")] = "",
    fact: Annotated[
        list[str] | None, option("NAME=A:B", "Another fact about both players.", "--fact")
    ] = None,
    sweep: Annotated[
        bool, flag("--sweep", "Try all outcomes of one match, or of the current round.")
    ] = False,
    at: At = "",
) -> None:
    """Try another outcome, and see what it would change.

    Nothing is written. Later rounds stay as they were played, but the answer lists the rounds that
    would have been drawn differently, and the players who would have made the cut.

        tourney whatif 3/4 ann
        tourney whatif 3/4 ann modified and 3/5 none
        tourney whatif "Ann Lee" dropped 2
        tourney whatif ann stayed
        tourney whatif ann disqualified 4
        tourney whatif --sweep 3/4
        tourney whatif --sweep

    The last two examples: all possible results of a match, side by side; and the players who are
    certain of the cut, can still make it (and with which result), or are out, depending on the
    open matches of the current round. With --at: the changes up to then.
    """
    look_at(desk, AtRound(at=at))
    typed = Typed(ended, tuple(fact or ()))
    shown = whole_or_none("--round", number)
    if sweep:
        if typed or shown is not None or len(words or ()) > 1:
            raise UsageError(tr("--sweep takes one match, such as 3/4, or no argument"))
        _sweep(desk, words[0] if words else "")
        return
    if not words:
        from cli.input.whatif import HOW

        raise UsageError(tr(HOW))
    _what_if(desk, words, typed, shown)


def _sweep(desk: Desk, words: str) -> None:
    """Sweep one match, or the whole round in play."""
    from cli.input.matches import find_match
    from cli.render.whatif import show_outcomes, show_sweep
    from projections.whatif import every_outcome
    from projections.whatif.sweep import sweep

    lines = list(desk.book.recorded())
    if words:
        match = find_match(desk.book.tournament, words)
        context, caveats = _context(desk)
        show_outcomes(desk, match, every_outcome(lines, match.number, context), caveats)
    else:
        show_sweep(desk, sweep(lines))


def _context(desk: Desk) -> tuple[Context, list[str]]:
    """Return what later rounds are drawn with again, and what is left out without their key."""
    from cli.machine.draw_keys import hand_in

    context = desk.book.context()
    if context.shuffle_key or not needs_draw_key(desk.book.tournament):
        return context, []
    lacks: Phrase | str = context.lacks
    try:
        if not desk.reads_machine:
            lacks = phrase("the log does not reveal the key of its draws yet")
        elif hand_in(desk.book):
            return desk.book.context(), []
    except LedgerError as error:
        lacks = str(error)
    caveat = phrase("{lacks}, so the tables that would have been drawn are not shown", lacks=lacks)
    say(said(caveat))
    return context, [str(caveat)]


def _what_if(desk: Desk, words: list[str], typed: Typed, shown: int | None) -> None:
    from cli.input.matches import find_round
    from cli.input.whatif import read_facts
    from cli.render.whatif import show_otherwise
    from projections.whatif import what_if

    tournament = desk.book.tournament
    if shown is not None:
        find_round(tournament, shown)
    facts = read_facts(tournament, words, typed)
    context, caveats = _context(desk)
    found = what_if(list(desk.book.recorded()), facts, context)
    if shown is not None and not desk.json:
        _show_round(desk, found, shown)
    elif desk.options.for_person and not found:
        say(tr("nothing would change"))
    elif show_otherwise(desk, found, [*caveats, AS_PLAYED]):
        say(tr(AS_PLAYED))


def _show_round(desk: Desk, found: Alternative, shown: int) -> None:
    from cli.render.whatif import show_draw

    later = next((each for each in found.rounds if each.round == shown), None)
    show_draw(desk, later.would_be if later else ())
    if later is None:
        say(tr("the draw of round {number} would have been the same", number=shown))
    elif not later.would_be:
        say(
            said(later.problem)
            or tr("the draw of round {number} cannot be repeated on this computer", number=shown)
        )
