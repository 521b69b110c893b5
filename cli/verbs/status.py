"""Bare `tourney`: where the tournament in hand stands, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.desk.guide import next_here, round_in_words
from cli.languages.speaking import marked, tr, tr_of
from cli.machine.noticed import noticed
from cli.machine.posted_words import posted_words, words_as_json
from cli.terminal.output import show, show_json, show_next
from cli.terminal.tables import WIDTH, broken
from cli.terminal.visible import how_many, short_id, shortened, visible
from cli.wording.phrases import format_as_json, game_in_words, playing_in_words
from ledger.errors import NotFound
from ledger.tournament.disputes import state_of, unsettled
from ledger.tournament.progress import latest_round, open_matches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.desk.session import Desk
    from ledger.tournament.state import Round, Tournament

TABLES_SHOWN = 40
DISPUTES_SHOWN = 8

WHILE_PLAYED = frozenset(
    {"scenario", "draft", "first", "side", "battle", "terrain", "armies", "firstfive", "component"}
)
OF_A_ROUND = frozenset(
    {"scenario", "first", "side", "battle", "firstfive", "confirm", "dispute", "disputes"}
    | {"match", "appeal", "review"}
)

BEGINNING = marked("""\
No tournament is selected in this folder.

  tourney new "Kotei Berlin" --ruleset l5r   opens a new tournament
  tourney use NAME                           selects a tournament of the store
  tourney restore FILE                       restores a backup from another computer
  tourney help                               lists the verbs
""")


def show_status(desk: Desk) -> int:
    """Show the tournament in hand, or how to begin without one; return the exit code."""
    try:
        tournament = desk.book.tournament
    except NotFound:
        if desk.options.tournament or desk.options.store or not desk.reads_machine:
            raise
        if desk.json:
            show_json(None)
        else:
            show(*tr(BEGINNING).splitlines())
        return 0
    if desk.json:
        show_json(_as_json(desk, tournament))
    else:
        show_next(*(line for each in _lines(desk, tournament) for line in broken(each, WIDTH)))
    return 0


def _lines(desk: Desk, tournament: Tournament) -> Iterator[str]:
    opening = tournament.opening
    if opening is not None:
        name = shortened(visible(opening.name), WIDTH // 2)
        yield f"{name} ({short_id(desk.book.stream)}), {game_in_words(opening)}, {opening.date}"
    registered = len(list(tournament.registered()))
    yield f"{how_many(registered, 'player')}, {playing_in_words(tournament)}"
    latest = latest_round(tournament)
    if latest is not None:
        yield f"{round_in_words(tournament, latest)}, {_status_in_words(latest)}"
        tables = [str(match.table) for match in open_matches(latest)]
        more = (
            tr(" and {count} more", count=len(tables) - TABLES_SHOWN)
            if tables[TABLES_SHOWN:]
            else ""
        )
        if tables:
            yield tr(
                "open tables: {tables}{more}", tables=" ".join(tables[:TABLES_SHOWN]), more=more
            )
    disputes = unsettled(tournament)
    for dispute in disputes[:DISPUTES_SHOWN]:
        match = tournament.matches[dispute.match]
        is_due = state_of(tournament, dispute) == "correction due"
        text = (
            marked("ruled, and not entered: {table} (event {number}); see `disputes`")
            if is_due
            else marked("disputed: {table} (event {number}); see `disputes`")
        )
        yield tr(text, table=f"{match.round}/{match.table}", number=dispute.seq)
    if disputes[DISPUTES_SHOWN:]:
        yield tr(
            "and {disputes}: `disputes`",
            disputes=how_many(len(disputes) - DISPUTES_SHOWN, "more dispute"),
        )
    if words := posted_words(desk.book):
        yield tr("six words to compare, of {words}", words=words.line)
    yield from _noticed(desk)
    if not desk.reads_machine:
        return
    yield next_here(desk)
    now = [verb for verb in _of_the_game(tournament) if _is_possible(tournament, verb)]
    yield tr(
        "verbs for tables: {verbs}; `tourney help judging` describes them", verbs=", ".join(now)
    )


def _status_in_words(round_: Round) -> str:
    words = {
        "paired": tr_of("state of a round", "paired"),
        "started": tr_of("state of a round", "started"),
        "closed": tr_of("state of a round", "closed"),
    }
    return words[round_.status]


def _noticed(desk: Desk) -> list[str]:
    """Return the notices of phones about the log; an empty list for a file."""
    return noticed(desk.book.stream) if desk.reads_machine else []


def _is_possible(tournament: Tournament, verb: str) -> bool:
    """Whether there is anything yet, or still, that a verb of the table could be about."""
    return verb not in (WHILE_PLAYED if tournament.finished else ()) and (
        bool(tournament.rounds) or verb not in OF_A_ROUND
    )


def _of_the_game(tournament: Tournament) -> list[str]:
    """List the verbs of the table that the game in hand has."""
    from cli.verbs import verbs_of
    from cli.verbs.catalogue import TABLE

    return [path for path in verbs_of(tournament) if path in TABLE and " " not in path]


def _as_json(desk: Desk, tournament: Tournament) -> dict[str, object]:
    opening, latest = tournament.opening, latest_round(tournament)
    words = posted_words(desk.book)
    return {
        "tournament": desk.book.stream,
        "name": opening.name if opening else None,
        "ruleset": tournament.ruleset.key,
        "points_scale": tournament.ruleset.scoring.scale,
        "format": format_as_json(opening),
        "date": opening.date if opening else None,
        "players": len(list(tournament.registered())),
        "playing": len(tournament.active()),
        "round": latest.number if latest else None,
        "status": latest.status if latest else None,
        "open": [match.table for match in open_matches(latest)] if latest else [],
        "disputes": [dispute.seq for dispute in unsettled(tournament)],
        "finished": tournament.finished,
        "words": words and words_as_json(words),
        "noticed": _noticed(desk),
        "next": next_here(desk),
        "verbs": _of_the_game(tournament),
    }
