"""Players who leave, and persons who are forgotten: `drop`, `rejoin`, `disqualify`, `forget`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from cli.desk.acts import act_as_json, answer, carry_out
from cli.desk.confirm_breaches import confirm, is_asked
from cli.desk.questions import end_game, how_it_ended
from cli.desk.session import Desk
from cli.input.arguments import UsageError, needs_reason
from cli.input.cited import cited_clause
from cli.input.find_people import NAME_CELLS, find_person, find_player, labelled, plain
from cli.input.options import Facts, NeededReason, Reason, flag, option, word
from cli.languages.speaking import marked, tr
from cli.terminal.output import say, show_json
from cli.terminal.visible import how_many, shortened, visible
from ledger.books.vault import DRAFT
from ledger.errors import NotFound
from ledger.facts.people import PersonForgotten
from ledger.rules.games_left import LeaveTable
from ledger.rules.people import (
    DisqualifyPlayer,
    DropPlayer,
    ForgetPerson,
    RejoinPlayer,
    records_of,
)
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from ledger.books.book import Book
    from ledger.facts.people import Departure
    from ledger.lines.recorded import Recorded
    from ledger.tournament.state import Match, Tournament


def drop(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player's number, or any part of the name.")],
    no_show: Annotated[bool, flag("--no-show", "The player did not come.")] = False,
    unable: Annotated[bool, flag("--unable", "The player cannot continue.")] = False,
    component: Annotated[bool, flag("--component", "A component is permanently missing.")] = False,
    conceded: Annotated[bool, flag("--conceded", "Concede the open match without asking.")] = False,
    reason: Reason = "",
    fact: Facts = None,
) -> None:
    """Drop a player; any open match is conceded.

    Results of earlier rounds still count for all players. On a terminal you are asked whether the
    open match was conceded or played. To drop both players of an open match, name them together.

    tourney drop tina
    tourney drop tina udo
    tourney drop tina udo --no-show
    tourney drop tina udo --fact wounds=14:3
    """
    given: dict[Departure, bool] = {"no-show": no_show, "unable": unable, "component": component}
    ways = [name for name, is_given in given.items() if is_given]
    if ways[1:]:
        raise UsageError(tr("choose one of --no-show, --unable and --component"))
    departure: Departure = ways[0] if ways else "request"
    if len(player) > 1 and (match := _table_of_both(desk.tournament, player)):
        leave, already = (
            LeaveTable(match.number, reason, departure),
            tr("both players have dropped"),
        )
        end_game(desk, match, fact, leave, reason=reason, already=already)
        return
    number = find_player(desk.tournament, " ".join(player))
    already = tr("{player} has dropped", player=labelled(desk.tournament, number))
    match = open_match_of(desk.tournament, number)
    if match is not None and not (ways or conceded) and is_asked():
        how_it_ended(desk, number, match)
        match = open_match_of(desk.tournament, number)
    order = DropPlayer(number, departure, reason)
    end_game(desk, match, fact, order, reason=reason, already=already)


def _table_of_both(tournament: Tournament, words: list[str]) -> Match | None:
    """Return the open match of two players who are named together, each by a word."""
    with suppress(NotFound):
        find_player(tournament, " ".join(words))
        return None
    with suppress(NotFound):
        named = {find_player(tournament, word) for word in words}
        match = open_match_of(tournament, min(named))
        return match if match is not None and named == set(match.players) else None
    return None


def rejoin(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player's number, or any part of the name.")],
    reason: Annotated[
        str, option("TEXT", "Why a player who left in an earlier stage may return.")
    ] = "",
) -> None:
    """Let a player who dropped play again.

    Each missed round counts as an unpaired loss.
    """
    number = find_player(desk.tournament, " ".join(player))
    already = tr("{player} is playing", player=labelled(desk.tournament, number))
    carry_out(desk, RejoinPlayer(number, reason), already)


def disqualify(
    desk: Desk,
    player: Annotated[list[str], word("PLAYER", "The player's number, or any part of the name.")],
    reason: NeededReason = "",
    clause: Annotated[str, option("CLAUSE", "The clause that was broken.")] = "",
    fact: Facts = None,
) -> None:
    """Disqualify a player permanently; earlier results still count.

    A game in play is lost by this decision. If points depend on it, give its numbers with --fact.

    tourney disqualify bob --reason "two decks" --fact wounds=unknown
    """
    needs_reason(reason, tr("a disqualification"), desk.tournament.ruleset.cites("FFG-AUTH-DQ"))
    number = find_player(desk.tournament, " ".join(player))
    already = tr("{player} is disqualified", player=labelled(desk.tournament, number))
    cited = cited_clause(desk.tournament, clause)
    match = open_match_of(desk.tournament, number)
    order = DisqualifyPlayer(number, reason, cited)
    end_game(desk, match, fact, order, reason=reason, already=already)


OUT_OF_REACH = marked(
    "not erased: earlier files, backups and prints; lists, factions and league ids in the log; "
    "the name in texts about other people"
)
WITHOUT_KEYS = marked(
    "this store has none of the person's keys: repeat `forget` after restoring the vault"
)


def forget(
    desk: Desk,
    person: Annotated[list[str], word("PLAYER", "A name or number; o2: official 2.")],
) -> None:
    """Forget a person: erase their name and the texts about them.

    The keys are permanently destroyed in this store. The log and every result stay unchanged, and
    every view shows "forgotten" instead of the name. You must deal with copies made before, and
    with the same person under another name, yourself. On a terminal you are asked first. Acts
    about the person that wait for a signature are deleted.

    Texts that are also about other people (rulings, corrections, reports) are kept until play is
    closed, and after that for the days set by `new --appeals`. The log records how many. `forget`
    again after that time destroys them as well.

        tourney forget 7
    """
    of = _meant(desk, " ".join(person))
    namesakes = _namesakes(desk.tournament, of)
    if of not in desk.tournament.forgotten:
        named = shortened(visible(desk.tournament.names.get(of, of)), NAME_CELLS)
        confirm(
            desk,
            tr(
                "permanently forget {name} ({number}) and the texts about them?",
                name=named,
                number=of,
            ),
        )
    is_again = desk.command_id in desk.book.tournament.ids
    recorded = desk.act(ForgetPerson(of, _to_keep(desk, of)))
    destroyed = desk.book.destroy_forgotten()
    dropped = _drop_waiting(desk)
    kept = _kept(desk, of)
    if is_again and not destroyed:
        destroyed = _destroyed_by(desk.book, recorded)
    if desk.json:
        keys = {"keys_destroyed": destroyed, "keys_kept": kept}
        show_json(act_as_json(desk.command_id, recorded) | keys)
    forgotten = desk.book.tournament.forgotten
    answer(desk, recorded, tr("the name and texts of {person} were erased before", person=of))
    say(tr("{keys} destroyed; {rest}", keys=how_many(destroyed, "key"), rest=tr(OUT_OF_REACH)))
    if dropped:
        acts = how_many(dropped, "waiting act")
        say(tr("deleted: {acts} by or about this person, not yet signed", acts=acts))
    if kept:
        say(_kept_in_words(desk, of, kept))
    if recorded and not destroyed:
        say(tr(WITHOUT_KEYS))
    if others := [namesake for namesake in namesakes if namesake not in forgotten]:
        say(
            tr(
                "for each other entry with the same name, if it is the same person, also type: "
                "{lines}",
                lines=", ".join(f"forget {each}" for each in others),
            )
        )


def _drop_waiting(desk: Desk) -> int:
    """Throw away what waits for a signature and is by or about somebody forgotten."""
    if not any(each.startswith(DRAFT) for each in desk.store().vault_items(desk.book.stream)):
        return 0
    from cli.serve.commands import drop_about

    return drop_about(desk.book, desk.book.tournament.forgotten)


def _to_keep(desk: Desk, of: str) -> int:
    """Count the texts about this person that others may still need; none once appeals are over."""
    return 0 if _are_appeals_over(desk) else _kept(desk, *records_of(of, desk.book.tournament))


def _kept(desk: Desk, *persons: str) -> int:
    """Count the texts about these persons, forgotten or to be, that are about others as well."""
    from ledger.books.forgetting import held_back
    from ledger.lines.line import decoded

    return len(held_back(decoded(desk.book.lines), desk.book.tournament, persons))


def _kept_in_words(desk: Desk, of: str, kept: int) -> str:
    """Say which texts are kept, and when nothing needs to be kept any more."""
    opening = desk.book.tournament.opening
    days = opening.appeals if opening is not None else 0
    texts, person = how_many(kept, "text"), of.removeprefix("p")
    if not days:
        return tr(
            "kept, since also about other people: {texts} (rulings, corrections, reports); to "
            "destroy these texts too, repeat `forget {person}` once play is closed",
            texts=texts,
            person=person,
        )
    return tr(
        "kept, since also about other people: {texts} (rulings, corrections, reports); to "
        "destroy these texts too, repeat `forget {person}` {days} after play is closed",
        texts=texts,
        person=person,
        days=how_many(days, "day"),
    )


def _are_appeals_over(desk: Desk) -> bool:
    """Whether play is closed for as many days as line 1 announces, by the clock of this desk."""
    from cli import outside

    tournament = desk.book.tournament
    opening, seq = tournament.opening, tournament.finished_seq
    if opening is None or not seq:
        return False
    return _day(outside.now()) >= _day(desk.book.recorded_at(seq).at) + opening.appeals


def _day(at: str) -> int:
    """Return the number of a day; 0 where the time is not one, which keeps nothing back."""
    from datetime import date

    try:
        return date.fromisoformat(at[:10]).toordinal()
    except ValueError:
        return 0


def _meant(desk: Desk, words: str) -> str:
    """Find whom the words name; typed again with its id, whom the act forgot: the name is gone."""
    try:
        return find_person(desk.tournament, words)
    except NotFound:
        seq = desk.book.tournament.ids.get(desk.command_id)
        event = desk.book.recorded_at(seq).event if seq else None
        if not isinstance(event, PersonForgotten):
            raise
        return event.of


def _destroyed_by(book: Book, recorded: list[Recorded]) -> int:
    """Count the keys that an act of before destroyed: those it covers beside the earlier acts."""
    from ledger.books.forgetting import covered
    from ledger.lines.line import decode
    from ledger.lines.sealing import MARK, NAME

    if not recorded:
        return 0
    sealed = [line for line in book.lines[: recorded[-1].seq] if MARK in line]
    before, after = (
        covered(map(decode, sealed), book.at(seq))
        for seq in (recorded[0].seq - 1, recorded[-1].seq)
    )
    return len([name for name in after - before if not name.startswith(NAME)])


def _namesakes(tournament: Tournament, of: str) -> list[str]:
    name = plain(tournament.names.get(of, ""))
    return [
        each
        for each, known in tournament.names.items()
        if name and each != of and plain(known) == name
    ]
