"""The clauses on battle cards: what is played, and that nobody sees it while the event runs."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from ledger.facts.battle_cards import Battle, sealed
from ledger.facts.opening import TournamentFinished
from ledger.facts.rounds import TablesRepaired
from ledger.facts.shared import BattleBuilt
from ledger.fold import evolve
from ledger.lines.recorded import record
from ledger.rules.elimination import FinishTournament
from ledger.rules.rounds import CloseRound, SwapSeats
from ledger.rules.setups import BuildBattle, ChooseFirstPlayer, TakeSide
from projections.matches import setups_as_json
from tests.support.days.set_ups import BATTLE, BY_TOTAL, LOWER_CHOOSES, SECOND_CHOOSES, table_of
from tests.support.simulate import Day

if TYPE_CHECKING:
    from ledger.facts.setups import Struck

CARDS = (("o1", "o2", "o3"), ("d1", "d2", "d3"), ("c1", "c2", "c3"))


@pytest.mark.parametrize(
    ("struck", "left"),
    [
        (("pass", "pass", "pass", "pass"), ("o1", "d1", "c1")),
        (("objective", "pass", "objective", "condition"), ("o3", "d1", "c2")),
        (("deployment", "deployment", "pass", "condition"), ("o1", "d3", "c2")),
        (("objective", "objective", "objective", "pass"), None),
    ],
)
def test_swl_setup(
    struck: tuple[Struck, Struck, Struck, Struck], left: tuple[str, str, str] | None
) -> None:
    """SWL-SETUP: the leftmost left is played, the last of a kind stays, blue's choice first."""
    day, match, one, _ = table_of(LOWER_CHOOSES + BATTLE)
    order = BuildBattle(match, *CARDS, struck)
    if left is None:
        day.do(TakeSide(match, one, totals=(1, 2)))
        assert "last card of a kind" in day.refused(order)
        return
    assert "sides must be chosen" in day.refused(order)
    day.do(TakeSide(match, one, totals=(1, 2)))
    twice = (("o1", "o1", "o3"), *CARDS[1:])
    assert "three different" in day.refused(BuildBattle(match, *twice, struck))
    day.do(order)
    assert day.do(order) == []
    shown: Any = setups_as_json(day.tournament, day.tournament.rounds[0])
    assert shown["tables"][0]["battle"] is None
    day.report_all()
    day.do(CloseRound())
    day.do(FinishTournament())
    shown = setups_as_json(day.tournament, day.tournament.rounds[0])
    assert shown["tables"][0]["battle"] == list(left)


def sealed_day(key: bytes = b"k" * 32) -> tuple[Day, int]:
    day = Day(2, ruleset="swiss", floor=LOWER_CHOOSES + BATTLE, hidden_key=key)
    day.start(1)
    match = day.pair()[0]
    day.do(TakeSide(match.number, match.first, totals=(1, 2)))
    return day, match.number


def test_swl_hidden_no_line_of_a_running_event_tells_a_card() -> None:
    """SWL-HIDDEN: not in the lines that are exported, nor by their length."""
    day, match = sealed_day()
    day.do(BuildBattle(match, *CARDS, ("pass",) * 4))
    day.do(
        BuildBattle(match, ("a rather long objective", "x" * 60, "z"), *CARDS[1:], ("pass",) * 4)
    )
    lines = [line for line in day.lines if b"BattleBuilt" in line]
    assert len({len(line) for line in lines}) == 1
    for card in ("objective", "xxx", "pass", "struck"):
        assert all(card.encode() not in line.split(b'"data"')[1] for line in lines)


def test_the_seal_is_the_one_that_its_page_describes() -> None:
    """SWL-HIDDEN: opened with the revealed key by what its page says, written again."""
    day, match = sealed_day(b"some key" * 4)
    struck: tuple[Struck, Struck, Struck, Struck] = ("objective", "pass", "condition", "pass")
    day.do(BuildBattle(match, *CARDS, struck))
    key = hmac.new(b"some key" * 4, b"tourney hidden 2", hashlib.sha512).digest()
    label = [b"5" * 32, b"battle", str(match).encode()]
    sealed = bytes.fromhex(day.tournament.floor.battles[match].sealed)
    text = AESSIV(key).decrypt(sealed, label)
    assert len(text) == 512
    assert json.loads(text.rstrip(b"\0").removesuffix(b"\x80"))["struck"] == list(struck)


def test_the_last_event_opens_every_battle_or_is_none() -> None:
    """SWL-HIDDEN, SWL-SETUP: a seal of another key, or of cards against the rules, is found out."""
    struck: tuple[Struck, Struck, Struck, Struck] = ("pass",) * 4
    fair = Battle(*CARDS, struck)
    unfair = Battle(*CARDS, ("objective", "objective", "objective", "pass"))
    for key, battle, problem in (
        (b"k" * 32, fair, ""),
        (b"another" * 4, fair, "do not open"),
        (b"k" * 32, unfair, "the last card of a kind cannot be struck out"),
    ):
        day, match = sealed_day()
        built = BattleBuilt(match, sealed(day.tournament, key, match, battle))
        assert not day.refused_event(built)
        day.log.append(
            record(day.tournament.seq + 1, "forged", "2026-03-14T10:00:00.000Z", "o1", built)
        )
        day.tournament = day.folded(day.log)
        day.report_all()
        day.do(CloseRound())
        finished = TournamentFinished(day.context.shuffle_key.hex(), (b"k" * 32).hex())
        assert problem in day.refused_event(finished)
        assert bool(problem) == bool(day.refused_event(finished))


def test_without_the_key_nothing_is_sealed() -> None:
    day, match = sealed_day()
    day.context = msgspec.structs.replace(day.context, hidden_key=b"")
    assert "SWL-HIDDEN" in day.refused(BuildBattle(match, *CARDS, ("pass",) * 4))


def test_others_at_the_table_set_it_up_anew() -> None:
    """SWL-SIDES: a swap or a repair voids the sides; another blue or first player what follows."""
    day = Day(4, ruleset="swiss", floor=LOWER_CHOOSES + BATTLE)
    day.start(1)
    one, other = day.pair()
    day.do(TakeSide(one.number, one.first, totals=(1, 2)))
    day.do(BuildBattle(one.number, *CARDS, ("pass",) * 4))
    assert one.number in day.tournament.floor.battles
    day.do(TakeSide(one.number, one.second, totals=(1, 2)))
    assert one.number not in day.tournament.floor.battles
    day.do(SwapSeats((one.first, other.first), "a wrong table"))
    assert day.tournament.floor.sides == {}
    day.do(TakeSide(one.number, one.first, totals=(1, 2)))
    games = ((one.first, other.second), (other.first, one.second))
    were = ((one.first, one.second), (other.first, other.second))
    repaired = TablesRepaired(1, (one.table, other.table), games, were, "by hand", "why")
    evolve(
        day.tournament,
        record(day.tournament.seq + 1, "repair", "2026-03-14T09:00:00.000Z", "o1", repaired),
    )
    assert day.tournament.floor.sides == {}
    second, match, first, two = table_of(BY_TOTAL + SECOND_CHOOSES)
    second.do(ChooseFirstPlayer(match, first, totals=(190, 200)))
    second.do(TakeSide(match, blue=two))
    second.do(ChooseFirstPlayer(match, two, totals=(190, 200)))
    assert second.tournament.floor.sides == {}


def test_nobody_chooses_against_a_bye() -> None:
    day = Day(3)
    day.start(2)
    bye = next(match for match in day.pair() if 0 in match.players or len(match.players) == 1)
    for order in (
        ChooseFirstPlayer(bye.number, bye.first, totals=(190, 0)),
        ChooseFirstPlayer(bye.number, bye.first, rolls=((1, 6),)),
    ):
        assert "name the player who chose" in day.refused(order)
