"""`season people`: the persons behind the pseudonyms, and the league's decisions on them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cli import outside
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.find_people import called, plain
from cli.input.options import NeededReason, option, word
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, show_value, shows_table
from cli.season.league import (
    CANDIDATES,
    apply_decisions,
    pseudonym_of,
    seen_in,
    vault_at,
)
from cli.season.opening import opened
from cli.season.options import (
    DEFAULT_SEASON,
    DEFAULT_VAULT,
    NEW_SEASON,
    OWN_VAULT,
    LeagueFile,
    SeasonFile,
    WrittenLeague,
    WrittenSeason,
)
from cli.terminal.output import say
from cli.terminal.tables import Column, prose
from cli.terminal.visible import in_quotes
from ledger.errors import NotFound, Refused
from ledger.problems import phrase

if TYPE_CHECKING:
    from pathlib import Path

    from projections.season.league import ActKind, League, LeagueAct

LeagueId = Annotated[
    str,
    word(
        "LEAGUE_ID",
        "A league id, a membership number, or a guest as TOURNAMENT/PLAYER; never a name.",
    ),
]

_PERSONS = (
    Column(marked("name"), flexible=True, text=lambda each: each["name"] or "?"),
    Column(marked("league id"), flexible=True),
    Column(marked("member"), yields=1),
    Column(
        marked("same person as"),
        flexible=True,
        yields=2,
        key="person",
        text=lambda each: each["person"] if each["person"] != each["league_id"] else "",
    ),
    Column(marked("tournaments"), right=True),
)
_ACTS = (
    Column("#", right=True, key="number"),
    Column(marked("when"), key="made_at"),
    Column(marked("by"), flexible=True, key="made_by"),
    Column(marked("act"), key="kind"),
    Column(marked("league id"), flexible=True),
    Column(marked("person"), flexible=True),
    Column(
        marked("in"),
        yields=1,
        key="tournament",
        text=lambda act: (act["tournament"] or "")[:ID_SHOWN],
    ),
    Column(
        marked("undoes"),
        right=True,
        yields=2,
        text=lambda act: str(act["undoes"] or ""),
    ),
    prose(marked("why"), key="reason"),
)
ID_SHOWN = 8
_ID_OR_NUMBER = re.compile(r"[#po]?\d+|(?=.*\d)[0-9a-f-]{8,36}(?:/\d+)?")
"""A number, a player or official as `p7`, and a league id or its beginning."""


@shows_table
def list_persons(
    desk: Desk, season: SeasonFile = DEFAULT_SEASON, league: LeagueFile = DEFAULT_VAULT
) -> None:
    """List the person behind each pseudonym."""
    from projections.season.league import League, everywhere, is_guest

    counts = seen_in(desk.files.reading(season))
    with League(desk.files.reading(league)) as vault:
        persons = {person.league_id: person for person in vault.persons()}
        stands_for = everywhere(vault.aliases())
        read = {entry.guest: entry.base for entry in vault.entries()}
    counts = {
        id_: count
        for id_, count in counts.items()
        if not is_guest(id_) or (id_ in stands_for and read.get(id_, id_) == id_)
    }
    records = [
        {
            "league_id": league_id,
            "person": stands_for.get(league_id, league_id),
            "name": persons[league_id].name if league_id in persons else None,
            "member": persons[league_id].member if league_id in persons else None,
            "tournaments": counts.get(league_id, 0),
        }
        for league_id in sorted(
            persons.keys() | counts.keys(),
            key=lambda each: (each not in persons, persons[each].name if each in persons else each),
        )
    ]
    show_records(
        desk,
        _PERSONS,
        records,
        empty=tr("no persons yet: `season people name NAME` draws a pseudonym for a person"),
    )


@shows_table
def list_acts(desk: Desk, league: LeagueFile = DEFAULT_VAULT) -> None:
    """List the league's decisions about persons."""
    from projections.season.league import League

    with League(desk.files.reading(league)) as vault:
        show_records(
            desk,
            _ACTS,
            [act_as_json(act) for act in vault.acts()],
            empty=tr("no decisions yet: `season people merge`, `split` and `forget` record one"),
        )


def act_as_json(act: LeagueAct) -> dict[str, object]:
    """An act for scripts; `tournament` is null where it is about all of them."""
    return act._asdict() | {"tournament": act.tournament or None}


def name_person(
    desk: Desk,
    name: Annotated[str, word("NAME")],
    league_id: Annotated[str, word("[LEAGUE_ID]")] = "",
    member: Annotated[str, option("NUMBER", "The person's membership number.")] = "",
    league: WrittenLeague = OWN_VAULT,
) -> None:
    """Give a pseudonym a name, or draw a pseudonym for a name.

    With --member, a member keeps their existing pseudonym.
    """
    vault = desk.files.writing(league)
    once(desk, lambda: _name(desk, name, league_id, member, vault), vault)


def _name(desk: Desk, name: str, league_id: str, member: str, league: Path) -> None:
    _refuse_no_name(name, "season people name NAME [LEAGUE_ID]")
    if league_id != league_id.strip() or not league_id.isprintable():
        text = tr(
            "the id {id} has spaces at its ends, or invisible characters: type it without them",
            id=repr(league_id),
        )
        raise UsageError(text)
    with vault_at(league) as vault:
        known = {each.member: each.league_id for each in vault.persons() if each.member}
        person = vault.name(league_id or known.get(member, outside.draw_id()), name, member or None)
    show_value(desk, person._asdict(), person.league_id)
    say(
        tr(
            "{name} is {league_id}; to register: --league-id {league_id}",
            name=person.name,
            league_id=person.league_id,
        )
    )


def _refuse_no_name(name: str, line: str) -> None:
    """Refuse an empty text and an id or a number in the place of a person's name.

    Raises:
        UsageError: it is no name; the text says what to type.
    """
    if not name.strip():
        raise UsageError(tr("give a name: {line}", line=line))
    if _ID_OR_NUMBER.fullmatch(name.strip().lower()):
        text = tr(
            "{typed} is an id or a number, not a name: give the name of the person, such as "
            '"Ann Lee": {line}',
            typed=in_quotes(name),
            line=line,
        )
        raise UsageError(text)


def rename_person(
    desk: Desk,
    league_id: LeagueId,
    name: Annotated[str, word("NAME")],
    season: SeasonFile = DEFAULT_SEASON,
    league: WrittenLeague = OWN_VAULT,
) -> None:
    """Change a person's name; every result stays theirs."""
    file, vault = desk.files.reading(season), desk.files.writing(league)
    once(desk, lambda: _rename(desk, league_id, name, file, vault), vault)


def _rename(desk: Desk, league_id: str, name: str, season: Path, league: Path) -> None:
    _refuse_no_name(name, "season people rename LEAGUE_ID NAME")
    with vault_at(league) as vault:
        who = pseudonym_of(vault, league_id, seen_in(season))
        before = vault.rename(who, name)
    show_value(desk, before._replace(name=name)._asdict())
    say(
        tr(
            "{who} is {name}, no longer {before}; every result stays theirs",
            who=who,
            name=name,
            before=before.name,
        )
    )


class DecisionOptions(NamedTuple):
    """Who decides and why, and which files have the season and the league's vault."""

    by: Annotated[str, option("NAME", "Required: the person who decides.", "--by")] = ""
    reason: NeededReason = ""
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
    """Undo a merge; with -t, separate only one tournament."""
    _decide(desk, "split", [league_id], decision)


def undo(
    desk: Desk,
    number: Annotated[str, word("NUMBER", "The act, as `season people acts` numbers them.")],
    decision: DecisionOptions = UNSAID,
) -> None:
    """Undo one of the league's decisions.

    An undoing can be undone as well; only forgetting cannot.
    """
    _decide(desk, "undo", [number], decision)


def forget(
    desk: Desk,
    league_id: LeagueId,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Have their public ids lead to a fresh pseudonym.")
    ] = False,
    decision: DecisionOptions = UNSAID,
) -> None:
    """Forget the person behind a pseudonym; every number stays.

    Names, the membership number, and digests of public ids go from the vault, of every pseudonym of
    the person. A pseudonym that was made of a public id is replaced by a fresh one. Logs that were
    published keep the id: with --fresh it leads to the fresh pseudonym, and no name is read.
    """
    _decide(desk, "forget", [league_id], decision, fresh=fresh)


def _decide(
    desk: Desk,
    kind: ActKind,
    words: list[str],
    decision: DecisionOptions,
    *,
    fresh: bool = False,
) -> None:
    vault = desk.files.writing(decision.league)
    once(desk, lambda: _record(desk, kind, words, decision, fresh=fresh), vault)


def _record(
    desk: Desk,
    kind: ActKind,
    words: list[str],
    decision: DecisionOptions,
    *,
    fresh: bool,
) -> None:
    """Put a decision on record, who decided and why, and apply it to the season."""
    from projections.season.league import LeagueAct

    season, league = desk.files.writing(decision.season), desk.files.writing(decision.league)
    if not (decision.by.strip() and decision.reason.strip()):
        raise UsageError(tr("season people {kind} needs --by NAME and --reason TEXT", kind=kind))
    seen = seen_in(season)
    with vault_at(league) as vault:
        undoes = _undone(vault, words[0]) if kind == "undo" else 0
        pseudonyms = [] if undoes else [pseudonym_of(vault, word, seen) for word in words]
        person, tournament = ("", "") if undoes else _outcome(desk, vault, kind, pseudonyms, season)
        first = pseudonyms[0] if pseudonyms else ""
        act = LeagueAct(
            outside.now(), decision.by, kind, first, person, tournament, decision.reason, undoes
        )
        forgotten = vault.forget(act, keeps_ids=fresh) if kind == "forget" else None
        number = forgotten.act if forgotten is not None else vault.record(act)
        recorded = next(act for act in vault.acts() if act.number == number)
    moved = apply_decisions(season, league)
    show_value(desk, act_as_json(recorded))
    text = _decided(recorded, pseudonyms, person, tournament)
    say(tr("{decision}; the season is updated", decision=text) if moved else text)
    if forgotten is not None and forgotten.ids:
        say(_of_ids(fresh=fresh))


def _of_ids(*, fresh: bool) -> str:
    """Say what a public id in a published log still does once its person is forgotten."""
    if fresh:
        return tr(
            "their public ids stay in logs that were published, and lead to the fresh pseudonym"
        )
    return tr(
        "a public id in a published log still finds the person: the next log with it makes a "
        "pseudonym of it again; forget that one with --fresh, and the id leads to a fresh one"
    )


def _undone(vault: League, word: str) -> int:
    """Return the number of an act that can be undone.

    Raises:
        NotFound: there is no such act.
        Refused: it was undone before, or it forgot a person.
    """
    from projections.season.league import in_force

    acts = vault.acts()
    act = next(
        (candidate for candidate in acts if str(candidate.number) == word.removeprefix("#")), None
    )
    if act is None:
        raise NotFound(
            phrase(
                "act {number} is missing: `season people acts` lists all acts", number=repr(word)
            )
        )
    if act.kind == "forget":
        raise Refused(phrase("what was forgotten is erased: act {number} stays", number=act.number))
    undone = {act.undoes for act in in_force(acts, undoings=True) if act.kind == "undo"}
    if act.number in undone:
        raise Refused(phrase("act {number} was undone before", number=act.number))
    return act.number


def _decided(act: LeagueAct, pseudonyms: list[str], person: str, tournament: str) -> str:
    """Say what a decision means."""
    kind = act.kind
    if kind == "undo":
        return tr("act {number} counts no more", number=act.undoes)
    if kind == "merge":
        return tr("{who} and {other} are one person", who=pseudonyms[0], other=pseudonyms[-1])
    if kind == "forget":
        return tr(
            "the data of the person behind {who} is erased; every number stays", who=pseudonyms[0]
        )
    if tournament:
        shown = tournament[:ID_SHOWN]
        return tr(
            "{who} is {person} in {tournament}", who=pseudonyms[0], person=person, tournament=shown
        )
    return tr("{who} is {person}", who=pseudonyms[0], person=person)


def _outcome(
    desk: Desk, vault: League, kind: ActKind, who: list[str], season: Path
) -> tuple[str, str]:
    """The person that comes of an act, and the tournament it is about."""
    from projections.season.league import everywhere, is_guest

    stands_for = everywhere(vault.aliases())
    if kind == "merge":
        one, other = (stands_for.get(each, each) for each in who)
        if one == other:
            raise Refused(
                phrase(
                    "{who} and {other} are one person already: a person cannot be "
                    "merged with themselves",
                    who=who[0],
                    other=who[1],
                )
            )
        return other, ""
    if kind == "forget":
        if not vault.erasing(who[0]).is_known:
            raise NotFound(
                phrase("the league has no name for {who}: there is nothing to forget", who=who[0])
            )
        return who[0], ""
    if is_guest(who[0]) and stands_for.get(who[0], who[0]) != who[0]:
        entry = next((x for x in vault.entries() if x.guest == who[0]), None)
        if entry is not None and entry.base != entry.guest:
            return outside.draw_id(), entry.tournament  # a public id joins them everywhere else
    if desk.options.tournament:
        return outside.draw_id(), _tournament_of(desk.options.tournament, season, who[0])
    if stands_for.get(who[0], who[0]) == who[0]:
        raise Refused(
            phrase(
                "{who} is not merged with another person; to split off one tournament, use -t",
                who=who[0],
            )
        )
    return who[0], ""


def _tournament_of(words: str, season: Path, league_id: str) -> str:
    """The one tournament of somebody's that a part of its id or name means."""
    with opened(season) as connection:
        names = dict(
            connection.execute(
                "SELECT DISTINCT tournament, name FROM tournaments JOIN entrants USING (tournament)"
                " WHERE league_id = $who ORDER BY tournament",
                {"who": league_id},
            ).fetchall()
        )
    found = called(names, words) or [
        id_
        for id_, name in names.items()
        if id_.startswith(words.lower()) or plain(words) in plain(name)
    ]
    if len(found) != 1:
        shown = "".join(f"; {id_} {names[id_]}" for id_ in found[:CANDIDATES])
        if not found:
            text = phrase(
                "{words} matches no tournaments of {person} in the season",
                words=repr(words),
                person=league_id,
            )
        else:
            text = phrase(
                "{words} matches {number} tournaments of {person} in the season{shown}",
                number=len(found),
                shown=shown,
                words=repr(words),
                person=league_id,
            )
        raise NotFound(text)
    return str(found[0])
