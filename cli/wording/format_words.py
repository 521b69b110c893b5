"""The game of an event in words: its ruleset, its format with the variant, the rules in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.events.opening import TournamentOpened


def game_in_words(opening: TournamentOpened) -> str:
    """Return which ruleset scores and which format says what lists hold, as `l5r, ashes:built`."""
    format_ = f", {opening.format.key}" if opening.format else ""
    return f"{opening.ruleset.key}{format_}"


def rules_in_force(opening: TournamentOpened) -> list[tuple[str, str]]:
    """Return the optional rules of the format's variant, each `in force` or `by agreement`."""
    from ledger.formats import of_document

    if opening.format is None:
        return []
    loaded = of_document(opening.format)
    return [
        ("by agreement" if rule.by_agreement else "in force", rule.name)
        for rule in loaded.format.rules_of(loaded.variant)
    ]


def rules_in_words(opening: TournamentOpened) -> str:
    """Return the same in one line; empty where the format has no optional rules."""
    known = rules_in_force(opening)
    lists = (
        (kind, [name for each, name in known if each == kind])
        for kind in ("in force", "by agreement")
    )
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in lists if names)


def format_as_json(opening: TournamentOpened | None) -> dict[str, object] | None:
    """Return an event's format for scripts; None where it has none."""
    if opening is None or opening.format is None:
        return None
    known = rules_in_force(opening)
    return {
        "key": opening.format.key,
        "edition": opening.format.edition,
        "in_force": [name for kind, name in known if kind == "in force"],
        "by_agreement": [name for kind, name in known if kind == "by agreement"],
    }
