"""Persons are proposed with a confidence that means something, and never against the facts."""

from __future__ import annotations

import pytest

from projections.season.matching.groups import NamedEntry
from projections.season.matching.names import likeness, near_words, read_name
from projections.season.matching.proposing import Matching
from tests.support.chance.made_persons import GRAMMARS, calibration, made_season, measured


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Ann Lee", "LEE, Ann", "exact"),
        ("Łukasz Żółw", "Lukasz Zolw", "exact"),
        ("Jean-Luc Picard", "Jean Luc Picard", "exact"),
        ("TSM | Ann Lee", 'Ann "Ace" Lee', "exact"),
        ("Иван Петров", "Ivan Petrov", "exact"),
        ("Jan van der Berg", "van der Berg, Jan", "exact"),
        ("Lee Ann", "Ann Lee", "swapped"),
        ("Ann Lee", "Ann B. Lee", "middle"),
        ("Anna Kowalska", "Anna Kowalksa", "family"),
        ("Marten Ruiz", "Marteen Ruiz", "given"),
        ("A. Lee", "Ann Lee", "initial"),
        ("Alex Ruiz", "Alexander Ruiz", "short"),
        ("Ana Garcia", "Ana Garcia-Lopez", "part"),
        ("Ana Garcia", "Ana Novak", "changed"),
        ("B. Lee", "Ann Lee", None),
        ("Ann Lee", "Bea Lee", None),
        ("Ann Lee jr.", "Ann Lee sr.", None),
        ("Ann B. Lee", "Ann C. Lee", None),
        ("王小明", "王小强", None),
    ],
)
def test_names_are_compared_as_they_are_written(one: str, other: str, how: str | None) -> None:
    names = read_name(one), read_name(other)
    near = near_words(word for name in names for word in (name.given, name.family))
    assert likeness(*names, near) == how
    assert likeness(*names[::-1], near) == how


@pytest.mark.parametrize("written", ["", " ", "...", "(x)", '"', ",", "|", "-", "a" * 10_000, "\0"])
def test_any_text_is_a_name(written: str) -> None:
    read_name(written)


def _season(*entries: NamedEntry) -> Matching:
    others = [
        NamedEntry(f"{at % 40:032x}", 100 + at, name, "go", "north", 738_000 + at % 40)
        for at, name in enumerate(_names(400))
    ]
    return Matching([*entries, *others])


def _names(count: int) -> list[str]:
    words = [
        f"{one}{other}{end}" for one in "bdgkmt" for other in "aeiou" for end in ("ran", "lis")
    ]
    return [
        f"{words[at % len(words)]} {words[at * 7 % len(words)]}{words[at // 60]}".title()
        for at in range(count)
    ]


def _entry(event: int, player: int, name: str, *ids: tuple[str, str]) -> NamedEntry:
    return NamedEntry(f"{event:032x}", player, name, "go", "north", 738_000 + event, ids)


def _joined(matching: Matching) -> set[frozenset[int]]:
    return {frozenset(at for group in each.groups for at in group) for each in matching.proposals()}


def test_equal_ids_join_and_other_ids_speak_against_one_person() -> None:
    matching = _season(
        _entry(1, 1, "Zora Quill", ("fide", "1")),
        _entry(2, 1, "Someone Else", ("fide", "1")),
        _entry(3, 1, "Zora Quill", ("fide", "2")),
    )
    assert [each.groups for each in matching.by_ids] == [((0,), (1,))]
    assert matching.groups[0].entries == [0, 1]
    link = matching.compare(0, 1)
    assert link is not None
    assert link.confidence < 0.5


def test_two_of_one_event_are_never_one_person() -> None:
    entries = [_entry(1, 1, "Zora Quill"), _entry(1, 2, "Zora Quill"), _entry(2, 1, "Zora Quill")]
    matching = _season(*entries)
    assert not any({0, 1} <= group for group in _joined(matching))
    same_id = [_entry(1, at, "Zora Quill", ("egf", "9")) for at in (1, 2)]
    assert not _season(*same_id).by_ids


def test_a_rare_name_says_more_than_a_frequent_one() -> None:
    rare = [_entry(event, 1, "Zora Quill") for event in (50, 60)]
    matching = _season(*rare)
    proposal = next(each for each in matching.proposals() if each.groups == ((0,), (1,)))
    kinds = {evidence.kind for evidence in matching.evidence(proposal)}
    assert kinds == {"name exact", "others", "same game", "same region", "days"}
    frequent = [_entry(event, 1, _names(1)[0]) for event in (50, 60)]
    link = _season(*frequent).compare(0, 1)
    assert link is not None
    assert link.confidence < proposal.confidence


def test_a_pair_that_was_decided_to_be_two_is_not_proposed_again() -> None:
    entries = [_entry(event, 1, "Zora Quill")._replace(person=f"p{event}") for event in (50, 60)]
    assert Matching(entries).proposals()
    assert not Matching(entries, {frozenset({"p50", "p60"})}).proposals()


def test_precision_recall_and_calibration_of_a_made_season() -> None:
    found = measured(made_season(41, 4_000, GRAMMARS.other))
    sure, likely = found.scores[0.99], found.scores[0.5]
    assert found.scores[2.0].precision == 1
    assert sure.precision > 0.99
    assert sure.recall > found.scores[2.0].recall + 0.1
    assert likely.precision > found.control.precision
    assert likely.recall > found.control.recall
    for _, count, said, true in calibration(found.judged):
        assert count < 100 or true > said - 0.12
