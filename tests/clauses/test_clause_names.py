"""What is refused and found names the clause of the game in play, not that of another game."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger import rulesets
from ledger.errors import Refused
from ledger.facts.base import Waiver
from ledger.facts.clock import ExtraTimeAnnounced, PaceModerated
from ledger.facts.results import ResultReported
from ledger.facts.rounds import RoundPaired, SeatsSwapped
from ledger.facts.setups import (
    DraftGroupsDrawn,
    FirstFiveReviewed,
    TerrainAnnounced,
    VerificationOrdered,
    missing_parts,
)
from ledger.facts.shared import Result, Stage
from ledger.rules.office import Penalize
from ledger.rules.opening import AppointOfficial, ChangeStructure, StartTournament
from ledger.rules.pairing import PairRound
from ledger.rules.people import DisqualifyPlayer, RejoinPlayer
from ledger.rules.rounds import CloseRound, SwapSeats
from ledger.rulesets import ruleset
from ledger.rulesets.clauses import clauses_of, prefix_of, prefixes_of_games
from projections.audit.findings import KINDS, findings_of, kind_in
from tests.house.code import SOURCES, name_of, tree_of
from tests.support.simulate import Day, game_in_play

if TYPE_CHECKING:
    from collections.abc import Iterator

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


OF_NO_CLAUSE = {
    "the form of a log: no desk writes such a line": """
        line.* amend.not_last confirmation.unknown deck_checks.next deck_checks.tables
        official.next_number official.role_twice ranks.next registration.next_number
        registration.rank_early repair.games repair.other_players repair.players repair.tables
        result.other round.attempt round.empty round.not_next round.results_named seat.changed
        seat.first seat.not_next posting.not_written
    """,
    "how the program proves what happened: keys, signatures, heads, slips, draws": """
        key.* takeover.* signature.* slips.* finish.no_such_key finish.wrong_key draws.* draw_key.*
        hidden_key.* start.head_late start.head_recorded start.head_root start.head_size
        start.head_unsigned start.log_key_absent start.cosignature_wrong start.cosigned start.none
        start.no_witness start.word start.word_spelling word.* opening.log_key
        opening.no_commitment opening.one_commitment opening.same_commitment opening.witness
        opening.witness_without_key
    """,
    "links, check-in and requests for registration are the hall's": """
        link.* check_in.* request.* authority.check_in
    """,
    "no text says who types a result, or that one is confirmed": """
        authority.their_words authority.not_at_match authority.others_words confirmation.counted
        confirmation.counts confirmation.late confirmation.made confirmation.own result.reported
    """,
    "files and texts: a ruleset, a format, an import, a date, a clause": """
        format.* ruleset.* import.* opening.date opening.name_missing clause.*
    """,
    "names and persons: data protection and the league": """
        person.* name.* league_id.* amend.forgotten amend.nothing registration.attribute
        registration.number
    """,
    "the file of a log in place of a store, a page in place of a terminal, a changed sheet": """
        file.no_tournament file.not_granted page.not_granted page.instead register.differs
    """,
    "nobody, nothing or nowhere of that name or number": """
        player.unknown official.unknown match.unknown player.absent player.elsewhere
        player.not_at_match official.not_registered round.unknown repair.table_unknown
        repair.unknown undo.unknown call.none
    """,
    "there is nothing yet, or no longer, that the act is about": """
        result.missing result.nothing_to_correct repair.none repair.no_round list.nothing_hidden
        match.ended call.answered call.waits official.is_player official.plays_already
        swap.same_table seat.full
    """,
    "the game has none of this: it has no clause of it": """
        given_out.none scenario.none setup.none draft.none first.none chooser.none side.none
        battle.none terrain.none verification.none first_five.none pace.none
    """,
    "undoing is the program's": """
        result.not_reporter undo.nothing undo.own_link undo.stays undo.stays_because
        undo.not_last_call undo.not_last_pause
        result.closed result.confirmed round.not_last_closed seat.changed_since seat.not_last
    """,
    "the page showed something else meanwhile": "seen.* result.another_now again.*",
    "what is typed says too little: a note, a call, a seat, a range": """
        note.empty note.match_or_player call.nobody seat.nobody seat.players prize.ranks
    """,
    "a limit of the program": "registration.players_max stage.recorded structure.import_only",
}
"""Why the codes of refusals have no clause; `*` stands for all codes of a kind."""

FOLDERS = (
    "ledger/rules/",
    "ledger/facts/",
    "ledger/tournament/",
    "cli/desk/",
    "cli/input/",
    "cli/verbs/day/",
    "cli/verbs/table/",
)
"""Where an act is refused: by the rules, by what they read, and by a verb before they are asked."""

OF_THE_DESK = {"page.no_files", "undo.none"}
"""A file that a page cannot read, and acts of which none was undone: the desk's own."""


def calls_of(*names: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call of these functions in FOLDERS, with its file."""
    for path in SOURCES:
        for node in ast.walk(tree_of(path)) if name_of(path).startswith(FOLDERS) else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                yield name_of(path), node


def without_a_clause() -> set[str]:
    """The codes of the problems whose rules name none, in the rules, what they read and verbs."""
    found = set()
    for _, call in calls_of("problem", "in_words"):
        named = {keyword.arg for keyword in call.keywords}
        is_in_words = getattr(call.func, "id", "") == "in_words"
        code = call.args[is_in_words] if len(call.args) > 1 else None
        if isinstance(code, ast.Constant) and "clause" not in named:
            found.add(str(code.value))
    return found


def reasons_of(code: str) -> list[str]:
    """Why a code is without a clause, by each row that has it."""
    kind = f"{code.partition('.')[0]}.*"
    return [why for why, codes in OF_NO_CLAUSE.items() if {code, kind} & {*codes.split()}]


def test_every_refusal_names_its_clause_or_says_why_it_has_none() -> None:
    """By its rule, by its code, or by a row above; no row outlives its codes."""
    without = without_a_clause() - OF_THE_DESK - CITED_BY_THEIR_SENTENCES
    rest = without - set(ruleset.clauses())
    assert [code for code in sorted(rest) if len(reasons_of(code)) != 1] == []
    used = rest | {f"{code.partition('.')[0]}.*" for code in rest}
    assert {code for codes in OF_NO_CLAUSE.values() for code in codes.split()} <= used


BARE = {
    "files, sheets and lists as they are written": """
        cli/desk/file_desk.py cli/desk/list_files.py cli/desk/machine_files.py cli/desk/posted.py
        cli/input/given_files.py
        cli/input/sheets.py cli/verbs/day/lists.py
    """,
    "the dialogue at the desk: an answer, an id, an undo, a name": """
        cli/desk/confirm_breaches.py cli/desk/questions.py cli/desk/remembered.py
        cli/desk/session.py cli/desk/undoing.py cli/input/matches.py cli/verbs/day/opening.py
        cli/verbs/day/registration.py cli/verbs/day/report.py
    """,
    "the witness of the start": "cli/desk/acts.py",
}
"""Where a verb refuses in a sentence without a code, which has no clause: what it is about."""


def _is_sentence(argument: ast.expr) -> bool:
    is_phrase = isinstance(argument, ast.Call) and getattr(argument.func, "id", "") == "phrase"
    return is_phrase or isinstance(argument, ast.Constant | ast.JoinedStr)


def test_a_verb_refuses_an_act_by_a_code() -> None:
    """A sentence of its own is for what no regulation is about."""
    bare = {
        name
        for name, call in calls_of("Refused")
        if name.startswith("cli/") and any(map(_is_sentence, call.args))
    }
    assert bare == {name for names in BARE.values() for name in names.split()}


CITED_BY_THEIR_SENTENCES = {"result.rules", "list.hidden"}
"""Their sentences end with the clause, which is the problem's."""


@pytest.mark.parametrize(
    ("sentence", "text", "clause"),
    [
        ("a province stays broken (L5R-TIME)", "a province stays broken", "L5R-TIME"),
        ("too late (FFG-LIST, AOP-DECK)", "too late", "FFG-LIST, AOP-DECK"),
        ("no player 'Ann (RW-X) Lee'", "no player 'Ann (RW-X) Lee'", ""),
        ("nobody (yet)", "nobody (yet)", ""),
    ],
)
def test_a_sentence_s_clause_is_its_problem_s(sentence: str, text: str, clause: str) -> None:
    """Whatever a ruleset says in words has its clause for programs, too."""
    (problem,) = Refused(sentence).problems
    assert (problem.about["text"], problem.clause) == (text, clause)
    assert str(problem) == sentence


@pytest.mark.parametrize("game", ["l5r", "runewars", "legion", "ashes"])
def test_every_clause_of_a_refusal_is_one_of_the_game(game: str) -> None:
    """So `clause` finds it, and a page has a link to its text."""
    loaded = rulesets.load(game)
    opening = Day(0, ruleset=game).tournament.opening
    assert opening is not None
    known = clauses_of(opening, loaded.ruleset)
    cited = {
        label: code
        for code, clauses in ruleset.clauses().items()
        if code not in FOR_ASHES
        for label in loaded.ruleset.cites(clauses).split(", ")
    }
    assert {label: code for label, code in cited.items() if label not in known} == {}


@pytest.mark.parametrize(
    ("game", "result", "clause"),
    [
        ("l5r", Result(("win", "win"), (10, 10)), "L5R-SCORE"),
        ("l5r", Result(("win", "loss"), (9, 1)), "L5R-SCORE"),
        ("legion", Result(("win", "loss"), (1, 0), fields={"x": (1, 0)}), "SWL-OUTCOME"),
        ("runewars", Result(("win", "loss"), (6, 5), fields={"mov": (9, 0)}), "RW-OUTCOME"),
        ("ashes", Result(("draw", "draw"), (1, 1), fields={"blood": (1, 1)}), "AOP-OUTCOME"),
    ],
)
def test_an_impossible_result_names_what_forbids_it(game: str, result: Result, clause: str) -> None:
    """L5R-SCORE and the like, where a log or a form says a result that the game has not."""
    day = Day(4, ruleset=game)
    day.start(3)
    match = day.pair()[0]
    refused = day.refused_event(ResultReported(match.number, result))
    assert f"({clause})" in refused


def test_no_code_has_a_clause_that_nothing_refuses_by() -> None:
    assert sorted(set(ruleset.clauses()) - without_a_clause()) == []


FOR_ASHES = {"draft.attempt", "first_five.not_playing"}
"""Codes that are refused in Ashes alone."""

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
    assert strange <= FOR_ASHES


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
