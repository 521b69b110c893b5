"""Components and prizes: what is admissible, and the commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import field

from ledger.errors import Refused
from ledger.facts import components
from ledger.facts.base import Event
from ledger.facts.clock import TableExtended
from ledger.facts.components import (
    ComponentDamaged,
    ComponentDecided,
    ComponentFound,
    ComponentMissing,
    ComponentsInspected,
    ComponentsShared,
    PrizeAwarded,
    PrizeOffered,
    ProxyMade,
)
from ledger.facts.office import is_bound_by
from ledger.facts.setups import answers_at, missing_parts, worn_at
from ledger.facts.shared import Inspected
from ledger.problems import Player, Problem, Problems, Value, marked, phrase, problem, remedy
from ledger.rules.command import Command, Context, event_of, match_of, registered_player
from ledger.rules.references import is_here, needs_reason, not_active, not_here, table_of
from ledger.rules.results import Concede
from ledger.rulesets.floor import DamagedModel
from ledger.tournament.progress import find_player, not_played, not_started, open_match_of
from ledger.tournament.state import Match, Tournament

SEARCH_MINUTES = 10
"""Minutes that a table is given to look for a component, unless there is a reason (FFG-LOST)."""


def may_be_paired(
    tournament: Tournament, number: int, games: Iterable[tuple[int, ...]]
) -> Problems:
    """Yield who is removed, not paired: a component is missing since an earlier round."""
    if tournament.importing or not tournament.floor.missing:
        return
    for player in sorted(player for game in games for player in game if player):
        lost = tournament.floor.missing.get(player)
        if lost is not None and lost.round < number:
            text, who, what = (
                marked("{player} is still missing {component}"),
                Player(player),
                lost.component,
            )
            ways = (remedy("component.found", player=who), remedy("drop.component", player=who))
            code = "component.still_missing"
            yield problem(code, text, clause=lost.clause, remedy=ways, player=who, component=what)


def _is_playing(tournament: Tournament, player: int) -> Problems:
    known = find_player(tournament, player)
    if known is None or known.status != "active":
        yield not_active(player)


def component_missing(tournament: Tournament, event: ComponentMissing) -> Problems:
    rules = tournament.ruleset.floor.components
    if not rules.lost:
        yield missing_parts(tournament)["lost components"]
        return
    yield from _is_playing(tournament, event.player)
    if not tournament.started:
        yield not_started()
    elif event.during and open_match_of(tournament, event.player) is None:
        text = marked("{player} is not playing a game now")
        yield problem("component.not_in_game", text, player=Player(event.player))
    if event.player in tournament.floor.missing:
        text = marked("{player} already has a missing component on record")
        yield problem("component.missing_already", text, player=Player(event.player))
    if rules.essential_only and not event.essential:
        text = marked("only an essential component counts as lost")
        yield problem("component.not_essential", text, clause=rules.clause)


def component_found(tournament: Tournament, event: ComponentFound) -> Problems:
    lost = tournament.floor.missing.get(event.player)
    if lost is None and event.player in tournament.floor.worn:
        return
    if lost is None:
        text = marked("{player} has no missing component on record")
        yield problem("component.none_missing", text, player=Player(event.player))
    elif lost.conceded and open_match_of(tournament, event.player) is not None:
        text = marked(
            "the component was missing during the game: the game is conceded even if the "
            "component is found"
        )
        clause = components.clause_of_loss_in_game(tournament.ruleset)
        yield problem("component.missing_in_game", text, clause=clause)


def component_damaged(tournament: Tournament, event: ComponentDamaged) -> Problems:
    rules = tournament.ruleset.floor.components
    yield from _is_playing(tournament, event.player)
    if not rules.damaged and not rules.proxies:
        yield missing_parts(tournament)["proxies"]
    elif not rules.damaged and event.kind != "card":
        text = marked("{game} has a rule only for damaged cards")
        yield problem("component.cards_only", text, clause="FFG-PROXY", game=tournament.ruleset.key)
    yield from _model(rules.model, event)
    if event.shares and event.kind != "tool":
        yield problem("component.tools_only", "only a tool can be shared", clause="FFG-DAMAGED")
    if not tournament.started and event.kind != "card":
        yield not_started()


def _model(rules: DamagedModel, event: ComponentDamaged) -> Problems:
    if event.impedes and event.kind != "model":
        text = marked("only a model can impede play")
        yield problem("component.models_only", text, clause=rules.clause)
    if event.modified and rules.impedes != "modified":
        text = marked("this game has no rule for modifying a damaged model")
        yield problem("component.not_modified", text, clause=rules.clause)
    elif event.modified and not event.impedes:
        text = marked("only a model that impedes play can be modified")
        yield problem("component.modified_needlessly", text, clause=rules.clause)


def proxy_made(tournament: Tournament, event: ProxyMade) -> Problems:
    if not tournament.ruleset.floor.components.proxies:
        yield missing_parts(tournament)["proxies"]
        return
    yield from _is_playing(tournament, event.player)
    if event.card not in tournament.floor.damaged_cards.get(event.player, ()):
        text = marked("{player} cannot have a proxy of {card}: no damaged copy is on record")
        clause, player = "FFG-PROXY-ONLY", Player(event.player)
        yield problem("component.not_damaged", text, clause=clause, player=player, card=event.card)
    if not event.illegible.strip():
        text = marked("state what is illegible on the card")
        yield problem("component.illegible_unsaid", text, clause="FFG-PROXY")


def component_decided(tournament: Tournament, event: ComponentDecided) -> Problems:
    rules = tournament.ruleset.floor.components
    if event.player:
        yield from _is_playing(tournament, event.player)
    own_mat = event.kind == "playmat" and event.player and event.allowed
    if rules.playmats and own_mat and not event.genuine:
        text = marked("a player's own mat must be an official one; a mat of the venue need not be")
        yield problem("component.own_playmat", text, clause=rules.playmats)
    if event.necessary and not (event.player and not event.allowed):
        text = marked(
            "only a component that one player is not allowed to use can be marked as necessary"
        )
        yield problem("component.necessary_for_one", text, clause="FFG-INELIGIBLE")
    elif event.necessary and not rules.damaged:
        text = marked("{game} does not drop players because of a component")
        game = tournament.ruleset.key
        yield problem("component.no_drops", text, clause=rules.clause, game=game)


def components_shared(tournament: Tournament, event: ComponentsShared) -> Problems:
    match = tournament.matches[event.match] if event.match < len(tournament.matches) else None
    if not tournament.ruleset.floor.components.damaged:
        yield missing_parts(tournament)["sharing"]
    elif match is None or not match.is_open:
        yield not_played(tournament, event.match)
    elif event.player and event.player not in match.players:
        text = marked("{player} does not sit at {table}")
        clause, player = "FFG-SHARE", Player(event.player)
        yield problem("player.elsewhere", text, clause=clause, player=player, table=table_of(match))
    else:
        yield from _answer(tournament, event, match)


def _answer(tournament: Tournament, event: ComponentsShared, match: Match) -> Problems:
    """A request is asked once, and only what was asked or granted is declined."""
    said = answers_at(tournament, match).get(event.what)
    what, table = phrase(event.what), table_of(match)
    if event.answer == "asked" and not event.player:
        text = marked("a request to share needs the player who asks")
        yield problem("share.nobody_asks", text, clause="FFG-SHARE")
    elif event.answer == "asked" and said:
        text = marked("sharing {what} at {table} was already requested: the request is {answer}")
        answer = phrase("waiting") if said.answer == "asked" else phrase(said.answer)
        clause = "FFG-SHARE"
        yield problem("share.asked", text, clause=clause, what=what, table=table, answer=answer)
    elif event.answer == "declined":
        if not said and event.what not in worn_at(tournament, match):
            text = marked("no player asked to share {what} at {table}")
            yield problem("share.not_asked", text, clause="FFG-SHARE", what=what, table=table)
        yield from needs_reason(event, "FFG-SHARE")


def components_inspected(tournament: Tournament, event: ComponentsInspected) -> Problems:
    rules = tournament.ruleset.floor.inspections
    if not rules:
        yield missing_parts(tournament)["inspections"]
        return
    yield from _is_playing(tournament, event.player)
    if event.asked:
        yield from is_here(tournament, event.asked)
    if event.what not in rules.of:
        text, known = (
            marked("{what} are not inspected; only: {known}"),
            tuple(map(phrase, rules.of)),
        )
        yield problem(
            "inspection.of", text, clause=rules.clause, what=phrase(event.what), known=known
        )
    tier = tournament.opening.tier if tournament.opening else "relaxed"
    if event.what == "sleeves" and event.verdict == "remove" and tier in rules.opaque:
        text = marked(
            "the {tier} tier requires opaque sleeves: replace the sleeves instead of removing them"
        )
        yield problem(
            "inspection.sleeves", text, clause=rules.clause, tier=phrase(tier.capitalize())
        )
    if event.verdict != "fine":
        yield from needs_reason(event, rules.clause)


def prize_offered(_: Tournament, event: PrizeOffered) -> Problems:
    if event.last < event.first:
        text = marked("ranks {first} to {last} are not a range: give the smaller number first")
        yield problem("prize.ranks", text, first=event.first, last=event.last)


def prize_awarded(tournament: Tournament, event: PrizeAwarded) -> Problems:
    player = find_player(tournament, event.player)
    if player is None or player.status == "withdrawn":
        yield not_here(event.player)
    elif event.kind == "placing" and player.status == "disqualified":
        text = marked("{player} is disqualified and cannot win a prize for placing")
        yield problem("prize.disqualified", text, clause="FFG-AUTH-DQ", player=Player(event.player))
    elif event.kind == "placing" and event.player in without_placing_prize(tournament):
        text = marked(
            "a playing organizer cannot win a prize for placing: the prize passes to the next rank"
        )
        yield problem("prize.organizer", text, clause="AOP-ORGANIZER")
    elif event.kind == "placing" and is_bound_by(tournament, "prizes"):
        yield from _prize_without_reason(tournament, event)


def _prize_without_reason(tournament: Tournament, event: PrizeAwarded) -> Problems:
    """Yield why a prize for placing without a reason needs one.

    A prize that does not follow the final order needs one, too. The rules do not have this order:
    the verb asks for that reason, and `audit` finds such a prize.
    """
    if event.reason.strip():
        return
    if any(_is_same_award(record.event, event) for record in tournament.floor.prizes):
        text = marked("{player} already has {prize}: a second one needs a reason")
        about: dict[str, Value] = {"player": Player(event.player), "prize": event.prize}
        anyway, clause = remedy("prize.anyway", prize=event.prize), prize_clause(tournament)
        yield Problem("prize.again", text, about, clause, (anyway,))
    else:
        yield from prize_not_due(tournament, event.prize)


def without_placing_prize(tournament: Tournament) -> set[int]:
    """The players whose prize for placing passes down: the playing organizer (AOP-ORGANIZER)."""
    if tournament.ruleset.floor.authority.placing_prize == "kept":
        return set()
    return {
        each.player for each in tournament.officials if each.player and "organizer" in each.roles
    }


class MissComponent(Command, frozen=True):
    """Record a missing component; the minutes extend the player's table while they look for it."""

    player: int
    component: str
    during: bool = False
    essential: bool = True
    minutes: int = 0
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        rules = tournament.ruleset.floor.components
        if rules.lost and rules.during == "concede" and self.during and self.minutes:
            text = marked("a game in which a component is missing is conceded: it has no extension")
            clause = components.clause_of_loss_in_game(tournament.ruleset)
            raise Refused(problem("component.no_extension", text, clause=clause))
        if self.minutes > SEARCH_MINUTES and not self.reason.strip():
            raise Refused(_long_search(self.player, self.minutes))
        yield event_of(components.ComponentMissing, self)
        match = open_match_of(tournament, self.player)
        if tournament.floor.missing[self.player].conceded:
            conceded = Concede(self.player, self.facts, self.unknown)
            yield from conceded.decide(tournament, _, _by)
        elif self.minutes and match is not None:
            reason = f"looking for {self.component} ({tournament.ruleset.cites(rules.clause)})"
            reason += f": {self.reason}" if self.reason.strip() else ""
            yield TableExtended(match.number, self.minutes, reason)


def _long_search(player: int, minutes: int) -> Problem:
    """Refuse an extension that is not short and has no reason."""
    text = marked("an extension to look for a component is at most {most} minutes, not {minutes}")
    longer = remedy("component.missing.longer", player=Player(player), minutes=minutes)
    about: dict[str, Value] = {"most": SEARCH_MINUTES, "minutes": minutes}
    return Problem("component.long_search", text, about, "FFG-LOST", (longer,))


class FindComponent(Command, frozen=True):
    """Record that it was found or replaced."""

    says = components.ComponentFound

    player: int


class GiveUpComponent(Command, frozen=True):
    """Record that it was not found: the player concedes the game, with its facts so far."""

    player: int
    facts: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        if self.player not in tournament.floor.missing:
            text, player = marked("{player} has no missing component"), Player(self.player)
            raise Refused(problem("component.none", text, player=player))
        conceded = Concede(self.player, self.facts, self.unknown)
        yield from conceded.decide(tournament, _, _by)


class DamageComponent(Command, frozen=True):
    """Record a damaged component; what cannot be played on with counts as lost."""

    player: int
    component: str
    kind: components.Damaged
    impedes: bool = False
    replaced: bool = False
    modified: bool = False
    shares: components.Shared | None = None

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        registered_player(tournament, self.player)
        is_repaired = (self.modified or self.replaced) and self._counts_as_lost(tournament)
        impedes = self.impedes or is_repaired
        yield event_of(components.ComponentDamaged, self, impedes=impedes)
        if is_repaired:
            yield ComponentFound(self.player)
        match = open_match_of(tournament, self.player)
        if self.kind == "tool" and match is not None and not self.replaced:
            shares = self.shares or "tools"
            yield components.ComponentsShared(match.number, shares, self.player)

    def _counts_as_lost(self, tournament: Tournament) -> bool:
        """Whether this model counts as lost since it was damaged (SWL-DAMAGED-MINI)."""
        lost = tournament.floor.missing.get(self.player)
        if lost is None or self.kind != "model":
            return False
        is_model = any(
            record.seq == lost.seq
            and isinstance(record.event, ComponentDamaged)
            and record.event.kind == "model"
            for record in tournament.floor.components
        )
        return is_model and _is_same(lost.component, self.component)


_ARTICLES = frozenset({"a", "an", "her", "his", "the", "their"})


def _is_same(component: str, second: str) -> bool:
    """Whether two descriptions name one component: case and articles do not matter."""
    words, others = (
        [word for word in text.casefold().split() if word not in _ARTICLES]
        for text in (component, second)
    )
    return words == others


class MakeProxy(Command, frozen=True):
    """Record a proxy for a damaged card."""

    says = components.ProxyMade

    player: int
    card: str
    illegible: str
    date: str


class DecideComponent(Command, frozen=True):
    """Record what the marshal decided on a component."""

    says = components.ComponentDecided

    component: str
    kind: components.Decided
    allowed: bool
    player: int = 0
    necessary: bool = False
    genuine: bool = False
    reason: str = ""


class ShareComponents(Command, frozen=True):
    """Let both sides of a match share components, or not; player 0: the marshal's order."""

    match: int
    what: components.Shared
    player: int = 0
    answer: components.ShareAnswer = "granted"
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        match = match_of(tournament, self.match)
        said = answers_at(tournament, match).get(self.what)
        if not said or (said.answer, said.player) != (self.answer, self.player):
            yield event_of(components.ComponentsShared, self)


class InspectComponents(Command, frozen=True):
    """Record what was looked at, on whose wish, and what follows."""

    says = components.ComponentsInspected

    player: int
    what: Inspected
    verdict: components.Verdict = "fine"
    asked: int = 0
    reason: str = ""


class OfferPrize(Command, frozen=True):
    """Offer a prize for some ranks."""

    prize: str
    first: int
    last: int

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        offered = components.PrizeOffered(self.prize, self.first, self.last)
        if all(each.event != offered for each in tournament.floor.prizes):
            yield offered


class AwardPrize(Command, frozen=True):
    """Give a prize to a player; a prize for placing needs a reason if no player can have won it."""

    player: int
    prize: str
    kind: components.PrizeKind
    reason: str = ""

    def decide(self, tournament: Tournament, _: Context, _by: str) -> Iterator[Event]:
        awarded = components.PrizeAwarded(self.player, self.prize, self.kind, self.reason)
        if any(_is_same_award(record.event, awarded) for record in tournament.floor.prizes):
            return
        if self.kind == "placing" and not self.reason.strip():
            early = next(prize_not_due(tournament, self.prize), None)
            if early is not None:
                raise Refused(early)
        yield awarded


def _is_same_award(event: Event, awarded: PrizeAwarded) -> bool:
    """Whether this player was given this prize before, whatever the reason."""
    return isinstance(event, PrizeAwarded) and (event.player, event.prize, event.kind) == (
        awarded.player,
        awarded.prize,
        awarded.kind,
    )


def prize_not_due(tournament: Tournament, prize: str) -> Problems:
    """Yield why a prize for placing cannot be due to any player: it needs a reason then.

    Prizes follow the final order; who is next in it is known above this package
    (`projections.matches.prizes_due`).
    """
    events = [record.event for record in tournament.floor.prizes]
    places = sum(
        event.last - event.first + 1
        for event in events
        if isinstance(event, PrizeOffered) and event.prize == prize
    )
    placed = sum(
        isinstance(event, PrizeAwarded) and (event.prize, event.kind) == (prize, "placing")
        for event in events
    )
    award, clause = remedy("prize.anyway", prize=prize), prize_clause(tournament)
    if not tournament.finished:
        text = marked("{prize} follows the final order, and play is not over: it needs a reason")
        yield problem("prize.early", text, clause=clause, remedy=award, prize=prize)
    elif not places:
        text = marked("{prize} was not offered for any rank: it needs a reason")
        offer = remedy("prize.offer", prize=prize)
        yield problem("prize.not_offered", text, clause=clause, remedy=(offer, award), prize=prize)
    elif placed >= places:
        text = marked(
            "{prize} was offered {places} times and awarded {placed} times: it needs a reason"
        )
        about: dict[str, Value] = {"prize": prize, "places": places, "placed": placed}
        yield Problem("prize.given_out", text, about, clause, (award,))


def prize_clause(tournament: Tournament) -> str:
    """Return the clause on whom a prize for placing goes to, if the game has one."""
    passes = tournament.ruleset.floor.authority.placing_prize == "passes"
    return "AOP-ORGANIZER" if passes else ""
