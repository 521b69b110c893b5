"""The clauses on leaders: who may play, who rules, and what they put on the record."""

from __future__ import annotations

from typing import get_args

import pytest

from ledger.errors import InvalidRuleset
from ledger.facts.components import ComponentDecided, ComponentsShared
from ledger.facts.office import ConductNoted, Misconduct, PenaltyGiven, PenaltyKind, who_rules
from ledger.facts.people import PlayerDisqualified
from ledger.facts.shared import RulingMade
from ledger.fold import fold_lines
from ledger.rules.disputes import Appeal
from ledger.rules.elimination import FinishTournament
from ledger.rules.office import (
    LinkOfficial,
    NoteConduct,
    Penalize,
    RecommendDisqualification,
    Rule,
    StandDown,
)
from ledger.rules.opening import AppointOfficial
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, RejoinPlayer
from ledger.rules.rounds import CloseRound, SwapSeats, UnpairRound
from ledger.rulesets import parse, text_of
from projections.disputes import conduct_as_json, penalties_as_json, rulings_as_json
from projections.standings.table import standings
from tests.support.simulate import Day
from tests.support.staff import ASHES, appoint


def duel(day: Day, one: int, other: int) -> int:
    """Pair these two at table 1; the number of their match."""
    day.do(PairRound(((one, other),), "a test"))
    return day.matches()[0].number


def who(day: Day, match: int) -> list[int]:
    return who_rules(day.tournament, day.tournament.matches[match])


def test_ffg_role_judge_a_judge_first_then_a_marshal_for_good() -> None:
    """FFG-ROLE-JUDGE, FFG-RULING: the review needs a player's request and is the last word."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    keeper = appoint(day, "Sam", "scorekeeper")
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [judge]
    first = Rule(judge, "the card stays", match, "L5R-TIME", "player", 1, review=True)
    for official in (1, marshal, keeper):
        early = Rule(official, "no", match)
        assert "FFG-ROLE-JUDGE" in day.refused(early, by=f"o{official}")
    done = day.do(first, by=f"o{keeper}")  # the desk writes down what the judge said
    seq = done[0].seq
    reviewed = Rule(marshal, "it is discarded", match, "L5R-TIME", reviews=seq)
    assert "FFG-ROLE-JUDGE" in day.refused(Rule(judge, "no", match, reviews=seq))
    assert "FFG-ROLE-JUDGE" in day.refused(Rule(1, "no", match, reviews=seq))
    last = day.do(reviewed, by=f"o{marshal}")[0].seq
    for again in (seq, last):
        second = Rule(marshal, "no", match, reviews=again)
        assert "cannot be appealed" in day.refused(second)
    assert "is not a ruling" in day.refused(Rule(marshal, "no", match, reviews=1))
    shown = rulings_as_json(day.tournament)
    assert [each["state"] for each in shown] == [f"reviewed by {last}", "final"]
    assert (shown[0]["raised"], shown[0]["player"]) == ("player", 1)
    assert rulings_as_json(fold_lines(day.lines)) == shown


def test_a_review_needs_the_players_request() -> None:
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    seq = day.do(Rule(judge, "as printed", raised="spectator"))[0].seq
    wish = Rule(marshal, "no", reviews=seq)
    assert "no player asked for a review" in day.refused(wish)
    assert rulings_as_json(day.tournament)[0]["state"] == "open to review"


def test_without_a_judge_a_marshal_and_without_a_marshal_the_organizer() -> None:
    """FFG-ROLE-MARSHAL, FFG-RULING: the reading on who rules at first instance, for good."""
    day = Day(4)
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [1]
    asks = Rule(1, "so", match, raised="player", player=1, review=True)
    assert "this ruling is final" in day.refused(asks)
    marshal = appoint(day, "Mara", "marshal")
    assert who(day, match) == [marshal]
    judge = appoint(day, "Jun", "judge")
    assert who(day, match) == [judge]
    day.do(StandDown(judge))
    assert who(day, match) == [marshal]
    day.do(StandDown(marshal))
    assert who(day, match) == [1]
    assert "FFG-ROLE-STATUS" in day.refused(Rule(judge, "no", match))


def test_ffg_leader_ruling_never_on_a_match_they_play() -> None:
    """FFG-LEADER-RULING: the other leader rules; the desk can not enter it in their name."""
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    day.do(LinkOfficial(judge, 1))
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [1]
    assert "FFG-LEADER-RULING" in day.refused(Rule(judge, "mine", match))
    day.do(Rule(1, "so it is", match))
    other = day.matches()[1].number
    assert who(day, other) == [judge]


def test_two_leaders_meet_and_the_marshal_rules() -> None:
    """FFG-LEADER-RULING: the marshal, not the judge who is free."""
    day = Day(4)
    one, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    free = appoint(day, "Free", "judge")
    day.do(LinkOfficial(1, 1))
    day.do(LinkOfficial(one, 2))
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [marshal]
    assert "FFG-ROLE-JUDGE" in day.refused(Rule(free, "so", match), by=f"o{free}")


def test_two_leaders_meet_and_the_only_marshal_is_one_of_them() -> None:
    """FFG-LEADER-RULING: another leader who does not play rules; with none, no such pairing."""
    day = Day(4)
    marshal, judge = appoint(day, "Mara", "marshal"), appoint(day, "Jun", "judge")
    day.do(LinkOfficial(marshal, 1))
    day.do(LinkOfficial(judge, 2))
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [1]
    day.do(UnpairRound("again"))
    day.do(LinkOfficial(1, 3))
    clash = PairRound(((1, 2),), "a test")
    assert "FFG-LEADER-RULING" in day.refused(clash)
    day.do(PairRound(((1, 4), (2, 3)), "a test"))
    swap = SwapSeats((4, 2), "a test")
    assert "FFG-LEADER-RULING" in day.refused(swap)
    appoint(day, "Onlooker", "judge")
    day.do(swap)


def test_a_leader_judges_nothing_in_their_own_match() -> None:
    """FFG-LEADER-RULING: no penalty and no conduct at one's own table."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    day.do(LinkOfficial(judge, 1))
    day.do(LinkOfficial(marshal, 3))
    day.start(2)
    duel(day, 1, 2)
    penalty = Penalize(2, "warning", "slow")
    assert "FFG-LEADER-RULING" in day.refused(penalty, by=f"o{judge}")
    conduct = NoteConduct(4, "discourtesy", "a word")
    assert "FFG-LEADER-RULING" in day.refused(conduct, by=f"o{marshal}")
    day.do(penalty, by=f"o{marshal}")
    assert penalties_as_json(day.tournament)[0]["match"] == day.matches()[0].number
    day.report(day.matches()[0])
    after = PenaltyGiven(2, "warning", "slow", match=day.matches()[0].number)
    assert "FFG-LEADER-RULING" in day.refused_event(after, by=f"o{judge}")


def test_the_organizer_decides_where_the_only_marshal_plays() -> None:
    """FFG-ROLE-MARSHAL, FFG-LEADER-RULING: and any other leader, where the organizer plays too."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    day.do(LinkOfficial(marshal, 3))
    day.do(LinkOfficial(1, 4))
    day.start(2)
    duel(day, 3, 1)
    for own in (
        ComponentDecided("a painted base", "modification", allowed=True, player=3),
        ConductNoted(1, "discourtesy", "a word"),
        ComponentsShared(day.matches()[0].number, "dice"),
    ):
        assert "FFG-LEADER-RULING" in day.refused_event(own, by=f"o{marshal}")
    conduct = NoteConduct(1, "discourtesy", "a word")
    assert "is reserved for the organizer" in day.refused(conduct, by=f"o{judge}")
    day.do(conduct)
    day.do(UnpairRound("the two leaders meet"))
    duel(day, 3, 4)
    between = NoteConduct(4, "discourtesy", "a word")
    assert "FFG-LEADER-RULING" in day.refused(between)
    assert "FFG-LEADER-RULING" in day.refused(between, by=f"o{marshal}")
    day.do(between, by=f"o{judge}")


def test_ffg_overrule_is_a_marshals() -> None:
    """FFG-OVERRULE: a judge may not set the documents aside, a marshal may, for a mistake."""
    day = Day(4)
    judge, marshal = appoint(day, "Jun", "judge"), appoint(day, "Mara", "marshal")
    mistake = "page 4 names the wrong phase"
    assert "FFG-OVERRULE" in day.refused(Rule(judge, "so", overrules=mistake))
    seq = day.do(Rule(judge, "as printed", raised="player", player=1, review=True))[0].seq
    day.do(Rule(marshal, "as meant", reviews=seq, overrules=mistake), by=f"o{marshal}")
    assert rulings_as_json(day.tournament)[1]["overrules"] == mistake


def test_a_ruling_is_complete() -> None:
    """FFG-RULING: a text, a match that stands, and the player who raised it."""
    day = Day(4)
    for ruling, problem in (
        (RulingMade(1, " "), "must state the decision"),
        (RulingMade(1, "so", match=5), "no match 5"),
        (RulingMade(9, "so"), "no official 9"),
        (RulingMade(1, "so", raised="player"), "must name a player"),
        (RulingMade(1, "so", player=1), "must name a player"),
        (RulingMade(1, "so", raised="player", player=9), "no player 9"),
    ):
        assert problem in day.refused_event(ruling)


def test_rulings_go_on_after_the_end() -> None:
    day = Day(2)
    day.start(1)
    match = day.pair()[0]
    day.report(match)
    day.do(CloseRound())
    day.do(FinishTournament())
    day.do(Rule(1, "the slip was misread", match.number))
    day.do(NoteConduct(1, "cheating", "removed"))
    day.do(DisqualifyPlayer(1, "cheating"))
    assert [ruling.made.match for ruling in day.tournament.floor.rulings] == [match.number]
    assert [each["player"] for each in conduct_as_json(day.tournament)] == [1]
    assert day.tournament.players[1].status == "disqualified"
    assert [row.player for row in standings(day.tournament).rows][-1] == 1


def test_ffg_auth_dq_is_recommended_and_decided() -> None:
    """FFG-AUTH-DQ: the marshal recommends, the organizer decides and names the recommendation."""
    day = Day(4)
    marshal = appoint(day, "Mara", "marshal")
    wish = RecommendDisqualification(3, "marked cards", "FFG-CONDUCT-KIND")
    assert "is reserved for the marshal" in day.refused(wish)
    assert "needs a reason" in day.refused(RecommendDisqualification(3, " "), by=f"o{marshal}")
    seq = day.do(wish, by=f"o{marshal}")[0].seq
    decision = DisqualifyPlayer(3, "marked cards")
    assert "is reserved for the organizer" in day.refused(decision, by=f"o{marshal}")
    assert "FFG-AUTH-DQ" in day.refused_event(PlayerDisqualified(3, "x", recommendation=1))
    event = day.do(decision)[0].event
    assert isinstance(event, PlayerDisqualified)
    assert event.recommendation == seq
    assert "FFG-AUTH-DQ" in day.refused(RejoinPlayer(3))
    unasked = day.do(DisqualifyPlayer(4, "left the hall with the trophy"))[0].event
    assert isinstance(unasked, PlayerDisqualified)
    assert unasked.recommendation == 0


CONDUCT: tuple[Misconduct, ...] = (
    "stalling",
    "excessive force",
    "inappropriate behavior",
    "discourtesy",
    "cheating",
    "collusion on scores",
    "notes or outside material",
    "help from spectators",
    "other",
)


@pytest.mark.parametrize("kind", CONDUCT)
def test_ffg_conduct_kind(kind: Misconduct) -> None:
    """FFG-CONDUCT-KIND, FFG-AUTH-CONDUCT: every kind is a marshal's to note, with its remedy."""
    day = Day(4)
    marshal = appoint(day, "Mara", "marshal")
    note = NoteConduct(2, kind, "a warning")
    assert "is reserved for the marshal" in day.refused(note)
    assert "state the consequence" in day.refused(NoteConduct(2, kind, ""), by=f"o{marshal}")
    day.do(note, by=f"o{marshal}")
    assert conduct_as_json(day.tournament)[0]["kind"] == kind
    assert conduct_as_json(fold_lines(day.lines))[0]["kind"] == kind
    day.do(StandDown(marshal))
    day.do(note)


def test_aop_conduct_is_its_own_list() -> None:
    """AOP-CONDUCT: what another game lists is refused, whoever hands the command in."""
    day = Day(4, ruleset="ashes")
    assert "AOP-CONDUCT" in day.refused(NoteConduct(2, "collusion on scores", "a warning"))
    day.do(NoteConduct(2, "confusing others", "a warning"))
    assert conduct_as_json(fold_lines(day.lines))[0]["kind"] == "confusing others"


LOST = {"game forfeit", "match loss", "removal"}
ENDINGS = {
    **{("ashes", kind): "forfeit" for kind in LOST},
    **{("l5r", kind): "imposed loss" for kind in LOST},
    ("ashes", "declared win"): "declared",
    ("ashes", "declared draw"): "declared draw",
}


@pytest.mark.parametrize("game", ["ashes", "l5r"])
@pytest.mark.parametrize("kind", get_args(PenaltyKind))
def test_aop_penalty(kind: PenaltyKind, game: str) -> None:
    """AOP-PENALTY, AOP-DECLARE: what it says takes effect, or the game has none (L5R-OUTCOME)."""
    day = Day(4, ruleset=game)
    day.start(2)
    if kind.startswith("declared"):
        assert ("L5R-OUTCOME" if game == "l5r" else "no open match") in day.refused(
            Penalize(1, kind, "a test")
        )
    day.pair()
    if game == "l5r" and kind.startswith("declared"):
        assert f"has no {kind}" in day.refused_event(PenaltyGiven(1, kind, "a test"))
        return
    assert "must state the infraction" in day.refused(Penalize(1, kind, " "))
    match = day.matches()[0]
    day.do(Penalize(match.first, kind, "looked at the deck", "AOP-PENALTY"))
    given = penalties_as_json(day.tournament)[0]
    assert (given["kind"], given["clause"], given["match"]) == (kind, "AOP-PENALTY", match.number)
    expected = {
        **dict.fromkeys(LOST, ("loss", "win")),
        "declared win": ("win", "loss"),
        "declared draw": ("draw", "draw"),
    }.get(kind)
    assert (match.result.outcomes if match.result else None) == expected
    if match.result is not None and kind != "removal":
        assert match.result.manner == "declared"  # imposed, and no concession
        assert match.result.ending == ENDINGS[game, kind]
    removed = day.tournament.players[match.first].status == "disqualified"
    assert removed is (kind == "removal")


def test_a_removal_is_the_organizers_even_as_a_penalty() -> None:
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    removal = Penalize(1, "removal", "refused the ruling", "AOP-AUTH")
    assert "is reserved for the organizer" in day.refused(removal, by=f"o{judge}")


def test_aop_auth_the_organizers_ruling_is_final() -> None:
    """AOP-AUTH, AOP-COORGANIZER: a co-organizer's can be taken to the organizer, whose is final."""
    day = Day(4, ruleset="ashes")
    assert "has no judge" in day.refused(AppointOfficial("Jun", ("judge",)))
    helper = appoint(day, "Co", "co-organizer")
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [1, helper]
    first = day.do(Rule(helper, "it is a dice power", match), by=f"o{helper}")[0].seq
    assert "AOP-AUTH" in day.refused(Rule(1, "it is not", match, reviews=first))  # nobody asked
    day.do(Appeal(first), by="p1")
    assert "cannot rule on this" in day.refused(
        Rule(helper, "it is", match, reviews=first), by=f"o{helper}"
    )
    own = day.do(Rule(1, "it is not", match, reviews=first))[0].seq
    assert "AOP-AUTH" in day.refused(Appeal(own), by="p1")
    asks = Rule(1, "so", match, raised="player", player=1, review=True)
    assert "is final" in day.refused(asks)
    removal = Penalize(1, "removal", "refused the ruling", "AOP-AUTH")
    assert "AOP-DECLARE" in day.refused(removal, by=f"o{helper}")
    day.do(removal)
    assert "AOP-DECLARE, FFG-REJOIN" in day.refused(RejoinPlayer(1))


def test_an_ashes_log_of_before_keeps_every_leaders_word_final() -> None:
    """AOP-AUTH: a setting of the ruleset, which the log carries."""
    day = Day(4, floor=ASHES)
    helper = appoint(day, "Co", "co-organizer")
    day.start(2)
    match = duel(day, 1, 2)
    first = day.do(Rule(helper, "it is a dice power", match), by=f"o{helper}")[0].seq
    assert "is final" in day.refused(Appeal(first), by="p1")


def test_aop_organizer_may_play_if_announced_before() -> None:
    """AOP-ORGANIZER: in any tier, without a second leader, but not from the middle of the day."""
    day = Day(4, tier="formal", floor=ASHES)
    day.do(LinkOfficial(1, 1))
    day.start(2)
    match = duel(day, 1, 2)
    assert who(day, match) == [1]
    helper = appoint(day, "Co", "co-organizer")
    assert who(day, match) == [helper]
    assert "FFG-LEADER-RULING" in day.refused(Rule(1, "mine", match))
    late = Day(4, floor=ASHES)
    late.start(2)
    assert "AOP-AUTH" in late.refused(LinkOfficial(1, 1))  # the table's, where it names no other


def test_other_games_know_no_co_organizer() -> None:
    day = Day(4)
    refused = day.refused(AppointOfficial("Co", ("co-organizer",)))
    assert "has no co-organizer" in refused


@pytest.mark.parametrize(
    ("leaders", "problem"),
    [
        ('["judge"]', "the organizer must be one"),
        ('["organizer", "scorekeeper"]', "cannot be a leader"),
    ],
)
def test_a_ruleset_names_leaders_that_make_sense(leaders: str, problem: str) -> None:
    text = text_of("l5r") + f"\n[floor.authority]\nleaders = {leaders}\n"
    with pytest.raises(InvalidRuleset, match=problem):
        parse(text)


def test_without_a_marshal_the_organizer_reviews_and_overrules() -> None:
    """FFG-ROLE-MARSHAL, FFG-OVERRULE: the marshal's authority is the organizer's, in review too."""
    day = Day(4)
    judge = appoint(day, "Jun", "judge")
    asked = Rule(judge, "as printed", raised="player", player=1, review=True)
    seq = day.do(asked)[0].seq
    day.do(Rule(1, "as meant", reviews=seq, overrules="page 4"))
    assert str(rulings_as_json(day.tournament)[0]["state"]).startswith("reviewed by")
