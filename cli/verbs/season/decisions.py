"""`season people merge`, `split`, `forget`: what the league decides on persons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli import outside
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.options import option, word
from cli.render.records import show_value
from cli.season.league import CANDIDATES, apply_decisions, pseudonym_of, seen_in, vault_at
from cli.season.opening import opened
from cli.season.options import NEW_SEASON, OWN_VAULT, WrittenLeague, WrittenSeason
from cli.terminal.output import say
from cli.verbs.season.persons import ID_SHOWN, LeagueId, act_as_json
from ledger.errors import NotFound, Refused

if TYPE_CHECKING:
    from pathlib import Path

    from projections.season.league import ActKind, League


class DecisionOptions(NamedTuple):
    """Who decides and why, and which files have the season and the league's vault."""

    by: Annotated[str, option("NAME", "Required: who decides.", "--by")] = ""
    reason: Annotated[str, option("TEXT", "Required: why.", "--reason")] = ""
    season: WrittenSeason = NEW_SEASON
    league: WrittenLeague = OWN_VAULT


UNSAID = DecisionOptions()


def merge(
    desk: Desk,
    league_id: LeagueId,
    into: Annotated[str, word("INTO", "The pseudonym that stays.")],
    decision: DecisionOptions = UNSAID,
) -> None:
    """Decide that two pseudonyms are one person."""
    _decide(desk, "merge", [league_id, into], decision)


def split(desk: Desk, league_id: LeagueId, decision: DecisionOptions = UNSAID) -> None:
    """Take a merger back; with -t, split one tournament off."""
    _decide(desk, "split", [league_id], decision)


def forget(desk: Desk, league_id: LeagueId, decision: DecisionOptions = UNSAID) -> None:
    """Forget who is behind a pseudonym; every number stays."""
    _decide(desk, "forget", [league_id], decision)


def _decide(desk: Desk, kind: ActKind, words: list[str], decision: DecisionOptions) -> None:
    vault = desk.files.writing(decision.league)
    once(desk, lambda: _record(desk, kind, words, decision), vault)


def _record(desk: Desk, kind: ActKind, words: list[str], decision: DecisionOptions) -> None:
    """Put a decision on record, who decided and why, and apply it to the season."""
    from projections.season.league import LeagueAct

    season, league = desk.files.writing(decision.season), desk.files.writing(decision.league)
    if not (decision.by.strip() and decision.reason.strip()):
        raise UsageError(f"season people {kind} needs --by NAME and --reason TEXT")
    seen = seen_in(season)
    with vault_at(league) as vault:
        who = [pseudonym_of(vault, word, seen) for word in words]
        person, tournament = _outcome(desk, vault, kind, who, season)
        act = LeagueAct(
            outside.now(), decision.by, kind, who[0], person, tournament, decision.reason
        )
        vault.record(act)
    moved = apply_decisions(season, league)
    word = {
        "merge": f"{who[0]} and {who[-1]} are one person",
        "split": f"{who[0]} is {person}{' in ' + tournament[:ID_SHOWN] if tournament else ''}",
        "forget": f"nobody knows any more who {who[0]} is; every number stays",
    }[kind]
    show_value(desk, act_as_json(act))
    say(word + ("; the season has it, too" if moved else ""))


def _outcome(
    desk: Desk, vault: League, kind: ActKind, who: list[str], season: Path
) -> tuple[str, str]:
    """The person that comes of an act, and the tournament it is about."""
    from projections.season.league import aliases_of, everywhere

    stands_for = everywhere(aliases_of(vault.acts()))
    if kind == "merge":
        one, other = (stands_for.get(each, each) for each in who)
        if one == other:
            raise Refused(
                f"{who[0]} and {who[1]} are one person already: nobody can be merged "
                "into themselves"
            )
        return other, ""
    if kind == "forget":
        if not any(each.league_id == who[0] for each in vault.persons()):
            raise NotFound(f"no name is known of {who[0]}: there is nothing to forget")
        return who[0], ""
    if desk.options.tournament:
        return outside.draw_id(), _tournament_of(desk.options.tournament, season, who[0])
    if stands_for.get(who[0], who[0]) == who[0]:
        raise Refused(
            f"{who[0]} was merged into nobody; one tournament of theirs is split off with -t"
        )
    return who[0], ""


def _tournament_of(words: str, season: Path, league_id: str) -> str:
    """The one tournament of somebody's that a part of its id or name means."""
    with opened(season) as connection:
        found = connection.execute(
            "SELECT DISTINCT tournament, name FROM tournaments JOIN entrants USING (tournament) "
            "WHERE league_id = $who AND (starts_with(tournament, lower($words)) "
            "OR contains(lower(name), lower($words))) ORDER BY tournament",
            {"who": league_id, "words": words},
        ).fetchall()
    if len(found) != 1:
        shown = "".join(f"; {id_} {name}" for id_, name in found[:CANDIDATES])
        raise NotFound(
            f"{len(found) or 'no'} tournaments of {league_id} in the season are meant by {words!r}"
            f"{shown}"
        )
    return str(found[0][0])
