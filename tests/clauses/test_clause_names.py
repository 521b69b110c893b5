"""What is refused and found names the clause of the game in play, not that of another game."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

import ledger
from ledger import rulesets
from ledger.facts.base import Waiver
from ledger.facts.clock import ExtraTimeAnnounced, PaceModerated
from ledger.facts.rounds import RoundPaired, SeatsSwapped
from ledger.facts.setups import (
    DraftGroupsDrawn,
    FirstFiveReviewed,
    TerrainAnnounced,
    VerificationOrdered,
    missing_parts,
)
from ledger.facts.shared import Stage
from ledger.rules.office import Penalize
from ledger.rules.opening import AppointOfficial, ChangeStructure, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, RejoinPlayer
from ledger.rules.rounds import CloseRound, SwapSeats
from ledger.rulesets import ruleset
from ledger.rulesets.clauses import prefix_of, prefixes_of_games
from projections.audit.findings import KINDS, findings_of, kind_in
from tests.support.simulate import Day, game_in_play

if TYPE_CHECKING:
    from ledger.facts.base import Event
    from ledger.rules.command import Command

CASES = [
    (StartTournament("basic", asked=(9, 0)), "FFG-STRUCTURE", "AOP-ROUNDS"),
    (AppointOfficial("Two", ("organizer",)), "FFG-ROLE-ORGANIZER", "AOP-AUTH"),
    (DisqualifyPlayer(1, " "), "FFG-AUTH-DQ", "AOP-DECLARE"),
]
"""What is refused before the start, and by which clause in each game."""


@pytest.mark.parametrize("game", ["l5r", "runewars", "legion", "ashes"])
@pytest.mark.parametrize(("command", "shared", "ashes"), CASES)
def test_before_the_start(game: str, command: Command, shared: str, ashes: str) -> None:
    """FFG-STRUCTURE/AOP-ROUNDS, FFG-ROLE-ORGANIZER/AOP-AUTH, FFG-AUTH-DQ/AOP-DECLARE."""
    own, other = (ashes, shared) if game == "ashes" else (shared, ashes)
    told = Day(5, ruleset=game).refused(command)
    assert own in told
    assert other not in told


def played(game: str) -> Day:
    """A round of five players is over: two met, and one of them had the bye."""
    day = Day(5, ruleset=game)
    day.start(3)
    day.do(PairRound(((1, 2), (3, 4), (5, 0)), "a test"))
    for match in day.matches():
        if match.is_open:
            day.do(Penalize(match.second, "match loss", "a test", facts=game_in_play(game)))
    day.do(CloseRound())
    return day


@pytest.mark.parametrize(
    ("game", "rematch", "bye", "announce"),
    [
        ("l5r", "FFG-REMATCH", "FFG-BYE-LATER", "FFG-ANNOUNCE"),
        ("runewars", "FFG-REMATCH", "FFG-BYE-LATER", "FFG-ANNOUNCE"),
        ("legion", "FFG-REMATCH", "FFG-BYE-LATER", "FFG-ANNOUNCE"),
        ("ashes", "AOP-PAIR", "AOP-BYE", "AOP-ANNOUNCE"),
    ],
)
def test_in_a_round(game: str, rematch: str, bye: str, announce: str) -> None:
    """FFG-REMATCH/AOP-PAIR, FFG-BYE-LATER/AOP-BYE: a bye by hand cites the bye's clause."""
    day = played(game)
    again = day.refused(PairRound(((1, 2),), "a test"))
    assert rematch in again
    second = day.refused(PairRound(((5, 0),), "a test"))
    assert bye in second
    assert rematch not in second
    assert bye in day.refused(PairRound(((4, 0),), " "))
    assert announce in day.refused(ChangeStructure((Stage("swiss", 4),), ""))
    day.do(PairRound(((5, 0),), "they asked for it", allow_rematch=True))
    assert f'"clauses":["{bye}"]'.encode() in day.lines[-1]
    day.do(SwapSeats((5, day.matches()[1].first), "back"))


@pytest.mark.parametrize(("game", "bye"), [("l5r", "FFG-BYE-LATER"), ("ashes", "AOP-BYE")])
def test_the_audit_cites_the_bye_s_clause(game: str, bye: str) -> None:
    """FFG-BYE-LATER/AOP-BYE: a bye that somebody chose is found as one, by its clause."""
    day = Day(5, ruleset=game)
    day.start(3)
    day.do(PairRound(((5, 0),), "they are late"))
    recorded = day.log[-1]
    before = day.folded(day.log[:-1])
    found = [each.kind for each in findings_of(before, recorded, lambda _: recorded.at)]
    assert found == ["bye-by-hand"]
    assert kind_in("bye-by-hand", day.tournament.ruleset).clause == bye


def test_a_waiver_of_either_name_is_one() -> None:
    """AOP-BYE: a log that waived the shared clause stands as it did."""
    day = played("ashes")
    day.do(PairRound(((5, 0),), "they asked for it", allow_rematch=True))
    event = day.log[-1].event
    assert isinstance(event, RoundPaired)
    earlier = day.folded(day.log[:-1])
    day.tournament, day.log = earlier, day.log[:-1]
    assert not day.refused_event(event)
    event = replace(event, waiver=Waiver(("FFG-BYE-LATER",), "they asked for it"))
    assert not day.refused_event(event)
    assert "AOP-BYE" in day.refused_event(replace(event, waiver=None))


def test_where_the_game_is_silent_the_shared_clause_stands() -> None:
    """FFG-REJOIN: by a reading of the game, which cites it."""
    rules = rulesets.load("ashes").ruleset
    assert rules.cites("FFG-REJOIN") == "FFG-REJOIN"
    assert rules.cites("FFG-AUTH-DQ, FFG-REJOIN") == "AOP-DECLARE, FFG-REJOIN"
    assert rules.cites("FFG-BYE-LATER, FFG-BYE-WIN") == "AOP-BYE"
    assert rulesets.load("l5r").ruleset.cites("FFG-BYE-LATER") == "FFG-BYE-LATER"
    day = Day(4, ruleset="ashes")
    day.start(3)
    day.do(DisqualifyPlayer(1, "a test", facts=game_in_play("ashes")))
    assert "AOP-DECLARE, FFG-REJOIN" in day.refused(RejoinPlayer(1))


_OWN = """
amend authority battle call check_in chooser confirmation day deck_checks draft draw_key draws
finish first first_five format given_out handover hidden_key import inspection key league_id line
link list match name note official opening pace person play player players posting prize ranks
registration repair request result round ruleset scenario seat seen setup side signature slips
stage start structure swap terrain undo verification waiver word
"""
OF_THE_PROGRAM = frozenset(_OWN.split())
"""What a refusal without a clause may be about: the form of a log, names, keys, what the desk typed
twice, an order that no text speaks of. Rulings, disputes, the cut, the clock, components, drops,
returns, byes and conduct are not among them."""


def without_a_clause() -> set[str]:
    """The codes of the problems whose rules name none, in the rules and what they read."""
    found = set()
    for folder in ("rules", "facts", "tournament"):
        for path in sorted((Path(ledger.__file__).parent / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "problem":
                    named = {keyword.arg for keyword in node.keywords}
                    code = node.args[0]
                    if isinstance(code, ast.Constant) and not named & {"clause", None}:
                        found.add(str(code.value))
    return found


@pytest.mark.slow
def test_every_refusal_by_a_rule_names_its_clause() -> None:
    """By its rule, by its code, or it is the program's own."""
    known = ruleset.clauses()
    rest = sorted(without_a_clause() - set(known))
    assert [code for code in rest if code.partition(".")[0] not in OF_THE_PROGRAM] == []


def test_no_code_has_a_clause_that_nothing_refuses_by() -> None:
    assert sorted(set(ruleset.clauses()) - without_a_clause()) == []


OWN = {"l5r": "L5R", "runewars": "RW", "legion": "SWL", "ashes": "AOP"}
"""How a game's own clauses begin."""


@pytest.mark.parametrize("game", OWN)
def test_what_a_game_has_not_cites_no_clause_of_another(game: str) -> None:
    """RW-SCENARIO, AOP-MODERATE and the like are said by their own game alone."""
    day = Day(4, ruleset=game)
    day.start(3)
    rules = day.tournament.ruleset
    cited = [ruleset.cited(rules, each).clause for each in missing_parts(day.tournament).values()]
    assert {each.partition("-")[0] for each in cited} <= {"", "FFG", OWN[game]}


FOR_ONE_GAME = [
    PaceModerated(1, 0, "discard", 1, "slow"),
    FirstFiveReviewed(1, 1, official=2),
    TerrainAnnounced(fixed=True),
    VerificationOrdered(),
    DraftGroupsDrawn(1, ((1, 2, 3, 4),)),
    ExtraTimeAnnounced(10),
]
"""Acts that only one game has, by an official who may not enter them anywhere."""


@pytest.mark.parametrize("event", FOR_ONE_GAME, ids=lambda event: type(event).__name__)
@pytest.mark.parametrize("game", rulesets.names())
def test_an_act_that_a_game_has_not_is_refused_as_such(game: str, event: Event) -> None:
    """AOP-MODERATE, AOP-FIRSTFIVE-REVIEWER, SWL-CLOCK and the like, by an official without a role.

    The refusal said whose act it is, by a clause of another game.
    """
    day = Day(4, ruleset=game)
    day.do(AppointOfficial("Two", ("scorekeeper",)))
    refused = day.refused_event(event, by="o2")
    foreign = prefixes_of_games() - day.tournament.ruleset.prefixes
    assert refused
    assert not [prefix for prefix in foreign if f"{prefix}-" in refused]


@pytest.mark.parametrize("game", rulesets.names())
def test_no_finding_cites_a_clause_of_another_game(game: str) -> None:
    """FFG-LIST, not AOP-DECKCHECK, for decks that Legion paired over."""
    rules = rulesets.load(game).ruleset
    cited = [label for name in KINDS for label in kind_in(name, rules).clause.split(", ")]
    assert not {prefix_of(label) for label in cited} & (prefixes_of_games() - rules.prefixes)
    lists = rules.floor.lists
    assert kind_in("over-decks", rules).clause == (lists.deck_check or lists.clause)


@pytest.mark.parametrize("game", rulesets.names())
def test_no_code_of_a_refusal_stands_for_another_game_s_clause(game: str) -> None:
    """A code whose clause is one game's is refused only where the game has what it is about."""
    rules = rulesets.load(game).ruleset
    foreign = prefixes_of_games() - rules.prefixes
    cited = {code: rules.cites(clause) for code, clause in ruleset.clauses().items()}
    strange = {code for code, clause in cited.items() if prefix_of(clause) in foreign}
    assert strange <= {"draft.attempt", "first_five.not_playing"}


def test_a_bye_by_hand_in_round_1_breaks_the_first_round_s_clause() -> None:
    """FFG-BYE-FIRST in round 1, FFG-BYE-LATER afterwards; in Ashes AOP-BYE in both."""
    day = Day(5, ruleset="l5r")
    day.start(3)
    assert "FFG-BYE-FIRST" in day.refused(PairRound(((5, 0),), " "))
    rules = day.tournament.ruleset
    assert kind_in("bye-by-hand", rules, 1).clause == "FFG-BYE-FIRST"
    assert kind_in("bye-by-hand", rules, 2).clause == "FFG-BYE-LATER"
    assert kind_in("bye-by-hand", rulesets.load("ashes").ruleset, 1).clause == "AOP-BYE"


@pytest.mark.parametrize(
    ("game", "clause"),
    [("l5r", "FFG-SWISS-FIRST"), ("legion", "FFG-SWISS-FIRST"), ("ashes", "AOP-PAIR")],
)
def test_a_judge_s_swap_is_refused_by_the_clause_of_pairings(game: str, clause: str) -> None:
    """FFG-SWISS-FIRST: seats are the desk's; no rematch was in question, so not FFG-REMATCH."""
    day = Day(4, ruleset=game)
    day.do(AppointOfficial("Two", ("co-organizer",) if game == "ashes" else ("judge",)))
    day.start(3)
    (first, second) = day.pair()
    event = SeatsSwapped(1, (first.first, second.first), "they asked")
    refused = day.refused_event(event, by="o2")
    assert clause in refused
    assert "FFG-REMATCH" not in refused
