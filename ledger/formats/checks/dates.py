"""Checks against the day of the event: products released, cards of the season."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger import rulesets
from ledger.events.base import Tier
from ledger.formats.cards import folded
from ledger.formats.case import Case, Entry, Finding, named
from ledger.formats.checks.base import Check, FactName, SectionName, in_words
from ledger.rulesets.words import Key, nearest

if TYPE_CHECKING:
    from ledger.rulesets.floor import Scenario


class Released(Check, frozen=True, kw_only=True):
    """A product is legal some days after its release, by tier.

    `release` is the official date; `legal` a first day that the organizer sets instead, as
    outside North America.
    """

    release: FactName
    legal: FactName
    days: Mapping[Tier, int]

    def problems(self) -> Iterator[str]:
        if set(self.days) != {"relaxed", "formal", "premier"}:
            yield "days are given for relaxed, formal and premier"

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare each card's first legal day with the event's."""
        if not case.date:
            yield self.unchecked("the day of the event is not given")
            return
        unknown: list[Entry] = []
        for entry in filter(lambda each: each.is_card, case.entries):
            first = self._first(case, entry)
            if first is None:
                unknown.append(entry)
            elif first > case.date:
                legal = f"legal from {first} in the {case.tier} tier"
                yield self.breaks(f"{entry.shown} is {legal}, after {case.date}")
        if unknown:
            yield self.unchecked(f"{in_words(self.release)} not known for {named(unknown)}")

    def _first(self, case: Case, entry: Entry) -> str | None:
        if entry.card is None:
            return None
        release = entry.card.text(self.release)
        if (own := entry.card.text(self.legal)) or not release:
            return own or None
        return (date.fromisoformat(release) + timedelta(days=self.days[case.tier])).isoformat()


class InSeason(Check, frozen=True, kw_only=True):
    """The cards of the season's sections are legal on the day, where the tier asks for it.

    The seasons are those of the event's ruleset, which draws the scenarios from them; of the
    shipped ruleset `seasons_of` where it has none or there is no event.
    """

    tiers: tuple[Tier, ...]
    seasons_of: Key
    deployments: SectionName
    objectives: SectionName

    def problems(self) -> Iterator[str]:
        if self.seasons_of not in rulesets.names():
            yield f"no ruleset {self.seasons_of!r}; {nearest(self.seasons_of, rulesets.names())}"
        elif self._scenario() is None:
            yield f"the ruleset {self.seasons_of} has no seasons"

    def _scenario(self) -> Scenario | None:
        return rulesets.load(self.seasons_of).ruleset.floor.scenario

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name each card that is out of season."""
        held = case.within((self.deployments, self.objectives))
        scenario = case.scenario or self._scenario()
        if not held or case.tier not in self.tiers or scenario is None:
            return
        if not case.date:
            yield self.unchecked(f"the day of the event is not given, for {named(held)}")
            return
        season = scenario.season(case.date)
        if season is None:
            first = scenario.seasons[0].since
            yield self.breaks(f"{case.date} is in no season: the first begins on {first}")
            return
        legal = {self.deployments: season.deployments, self.objectives: season.objectives}
        for entry in held:
            names = legal[entry.section]
            if entry.title not in map(folded, names):
                out = f"{entry.shown} in {entry.section} is out of season on {case.date}"
                yield self.breaks(f"{out}: {', '.join(names)} are legal")


def day_problem(text: str) -> str:
    """Say what is wrong with a date; empty where nothing is."""
    try:
        if date.fromisoformat(text).isoformat() == text and date.fromisoformat(text).year < 9999:  # noqa: PLR2004 - days are added to it
            return ""
    except ValueError:
        pass
    return f"{text!r} is no day such as 2018-07-23"
