"""`season people`: who is behind a pseudonym, and what the league decided on persons."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cli import outside
from cli.desk.answers import once
from cli.input.arguments import UsageError
from cli.season.league import meant
from cli.terminal.diagnostics import say
from cli.terminal.output import show, show_json, show_table
from cli.terminal.tables import Column
from ledger.errors import LedgerError, NotFound, Refused
from ledger.files import landed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cli.desk.session import Desk
    from projections.season.people.league import ActKind, League, LeagueAct

USAGE = (
    "season people [list|acts], season people name NAME [LEAGUE_ID] [--member NUMBER], season "
    "people rename LEAGUE_ID NAME, season people merge LEAGUE_ID INTO, season people split "
    "LEAGUE_ID [-t TOURNAMENT], or season people forget LEAGUE_ID; the last three with --by NAME "
    "--reason TEXT"
)


class Asked(NamedTuple):
    """Where season and vault are, and what the line says beside the words."""

    season: Path
    league: Path
    member: str
    by: str
    reason: str


def people(desk: Desk, words: list[str], asked: Asked) -> None:
    """Carry out one of the acts on people."""
    act, *given = words or ["list"]
    if act == "list" and not given:
        _list(asked, json=desk.json)
    elif act == "acts" and not given:
        _acts(asked, json=desk.json)
    elif act == "name" and len(given) in {1, 2}:
        once(desk, lambda: _name(given, asked, json=desk.json), asked.league)
    elif act == "rename" and len(given) == len(("LEAGUE_ID", "NAME")):
        once(desk, lambda: _rename(given[0], given[1], asked, json=desk.json), asked.league)
    elif act == "merge" and len(given) == len(("LEAGUE_ID", "INTO")):
        once(desk, lambda: _decide(desk, "merge", given, asked), asked.league)
    elif act == "split" and len(given) == 1:
        once(desk, lambda: _decide(desk, "split", given, asked), asked.league)
    elif act == "forget" and len(given) == 1:
        once(desk, lambda: _decide(desk, "forget", given, asked), asked.league)
    else:
        raise UsageError(USAGE)


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


def _list(asked: Asked, *, json: bool) -> None:
    from projections.season.people.league import League, aliases_of, everywhere

    seen = _seen(asked.season)
    with League(asked.league) as vault:
        persons = {each.league_id: each for each in vault.persons()}
        stands_for = everywhere(aliases_of(vault.acts()))
    told = [
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
    if json:
        show_json(told)
        return
    columns = (
        Column("name", flexible=True),
        Column("league id", flexible=True),
        Column("member", yields=1),
        Column("same person as", flexible=True, yields=2),
        Column("events", right=True),
    )
    show_table(
        columns,
        [
            [
                str(each["name"] or "?"),
                str(each["league_id"]),
                str(each["member"] or ""),
                str(each["person"]) if each["person"] != each["league_id"] else "",
                str(each["tournaments"]),
            ]
            for each in told
        ],
    )


def _acts(asked: Asked, *, json: bool) -> None:
    from projections.season.people.league import League

    with League(asked.league) as vault:
        acts = vault.acts()
    if json:
        show_json([_act_as_json(each) for each in acts])
        return
    columns = (
        Column("when"),
        Column("by", flexible=True),
        Column("act"),
        Column("league id", flexible=True),
        Column("person", flexible=True),
        Column("in", yields=1),
        Column("why", flexible=True, wraps=True),
    )
    show_table(
        columns,
        [
            [x.made_at, x.made_by, x.kind, x.league_id, x.person, x.tournament[:8], x.reason]
            for x in acts
        ],
    )


def _act_as_json(act: LeagueAct) -> dict[str, object]:
    """An act for scripts; `tournament` is null where it is about all of them."""
    return act._asdict() | {"tournament": act.tournament or None}


@contextmanager
def _vault(path: Path) -> Iterator[League]:
    """Open the vault, made where there is none; one that was made for a refusal goes with it."""
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


def _name(given: list[str], asked: Asked, *, json: bool) -> None:
    """Name a pseudonym; without one the member's, else a new one that is drawn here."""
    name, *word = given
    if not name.strip():
        raise UsageError("a name is needed: season people name NAME [LEAGUE_ID]")
    with _vault(asked.league) as vault:
        known = {each.member: each.league_id for each in vault.persons() if each.member}
        league_id = word[0] if word else known.get(asked.member, outside.draw_id())
        person = vault.name(league_id, name, asked.member or None)
    if json:
        show_json(person._asdict())
    else:
        show(person.league_id)
    say(f"{person.name} is {person.league_id}: register them with --league-id {person.league_id}")


def _rename(league_id: str, name: str, asked: Asked, *, json: bool) -> None:
    if not name.strip():
        raise UsageError("a name is needed: season people rename LEAGUE_ID NAME")
    with _vault(asked.league) as vault:
        who = meant(vault, league_id, _seen(asked.season))
        before = vault.rename(who, name)
    if json:
        show_json(before._replace(name=name)._asdict())
    say(f"{who} is {name}, no longer {before.name}; every result stays theirs")


def _decide(desk: Desk, kind: ActKind, given: list[str], asked: Asked) -> None:
    from projections.season.people.league import LeagueAct

    if not (asked.by.strip() and asked.reason.strip()):
        raise UsageError(f"season people {kind} needs --by NAME and --reason TEXT")
    seen = _seen(asked.season)
    with _vault(asked.league) as vault:
        who = [meant(vault, word, seen) for word in given]
        person, tournament = _outcome(desk, vault, kind, who, asked.season)
        act = LeagueAct(outside.now(), asked.by, kind, who[0], person, tournament, asked.reason)
        vault.record(act)
    moved = _retell(asked)
    word = {
        "merge": f"{who[0]} and {who[-1]} are one person",
        "split": f"{who[0]} is {person}{' in ' + tournament[:8] if tournament else ''}",
        "forget": f"nobody knows any more who {who[0]} is; every number stays",
    }[kind]
    if desk.json:
        show_json(_act_as_json(act))
    say(word + ("; the season tells so, too" if moved else ""))


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


def _retell(asked: Asked) -> bool:
    from cli.season.league import league_aliases
    from projections.season.people.league import apply_aliases
    from projections.season.tables.database import open_season

    if not asked.season.exists():
        return False
    with open_season(asked.season) as connection:
        return apply_aliases(connection, league_aliases(str(asked.league)) or [])
