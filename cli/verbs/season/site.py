"""`season site`: static pages of a season for its readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cli.desk.remembered import once
from cli.desk.session import Desk
from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, InFile, OutFile
from cli.input.options import option, word
from cli.languages.speaking import tr
from cli.render.records import show_value
from cli.season.opening import opened
from cli.season.options import (
    DEFAULT_SEASON,
    DEFAULT_VAULT,
    PLAIN_SITE,
    LeagueFile,
    SeasonFile,
    SiteParts,
    groups_by,
)
from cli.terminal.output import say
from cli.terminal.visible import how_many
from cli.verbs.season.by_points import own_scheme
from ledger.files import landed

if TYPE_CHECKING:
    from pathlib import Path

SEASON = "season"
"""Mark of the folder: a tournament does not replace it, nor it one."""


def site(
    desk: Desk,
    folder: Annotated[
        OutFile, word("FOLDER", "A new or empty folder, or one with an earlier season.")
    ],
    scheme: Annotated[
        list[InFile] | None, option("FILE", "A points scheme, as TOML; can be repeated.")
    ] = None,
    file: SeasonFile = DEFAULT_SEASON,
    league: LeagueFile = DEFAULT_VAULT,
    agreed: Annotated[
        InFile,
        option("FILE", "League ids or numbers of players who agreed to be named, one a line."),
    ] = NO_INPUT,
    rating: Annotated[
        str, option("glicko2|elo|bayes", "The rating system; default: glicko2.")
    ] = "",
    parts: SiteParts = PLAIN_SITE,
) -> None:
    """Write the season as static web pages.

    The pages show tournaments with their places and roots, standings by each scheme, metagame,
    match-ups, ratings, forecasts with their scores, persons and records. Persons appear by their
    pseudonyms; names from the league's vault are shown only for persons whom --agreed lists. Groups
    of fewer than five persons are folded into one. Metagame and match-ups are by faction, or by
    each attribute that groups the entrants of a game without factions. All files change together.

    tourney season site public --scheme points.toml --agreed agreed.txt
    """
    files = desk.files
    schemes = [files.reading(path) for path in scheme or ()]
    naming = files.named(league), files.named(agreed)
    logs = files.named(parts.logs)
    words = files.writing(folder), files.reading(file), schemes, naming, (rating, parts, logs)
    once(desk, lambda: _site(desk, *words))


def _site(
    desk: Desk,
    folder: Path,
    file: Path,
    schemes: list[Path],
    naming: tuple[str, str],
    words: tuple[str, SiteParts, str],
) -> None:
    from cli.season.league import names_agreed, persons_of
    from cli.season.site.frame import can_draw
    from cli.season.site.season_site import SiteOptions, site_files
    from cli.serve.publish import write_site
    from projections.processes import interrupted_by
    from projections.season.asking import Filters, narrow, prepare
    from projections.season.grouping.groups import refuse_unknown
    from projections.season.ratings import DEFAULT_SYSTEM, SYSTEMS

    system, parts, logs = words[0] or DEFAULT_SYSTEM, words[1], words[2]
    if system not in SYSTEMS:
        raise UsageError(
            tr(
                "{system} is not a rating system: use {systems}",
                system=repr(system),
                systems=", ".join(SYSTEMS),
            )
        )
    rules = [own_scheme(scheme) for scheme in schemes]
    with opened(file) as connection, interrupted_by(connection.interrupt):
        prepare(connection)
        narrow(connection, Filters())  # which refuses an empty season
        names = names_agreed(naming[1], naming[0], persons_of(connection))
        title = parts.title or tr("Season")
        refuse_unknown(connection, groups_by(parts.by))
        options = SiteOptions(title, rules, system, names, logs, parts.base, parts.by)
        contents = list(site_files(connection, options))
    count = write_site(folder, SEASON, contents)
    landed.note_place(str(folder))
    show_value(desk, {"folder": str(folder), "files": count, "named": len(names)})
    say(
        tr(
            "{folder}: {files}, {persons} shown by name",
            folder=folder,
            files=how_many(count, "file"),
            persons=how_many(len(names), "person"),
        )
    )
    if not can_draw():
        say(tr("the pages have no pictures: these need pip install 'tourney-ledger[plots]'"))
