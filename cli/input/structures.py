"""Stages as a person types them, and as they are read to one.

swiss 5                          five rounds
swiss 3 points>=30 carries       three more, for those with 30 points, who keep them
single top 8                     an elimination of the best eight
single                           an elimination from the start
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cli.input.arguments import UsageError
from cli.languages.speaking import marked, tr, tr_many
from cli.terminal.problems import said
from cli.terminal.visible import how_many
from ledger.facts.base import PLAYERS_MIN
from ledger.facts.opening import rounds_below
from ledger.facts.shared import Stage, StructureAnnounced

if TYPE_CHECKING:
    from ledger.rulesets import Ruleset, StructureKind
    from ledger.rulesets.outcomes import Scoring
    from ledger.rulesets.structures import Band
    from ledger.tournament.state import Tournament

KINDS: tuple[StructureKind, ...] = ("basic", "advanced")

ROUNDS_MAX = 100

CUT_SHOWN = 8
"""The largest cut that is named as an example."""

GRAMMAR = marked(
    'as "swiss 5", "swiss 3 points>=30 carries", "single top 8", "single list" or '
    '"single", and "rematch tournament" to ban a second meeting in the whole '
    "tournament"
)

_STAGE = re.compile(
    r"(?P<kind>swiss|single)"
    r"(?: (?P<rounds>[0-9]{1,3})(?: rounds?)?)?"
    r"(?: (?:top (?P<top>[0-9]{1,4})|(?P<plain>all|list)"
    r"|points ?>= ?(?P<points>[0-9]{1,7}(?:[.,]5|½)?|½)))?"
    r"(?P<carries> carries)?"
    r"(?: rematch (?P<rematch>stage|tournament))?"
)


def stage_of(words: str, scoring: Scoring) -> Stage:
    """Read one stage; UsageError where the words do not follow the grammar.

    Points are typed as they are shown: in a game that counts halves, 4½ are nine of them.
    """
    found = _STAGE.fullmatch(" ".join(words.lower().split()))
    if found is None:
        raise UsageError(
            tr('type a stage {grammar}, not "{words}"', grammar=tr(GRAMMAR), words=words)
        )
    rounds = int(found["rounds"] or 0)
    if rounds > ROUNDS_MAX:
        raise UsageError(tr("a stage can have at most {most} rounds", most=ROUNDS_MAX))
    if found["kind"] == "swiss" and not rounds:
        raise UsageError(tr('give the number of Swiss rounds, as in "swiss 5"'))
    plan = Stage(
        "swiss" if found["kind"] == "swiss" else "single",
        rounds,
        carries=bool(found["carries"]),
        rematch="tournament" if found["rematch"] == "tournament" else "stage",
    )
    return _entered(plan, found, scoring)


def _entered(plan: Stage, found: re.Match[str], scoring: Scoring) -> Stage:
    from msgspec.structs import replace

    if found["top"]:
        return replace(plan, entry="top", size=int(found["top"]))
    if found["points"]:
        size = scoring.counted(found["points"])
        if size is None:
            raise UsageError(
                tr(
                    "points must be whole numbers in this game, not {points}",
                    points=found["points"],
                )
            )
        return replace(plan, entry="points", size=size)
    return replace(plan, entry="list") if found["plain"] == "list" else plan


def stages_of(rounds: int, cut: int, typed: list[str], scoring: Scoring) -> tuple[Stage, ...]:
    """Read a custom structure's stages: rounds and cut, or one text a stage; else UsageError."""
    if typed and (rounds or cut):
        raise UsageError(tr("give either --rounds and --cut, or --stage once for each stage"))
    if typed:
        return tuple(stage_of(words, scoring) for words in typed)
    if not rounds:
        raise UsageError(tr("a custom structure needs --rounds N (and --cut N), or --stage"))
    swiss = Stage("swiss", rounds)
    return (swiss, Stage("single", entry="top", size=cut)) if cut else (swiss,)


def refuse_narrower_ban(rules: Ruleset, typed: list[str]) -> None:
    """Refuse a stage whose ban on rematches reaches less far than the ruleset's, by UsageError."""
    for words in typed:
        found = _STAGE.fullmatch(" ".join(words.lower().split()))
        if found and found["rematch"] == "stage" and rules.rematch.scope == "tournament":
            raise UsageError(
                tr(
                    "{key} bans rematches across all Swiss stages ({clause}): omit `rematch "
                    "stage`; to allow a single rematch, use `pair --allow-rematch` with a reason",
                    key=rules.key,
                    clause=rules.rematch.clause,
                )
            )


def stage_in_words(plan: Stage, scoring: Scoring) -> str:
    """Read a stage to a person."""
    rounds = plan.rounds
    if plan.kind == "swiss":
        kind = tr_many("{count} round of Swiss", "{count} rounds of Swiss", rounds)
    elif plan.kind == "single" and rounds:
        kind = tr_many(
            "single elimination of {count} round", "single elimination of {count} rounds", rounds
        )
    else:
        kind = tr(_ELIMINATIONS[plan.kind])
    entry = {
        "all": "",
        "top": tr(", a cut to {size}", size=plan.size),
        "points": tr(", for players with {points} points or more", points=scoring.shown(plan.size)),
        "list": tr(", for players named in a list"),
    }[plan.entry]
    return kind + entry + (tr(", points carried over") if plan.carries else "")


_ELIMINATIONS = {
    "single": marked("single elimination"),
    "double": marked("double elimination"),
    "recorded": marked("elimination as recorded"),
}


def structure_in_words(stages: tuple[Stage, ...], scoring: Scoring) -> str:
    """Read the stages to a person, in order."""
    return tr("; then ").join(stage_in_words(each, scoring) for each in stages)


def choices(tournament: Tournament) -> str:
    """Say which structures the ruleset offers for those who are registered."""
    players = len(tournament.active())
    count = how_many(players, "player")
    if players < PLAYERS_MIN:
        return tr(
            "a start needs {least} players, but the tournament has {players}: `register` more",
            least=PLAYERS_MIN,
            players=count,
        )
    found = [
        _is_in_words(kind, band)
        for kind in KINDS
        if (band := tournament.ruleset.structure(kind, players))
    ]
    rounds, cut = _example(tournament.ruleset, players)
    line = f"start custom --rounds {rounds}{f' --cut {cut}' if cut else ''}"
    custom = tr("custom as `{line}`", line=line)
    return tr("for {players} {structures}", players=count, structures=", ".join([*found, custom]))


def _is_in_words(kind: StructureKind, band: Band) -> str:
    return tr("{kind} is {structure}", kind=tr(kind), structure=said(band.in_words))


def structures_on_page(tournament: Tournament) -> str:
    """Say which structures can be begun now, and from how many players on the others can."""
    rules, players = tournament.ruleset, len(tournament.active())
    parts = [
        _is_in_words(kind, band) if (band := rules.structure(kind, players)) else later
        for kind in KINDS
        if (later := _players_needed(rules, kind, players)) or rules.structure(kind, players)
    ]
    rounds, cut = _example(rules, players)
    swiss = how_many(rounds, "Swiss round")
    if cut:
        custom = tr(
            "custom can be, for example, {rounds} and a cut to {cut}", rounds=swiss, cut=cut
        )
    else:
        custom = tr("custom can be, for example, {rounds}", rounds=swiss)
    return "; ".join([*parts, custom])


def _players_needed(rules: Ruleset, kind: StructureKind, players: int) -> str:
    """Say from how many players on a structure can be chosen; empty if no table is that large."""
    table = rules.structures.tables.get(kind)
    bands = table.bands if table else ()
    least = min((each for band in bands if (each := band.players_min) > players), default=0)
    return (
        tr("{kind} can be chosen from {least} players on", kind=tr(kind), least=least)
        if least
        else ""
    )


def can_begin(tournament: Tournament, structure: str) -> bool:
    """Return whether a structure can be begun with the players who are registered."""
    players = len(tournament.active())
    return structure not in KINDS or tournament.ruleset.structure(structure, players) is not None


def _example(rules: Ruleset, players: int) -> tuple[int, int]:
    """Return rounds for that many players to find one who won all, and a cut, 0 for none.

    A game whose table asks for more rounds has those: fewer need a reason.
    """
    rounds = (players - 1).bit_length()
    cut = min(CUT_SHOWN, 1 << (players // 2).bit_length() - 1)
    has_cut = cut >= PLAYERS_MIN
    elimination = (Stage("single", entry="top", size=cut),) if has_cut else ()
    plans = (Stage("swiss", rounds), *elimination)
    rounds = rounds_below(rules, StructureAnnounced("custom", plans, players)) or rounds
    return rounds, cut if has_cut else 0
