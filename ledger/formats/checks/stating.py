"""Checks of what the list itself has to say, and of what no file can show."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts.base import Tier
from ledger.formats.cards import folded
from ledger.formats.case import Case, Check, FactName, Finding, OfSections, SectionName, copies
from ledger.problems import Phrase, phrase
from ledger.rulesets.toml_files import Line, Name, both, either


class Content(OfSections, frozen=True, kw_only=True):
    """A list names its player and has these sections, and the total points where asked for."""

    total: bool = False

    def findings(self, case: Case) -> Iterator[Finding]:
        """Name everything that is missing."""
        if not case.listed.player.strip():
            yield self.breaks(phrase("the player's name is missing: `Player: NAME`"))
        if self.total and case.listed.total is None:
            yield self.breaks(phrase("the total points are missing: `Total: NUMBER`"))
        for section in self.sections:
            if not case.within((section,)):
                yield self.breaks(
                    phrase("the section {section} is missing or empty", section=section)
                )


class Oracle(Check, frozen=True, kw_only=True):
    """The card file says which text of the cards it holds."""

    def findings(self, case: Case) -> Iterator[Finding]:
        """Ask for a version or a date."""
        if not case.cards.version and not case.cards.date:
            text = phrase(
                "the card file {name} has neither version nor date: whether it holds the most "
                "recent printings is not known",
                name=case.cards.name,
            )
            yield self.unchecked(text)


class Stated(Check, frozen=True, kw_only=True):
    """What the list says under a remark, if it says anything, is one of these."""

    remark: Name
    allowed: tuple[Line, ...]

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare what is stated."""
        stated = case.listed.remarks.get(self.remark, "")
        if stated and folded(stated) not in {folded(each) for each in self.allowed}:
            shown = f"{self.remark.capitalize()}: {stated}"
            text = phrase(
                "`{stated}`: {allowed} is allowed", stated=shown, allowed=either(self.allowed)
            )
            yield self.breaks(text)


class Sleeves(Check, frozen=True, kw_only=True):
    """The sleeves of each deck, as the list states them: one kind a deck, each another.

    `decks` are the remarks that hold them, as `sleeves dynasty`.
    """

    decks: tuple[Name, ...]
    required: tuple[Tier, ...]
    sleeved: Line
    bare: Line

    def findings(self, case: Case) -> Iterator[Finding]:
        """Compare what is stated; what is not stated is left to an official's eye."""
        stated = {deck: folded(case.listed.remarks.get(deck, "")) for deck in self.decks}
        kinds = [sleeves for sleeves in stated.values() if sleeves not in {"", "none"}]
        if case.tier not in self.required and len(kinds) < len(stated):
            yield self.unchecked(phrase("{text}", text=Phrase(self.bare)))
            return
        for deck, sleeves in stated.items():
            if sleeves == "none":
                yield self.breaks(
                    phrase("{deck}: none, in the {tier} tier", deck=deck, tier=case.tier)
                )
            elif not sleeves:
                yield self.unchecked(phrase("`{deck}:` is not stated", deck=deck.capitalize()))
        if len(set(kinds)) != len(kinds):
            yield self.breaks(
                phrase("the same sleeves are stated for {decks}", decks=both(self.decks))
            )
        if kinds:
            yield self.unchecked(phrase("{text}", text=Phrase(self.sleeved)))


class Given(OfSections, frozen=True, kw_only=True):
    """A card that is only used when it was given out at registration.

    That is the organizer's to record; in formats of earlier logs a `remark` of the list names it.
    """

    fact: FactName
    remark: Name | None = None

    def findings(self, case: Case) -> Iterator[Finding]:
        """Ask for each such card whether it was given out."""
        matching, unknown = case.sorted_out(self.sections, {self.fact: ("yes",)})
        yield from self.lacking(self.fact, unknown)
        for entry in matching:
            names = (entry.card.name, entry.card.full_name) if entry.card else ()
            given = self._given(case)
            if given is None:
                text = phrase(
                    "whether {card} was given out at registration is not known here",
                    card=entry.shown,
                )
                yield self.unchecked(text)
            elif set(map(folded, given)) & set(map(folded, names)):
                continue
            elif self.remark:
                text = phrase(
                    "whether {card} was given out at registration is not stated: "
                    "`{remark}: {card}`",
                    card=entry.shown,
                    remark=self.remark.capitalize(),
                )
                yield self.unchecked(text)
            else:
                text = phrase(
                    "{card} was not given out to the player at registration", card=entry.shown
                )
                yield self.breaks(text)

    def _given(self, case: Case) -> tuple[str, ...] | None:
        if self.remark is None:
            return case.given
        return tuple(case.listed.remarks.get(self.remark, "").split(";"))


class Unchecked(Check, frozen=True, kw_only=True):
    """What the regulations ask for and neither the list nor the card file can show.

    `sections` are counted for a check by hand; `apart` are not part of them.
    """

    text: Line
    sections: tuple[SectionName, ...] = ()
    apart: tuple[SectionName, ...] = ()

    def findings(self, case: Case) -> Iterator[Finding]:
        """Say so, with the numbers."""
        counted = tuple(f"{name} {copies(case.within((name,)))}" for name in self.sections)
        apart = ((section, copies(case.within((section,)))) for section in self.apart)
        beside = tuple(f"{section} {count}" for section, count in apart if count)
        text = phrase("{text}", text=Phrase(self.text))
        if counted:
            text = phrase("{text} ({numbers})", text=text, numbers=counted)
        if beside:
            text = phrase("{text}; not counted: {numbers}", text=text, numbers=beside)
        yield self.unchecked(text)
