"""All verbs by their words: `pair`, `round start`, `season people name`.

`catalogue` lists them; the season's are listed in their own folder.
`tree` has Typer parse a line, and imports the one module that answers it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from cli.verbs import catalogue, season

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cli.verbs.catalogue import Verb
    from ledger.tournament.state import Tournament

_LISTED = (
    catalogue.DAY,
    catalogue.DOOR,
    catalogue.TABLE,
    catalogue.VIEW,
    catalogue.PROOF,
    {path: verb._replace(module=f"season.{verb.module}") for path, verb in season.VERBS.items()},
    catalogue.INOUT,
)

VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        path: verb._replace(
            module=f"{__name__}.{verb.module}",
            function=verb.function or path.split()[-1].replace("-", "_"),
        )
        for verbs in _LISTED
        for path, verb in verbs.items()
    }
)

WORDS_MAX = max(len(path.split()) for path in VERBS)


RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "seat": "late",
        "moderate": "slow-play",
        "repair": "repair-round",
        "start change": "start",
        "compare": "diff",
        "stats list": "stats",
        "query shell": "query",
        "format list": "format",
        "key list": "key",
        "links list": "links",
        "ruleset list": "ruleset",
        "season list": "season",
        "season people list": "season people",
        "witness list": "witness",
    }
)
"""Old names of verbs, which still work, and their names of today."""


OWN_PAGE = frozenset(
    {
        "lists check",
        "lists correct",
        "component damaged",
        "component missing",
        "component allow",
        "component ineligible",
        "scenario draw",
        "audit slip",
        "key new",
        "season add",
        "season rebuild",
        "season derive",
        "season people",
        "season people match",
        "season site",
        "season standings",
        "format check",
    }
)
"""Acts with a page of help: they have acts, or three options or more that their verb has not.

The page of a verb describes its other acts whole.
"""


def in_words_of_today(line: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return a line with the verb's name of today, and its old name if that was typed."""
    for old, new in RENAMED.items():
        words = old.split()
        if list(line[: len(words)]) == words:
            return (*new.split(), *line[len(words) :]), old
    return tuple(line), ""


def path_of(line: Sequence[str]) -> str:
    """Return the longest verb with which a line begins, as `season people name`; else nothing."""
    paths = (" ".join(line[:count]) for count in range(WORDS_MAX, 0, -1))
    return next((path for path in paths if path in VERBS), "")


def acts_of(path: str, verbs: Mapping[str, Verb] = VERBS) -> dict[str, str]:
    """Return the words that may follow a verb and make one of their own, and what these do.

    As `start` after `round`; after nothing: every first word.
    """
    begin = f"{path} " if path else ""
    return {
        word: verb.summary
        for each, verb in verbs.items()
        if each.startswith(begin) and " " not in (word := each[len(begin) :])
    }


NEEDS: Mapping[str, str] = MappingProxyType(
    {
        "round extra": "extra time",
        "scenario": "setup",
        "scenario draw": "scenario or outline",
        "draft": "draft",
        "draft draw": "draft",
        "first": "first",
        "first draw": "chooser",
        "side": "sides",
        "side draw": "sides",
        "battle": "battle",
        "terrain": "terrain",
        "terrain count": "terrain",
        "terrain fixed": "terrain",
        "armies": "verification",
        "armies order": "verification",
        "firstfive": "first five",
        "component missing": "lost components",
        "component gone": "lost components",
        "component damaged": "damage",
        "component proxy": "proxies",
        "component inspect": "inspections",
        "component share": "sharing",
        "slow-play": "pace",
        "lists give": "given out",
    }
)
"""What the ruleset of the tournament in hand must have for a verb, as `missing_parts` names it."""


def verbs_of(tournament: Tournament | None) -> Mapping[str, Verb]:
    """Return the verbs that a game has; without a tournament in hand, all."""
    if tournament is None:
        return VERBS
    from ledger.facts.setups import missing_parts

    missing = missing_parts(tournament)
    return {path: verb for path, verb in VERBS.items() if NEEDS.get(path) not in missing}
