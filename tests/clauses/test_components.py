"""The clauses on lost, damaged, ineligible and shared components, proxies and prizes."""

from __future__ import annotations

import pytest

from cli.desk import consequences
from ledger.facts.clock import TableExtended
from ledger.facts.components import (
    ComponentDamaged,
    ComponentMissing,
    ComponentsShared,
    Damaged,
    clause_of_loss_in_game,
)
from ledger.facts.results import ResultReported, conceded
from ledger.rules.components import (
    AwardPrize,
    DamageComponent,
    DecideComponent,
    FindComponent,
    GiveUpComponent,
    MakeProxy,
    MissComponent,
    OfferPrize,
    ShareComponents,
)
from ledger.rules.elimination import FinishTournament
from ledger.rules.office import LinkOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, DropPlayer, RejoinPlayer
from ledger.rules.results import Concede, Report, StatedResult
from ledger.rules.rounds import CloseRound, StartRound
from projections.matches import components_as_json, prizes_due
from projections.standings.bracket import finishing_order
from tests.support.simulate import Day
from tests.support.staff import ASHES, appoint

MODELS = """
[floor.components]
clause = "FFG-LOST"
during = "extension"
essential_only = true
damaged = true
playmats = "RW-PLAYMAT"
"""


def playing(floor: str = "") -> tuple[Day, int, int, int]:
    """A round that runs: its first match, and who plays it."""
    day = Day(4, floor=floor)
    day.start(3)
    match = day.pair()[0]
    day.do(StartRound())
    return day, match.number, match.first, match.second


def test_ffg_lost_extension_concession_removal() -> None:
    """FFG-LOST: time to look for it; then the game is conceded; by the next round, removal."""
    day, match, one, two = playing()
    done = day.do(MissComponent(one, "a province", minutes=3))
    assert isinstance(done[1].event, TableExtended)
    assert "already has a missing component on record" in day.refused(MissComponent(one, "a hand"))
    assert "FFG-LOST" in day.refused(Report(match, StatedResult("win")))
    assert "FFG-LOST" in day.refused(Concede(two))
    day.do(GiveUpComponent(one))
    result = day.tournament.matches[match].result
    assert result is not None
    assert (result.manner, result.outcomes) == ("concession", conceded_by(day, match, one))
    day.report_all()
    day.do(CloseRound())
    assert "FFG-LOST" in day.refused(PairRound())
    day.do(DropPlayer(one, "component"))
    day.pair()
    day.do(RejoinPlayer(one))
    assert day.tournament.players[one].status == "active"


def conceded_by(day: Day, match: int, player: int) -> tuple[str, str]:
    first = day.tournament.matches[match].first == player
    return conceded(day.tournament.ruleset, first=first).outcomes


def test_what_is_found_in_time_changes_nothing() -> None:
    """FFG-LOST: found, the game is reported like any other, and the next round is paired."""
    day, match, one, _ = playing()
    assert "has no missing component" in day.refused(FindComponent(one))
    assert "has no missing component" in day.refused(GiveUpComponent(one))
    day.do(MissComponent(one, "a province"))
    assert components_as_json(day.tournament)["missing"]
    day.do(FindComponent(one))
    day.do(Report(match, StatedResult("win")))
    day.report_all()
    day.pair()


def test_l5r_lost_during_a_game_concedes_it() -> None:
    """L5R-LOST: at once; and the component may be there again for the next round."""
    day, match, one, _ = playing()
    done = day.do(MissComponent(one, "a card", during=True))
    assert isinstance(done[1].event, ResultReported)
    assert done[1].event.result.outcomes == conceded_by(day, match, one)
    assert "is not playing a game now" in day.refused(MissComponent(one, "a card", during=True))
    day.do(FindComponent(one))
    day.report_all()
    day.pair()


def test_a_game_with_a_card_missing_ends_in_nothing_else() -> None:
    """L5R-LOST: from the log alone, whatever else an event says."""
    day, _, one, two = playing()
    admitted = record_event(day, ComponentMissing(one, "a card", during=True))
    assert admitted
    assert "L5R-LOST" in day.refused(FindComponent(one))
    assert "FFG-LOST" in day.refused(Concede(two))
    day.do(Concede(one))


@pytest.mark.parametrize(
    ("game", "clause"),
    [("l5r", "L5R-LOST"), ("mtg", ""), ("xwing2", ""), ("netrunner", ""), ("own", "GG-LOST")],
)
def test_a_game_conceded_for_a_component_cites_its_own_clause(game: str, clause: str) -> None:
    """L5R-LOST: it is a clause of one game; another game has its own, or none is cited."""
    rules = "swiss" if game == "own" else game
    floor = '\n[floor.components]\nclause = "GG-LOST"\n' if game == "own" else ""
    day = Day(4, ruleset=rules, floor=floor)
    day.start(2)
    one = day.pair()[0].first
    assert clause_of_loss_in_game(day.tournament.ruleset) == clause
    told = day.refused(MissComponent(one, "a card", during=True, minutes=5))
    lost = ComponentMissing(one, "a card", during=True)
    (warning,) = consequences.component_in_words(day.tournament, lost)
    record_event(day, lost)
    for text in (told, day.refused(FindComponent(one)), warning):
        assert "conceded" in text
        assert (f"({clause})" in text) == bool(clause)
        assert clause == "L5R-LOST" or "L5R" not in text


@pytest.mark.parametrize(("game", "clause"), [("legion", "FFG-LOST"), ("own", "GG-LOST")])
def test_an_extension_to_look_for_a_component_cites_the_clause(game: str, clause: str) -> None:
    """FFG-LOST: the reason of the extension names the event's clause of components."""
    floor = '\n[floor.components]\nclause = "GG-LOST"\n' if game == "own" else ""
    day = Day(4, ruleset="swiss" if game == "own" else game, floor=floor)
    day.start(2)
    one = day.pair()[0].first
    done = day.do(MissComponent(one, "a card", minutes=5))
    (extended,) = [each.event for each in done if isinstance(each.event, TableExtended)]
    assert extended.reason == f"looking for a card ({clause})"


def record_event(day: Day, event: ComponentMissing) -> bool:
    """Write an event as another program might have: without what our commands add to it."""
    from ledger.fold import evolve  # noqa: PLC0415 - only here
    from ledger.lines.recorded import record  # noqa: PLC0415 - only here

    assert day.refused_event(event) == ""
    recorded = record(day.tournament.seq + 1, "alone", "2026-03-14T12:00:00.000Z", "o1", event)
    evolve(day.tournament, recorded)
    day.log.append(recorded)
    return True


def test_essential_components_during_a_game_are_looked_for() -> None:
    """FFG-LOST, runewars and legion: an essential one, at the beginning or during."""
    day, match, one, _ = playing(MODELS)
    trifle = MissComponent(one, "a token", essential=False)
    assert "essential" in day.refused(trifle)
    done = day.do(MissComponent(one, "the general", during=True, minutes=5))
    assert isinstance(done[1].event, TableExtended)
    assert day.tournament.matches[match].result is None
    day.do(FindComponent(one))


@pytest.mark.parametrize(
    ("kind", "impedes", "replaced", "lost"),
    [
        ("other", False, False, True),
        ("other", False, True, False),
        ("card", False, False, False),
        ("model", False, False, False),
        ("model", True, False, True),
        ("model", True, True, False),
        ("tool", False, False, False),
    ],
)
def test_ffg_damaged(kind: Damaged, impedes: bool, replaced: bool, lost: bool) -> None:  # noqa: FBT001 - cases
    """FFG-DAMAGED, FFG-SHARE: what counts as lost; a broken tool is shared instead."""
    day, match, one, _ = playing(MODELS)
    done = day.do(DamageComponent(one, "it", kind, impedes, replaced))
    assert (one in day.tournament.floor.missing) is lost
    shared = [each.event for each in done[1:]]
    assert shared == ([ComponentsShared(match, "tools", one)] if kind == "tool" else [])
    if lost:
        assert "FFG-DAMAGED" in day.refused(Report(match, StatedResult("win")))


def test_damaged_models_are_no_matter_of_card_games() -> None:
    day, match, one, _ = playing()
    assert "only for damaged cards" in day.refused(DamageComponent(one, "it", "model"))
    assert "has no rule for sharing" in day.refused(ShareComponents(match, "dice", one))
    assert "impede play" in day.refused_event(ComponentDamaged(one, "it", "card", impedes=True))


def test_ffg_proxy_only_for_a_damaged_card() -> None:
    """FFG-PROXY, FFG-PROXY-ONLY: card, what is illegible, date; the leader is who enters it."""
    day, _, one, two = playing()
    judge = appoint(day, "Jun", "judge")
    proxy = MakeProxy(one, "Crane", "the cost", "2026-03-14")
    assert "FFG-PROXY-ONLY" in day.refused(proxy)
    day.do(DamageComponent(one, "Crane", "card"))
    assert "FFG-PROXY-ONLY" in day.refused(MakeProxy(two, "Crane", "the cost", "2026-03-14"))
    assert "what is illegible" in day.refused(MakeProxy(one, "Crane", " ", "2026-03-14"))
    made = day.do(proxy, by=f"o{judge}")[0]
    assert made.by == f"o{judge}"
    keeper = appoint(day, "Sam", "scorekeeper")
    assert "is reserved for" in day.refused(proxy, by=f"o{keeper}")


def test_ffg_component_and_ineligible() -> None:
    """FFG-COMPONENT, FFG-INELIGIBLE: the marshal decides; necessary and not replaced: dropped."""
    day, _, one, _ = playing(MODELS)
    marshal = appoint(day, "Mara", "marshal")
    ruled_out = DecideComponent("a base", "third-party", allowed=False, player=one, necessary=True)
    assert "is reserved for the marshal" in day.refused(ruled_out)
    useless = DecideComponent("a base", "third-party", allowed=True, player=one, necessary=True)
    assert "FFG-INELIGIBLE" in day.refused(useless, by=f"o{marshal}")
    day.do(ruled_out, by=f"o{marshal}")
    day.do(GiveUpComponent(one))
    day.report_all()
    day.do(CloseRound())
    assert "FFG-INELIGIBLE" in day.refused(PairRound())
    day.do(FindComponent(one))
    day.pair()
    cards = Day(4)
    refused = cards.refused(DecideComponent("x", "indicator", False, 1, necessary=True))  # noqa: FBT003 - not allowed
    assert "does not drop players" in refused


def test_rw_playmat() -> None:
    """RW-PLAYMAT: a player's own is official, a venue's need not be; a rule of this game alone."""
    own = DecideComponent("a mat", "playmat", allowed=True, player=1)
    for game in ("l5r", "legion", "ashes"):
        Day(4, ruleset=game).do(own)
    day = Day(4, ruleset="runewars")
    assert "RW-PLAYMAT" in day.refused(own)
    day.do(DecideComponent("a mat", "playmat", allowed=True, player=1, genuine=True))
    day.do(DecideComponent("the club's mats", "playmat", allowed=True))
    day.do(DecideComponent("a mat", "playmat", allowed=False, player=2))


def test_ffg_share() -> None:
    """FFG-SHARE: at a player's request, or by the marshal's order."""
    day, match, one, two = playing(MODELS)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    outsider = next(player for player in range(1, 5) if player not in {one, two})
    assert "FFG-SHARE" in day.refused(ShareComponents(match, "dice", outsider))
    day.do(ShareComponents(match, "dice", two), by=f"o{judge}")
    order = ShareComponents(match, "ruler")
    assert "is reserved for the marshal" in day.refused(order, by=f"o{judge}")
    day.do(order, by=f"o{marshal}")
    assert "there is no match 99" in day.refused(ShareComponents(99, "dice", two))


def finished(floor: str) -> Day:
    day = Day(4, floor=floor)
    if floor:
        day.do(LinkOfficial(1, 1))
    day.start(1)
    day.do(PairRound(((1, 2), (3, 4)), "a test"))
    day.report_all()
    day.do(CloseRound())
    day.do(FinishTournament())
    return day


@pytest.mark.parametrize("floor", ["", ASHES])
def test_aop_organizer_passes_the_prize_down(floor: str) -> None:
    """AOP-ORGANIZER, AOP-PARTICIPATION-PRIZE: no prize for placing, one for taking part."""
    day = finished(floor)
    day.do(OfferPrize("a mat", 1, 2))
    assert day.do(OfferPrize("a mat", 1, 2)) == []
    assert "are not a range" in day.refused(OfferPrize("x", 2, 1))
    order = [each.player for each in finishing_order(day.tournament)]
    without = [player for player in order if player != 1] if floor else order
    assert [(due.rank, due.player) for due in prizes_due(day.tournament)] == [
        (1, without[0]),
        (2, without[1]),
    ]
    if floor:
        assert "AOP-ORGANIZER" in day.refused(AwardPrize(1, "a mat", "placing"))
    day.do(AwardPrize(1, "a promo card", "participation"))
    day.do(AwardPrize(without[0], "a mat", "placing"))
    assert day.do(AwardPrize(without[0], "a mat", "placing")) == []
    assert [due.awarded for due in prizes_due(day.tournament)] == [True, False]
    assert "player 9 is not in the tournament" in day.refused(AwardPrize(9, "a mat", "placing"))
    day.do(DisqualifyPlayer(without[1], "two decks"))
    assert "FFG-AUTH-DQ" in day.refused(AwardPrize(without[1], "a mat", "placing"))
    assert [due.player for due in prizes_due(day.tournament)] == [without[0], without[2]]
