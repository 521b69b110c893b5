"""Forfeits by every ruleset, against a second computation: what they are worth, whom they bring.

An event is a list of what each round was to each player. Whoever did not come, and whoever came,
has what the section says; the tie-breaks are computed of these entries from their published texts.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from cli.render.trees import phrase
from cli.wording.ruleset_words import in_words
from ledger.errors import InvalidRuleset
from ledger.exchange.foreign import under_forfeits
from ledger.exchange.programs import program_of, read_program
from ledger.facts.results import absence, problems
from ledger.problems import Problem
from ledger.rulesets import Forfeit, ForfeitWorth, names, parse, text_of, with_forfeits
from projections.explain import explain
from projections.reproduction import reproduce
from projections.standings.table import crosstable_of, everyone
from projections.standings.tiebreakers import Evaluation
from tests.projections.explain.test_explain import Again
from tests.support.chance.random_held_events import held_event
from tests.support.chance.recorded_events import Played, recorded
from tests.support.examples import seeds
from tests.support.files.program_files import H9
from tests.truth.tiebreaker_truth import Entry, Truth
from tests.truth.ties.test_tiebreak_truth import first_edition, first_of_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.rulesets import Ruleset
    from ledger.tournament.state import Tournament
    from projections.explain import Explanation

PLAIN = ("ashes", "l5r", "legion", "mtg", "netrunner", "runewars", "swiss", "xwing2")
"""Rulesets whose tie-breaks are of all opponents; the others are in test_tiebreak_truth.py."""

CASES = [pytest.param(each, marks=() if each < 4 else pytest.mark.slow) for each in seeds(40)]
CAME = ("W", "W", "L", "L", "+-", "-+", "--")


def section(rules: Ruleset, chance: random.Random) -> Forfeit:
    """A section by chance: any entry may be left out, but not all."""

    def worth(most: int) -> ForfeitWorth | None:
        fields = {one.name: chance.randint(max(one.min, 0), one.max) for one in rules.fields}
        if "games" in fields:
            fields["games"] = chance.randint(1, 3)
        given = fields if chance.random() < 0.5 else {}
        return ForfeitWorth(chance.randint(0, most), given) if chance.random() < 0.7 else None

    absent, present = worth(2), worth(5)
    is_bare = absent is None and present is None
    return Forfeit("T-FORFEIT", absent, present, met=is_bare or chance.random() < 0.7)


def rounds_of(chance: random.Random, players: int) -> list[list[Played]]:
    """Rounds by chance, rematches among them, with a bye where the number is odd."""
    rounds = []
    for _ in range(chance.randint(1, 5)):
        seats = chance.sample(range(1, players + 1), players)
        tables = [
            Played(first, second, chance.choice(CAME))
            for first, second in zip(seats[::2], seats[1::2], strict=False)
        ]
        rounds.append([*tables, Played(seats[-1], 0)] if players % 2 else tables)
    return rounds


def entries_of(event: Tournament, rules: Ruleset, forfeit: Forfeit | None) -> Iterator[Entry]:
    """What each round was to each player; forfeits by the section, games as they were reported."""
    for round_ in event.rounds:
        for match in round_.matches:
            if match.is_bye:
                bye = rules.bye
                yield Entry(round_.number, 1, match.first, bye.points, "B", 0, dict(bye.fields))
                continue
            result = match.result
            assert result is not None
            for side, (player, other) in enumerate(
                ((match.first, match.second), (match.second, match.first))
            ):
                letter = rules.records[result.outcomes[side]]
                points, opponent = result.points[side], other
                fields = {label: values[side] for label, values in result.fields.items()}
                if result.manner == "no-show":
                    given = forfeit and (forfeit.absent if letter == "L" else forfeit.present)
                    worth = given or (rules.unpaired_loss if letter == "L" else rules.bye)
                    points, fields = worth.points, dict(worth.fields)
                    opponent = other if forfeit and forfeit.met else 0
                yield Entry(round_.number, 1, player, points, letter, opponent, fields)


def formulas(truth: Truth) -> dict[str, Callable[[int], Fraction]]:
    """The tie-breaks of the plain rulesets, by their codes."""

    def buchholz(player: int) -> Fraction:
        return Fraction(sum(map(truth.points, truth.opponents(player))))

    known = ("SOS", "ESOS", "MOV", "TOEP", "BLOOD", "OMW", "GW", "OGW")
    made = {code: (lambda player, code=code: truth.value(code, player)) for code in known}
    return {**made, "BUCHHOLZ": buchholz}


def values(event: Tournament) -> dict[str, list[Fraction]]:
    rules = event.ruleset
    work = Evaluation(crosstable_of(event), rules.tiebreakers, rules)
    results = {code: work.of(one).result for code, one in rules.in_force.items()}
    players = range(1, len(event.players))
    return {code: [of.value(player) for player in players] for code, of in results.items()}


def event_of(text: str, chance: random.Random) -> Tournament:
    players = chance.randint(3, 8)
    return recorded(text, [{}] * players, rounds_of(chance, players))


@pytest.mark.parametrize("key", PLAIN)
@pytest.mark.parametrize("seed", CASES)
def test_points_and_tiebreaks_follow_from_the_section(seed: int, key: str) -> None:
    chance = random.Random(f"{key} {seed}")
    plain = parse(text_of(key))
    forfeit = section(plain, chance)
    event = event_of(with_forfeits(text_of(key), forfeit, "forfeits"), chance)
    truth = Truth(list(entries_of(event, plain, forfeit)))
    players = range(1, len(event.players))
    points = {row.player: row.points for row in everyone(event).rows}
    assert points == {player: truth.points(player) for player in players}
    expected = formulas(truth)
    for code, found in values(event).items():
        assert found == [expected[code](player) for player in players], code


@pytest.mark.parametrize("key", PLAIN)
@pytest.mark.parametrize("seed", CASES[:8])
def test_each_can_be_taken_apart(seed: int, key: str) -> None:
    """Every node follows from its terms, and an opponent who counts by forfeit is marked."""
    chance = random.Random(f"{key} {seed}")
    forfeit = replace(section(parse(text_of(key)), chance), met=True)
    event = event_of(with_forfeits(text_of(key), forfeit, "forfeits"), chance)
    again, found = Again(event), values(event)
    for code, numbers in found.items():
        for player, value in enumerate(numbers, start=1):
            root = explain(event, player, code)
            assert again.of(root) == root.value == value, (player, code)
    over = [one.code for one in event.ruleset.in_force.values() if one.over == "opponents"]
    texts = list(_phrases(explain(event, 1, over[0]), None, event))
    marked = sum("(forfeit)" in text for text in texts)
    matches = [match for round_ in event.rounds for match in round_.matches if 1 in match.players]
    results = [match.result for match in matches if match.result]
    assert marked == sum(result.manner == "no-show" for result in results)


def _phrases(
    node: Explanation, parent: Explanation | None, event: Tournament, depth: int = 1
) -> Iterator[str]:
    yield phrase(node, parent, event)
    for term in node.terms if depth else ():
        yield from _phrases(term, node, event, depth - 1)


@pytest.mark.parametrize("key", names())
def test_a_section_that_says_what_is_so_anyway_changes_no_number(key: str) -> None:
    text = first_edition() if key == "mcmahon" else text_of(key)
    rules = parse(text)
    assert rules.forfeit is None
    absent, present = (
        ForfeitWorth(worth.points, worth.fields) for worth in (rules.unpaired_loss, rules.bye)
    )
    same = with_forfeits(text, Forfeit("T-FORFEIT", absent, present), "the same")
    for seed in range(5):
        numbers = [{one.name: one.default or one.min for one in rules.numbers}] * 5
        rounds = rounds_of(random.Random(seed), 5)
        before, after = (recorded(each, numbers, rounds) for each in (text, same))
        assert values(before) == values(after)
        assert everyone(before).rows == everyone(after).rows


@pytest.mark.parametrize("key", names())
def test_the_section_goes_into_a_text_once(key: str) -> None:
    """A later one replaces an earlier one; all else of the text stays as it was."""
    text, rules = text_of(key), parse(text_of(key))
    fields = {one.name: one.max for one in rules.fields}
    sections = (
        Forfeit("T-FORFEIT", ForfeitWorth(0), None, met=True),
        Forfeit("T-FORFEIT", None, ForfeitWorth(3, fields)),
        Forfeit("T-FORFEIT", ForfeitWorth(1, fields), ForfeitWorth(2), met=True),
    )
    changed = text
    for one in sections:
        changed = with_forfeits(changed, one, "x")
        assert parse(changed).forfeit == one
        assert changed.count("\n[forfeit]\n") == 1
    assert parse(changed).edition == f"{rules.edition}, x, x, x"
    again = replace(parse(changed), forfeit=rules.forfeit, edition=rules.edition)
    assert again == rules


WRONG = (
    ("met = false", "forfeit: declares nothing; give absent, present or met = true"),
    ("", "forfeit: declares nothing; give absent, present or met = true"),
    ("absent = { points = -1 }", "forfeit, absent, points"),
    ("absent = { point = 1 }", "forfeit, absent"),
    ("present = 3", "forfeit, present"),
    ('met = "yes"', "forfeit, met"),
    ("late = true", "forfeit"),
    (
        "present = { points = 1, fields = { wounds = 2 } }",
        "forfeit.present, fields: no field 'wounds' is declared",
    ),
    (
        "absent = { points = 1, fields = { blood = 9999 } }",
        "forfeit.absent, fields: blood must be from 0 to 25, not 9999",
    ),
)


@pytest.mark.parametrize(("entries", "problem"), WRONG)
def test_what_is_wrong_with_a_section_is_said_with_its_place(entries: str, problem: str) -> None:
    text = f'{text_of("ashes")}\n[forfeit]\nclause = "T-FORFEIT"\n{entries}\n'
    with pytest.raises(InvalidRuleset) as caught:
        parse(text)
    assert any(problem in sentence for sentence in caught.value.sentences)


def test_a_ruleset_says_in_words_what_a_forfeit_is_worth() -> None:
    lines = [(text, clause) for about, text, clause in in_words(parse(text_of("mcmahon")))
             if about == "forfeit"]  # fmt: skip
    assert lines == [
        ("0 points for the player who did not come", "GO-FORFEIT"),
        ("1 point for the player who came", "GO-FORFEIT"),
        ("the other player of the match counts as an opponent for tiebreakers", "GO-FORFEIT"),
    ]
    assert not [about for about, *_ in in_words(parse(text_of("l5r"))) if about == "forfeit"]


def test_another_worth_than_that_of_the_section_is_refused() -> None:
    rules, before = parse(text_of("mcmahon")), parse(first_edition())
    for absent in ((True, False), (False, True), (True, True)):
        own, other = absence(rules, absent), absence(before, absent)
        assert not problems(rules, own, elimination=False)
        (problem,) = problems(rules, other, elimination=False)
        assert isinstance(problem, Problem)
        assert (problem.code, problem.clause) == ("result.unplayed", "GO-FORFEIT")
        assert not problems(before, other, elimination=False)
    stones = {"given": (2, 0), "received": (0, 2)}
    own = replace(absence(rules, (True, False)), fields=stones)
    assert not problems(rules, own, elimination=False)
    assert problems(
        before, replace(absence(before, (True, False)), fields=stones), elimination=False
    )
    assert problems(rules, replace(own, fields={"given": (99, 0)}), elimination=False)


def go_files(seed: int) -> tuple[bytes, bytes, dict[str, list[Fraction]]]:
    """An event by chance as a file of each layout, and the numbers that OpenGotha publishes.

    A win is 1, played or not; who did not come, or lost, has nothing. A score is what the player
    began with and the wins; a sum has, for each round, the opponent's score (played or not), with
    the stones that the player gave and without those received, or else what the player began with.
    """
    chance = random.Random(seed)
    size, held = chance.randint(4, 9), chance.randint(2, 5)
    start = [chance.randint(20, 34) for _ in range(size)]
    rounds: list[dict[int, tuple[int, str, str, int]]] = []
    for _ in range(held):
        seats = chance.sample(range(size), size)
        row = {seats.pop(): (-1, "+", "", 0)} if size % 2 else {}
        for white, black in zip(seats[::2], seats[1::2], strict=True):
            mark, stones = chance.choice(("+-", "-+", "!+-", "!-+", "!--")), chance.choice((0, 2))
            between = "!" if mark[0] == "!" else "/"
            row[white] = (black, mark[-2], f"{between}w{stones}", stones)
            row[black] = (white, mark[-1], f"{between}b{stones}", -stones)
        rounds.append(row)

    def wins(player: int) -> int:
        return sum(row[player][1] == "+" for row in rounds)

    def score(player: int) -> int:
        return start[player] + wins(player)

    def sums(player: int, worth: Callable[[int], int], own: int, *, stones: bool) -> int:
        met = [row[player] for row in rounds]
        return sum(
            worth(other) + (more if stones else 0) if other >= 0 else own for other, *_, more in met
        )

    def sos(player: int) -> int:
        return sums(player, score, start[player], stones=True)

    def sosos(player: int) -> int:
        return sums(player, sos, start[player] * held, stones=False)

    order = sorted(range(size), key=lambda p: (score(p), sos(p), sosos(p)), reverse=True)
    line = {player: place for place, player in enumerate(order, start=1)}
    lines = ["; EV[Chance]", "; DT[2026-03-14]", "; Pl Name   Rk Co Club  MMS SOSM SOSOSM"]
    for player in order:
        about = f"P{player} Go {_rank(start[player])} EN Lond"
        marks = " ".join(
            f"{line[row[player][0]] if row[player][0] >= 0 else 0}{row[player][1]}{row[player][2]}"
            for row in rounds
        )
        numbers = f"{score(player)} {sos(player)} {sosos(player)}"
        lines.append(f"{line[player]} {about} {numbers} {marks}")
    published = {
        "points": [Fraction(score(player)) for player in range(size)],
        "SOSM": [Fraction(sos(player)) for player in range(size)],
        "SOSOSM": [Fraction(sosos(player)) for player in range(size)],
    }
    return "\n".join(lines).encode(), _gotha(start, rounds), published


def _rank(start: int) -> str:
    return f"{30 - start}K" if start < 30 else f"{start - 29}D"


def _gotha(start: list[int], rounds: Sequence[dict[int, tuple[int, str, str, int]]]) -> bytes:
    """The document of OpenGotha, which publishes no standings."""
    people = [
        f'<Player name="P{player}" firstName="Go" rank="{_rank(one)}" rating="2000"/>'
        for player, one in enumerate(start)
    ]
    words = {"+-": "WHITEWINS", "-+": "BLACKWINS", "--": "BOTHLOSE"}
    games, byes = [], []
    for number, row in enumerate(rounds, start=1):
        for player, (other, mark, said, stones) in row.items():
            if other < 0:
                byes.append(f'<ByePlayer player="P{player}GO" roundNumber="{number}"/>')
            elif said[1] == "w":
                by = "_BYDEF" if said[0] == "!" else ""
                result = f"RESULT_{words[mark + row[other][1]]}{by}"
                games.append(
                    f'<Game roundNumber="{number}" whitePlayer="P{player}GO" '
                    f'blackPlayer="P{other}GO" handicap="{stones}" result="{result}"/>'
                )
    about = (
        '<GeneralParameterSet name="Chance" beginDate="2026-03-14" genMMBar="9D" genMMFloor="30K"/>'
    )
    whole = "".join(
        f"<{tag}>{''.join(inside)}</{tag}>"
        for tag, inside in (
            ("Players", people), ("Games", games), ("ByePlayers", byes),
            ("TournamentParameterSet", [about]),
        )
    )  # fmt: skip
    return f'<?xml version="1.0"?><Tournament>{whole}</Tournament>'.encode()


@pytest.mark.parametrize("seed", CASES)
def test_a_file_of_go_gives_the_numbers_that_its_program_publishes(seed: int) -> None:
    """In both layouts; by the ruleset's first edition forfeits follow otherwise."""
    h9, gotha, published = go_files(seed)
    foreign = read_program(str(program_of(h9)), h9)
    found = reproduce(foreign)
    assert not found.comparison.wrong
    assert found.comparison.numbers >= 3 * len(foreign.players)
    for data in (h9, gotha):
        read = read_program(str(program_of(data)), data)
        event = reproduce(read).tournament
        places = {name.split()[0]: number for number, name in _names(event).items()}
        order = [places[f"P{player}"] for player in range(len(places))]
        points = {row.player: row.points for row in everyone(event).rows}
        assert [Fraction(points[player], 2) for player in order] == published["points"]
        numbers = values(event)
        for code in ("SOSM", "SOSOSM"):
            assert [numbers[code][player - 1] for player in order] == published[code], code


def _names(event: Tournament) -> dict[int, str]:
    return {each.number: event.names[f"p{each.number}"] for each in event.registered()}


def test_a_reading_counts_forfeits_in_another_way() -> None:
    """What an import may try: the section goes into the text, and the results follow."""
    foreign = read_program("h9", H9.encode())
    rules = parse(foreign.ruleset)
    assert rules.forfeit is not None
    other = Forfeit("GO-FORFEIT", ForfeitWorth(1), ForfeitWorth(2))
    changed = under_forfeits(foreign, other, "absent for half")
    assert parse(changed.ruleset).edition.endswith(", absent for half")
    results = [game.result for each in changed.swiss for game in each.games]
    unplayed = [result for result in results if result and result.manner == "no-show"]
    assert [sorted(result.points) for result in unplayed] == [[1, 2]]
    played = {id(game) for each in foreign.swiss for game in each.games}
    assert sum(id(game) not in played for each in changed.swiss for game in each.games) == 1
    assert under_forfeits(changed, rules.forfeit).swiss == foreign.swiss


@pytest.mark.parametrize("seed", CASES)
def test_in_chess_forfeits_that_count_are_games_of_the_direct_encounter(seed: int) -> None:
    """With the section a code that counts games gives what the code for forfeits as games gives."""
    forfeit = Forfeit("T-FORFEIT", ForfeitWorth(0), ForfeitWorth(2), met=True)
    found = []
    for code in ("DE", "DEP"):
        text = with_forfeits(first_of_all(text_of("fide"), code), forfeit, "forfeits")
        event = held_event(text, seed, "2026-05-01", {"half": ("asked", 1), "full": ("bye", 2)})
        found.append(values(event.tournament)[code])
        rules = event.tournament.ruleset
        assert {one.rounds for one in rules.tiebreakers} == {("met", "won", "lost")}
    assert found[0] == found[1]


def test_a_forfeit_that_counts_may_be_worth_more_than_any_game() -> None:
    plain = parse(text_of("swiss"))
    most = plain.most_points
    for met in (True, False):
        forfeit = Forfeit("T-FORFEIT", None, ForfeitWorth(most + 2), met=met)
        rules = parse(with_forfeits(text_of("swiss"), forfeit, "forfeits"))
        assert rules.most_points == most + 2 * met
