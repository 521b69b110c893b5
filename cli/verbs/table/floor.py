"""Decisions and remarks of officials: `rule`, `conduct`, `recommend`, `penalty`, `note`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, get_args

from cli.desk.acts import acting_official, carry_out
from cli.desk.confirm_breaches import confirm_breaches
from cli.desk.questions import end_game
from cli.desk.remembered import ruling_of, table_of
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, needs_reason, whole, with_reason
from cli.input.cited import cited_clause
from cli.input.find_people import find_at_table, find_player
from cli.input.options import Facts, Reason, flag, option, reason_with, word
from cli.input.reports import stated_in
from cli.languages.speaking import marked, tr
from cli.render import log_tables
from cli.render.log_tables import show_notes
from cli.render.records import shows_table
from cli.terminal.output import say
from ledger.facts.office import PenaltyKind
from ledger.rules.disputes import WithdrawRuling
from ledger.rules.office import (
    NoteConduct,
    Penalize,
    RecommendDisqualification,
    Rule,
    TakeNote,
)
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from ledger.tournament.state import Match, Tournament


class RaisedBy(NamedTuple):
    """Who asked for a ruling; nobody: the official."""

    player: Annotated[str, option("PLAYER", "The player who raised it.")] = ""
    spectator: Annotated[bool, flag("--spectator", "A spectator raised it.")] = False
    review: Annotated[bool, flag("--review", "The player asks a marshal to review it.")] = False


class RestsOn(NamedTuple):
    """What a ruling rests on."""

    clause: Annotated[str, option("CLAUSE", "The clause that the ruling is based on.")] = ""
    reviews: Annotated[str, option("SEQ", "The ruling to review; the new ruling is final.")] = ""
    overrules: Annotated[
        str, option("TEXT", "The mistake in the documents that the ruling corrects.")
    ] = ""


class RulingOptions(NamedTuple):
    """What a ruling makes of a result."""

    stands: Annotated[bool, flag("--stands", "In a dispute: the result stays as reported.")] = False
    result: Annotated[str, option("WORDS", "The result of the match, as for `report`.")] = ""
    only: Annotated[bool, flag("--only", "Do not correct the result: leave that to the desk.")] = (
        False
    )


BY_THE_OFFICIAL = RaisedBy()
ON_NOTHING = RestsOn()
NO_OUTCOME = RulingOptions()


@shows_table
def rule(
    desk: Desk,
    table: Annotated[str, word("[TABLE]", "A table, R/T or a player; 0: no match.")] = "",
    text: Annotated[list[str] | None, word("[TEXT]", "The decision.")] = None,
    rests_on: RestsOn = ON_NOTHING,
    raised_by: RaisedBy = BY_THE_OFFICIAL,
    outcome: RulingOptions = NO_OUTCOME,
    reason: Reason = "",
) -> None:
    """Record a ruling by the official at the desk, or list rulings.

    A judge rules first, a marshal reviews; no official rules on their own match. The text of the
    ruling is TEXT with the reason behind it, or the reason alone. With --stands or
    --result the ruling settles a dispute. --result also works without a dispute: if the official
    may correct results, the result is corrected at once, otherwise `correct --ruling` is needed.

        tourney rule 4 "it stays" --as pat --clause L5R-TIME --player ann --review
        tourney rule 4 "it is discarded" --as kim --reviews 57
        tourney rule 4 "the slip shows it" --as pat --clause FFG-RULING --result bob
        tourney rule withdraw 2/4 "the wrong table" --as pat
    """
    if not desk.line[1:]:
        log_tables.show_rulings(desk)
        return
    decision = with_reason(text, reason)
    if not table or not decision:
        raise UsageError(tr('give the table and the decision: rule 4 "the card stays"'))
    match = None if table == "0" else table_of(desk, table)
    order = _ruling(desk, match, decision, rests_on, raised_by, outcome)
    if outcome.stands or outcome.result:
        confirm_breaches(desk, order)
    carry_out(desk, order)
    _remind(desk, order.match)


def _ruling(
    desk: Desk,
    match: Match | None,
    text: str,
    rests_on: RestsOn,
    raised_by: RaisedBy,
    outcome: RulingOptions,
) -> Rule:
    stands, result, only = outcome
    player, spectator, review = raised_by
    if player and spectator:
        raise UsageError(tr("choose one of --player and --spectator"))
    if (stands and result) or (match is None and (stands or result)):
        raise UsageError(tr("choose one of --stands and --result; each needs a table"))
    reviews = rests_on.reviews
    return Rule(
        official=acting_official(desk, "FFG-ROLE-JUDGE"),
        ruling=text,
        match=match.number if match else 0,
        clause=cited_clause(desk.tournament, rests_on.clause),
        raised="player" if player else "spectator" if spectator else "official",
        player=_asking(desk.tournament, match, player),
        review=review,
        reviews=whole("--reviews", reviews, 1) if reviews else 0,
        overrules=rests_on.overrules,
        stands=stands,
        decides=stated_in(desk.tournament, match, result, text) if match and result else None,
        corrects=not only,
    )


def withdraw_ruling(
    desk: Desk,
    ruling: Annotated[
        str, word("RULING", "The ruling's event number, or R/T for the ruling on that match.")
    ],
    text: Annotated[list[str] | None, word("[TEXT]", "The reason, if not by --reason.")] = None,
    reason: Reason = "",
) -> None:
    """Withdraw your ruling, unless a decision already rests on it.

    tourney rule withdraw 2/4 "the wrong table" --as pat
    """
    words = with_reason(text, reason)
    if not words:
        raise UsageError(tr('give the ruling and the reason: rule withdraw 2/4 "the wrong table"'))
    carry_out(desk, WithdrawRuling(ruling_of(desk, ruling).seq, words))


def _asking(tournament: Tournament, match: Match | None, player: str) -> int:
    """Find who raised it: at the table, or of all where it is about none; 0: nobody is named."""
    if player and match is not None:
        return find_at_table(tournament, match.players, player)
    return find_player(tournament, player) if player else 0


def _remind(desk: Desk, match: int) -> None:
    """Say that a dispute of the match is still to be ruled on."""
    from ledger.tournament.disputes import dispute_of

    dispute = dispute_of(desk.book.tournament, match)
    if dispute is not None and not dispute.ruling:
        say(
            tr(
                "dispute {number} is still open: settle it with `rule` and --stands or --result",
                number=dispute.seq,
            )
        )


@shows_table
def conduct(
    desk: Desk,
    player: Annotated[str, word("[PLAYER]", "The player's number, or any part of the name.")] = "",
    kind: Annotated[str, word("[KIND]", "The kind, such as stalling.")] = "",
    remedy: Annotated[str, option("TEXT", "The remedy.")] = "",
    note: Annotated[str, option("TEXT", "A description, for the log; also --reason.")] = "",
    clause: Annotated[str, option("CLAUSE", "The clause that was broken.")] = "",
    spectator: Annotated[str, option("TEXT", "The spectator, described; then no player.")] = "",
) -> None:
    """Record unsporting conduct and its remedy, or list it.

    A marshal decides, or the organizer if there is no marshal. Kinds: stalling, excessive-force,
    inappropriate-behavior, discourtesy, cheating, collusion-on-scores, notes-or-outside-material,
    help-from-spectators, other. Another game may list other kinds: a refusal names them.

        tourney conduct bob stalling --remedy "a warning"
        tourney conduct other --spectator "in a red coat" --remedy "asked to leave"
    """
    if not desk.line[1:]:
        log_tables.show_conduct(desk)
        return
    if spectator and kind:
        raise UsageError(tr("with --spectator give only the kind, and no player"))
    kind = player if spectator else kind
    if not player or not kind or not remedy.strip():
        raise UsageError(tr('give the player, the kind and the remedy: --remedy "a warning"'))
    number = 0 if spectator else find_player(desk.tournament, player)
    listed = desk.tournament.ruleset.floor.conduct
    of_kind = choice(kind, listed.kinds, tr("kind of conduct in {clause}", clause=listed.clause))
    cited = cited_clause(desk.tournament, clause)
    carry_out(desk, NoteConduct(number, of_kind, remedy, note, cited, spectator))


@shows_table
def recommend(
    desk: Desk,
    player: Annotated[
        list[str] | None, word("[PLAYER]", "The player's number, or any part of the name.")
    ] = None,
    reason: Annotated[str, reason_with("PLAYER")] = "",
    clause: Annotated[str, option("CLAUSE", "The clause that was broken.")] = "",
) -> None:
    """Recommend a disqualification, or list the recommendations.

    The organizer decides, with `disqualify`; the decision refers to the recommendation. Until then
    the audit lists it.

        tourney recommend bob --reason "two decks" --as mara
    """
    if not desk.line[1:]:
        log_tables.show_recommendations(desk)
        return
    if not player:
        raise UsageError(tr("name the player to disqualify"))
    needs_reason(reason, tr("a recommendation"), desk.tournament.ruleset.cites("FFG-AUTH-DQ"))
    number = find_player(desk.tournament, " ".join(player))
    carry_out(
        desk, RecommendDisqualification(number, reason, cited_clause(desk.tournament, clause))
    )


@shows_table
def penalty(
    desk: Desk,
    player: Annotated[str, word("[PLAYER]", "The player's number, or any part of the name.")] = "",
    kind: Annotated[str, word("[KIND]", "The kind, such as warning.")] = "",
    infraction: Annotated[str, option("TEXT", "The infraction; also --reason.", "--for-what")] = "",
    clause: Annotated[str, option("CLAUSE", "The clause that was broken.")] = "",
    fact: Facts = None,
) -> None:
    """Give a penalty, or list the penalties.

    Kinds: warning, corrected-play, discard, game-forfeit, match-loss, removal, declared-win,
    declared-draw, other. A match loss or a game forfeit ends the player's open match. Only the
    organizer can give a removal, which is permanent. If points depend on the game that it ends,
    give the numbers with --fact, in the order of the pairing.

        tourney penalty bob warning --for-what "drew a card too many"
    """
    if not desk.line[1:]:
        log_tables.show_penalties(desk)
        return
    if not player or not kind or not infraction.strip():
        raise UsageError(tr("give the player, the kind, and the infraction with --for-what"))
    number = find_player(desk.tournament, player)
    found = choice(kind, get_args(PenaltyKind), tr("penalty"))
    cited = cited_clause(desk.tournament, clause)
    match = open_match_of(desk.tournament, number)
    order = Penalize(number, found, infraction, cited)
    end_game(desk, match, fact, order, reason=infraction)


SHAPE = marked("give the note as one text in quotes; before it, R/T or a player if it is about one")


@shows_table
def note(
    desk: Desk,
    words: Annotated[
        list[str] | None, word("[R/T|PLAYER] [TEXT]", "The match or player, if any, and the note.")
    ] = None,
) -> None:
    """Record a note, or list the notes.

    Any official can, also after the end. A note decides nothing; `match`, `log` and `audit` show
    it.

        tourney note "the hall opened late"
        tourney note 2/4 "both clocks stood still" --as pat
        tourney note ann "asked for a seat near the door"
    """
    if not words:
        show_notes(desk)
        return
    carry_out(desk, _told(desk, words))


def _told(desk: Desk, words: list[str]) -> TakeNote:
    *about, text = words
    if about[1:] or not text.strip():
        raise UsageError(tr('{shape}: note 2/4 "both clocks stood still"', shape=tr(SHAPE)))
    if not about:
        return TakeNote(text)
    (word,) = about
    if word.isdigit():
        raise UsageError(
            tr(
                "is {word} a table or a player? type R/{word} for the table, #{word} for the "
                "player",
                word=word,
            )
        )
    if word[:1].isdigit() and "/" in word:
        return TakeNote(text, match=table_of(desk, word).number)
    return TakeNote(text, player=find_player(desk.tournament, word))
