"""Two desks' logs merged: the same as all acts decided in that order from scratch."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

import pytest
from msgspec import structs

from ledger.exchange.merging import kept
from ledger.exchange.merging.merge import MergePlan, Merging
from ledger.exchange.merging.numbers import NAMED, Numbers
from ledger.exchange.merging.other_log import OtherLog, common_lines
from ledger.exchange.merging.remaking import Deciders
from ledger.facts import base
from ledger.facts.vocabulary import EVENTS
from ledger.lines.line import decode, encode
from ledger.rules.office import TakeNote
from ledger.rules.people import Entry, RegisterPlayers
from ledger.rules.results import Report, StatedResult
from projections.verification import posted_of, rederive, repeats
from tests.support.chance.random_desks import JUDGE, Desks, two_desks
from tests.support.examples import TIMES
from tests.truth.merge_truth import Deciding

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.lines.recorded import Recorded
    from tests.support.simulate import Day

SHORT = range(120)
LONG = range(int(os.environ.get("TOURNEY_MERGES", "2000")) * max(TIMES, 1))


class Merged(NamedTuple):
    """A plan, and the log as it would be once its acts were written."""

    plan: MergePlan
    lines: list[bytes]

    @property
    def log(self) -> list[Recorded]:
        """The events of the log."""
        return [decode(line) for line in self.lines]

    @property
    def fates(self) -> dict[str, str]:
        """What became of each event of theirs."""
        return {event_id: each.fate for event_id, each in self.plan.decided.items()}


def merged(
    ours: Sequence[bytes],
    theirs: Sequence[bytes],
    day: Day,
    decided: Mapping[str, kept.Decided] | None = None,
) -> Merged:
    """Plan a merge, and write its acts as a desk does: by their commands."""
    deciders = Deciders(structs.replace(day.context, sign=None), repeats, posted_of)
    other = OtherLog([decode(each) for each in theirs], theirs, common_lines(ours, theirs))
    log = [decode(each) for each in ours]
    plan = Merging(log, other, deciders, decided or {}).planned()
    desk = Desks(0, day, day).copied(log)
    for act in plan.landing:
        desk.do(act.command, by=act.by, command_id=act.command_id, at=act.at)
    return Merged(plan, desk.lines)


def both(desks: Desks) -> tuple[list[bytes], list[bytes]]:
    return desks.ours.lines, desks.theirs.lines


def held_to_truth(seed: int) -> bool:
    """Whether a merge of random desks is what the truth says."""
    desks = two_desks(seed)
    found = merged(*both(desks), desks.ours)
    truth = Deciding(*both(desks), structs.replace(desks.ours.context, sign=None)).decided()
    return (found.lines, found.fates) == (truth.lines, truth.fates)


def test_merges_are_all_acts_in_that_order_from_scratch() -> None:
    assert [seed for seed in SHORT if not held_to_truth(seed)] == []


@pytest.mark.slow
def test_two_thousand_merges_are_all_acts_in_that_order_from_scratch() -> None:
    """`TOURNEY_MERGES=20000` asks for more of them."""
    assert [seed for seed in LONG if not held_to_truth(seed)] == []


def test_without_numbers_found_by_what_they_name_the_truth_is_missed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control: a number there, taken as it is, means another person or event here."""
    monkeypatch.setattr(Numbers, "here", lambda _self, _kind, there: there)
    wrong = 0
    for seed in SHORT:
        try:
            wrong += not held_to_truth(seed)
        except Exception:  # noqa: BLE001 - a number that nothing has can break anything
            wrong += 1
    assert wrong > len(SHORT) // 10


@pytest.mark.parametrize("seed", range(60))
def test_nothing_is_lost_and_nothing_doubled(seed: int) -> None:
    desks = two_desks(seed)
    ours, theirs = both(desks)
    found = merged(ours, theirs, desks.ours)
    common = common_lines(ours, theirs)
    ids = [each.id for each in desks.theirs.log[common:]]
    assert [each.theirs.id for each in found.plan.judged] == ids
    assert found.lines[: len(ours)] == ours
    landed = [each.decided.here for each in found.plan.of("landed")]
    assert sorted(landed) == list(range(len(ours) + 1, len(found.lines) + 1))
    assert len({each.id for each in found.log}) == len(found.log)
    waiting = sum(len(act.command.evidence) for act in found.plan.drafts)
    assert waiting == len(found.plan.of("draft"))
    for each in found.plan.of("listed"):
        assert each.decided.problems
    for each in found.plan.of("same"):
        assert 0 < each.decided.here <= len(found.lines)
    rederive(lambda: found.lines, desks.ours.context.shuffle_key.hex())


@pytest.mark.parametrize("seed", range(60))
def test_twice_is_once_and_in_two_parts_the_same(seed: int) -> None:
    desks = two_desks(seed)
    ours, theirs = both(desks)
    once = merged(ours, theirs, desks.ours)
    known = kept.read(kept.written(once.plan.decided))
    assert known == once.plan.decided
    again = merged(once.lines, theirs, desks.ours, known)
    assert again.lines == once.lines
    assert not again.plan.drafts
    assert not any(each.is_new for each in again.plan.judged)

    cut = (common_lines(ours, theirs) + len(theirs)) // 2
    while cut < len(theirs) and "." in desks.theirs.log[cut].id:
        cut += 1
    first = merged(ours, theirs[:cut], desks.ours)
    second = merged(first.lines, theirs, desks.ours, first.plan.decided)
    assert second.lines == once.lines
    assert first.plan.decided | second.plan.decided == once.plan.decided


def test_a_merge_that_wrote_nothing_is_made_again() -> None:
    """What was decided is kept before the lines are: without them it does not hold."""
    for seed in range(20):
        desks = two_desks(seed)
        once = merged(*both(desks), desks.ours)
        again = merged(*both(desks), desks.ours, once.plan.decided)
        assert again.lines == once.lines


def test_every_number_of_an_event_is_known_for_what_it_names() -> None:
    """Or it names nothing that another log has under another number."""
    numbers = {base.Number, base.Seat, base.Seq, base.SeqOrNone, base.MatchOrNone, base.PersonId}
    numbers |= {tuple[base.Number, ...], tuple[base.SeqOrNone, ...]}
    plain = {"results", "up_to", "size", "kept", "further", "round", "by_hand", "tries"}
    others = {("RanksDrawn", "first"), ("PrizeOffered", "first"), ("PrizeOffered", "last")}
    unknown = [
        (kind.__name__, name)
        for kind in EVENTS.values()
        for name, hint in get_type_hints(kind, include_extras=True).items()
        if any(hint == each for each in numbers) and name not in NAMED[kind]
    ]
    assert {each for each in unknown if each[1] not in plain} == others
    named_match = {kind.__name__ for kind, named in NAMED.items() if "match" in named.values()}
    assert {name for name, kind in EVENTS.items() if hasattr(kind, "match")} == named_match


# --- by hand ---


def begun(chance: int = 5) -> Desks:
    """Two desks of a day whose first round is paired; nothing has happened at either since."""
    return next(
        each
        for each in (two_desks(seed, acts=0) for seed in range(chance, 999))
        if each.ours.tournament.rounds and each.ours.context.sign is None
        if each.ours.tournament.rounds[-1].status != "closed"
        if sum(match.is_open for match in each.ours.matches()) > 1
    )


def open_match(day: Day) -> Any:  # noqa: ANN401
    return next(match for match in day.matches() if match.is_open)


def fate_of(found: Merged, kind: str) -> kept.Decided:
    (judged,) = [each for each in found.plan.judged if each.theirs.type == kind]
    return judged.decided


def test_the_same_result_is_one_act_and_another_one_is_for_the_judge() -> None:
    for word, fate in (("win", "same"), ("loss", "listed")):
        desks = begun()
        match = open_match(desks.ours).number
        (report,) = desks.ours.do(Report(match, StatedResult("win")), command_id="a")
        desks.theirs.do(Report(match, StatedResult(word)), command_id="b")
        found = merged(*both(desks), desks.ours)
        assert fate_of(found, "ResultReported").fate == fate
        assert found.lines == desks.ours.lines
        if fate == "listed":
            assert fate_of(found, "ResultReported").ours == (report.seq,)


def test_a_late_player_gets_the_next_number_here_and_what_follows_goes_with_them() -> None:
    desks = begun()
    desks.ours.do(RegisterPlayers((Entry("Late Lou"),)), command_id="a")
    desks.theirs.do(RegisterPlayers((Entry("Late Larry"),)), command_id="b")
    number = len(desks.theirs.tournament.players) - 1
    desks.theirs.do(TakeNote("is late", player=number), command_id="c")
    found = merged(*both(desks), desks.ours)
    registered, named, note = (each.event for each in found.log[-3:])
    assert registered.player == number + 1  # type: ignore[attr-defined]
    assert (named.of, named.name) == (f"p{number + 1}", "Late Larry")  # type: ignore[attr-defined]
    assert note.player == number + 1  # type: ignore[attr-defined]


def test_one_person_registered_at_both_desks_is_one_player() -> None:
    desks = begun()
    desks.ours.do(RegisterPlayers((Entry("Late Lou"),)), command_id="a")
    desks.theirs.do(RegisterPlayers((Entry("Late Larry"),)), command_id="b")
    desks.theirs.do(RegisterPlayers((Entry("late  LOU"),)), command_id="c")
    found = merged(*both(desks), desks.ours)
    names = [each.event.name for each in found.log if each.type == "PersonRecorded"]  # type: ignore[attr-defined]
    assert names.count("Late Lou") == 1
    assert names[-1] == "late  LOU"  # as the other desk wrote it last


def test_who_is_said_to_be_somebody_else_is_listed_with_all_that_follows() -> None:
    desks = begun()
    desks.ours.do(RegisterPlayers((Entry("Late Lou", "Crab"),)), command_id="a")
    desks.theirs.do(RegisterPlayers((Entry("Late Lou", "Lion"),)), command_id="b")
    found = merged(*both(desks), desks.ours)
    assert set(found.fates.values()) == {"listed"}
    codes = [each.decided.problems[0].code for each in found.plan.judged]
    assert codes == ["merge.namesake", "merge.no_player"]


def test_a_signed_act_waits_for_its_signer_with_their_line_as_evidence() -> None:
    desks = next(
        each for each in map(two_desks, range(200)) if merged(*both(each), each.ours).plan.drafts
    )
    found = merged(*both(desks), desks.ours)
    (act, *_) = found.plan.drafts
    first = decode(act.command.evidence[0].encode())
    assert encode(first).decode() == act.command.evidence[0]
    assert act.kind in {decode(line.encode()).type for line in act.command.lines}
    assert all('"sig"' not in line for line in act.command.lines)
    assert act.by == f"o{JUDGE}"

    desk = desks.copied(found.log)
    desk.do(TakeNote("something came before it"), command_id="before")
    desk.context = structs.replace(desk.context, sign=desks.theirs.context.sign)
    done = desk.do(act.command, by=act.by, command_id=act.command_id)
    assert any(each.sig for each in done)
    after = merged(desk.lines, desks.theirs.lines, desks.ours, found.plan.decided)
    assert after.lines == desk.lines
    assert after.fates[first.id] == "same"


def test_an_id_that_means_two_acts_is_listed() -> None:
    desks = begun()
    desks.ours.do(TakeNote("this"), command_id="x")
    desks.theirs.do(TakeNote("that"), command_id="x")
    found = merged(*both(desks), desks.ours)
    assert fate_of(found, "NoteTaken").problems[0].code == "merge.other_act"
    assert found.lines == desks.ours.lines


def test_rounds_paired_at_both_desks_stay_as_they_are_here() -> None:
    """A table of the same two players has its result; what is of other tables is listed."""
    desks = next(
        each
        for each in map(two_desks, range(400))
        if any(
            one.decided.problems and one.decided.problems[0].code == "merge.other_players"
            for one in merged(*both(each), each.ours).plan.judged
        )
    )
    found = merged(*both(desks), desks.ours)
    before = [each.event for each in desks.ours.log if each.type == "RoundPaired"]
    after = [each.event for each in found.log if each.type == "RoundPaired"]
    assert after[: len(before)] == before
    paired = [each for each in found.plan.judged if each.theirs.type == "RoundPaired"]
    assert "listed" in {each.decided.fate for each in paired}


def test_the_random_desks_come_to_everything() -> None:
    fates = [each for seed in SHORT for each in merged(*both(two_desks(seed)), DAY).fates.values()]
    assert {fate for fate in set(fates) if fates.count(fate) > len(SHORT) // 10} == {
        "landed",
        "listed",
        "same",
        "draft",
    }


DAY = two_desks(0).ours
"""Any of these days: they are decided with the same keys."""
