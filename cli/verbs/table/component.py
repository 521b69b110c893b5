"""`component` and `prize`: what got lost, broke or was decided on, and who gets what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, get_args

from cli.desk.acts import carry_out
from cli.desk.questions import end_game
from cli.desk.remembered import table_of, table_of_player
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, whole
from cli.input.find_people import find_player, labelled, labels, with_names
from cli.input.options import Facts, Reason, flag, option, word
from cli.languages.speaking import marked, tr, tr_of
from cli.render.game_tables import person_columns
from cli.render.records import show_records, shows_table
from cli.terminal.output import say
from cli.terminal.tables import Column
from cli.terminal.visible import how_many
from ledger.errors import Refused
from ledger.facts.base import PLAYERS_MAX
from ledger.facts.clock import MINUTES_MAX
from ledger.facts.components import Damaged, Decided, PrizeKind, ShareAnswer, Shared, Verdict
from ledger.facts.shared import Inspected
from ledger.problems import Player as PlayerNamed
from ledger.problems import phrase, problem, remedy
from ledger.rules import components
from ledger.tournament.progress import open_match_of

if TYPE_CHECKING:
    from ledger.tournament.state import Tournament

Player = Annotated[str, word("PLAYER", "The player; 0: all players.")]
What = Annotated[list[str], word("WHAT", "The component.")]


def missing(
    desk: Desk,
    player: Player,
    what: What,
    during: Annotated[bool, flag("--during", "It went missing during the game.")] = False,
    minutes: Annotated[str, option("N", "Extend the match by N minutes to look for it.")] = "",
    fact: Facts = None,
    reason: Annotated[str, option("TEXT", "Why the extension is above 10 minutes.")] = "",
) -> None:
    """Record that a component is missing.

    An extension of more than 10 minutes needs a reason.

    tourney component missing ann "a province card" --minutes 3
    """
    extra = whole("--minutes", minutes, 1, MINUTES_MAX) if minutes else 0
    number = _player(desk, player)
    text = " ".join(what)
    missed = components.MissComponent(number, text, during, minutes=extra, reason=reason)
    match = open_match_of(desk.tournament, number)
    end_game(desk, match, fact, missed)


def found(desk: Desk, player: Player) -> None:
    """Record that a player's missing component was found."""
    carry_out(desk, components.FindComponent(_player(desk, player)))


def gone(desk: Desk, player: Player, fact: Facts = None) -> None:
    """Record that a missing component is lost: the game is conceded."""
    number = _player(desk, player)
    match = open_match_of(desk.tournament, number)
    end_game(desk, match, fact, components.GiveUpComponent(number))


def damaged(
    desk: Desk,
    player: Player,
    what: What,
    kind: Annotated[
        str, option("KIND", "One of card, model, ruler, templates, tools and dice.")
    ] = "",
    impedes: Annotated[bool, flag("--impedes", "The model impedes play.")] = False,
    replaced: Annotated[bool, flag("--replaced", "The player had a replacement.")] = False,
    modified: Annotated[
        bool, flag("--modified", "It was modified and no longer impedes play.")
    ] = False,
) -> None:
    """Record a damaged component.

    Without a replacement, the player shares the opponent's ruler, templates, tools or dice in each
    remaining round.

    tourney component damaged ann "a bent ruler" --kind ruler
    """
    kinds = dict.fromkeys((*get_args(Damaged), *get_args(Shared)))
    typed = choice(kind or "other", tuple(kinds), tr("kind of component"))
    shares: Shared | None = typed if typed in get_args(Shared) else None
    of: Damaged = "tool" if shares else typed
    order = components.DamageComponent(
        _player(desk, player), " ".join(what), of, impedes, replaced, modified, shares
    )
    carry_out(desk, order)


def proxy(
    desk: Desk,
    player: Player,
    card: Annotated[list[str], word("CARD", "The card to replace.")],
    illegible: Annotated[str, option("TEXT", "The text that cannot be read.")] = "",
) -> None:
    """Make a proxy for a damaged card.

    tourney component proxy ann "Way of the Crane" --illegible "the cost"
    """
    from cli.input.moments import today

    opening = desk.tournament.opening
    day = today(opening.time_zone if opening else "")
    carry_out(desk, components.MakeProxy(_player(desk, player), " ".join(card), illegible, day))


class Judgement(NamedTuple):
    """What a decision on a component says of it."""

    kind: Annotated[str, option("KIND", "One of playmat, indicator and third-party.")] = (
        "third-party"
    )
    necessary: Annotated[bool, flag("--necessary", "The player cannot play without it.")] = False
    genuine: Annotated[bool, flag("--official", "It is made by the publisher.")] = False
    reason: Reason = ""


UNDECIDED = Judgement()


def allow(desk: Desk, player: Player, what: What, decision: Judgement = UNDECIDED) -> None:
    """Allow a component for one player, or for all players.

    tourney component allow ann "a 3D token" --kind indicator
    """
    _decide(desk, player, what, decision, is_allowed=True)


def ineligible(desk: Desk, player: Player, what: What, decision: Judgement = UNDECIDED) -> None:
    """Rule that a component is not allowed."""
    _decide(desk, player, what, decision, is_allowed=False)


def _decide(
    desk: Desk, player: str, what: list[str], decision: Judgement, *, is_allowed: bool
) -> None:
    kind, necessary, genuine, reason = decision
    of = choice(kind, get_args(Decided), tr("kind of component"))
    who = _player(desk, player)
    decide = components.DecideComponent
    carry_out(desk, decide(" ".join(what), of, is_allowed, who, necessary, genuine, reason))


def inspect(
    desk: Desk,
    player: Annotated[str, word("PLAYER", "The player.")],
    what: Annotated[str, word("WHAT", "One of sleeves, cards, dice and tokens.")],
    asked: Annotated[str, option("PLAYER", "The player who asked for it.", "--asked-by")] = "",
    verdict: Annotated[
        str, option("WORD", "One of fine, replace and remove; default: fine.")
    ] = "fine",
    reason: Annotated[str, option("TEXT", "Why they are replaced or removed.")] = "",
) -> None:
    """Record an inspection of components, and its outcome.

    tourney component inspect ann sleeves --asked-by bob
    tourney component inspect ann sleeves --verdict replace --reason "marked"
    """
    looked_at = choice(what, get_args(Inspected), tr("thing to inspect"))
    follows = choice(verdict, get_args(Verdict), tr("verdict"))
    number = find_player(desk.tournament, player)
    by = find_player(desk.tournament, asked) if asked else 0
    carry_out(desk, components.InspectComponents(number, looked_at, follows, by, reason))


def share(
    desk: Desk,
    player: Annotated[str, word("PLAYER", "The player who asks; 0: by the marshal's order.")],
    what: Annotated[str, word("THING", "One of ruler, templates, tools and dice.")],
    table: Annotated[str, word("[TABLE]", "The table, if PLAYER is 0.")] = "",
    asked: Annotated[bool, flag("--asked", "The request is not answered yet.")] = False,
    declined: Annotated[bool, flag("--declined", "The request is declined.")] = False,
    reason: Annotated[str, option("TEXT", "The reason for declining it.")] = "",
) -> None:
    """Record a component that both players of a table share.

    A ruler, templates, tools or dice. A leader grants or declines a request; only a marshal can
    change that decision.

    tourney component share ann dice
    tourney component share ann dice --asked
    tourney component share ann dice --declined --reason "the table has enough"
    tourney component share 0 dice 4
    """
    number = _player(desk, player)
    shared = choice(what, get_args(Shared), tr("thing to share"))
    if bool(number) == bool(table):
        raise UsageError(tr("give a player, or 0 and the table: component share 0 dice 4"))
    if asked and declined:
        raise UsageError(tr("choose one of --asked and --declined"))
    match = table_of_player(desk, number) if number else table_of(desk, table)
    answer: ShareAnswer = "asked" if asked else "declined" if declined else "granted"
    carry_out(desk, components.ShareComponents(match.number, shared, number, answer, reason))


def _player(desk: Desk, typed: str) -> int:
    return 0 if typed == "0" else find_player(desk.tournament, typed)


@shows_table
def list_components(desk: Desk) -> None:
    """List the records on components, and the missing components.

    tourney component missing ann "a province card" --minutes 3
    tourney component share ann dice
    """
    from cli.wording.event_words import in_words, shared_in_words
    from projections.matches import components_as_json

    tournament = desk.book.tournament
    columns = (
        Column("event", right=True, key="seq"),
        Column("type", only="program"),
        Column(
            "what", flexible=True, wraps=True, value=lambda each: in_words(each.event, tournament)
        ),
    )
    recorded = tournament.floor.components
    about = components_as_json(tournament)
    if not show_records(desk, columns, recorded, json=lambda: with_names(tournament, about)):
        return
    for player, lost in sorted(tournament.floor.missing.items()):
        say(
            tr(
                "{player}: {component} missing since round {round}",
                player=labelled(tournament, player),
                component=lost.component,
                round=lost.round,
            )
        )
    for line in shared_in_words(tournament):
        say(line)
    say(how_many(len(recorded), "record"))


def offer(
    desk: Desk,
    ranks: Annotated[str, word("RANKS", "The ranks, such as 1-4 or 1.")],
    prize: Annotated[list[str], word("PRIZE", "The prize.")],
) -> None:
    """Offer a prize for ranks.

    tourney prize offer 1-4 "a playmat"
    """
    first, _, last = ranks.partition("-")
    highest = whole(tr("a rank"), first, 1, PLAYERS_MAX)
    lowest = whole(tr("a rank"), last or first, 1, PLAYERS_MAX)
    carry_out(desk, components.OfferPrize(" ".join(prize), highest, lowest))


def award(
    desk: Desk,
    player: Annotated[str, word("PLAYER", "The player who receives it.")],
    prize: Annotated[list[str], word("PRIZE", "The prize.")],
    kind: Annotated[str, option("KIND", "One of placing, participation and other.")] = "placing",
    reason: Annotated[str, option("TEXT", "Why it does not follow the final order.")] = "",
) -> None:
    """Award a prize to a player.

    Prizes for placing follow the final order: any other award needs a reason, and `audit` lists it.
    In some games the prize that a playing organizer wins for placing passes to the next rank.

    tourney prize award ann "a playmat"
    """
    of = choice(kind, get_args(PrizeKind), tr("kind of prize"))
    number = find_player(desk.tournament, player)
    award = components.AwardPrize(number, " ".join(prize), of, reason)
    is_new = desk.command_id not in desk.book.tournament.ids
    if of == "placing" and is_new and not reason.strip():
        _refuse_another_place(desk.tournament, award)
    carry_out(desk, award, tr("this prize was awarded"))


def _refuse_another_place(tournament: Tournament, award: components.AwardPrize) -> None:
    """Refuse a prize for placing to a player who may win one, and has not won this one."""
    from projections.matches import prizes_due

    due = [place for place in prizes_due(tournament) if place.prize == award.prize]
    has_left = tournament.players[award.player].status == "disqualified"
    takes_none = has_left or award.player in components.without_placing_prize(tournament)
    if takes_none or any(components.prize_not_due(tournament, award.prize)):
        return
    if not due or any(place.player == award.player for place in due):
        return
    winners = [place.player for place in due if not place.awarded][:WINNERS_NAMED]
    others = labels(tournament, winners) or phrase("no other player")
    text = marked(
        "{player} has not won {prize}: it goes to {winners}, and to others only with a reason"
    )
    anyway, clause = remedy("prize.anyway", prize=award.prize), components.prize_clause(tournament)
    raise Refused(
        problem(
            "prize.other_place",
            text,
            clause=clause,
            remedy=anyway,
            player=PlayerNamed(award.player),
            prize=award.prize,
            winners=others,
        )
    )


WINNERS_NAMED = 4
"""The most winners of a prize that a refusal names."""


@shows_table
def list_prizes(desk: Desk) -> None:
    """List the prizes, and who received them."""
    from projections.matches import prizes_due, prizes_given

    tournament = desk.book.tournament
    final = {"final": tournament.finished}  # else places may still change
    offered = prizes_due(tournament)
    due = [prize._asdict() | final | {"kind": "placing", "reason": ""} for prize in offered]
    given = [
        {"rank": None, "player": prize.player, "prize": prize.prize, "awarded": True}
        | {"final": True, "kind": prize.kind, "reason": prize.reason}
        for prize in prizes_given(tournament, offered)
    ]
    columns = (
        Column("rank", right=True),
        *person_columns(tournament, lambda each: each["player"], text=labelled),
        Column("prize", flexible=True),
        Column(
            "",
            key="awarded",
            text=lambda each: tr_of("prize", "awarded") if each["awarded"] else "",
        ),
        Column("kind", optional=True, text=lambda each: "" if each["rank"] else tr(each["kind"])),
        Column("reason", flexible=True, yields=1, optional=True),
    )
    rows = [with_names(tournament, row) for row in (*due, *given)]
    if not show_records(desk, columns, rows, empty=tr("no prizes yet: `prize offer` offers one")):
        return
    if due and not tournament.finished:
        say(tr("the tournament is not finished: places may still change"))
