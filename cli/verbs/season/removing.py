"""`season remove`: a tournament taken out of the season, on record in the league's vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from cli import outside
from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile
from cli.input.options import NeededReason, option, word
from cli.languages.speaking import tr
from cli.render.records import show_value
from cli.season.league import apply_decisions, begun_by, names_of, the_one, vault_at
from cli.season.opening import only_known_values, opened, sealing, season_at, signing, writing
from cli.season.options import NEW_SEASON, OWN_VAULT, WrittenLeague, WrittenSeason
from cli.terminal.output import say
from cli.verbs.season.by_points import PointsScheme, own_scheme, restatement_as_json, show_moves
from ledger.errors import NotFound, Refused
from ledger.files import landed
from ledger.problems import phrase

if TYPE_CHECKING:
    from pathlib import Path

    from projections.season.loading.adding import Restatement


class RemovingOptions(NamedTuple):
    """Options: the person who decides, the reason, the scheme, and the files that are written."""

    by: Annotated[str, option("NAME", "Required: the person who decides.", "--by")] = ""
    reason: NeededReason = ""
    scheme: PointsScheme = NO_INPUT
    file: WrittenSeason = NEW_SEASON
    league: WrittenLeague = OWN_VAULT


UNSAID = RemovingOptions()


def remove(
    desk: Desk,
    event: Annotated[str, word("EVENT", "The tournament: its name, or its id from 8 digits on.")],
    options: RemovingOptions = UNSAID,
) -> None:
    """Take a tournament out of the season.

    First it shows what changes, as `season restate` does. The removal is on record in the league's
    vault: `season add` and `season rebuild` leave the log out and say so, until --take-back.

    tourney season remove "Spring Cup" --by Kim --reason "played twice" --scheme points.toml
    """
    once(desk, lambda: _remove(desk, event, options), desk.files.writing(options.league))


def _remove(desk: Desk, event: str, options: RemovingOptions) -> None:
    from projections.season.league import Removal
    from projections.season.loading.removing import remove_from_file, remove_from_folder

    if not (options.by.strip() and options.reason.strip()):
        raise UsageError(tr("season remove needs --by NAME and --reason TEXT"))
    season, league = desk.files.writing(options.file), desk.files.writing(options.league)
    tournament, name = _tournament_called(season, event)
    restatement = _restated(desk, season, tournament, options.scheme)
    names = names_of(str(league))
    if not desk.json:
        show_moves(restatement, names)
    _ask(desk, name)
    with vault_at(league) as vault:
        removal = Removal(outside.now(), options.by, "remove", tournament, options.reason)
        vault.record_removals([removal])
    if desk.files.is_folder(options.file):
        remove_from_folder(season, tournament, sealing(season))
    else:
        with writing(season) as connection:
            remove_from_file(connection, tournament, signing(connection))
    landed.note_place(str(season))
    apply_decisions(season, league)
    value = {**removal._asdict(), "name": name, **restatement_as_json(restatement, names)}
    show_value(desk, value)
    say(
        tr(
            "{name} is not in the season any more; {file} has the reason",
            name=name,
            file=str(league),
        )
    )


def _tournament_called(season: Path, words: str) -> tuple[str, str]:
    """Find the tournament of a season that words name, and its name.

    Raises:
        Refused: they name several.
        NotFound: they name none.
    """
    with opened(season) as connection:
        rows = connection.execute("SELECT tournament, name FROM tournaments ORDER BY 1").fetchall()
    called = dict(rows)
    named = [stream for stream, name in rows if name == words] or begun_by(words, called)
    if not named:
        raise NotFound(phrase("no tournament of the season is called {words}", words=repr(words)))
    if len({called[stream] for stream in named}) < len(named):
        raise Refused(
            phrase(
                "{count} tournaments of the season are called {words}: {ids}; use an id",
                count=len(named),
                words=repr(words),
                ids=", ".join(stream[:12] for stream in named),
            )
        )
    stream = the_one(words, named)
    return stream, called[stream]


def _restated(desk: Desk, season: Path, tournament: str, scheme: InFile) -> Restatement:
    """Return what the removal changes in the season, and in its standings by a scheme."""
    from projections.season.loading.removing import restate_removal

    rules = own_scheme(desk.files.reading(scheme)) if scheme else None
    with season_at(season) as safe, only_known_values(safe):
        return restate_removal(safe.file, tournament, rules)


def _ask(desk: Desk, name: str) -> None:
    """Ask for confirmation before anything is written.

    Raises:
        Refused: the answer is no, or is missing.
    """
    from cli.desk.questions import agreed

    question = tr("take {name} out of the season?", name=name)
    if not (desk.options.yes or agreed(question)):
        raise Refused(phrase("nothing was written"))
