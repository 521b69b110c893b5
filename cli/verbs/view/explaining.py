"""`diff`, `explain`: what moved a number, and what it is made of."""

from __future__ import annotations

from typing import Annotated

from cli.desk.session import Desk
from cli.input.arguments import whole, whole_or_none
from cli.input.find_people import find_player, labelled
from cli.input.matches import find_match, find_round
from cli.input.moments import AS_IT_IS, AtRound, look_at
from cli.input.options import option, word
from cli.render.records import shows_table
from cli.terminal.output import say, show, show_json
from ledger.errors import NotFound
from ledger.tournament.state import Round, Tournament

LEVELS = 2
"""How far down a tree is shown where nothing is said."""


@shows_table
def diff(
    desk: Desk,
    one: Annotated[str, word("FROM", "A moment, as above.")],
    other: Annotated[str, word("[TO]", "Another; left out, now.")] = "now",
) -> None:
    """Show what moved between two moments, and which events did it.

    A moment is an event's number, round:N (as round N was closed), posted, a time of the clock
    such as 14:05, or now.

    tourney diff round:3 now
    tourney diff posted
    tourney diff 57 61 --json
    """
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
        say("nothing differs")


def explain(
    desk: Desk,
    words: Annotated[list[str], word("PLAYER [COLUMN]")],
    depth: Annotated[str, option("N", "Levels below the number; --json: all of them.")] = "",
    as_of: AtRound = AS_IT_IS,
) -> None:
    """Take a number apart down to its events.

    Columns: rank (why not one higher, why not one lower), points, record, every tiebreaker, and
    after a cut seed and place.

    tourney explain "Ann Lee"
    tourney explain "Ann Lee" SOS --depth 3
    """
    from cli.render.trees import Sources, is_cut_off, tree_as_json, tree_in_words
    from projections.explain import explain as take_apart

    levels = whole_or_none("--depth", depth)
    tournament = look_at(desk, as_of)
    root = take_apart(tournament, *_player_and_column(tournament, words))
    sources = Sources(desk.book)
    if desk.json:
        show_json(tree_as_json(root, sources, levels))
        return
    levels = levels or LEVELS
    show(*tree_in_words(root, sources, levels))
    if is_cut_off(root, levels):
        say(f"--depth {levels + 1} goes further down")
    if desk.tournament.ruleset.scoring.halves:
        say("points are counted in halves here: 2 are shown as 1 elsewhere")


def _player_and_column(tournament: Tournament, words: list[str]) -> tuple[int, str]:
    """Read a player's name of one or more words, and the column after it, if there is one."""
    try:
        return find_player(tournament, " ".join(words)), "rank"
    except NotFound:
        if len(words) == 1:
            raise
        return find_player(tournament, " ".join(words[:-1])), words[-1]


def explain_pairing(
    desk: Desk, where: Annotated[str, word("R/T", "A table, as 3/4.")], as_of: AtRound = AS_IT_IS
) -> None:
    """Say why two met."""
    from cli.render.trees import Sources, log_of, meeting_as_json, meeting_in_words, show_indented
    from projections.explain.pairings import meeting

    tournament = look_at(desk, as_of)
    sources = Sources(desk.book)
    found = meeting(tournament, find_match(tournament, where), log_of(desk.book, sources))
    if desk.json:
        show_json(meeting_as_json(found, sources))
    else:
        show_indented(meeting_in_words(found, sources))


def _no_bye(tournament: Tournament, round_: Round, player: int) -> str:
    """Say that nobody drew a bye for somebody, and which one they had instead."""
    who = labelled(tournament, player)
    for match in round_.matches:
        if match.named and player in match.players:
            return f"{who} had the bye {match.named!r} in round {round_.number}: it was not drawn"
    return f"{who} had no bye in round {round_.number}"


def explain_bye(
    desk: Desk,
    which: Annotated[str, word("ROUND")],
    who: Annotated[list[str] | None, word("[PLAYER]")] = None,
    as_of: AtRound = AS_IT_IS,
) -> None:
    """Say why somebody had the bye."""
    from cli.render.trees import Sources, bye_as_json, bye_in_words, log_of, show_indented
    from projections.explain.pairings import bye, byes_of

    tournament = look_at(desk, as_of)
    this_round = find_round(tournament, whole("a round", which, 1))
    byes = byes_of(this_round)
    if who:
        asked = find_player(tournament, " ".join(who))
        if asked not in byes:
            raise NotFound(_no_bye(tournament, this_round, asked))
        byes = [asked]
    if not byes:
        raise NotFound(f"nobody had a bye in round {this_round.number}")
    sources = Sources(desk.book)
    log = log_of(desk.book, sources)
    found = [bye(tournament, this_round.number, player, log) for player in byes]
    if desk.json:
        show_json([bye_as_json(each, sources) for each in found])
        return
    for each in found:
        show_indented(bye_in_words(each, sources))
