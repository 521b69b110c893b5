"""Two desks that lost sight of each other: random acts behind a common beginning, on each its own.

All goes through the commands, as at a desk. What both desks enter by themselves is often the same,
as where the same slips lie on both tables, and some acts reach both with one id, as from a phone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from ledger.errors import LedgerError
from ledger.facts.shared import Stage
from ledger.fold import fold
from ledger.lines.line import encode
from ledger.proof import notes
from ledger.proof.formats import Tree
from ledger.proof.notes import Signer, base64_of
from ledger.proof.signatures import possession
from ledger.rules import clock, disputes, elimination, office, people, rounds
from ledger.rules.command import Command
from ledger.rules.keys import RegisterKey
from ledger.rules.opening import (
    AppointOfficial,
    ApproveRegistration,
    AskRegistration,
    RefuseRegistration,
)
from ledger.rules.pairing import PairRound
from ledger.rules.people import Entry
from ledger.rules.results import Concede, Correct, Report, StatedResult
from ledger.rules.signing import signing_with
from ledger.rules.undo import Undo
from ledger.tournament.progress import open_matches, round_in_play
from ledger.tournament.state import Match
from projections.verification import posted_of
from tests.support.simulate import OUTCOMES, Day

if TYPE_CHECKING:
    from ledger.facts.office import PenaltyKind
    from ledger.lines.recorded import Recorded

NUMBER = "7" * 32
NAMES = ("Ada Abe", "Bo Bianchi", "Cy Costa", "Di Duval", "Ed Eriksen", "Fay Farkas", "Gil Gallo")
LATE = ("Late Larry", "Late Lena", "Late Lou")
"""Who comes late is registered at either desk, or at both."""

JUDGE = 2
MARSHAL = 3


class Desks(NamedTuple):
    """The logs of both desks, and how many of their first events are common."""

    common: int
    ours: Day
    theirs: Day

    def copied(self, log: list[Recorded]) -> Day:
        """A desk of the same day with another log."""
        copy = copied(self.ours)
        copy.log, copy.tournament = list(log), fold(log)
        tree = Tree().add_lines(map(encode, log))
        copy.context = structs.replace(copy.context, sign=None, tree=tree)
        return copy


def two_desks(seed: int, *, acts: int = 9) -> Desks:
    """Play a common beginning, and so many acts at each desk; the same seed gives the same."""
    chance = random.Random(seed)
    common = _begun(chance)
    for _ in range(chance.randrange(12)):
        _act(chance, common, "c")
    ours, theirs = (copied(common) for _ in range(2))
    runs_rounds = chance.choice(("a", "b", "b", "ab"))
    for _ in range(acts):
        if chance.random() < 0.15:
            _enter_at_both(chance, ours, theirs)
        for day, desk in ((ours, "a"), (theirs, "b")):
            if chance.random() < 0.8:
                _act(chance, day, desk, runs_rounds=desk in runs_rounds)
    return Desks(len(common.log), ours, theirs)


def _begun(chance: random.Random) -> Day:
    day = Day(list(NAMES[: chance.choice((4, 5, 6, 7))]), number=NUMBER, ruleset=_ruleset(chance))
    day.do(AppointOfficial("Jun Judge", ("judge",)))
    day.do(AppointOfficial("Mara Marshal", ("marshal",)))
    if chance.random() < 0.25:
        _hold_key(day, JUDGE)
    further = [Stage("single", entry="top", size=2)] if chance.random() < 0.3 else []
    day.start(2 if further else 3, *further)
    if chance.random() < 0.8:
        day.pair()
    return day


def _ruleset(chance: random.Random) -> str:
    return chance.choice(("l5r", "l5r", "swiss"))


def key_of(official: int) -> Signer:
    """Return the key of an official of these days."""
    return notes.signer(f"tourney/{NUMBER}/o{official}", bytes([official]) * 32)


def _hold_key(day: Day, official: int) -> None:
    """Let an official hold a key, and their acts be signed at the desk where they are."""
    signer = key_of(official)
    public = base64_of(signer.key.public)
    proof = base64_of(signer.sign(possession(NUMBER, official, public)))
    day.do(RegisterKey(official, public, proof))
    sign = signing_with({signer.key.public: signer})
    day.context = structs.replace(day.context, sign=sign)


def copied(day: Day) -> Day:
    """A desk that goes on by itself from where another one is."""
    copy = object.__new__(Day)
    copy.log, copy.tournament = list(day.log), fold(day.log)
    copy.context = structs.replace(day.context, tree=day.context.tree.copy(), added=[])
    copy._acts = day._acts
    return copy


Make = Callable[[random.Random, Day], tuple[Command, str] | None]
"""Makes an act, and says who enters it; None where there is nothing to do it on."""


def _match(chance: random.Random, day: Day, *, with_result: bool) -> Match | None:
    found = [
        each
        for each in day.tournament.matches[1:]
        if not each.void and not each.is_bye and (each.result is not None) == with_result
    ]
    return chance.choice(found[-6:]) if found else None


def _player(chance: random.Random, day: Day) -> int:
    return chance.choice([each.number for each in day.tournament.registered()])


def _result(chance: random.Random, match: Match) -> StatedResult:
    """A result that both desks hear the same of in most cases."""
    if chance.random() < 0.6:
        return StatedResult(OUTCOMES[:6][(match.number * 3 + match.round) % 6])
    return StatedResult(chance.choice(("win", "loss")))


def _word(chance: random.Random, match: Match) -> str:
    player = chance.choice(match.players)
    return chance.choice(("o1", "o1", f"p{player}", f"o1/p{player}"))


def _report(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=False)
    return (Report(match.number, _result(chance, match)), _word(chance, match)) if match else None


def _correct(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=True)
    if match is None:
        return None
    return Correct(match.number, _result(chance, match), "the slip says otherwise"), "o1"


def _dispute(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=True)
    if match is None:
        return None
    claim = _result(chance, match) if chance.random() < 0.7 else None
    player = chance.choice(match.players)
    return disputes.DisputeResult(match.number, claim, "no"), f"o1/p{player}"


def _confirm(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=True)
    return (
        (
            disputes.ConfirmResult(match.number),
            f"o1/p{chance.choice(match.players)}",
        )
        if match
        else None
    )


def _rule(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=True)
    if match is None:
        return None
    stands = chance.random() < 0.4
    decides = None if stands else _result(chance, match)
    order = office.Rule(JUDGE, "so the slip", match.number, stands=stands, decides=decides)
    return order, f"o{JUDGE}"


def _carry_out(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    rulings = day.tournament.floor.rulings
    return (disputes.CarryOut(chance.choice(rulings).seq), "o1") if rulings else None


def _appeal(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    rulings = [each for each in day.tournament.floor.rulings if each.made.match]
    if not rulings:
        return None
    ruling = chance.choice(rulings)
    player = chance.choice(day.tournament.matches[ruling.made.match].players)
    return disputes.Appeal(ruling.seq, "look again"), f"o1/p{player}"


def _register(chance: random.Random, _: Day) -> tuple[Command, str]:
    return people.RegisterPlayers((Entry(chance.choice(LATE)),)), "o1"


def _seat(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    round_ = round_in_play(day.tournament)
    free = set(day.tournament.active()) - (round_.seated if round_ else set())
    return (rounds.SeatPlayers((chance.choice(sorted(free)),)), "o1") if free else None


def _swap(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    round_ = round_in_play(day.tournament)
    open_ = [player for each in open_matches(round_) for player in each.players] if round_ else []
    if len(open_) < 4:
        return None
    one, other = chance.sample(open_, 2)
    return rounds.SwapSeats((one, other), "a quiet table"), "o1"


def _extend(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=False)
    return (clock.ExtendTable(match.number, 3, "a call"), f"o{JUDGE}") if match else None


def _judge_call(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    match = _match(chance, day, with_result=False)
    return (office.CallJudge(match.number), f"p{match.players[0]}") if match else None


def _answer_call(_: random.Random, day: Day) -> tuple[Command, str] | None:
    calls = [each for each in day.tournament.floor.judge_calls if not each.answered]
    return (office.AnswerCall(calls[0].seq, JUDGE), f"o{JUDGE}") if calls else None


def _note(chance: random.Random, day: Day) -> tuple[Command, str]:
    return office.TakeNote("noted", player=_player(chance, day)), chance.choice(("o1", "o2"))


def _penalize(chance: random.Random, day: Day) -> tuple[Command, str]:
    kind: PenaltyKind = chance.choice(("warning", "match loss"))
    return office.Penalize(_player(chance, day), kind, "slow play"), f"o{JUDGE}"


def _recommend(chance: random.Random, day: Day) -> tuple[Command, str]:
    order = office.RecommendDisqualification(_player(chance, day), "cheating")
    return order, f"o{MARSHAL}"


def _undo(chance: random.Random, _: Day) -> tuple[Command, str]:
    return Undo("undone"), chance.choice(("o1", "o1", f"o{JUDGE}"))


def _post(chance: random.Random, day: Day) -> tuple[Command, str]:
    seen, what = day.tournament, chance.choice(("pairings", "standings"))
    sha256 = posted_of(seen, what, 0)
    return rounds.PostTable(
        "standings" if what == "standings" else "pairings", 0, seen.seq, sha256
    ), "o1"


def _ask(_chance: random.Random, _day: Day) -> tuple[Command, str]:
    return AskRegistration("Walk In"), "o1"


def _approve(chance: random.Random, day: Day) -> tuple[Command, str] | None:
    asked = [each for each in day.tournament.floor.requests if not each.answered]
    if not asked:
        return None
    kind = chance.choice((ApproveRegistration, ApproveRegistration, RefuseRegistration))
    return kind(chance.choice(asked).seq), "o1"


def _appoint(chance: random.Random, _: Day) -> tuple[Command, str]:
    return AppointOfficial(chance.choice(("Sam Scorer", "Sue Scorer")), ("scorekeeper",)), "o1"


def _of_somebody(kind: Callable[[int], Command]) -> Make:
    return lambda chance, day: (kind(_player(chance, day)), "o1")


def _always(command: Command, by: str = "o1") -> Make:
    return lambda _chance, _day: (command, by)


MAKES: tuple[tuple[Make, int], ...] = (
    (_report, 30),
    (_correct, 6),
    (_dispute, 5),
    (_confirm, 3),
    (_rule, 6),
    (_carry_out, 3),
    (_appeal, 2),
    (_register, 5),
    (_seat, 3),
    (_extend, 2),
    (_judge_call, 2),
    (_answer_call, 2),
    (_note, 3),
    (_penalize, 2),
    (_recommend, 1),
    (_undo, 7),
    (_post, 2),
    (_ask, 1),
    (_approve, 2),
    (_appoint, 1),
    (_always(office.StandDown(MARSHAL), f"o{MARSHAL}"), 1),
    (_always(office.Resume(MARSHAL), f"o{MARSHAL}"), 1),
    (_always(office.HandOver(JUDGE)), 1),
    (_always(office.HandOver(MARSHAL, for_now=True)), 1),
    (_of_somebody(people.DropPlayer), 4),
    (_of_somebody(people.RejoinPlayer), 2),
    (_of_somebody(lambda player: people.DisqualifyPlayer(player, "cheating", "FFG-AUTH-DQ")), 1),
    (_of_somebody(lambda player: people.AmendPlayer(player, faction="Crab")), 1),
    (_of_somebody(lambda player: people.WithdrawRegistration(player, "a slip")), 1),
    (_of_somebody(Concede), 1),
    (_always(rounds.OpenCheckIn()), 1),
    (_of_somebody(lambda player: rounds.CheckIn((player,))), 1),
    (_always(clock.PauseRound()), 1),
    (_always(clock.ResumeRound()), 1),
    (_always(elimination.FinishTournament()), 1),
)
"""What happens at a desk, and how often."""

ROUND_MAKES: tuple[tuple[Make, int], ...] = (
    (_swap, 2),
    (_always(elimination.MakeCut()), 4),
    (_always(PairRound()), 14),
    (_always(rounds.UnpairRound("again")), 3),
    (_always(rounds.StartRound()), 5),
    (_always(rounds.CloseRound()), 5),
)
"""What happens in addition at a desk that runs the rounds."""


def _act(chance: random.Random, day: Day, desk: str, *, runs_rounds: bool = True) -> None:
    """Let one thing happen that the rules admit, of a few that are tried."""
    makes = (*MAKES, *ROUND_MAKES) if runs_rounds else MAKES
    kinds = chance.choices([make for make, _ in makes], [weight for _, weight in makes], k=6)
    for make in kinds:
        made = make(chance, day)
        if made is not None and _done(day, *made, f"{desk}{day._acts}"):
            return


def _done(day: Day, command: Command, by: str, command_id: str) -> list[Recorded]:
    try:
        return day.do(command, by=by, command_id=command_id)
    except LedgerError:
        return []


def _enter_at_both(chance: random.Random, ours: Day, theirs: Day) -> None:
    """Let a report reach both desks with one id, as a phone sends it."""
    made = _report(chance, ours)
    if made is None:
        return
    command_id = f"phone{len(ours.log)}"
    for day in (ours, theirs):
        with_numbers = deepcopy(made[0])
        if getattr(with_numbers, "match", 0) < len(day.tournament.matches):
            _done(day, with_numbers, made[1], command_id)
