"""`season people`: who is behind a pseudonym, and what the league decided on persons."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import outside
from cli.desk.acts import desk_of
from cli.desk.answers import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.render.records import show_records, shows_table
from cli.season.league import DEFAULT_LEAGUE, pseudonym_of
from cli.season.options import DEFAULT_SEASON, LeagueFile, SeasonFile
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json
from cli.terminal.tables import Column, prose
from ledger.errors import LedgerError, NotFound, Refused
from ledger.files import landed

if TYPE_CHECKING:
    from projections.season.people.league import ActKind, League, LeagueAct

LeagueId = Annotated[str, typer.Argument(metavar="LEAGUE_ID", help="Or a name that has one.")]
DecidedBy = Annotated[str, typer.Option("--by", metavar="NAME", help="Required: who decides.")]
Why = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Required: why.")]

_PERSONS = (
    Column("name", flexible=True, text=lambda each: each["name"] or "?"),
    Column("league id", flexible=True),
    Column("member", yields=1),
    Column(
        "same person as",
        flexible=True,
        yields=2,
        key="person",
        text=lambda each: each["person"] if each["person"] != each["league_id"] else "",
    ),
    Column("events", right=True, key="tournaments"),
)
_ACTS = (
    Column("when", key="made_at"),
    Column("by", flexible=True, key="made_by"),
    Column("act", key="kind"),
    Column("league id", flexible=True),
    Column("person", flexible=True),
    Column("in", yields=1, key="tournament", text=lambda act: (act["tournament"] or "")[:ID_SHOWN]),
    prose("why", key="reason"),
)
ID_SHOWN = 8


@shows_table
def list_persons(
    context: typer.Context, season: SeasonFile = DEFAULT_SEASON, league: LeagueFile = DEFAULT_LEAGUE
) -> None:
    """List who is behind each pseudonym."""
    from projections.season.people.league import League, aliases_of, everywhere

    seen = _seen(Path(season))
    with League(Path(league)) as vault:
        persons = {each.league_id: each for each in vault.persons()}
        stands_for = everywhere(aliases_of(vault.acts()))
    records = [
        {
            "league_id": league_id,
            "person": stands_for.get(league_id, league_id),
            "name": persons[league_id].name if league_id in persons else None,
            "member": persons[league_id].member if league_id in persons else None,
            "tournaments": seen.get(league_id, 0),
        }
        for league_id in sorted(
            persons.keys() | seen.keys(),
            key=lambda each: (each not in persons, persons[each].name if each in persons else each),
        )
    ]
    show_records(desk_of(context), _PERSONS, records)


@shows_table
def list_acts(context: typer.Context, league: LeagueFile = DEFAULT_LEAGUE) -> None:
    """List what the league decided on persons."""
    from projections.season.people.league import League

    with League(Path(league)) as vault:
        show_records(desk_of(context), _ACTS, [_act_as_json(each) for each in vault.acts()])


def _seen(season: Path) -> dict[str, int]:
    """How many tournaments of the season each pseudonym is in; none where there is no season."""
    from projections.season.tables.database import open_season

    if not season.exists():
        return {}
    with open_season(season, read_only=True) as connection:
        return dict(
            connection.execute(
                "SELECT league_id, count(DISTINCT tournament) FROM entrants "
                "WHERE league_id != '' GROUP BY league_id ORDER BY league_id"
            ).fetchall()
        )


def _act_as_json(act: LeagueAct) -> dict[str, object]:
    """An act for scripts; `tournament` is null where it is about all of them."""
    return act._asdict() | {"tournament": act.tournament or None}


@contextmanager
def _vault(path: Path) -> Iterator[League]:
    """Open the vault, or make it; one that was made for a refusal goes with it."""
    from projections.season.people.league import League

    is_new = not path.exists()
    try:
        with League(path, create=True) as vault:
            yield vault
        landed.note_place(str(path))
    except LedgerError:
        if is_new:
            path.unlink(missing_ok=True)
        raise


def name_person(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    league_id: Annotated[str, typer.Argument(metavar="[LEAGUE_ID]")] = "",
    member: Annotated[str, typer.Option(metavar="NUMBER", help="Their membership number.")] = "",
    league: LeagueFile = DEFAULT_LEAGUE,
) -> None:
    """Name a pseudonym, or draw one for a name.

    With --member that of the member, where there is one.
    """
    desk = desk_of(context)
    once(desk, lambda: _name(desk, name, league_id, member, Path(league)), Path(league))


def _name(desk: Desk, name: str, league_id: str, member: str, league: Path) -> None:
    if not name.strip():
        raise UsageError("a name is needed: season people name NAME [LEAGUE_ID]")
    with _vault(league) as vault:
        known = {each.member: each.league_id for each in vault.persons() if each.member}
        person = vault.name(league_id or known.get(member, outside.draw_id()), name, member or None)
    if desk.json:
        show_json(person._asdict())
    else:
        show(person.league_id)
    say(f"{person.name} is {person.league_id}: register them with --league-id {person.league_id}")


def rename_person(
    context: typer.Context,
    league_id: LeagueId,
    name: Annotated[str, typer.Argument(metavar="NAME")],
    season: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
) -> None:
    """Give a person another name; every result stays theirs."""
    desk = desk_of(context)
    once(desk, lambda: _rename(desk, league_id, name, Path(season), Path(league)), Path(league))


def _rename(desk: Desk, league_id: str, name: str, season: Path, league: Path) -> None:
    if not name.strip():
        raise UsageError("a name is needed: season people rename LEAGUE_ID NAME")
    with _vault(league) as vault:
        who = pseudonym_of(vault, league_id, _seen(season))
        before = vault.rename(who, name)
    if desk.json:
        show_json(before._replace(name=name)._asdict())
    say(f"{who} is {name}, no longer {before.name}; every result stays theirs")


def merge(
    context: typer.Context,
    league_id: LeagueId,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The pseudonym that stays.")],
    by: DecidedBy = "",
    reason: Why = "",
    season: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
) -> None:
    """Decide that two pseudonyms are one person."""
    _decide(desk_of(context), "merge", [league_id, into], (by, reason), (season, league))


def split(
    context: typer.Context,
    league_id: LeagueId,
    by: DecidedBy = "",
    reason: Why = "",
    season: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
) -> None:
    """Take a merger back; with -t, split one tournament off."""
    _decide(desk_of(context), "split", [league_id], (by, reason), (season, league))


def forget(
    context: typer.Context,
    league_id: LeagueId,
    by: DecidedBy = "",
    reason: Why = "",
    season: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_LEAGUE,
) -> None:
    """Forget who is behind a pseudonym; every number stays."""
    _decide(desk_of(context), "forget", [league_id], (by, reason), (season, league))


def _decide(
    desk: Desk, kind: ActKind, words: list[str], decided: tuple[str, str], files: tuple[str, str]
) -> None:
    season, league = map(Path, files)
    once(desk, lambda: _record(desk, kind, words, decided, season, league), league)


def _record(
    desk: Desk,
    kind: ActKind,
    words: list[str],
    decided: tuple[str, str],
    season: Path,
    league: Path,
) -> None:
    """Put a decision on record, who decided and why, and apply it to the season."""
    from projections.season.people.league import LeagueAct

    by, reason = decided
    if not (by.strip() and reason.strip()):
        raise UsageError(f"season people {kind} needs --by NAME and --reason TEXT")
    seen = _seen(season)
    with _vault(league) as vault:
        who = [pseudonym_of(vault, word, seen) for word in words]
        person, tournament = _outcome(desk, vault, kind, who, season)
        act = LeagueAct(outside.now(), by, kind, who[0], person, tournament, reason)
        vault.record(act)
    moved = _apply(season, league)
    word = {
        "merge": f"{who[0]} and {who[-1]} are one person",
        "split": f"{who[0]} is {person}{' in ' + tournament[:ID_SHOWN] if tournament else ''}",
        "forget": f"nobody knows any more who {who[0]} is; every number stays",
    }[kind]
    if desk.json:
        show_json(_act_as_json(act))
    say(word + ("; the season has it, too" if moved else ""))


def _outcome(
    desk: Desk, vault: League, kind: ActKind, who: list[str], season: Path
) -> tuple[str, str]:
    """The person that comes of an act, and the tournament it is about."""
    from projections.season.people.league import aliases_of, everywhere

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
    from projections.season.tables.database import open_season

    with open_season(season, read_only=True) as connection:
        found = connection.execute(
            "SELECT DISTINCT tournament FROM tournaments JOIN entrants USING (tournament) "
            "WHERE league_id = $who AND (starts_with(tournament, lower($words)) "
            "OR contains(lower(name), lower($words))) ORDER BY tournament",
            {"who": league_id, "words": words},
        ).fetchall()
    if len(found) != 1:
        raise NotFound(
            f"{len(found) or 'no'} tournaments of {league_id} in the season are meant by {words!r}"
        )
    return str(found[0][0])


def _apply(season: Path, league: Path) -> bool:
    from cli.season.league import league_aliases
    from projections.season.people.league import apply_aliases
    from projections.season.tables.database import open_season

    if not season.exists():
        return False
    with open_season(season) as connection:
        return apply_aliases(connection, league_aliases(str(league)) or [])
