"""Options that the verbs of the season share: which files, which tournaments, shown as what."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer

from cli.input.arguments import UsageError
from cli.input.file_names import NO_INPUT, NO_OUTPUT, InFile, OutFile
from cli.input.options import shared
from cli.languages.speaking import tr
from cli.season.engines import DUCKDB
from cli.season.league import DEFAULT_LEAGUE

DEFAULT_SEASON = InFile("season.duckdb")
NEW_SEASON = OutFile("season.duckdb")
DEFAULT_VAULT = InFile(DEFAULT_LEAGUE)
OWN_VAULT = OutFile(DEFAULT_LEAGUE)

SeasonFile = Annotated[InFile, shared("--in")]
WrittenSeason = Annotated[OutFile, shared("--in")]
LeagueFile = Annotated[InFile, shared("--league")]
WrittenLeague = Annotated[OutFile, shared("--league")]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Skip a log that is wrong, and name it.")
]
AskedPolicy = Annotated[InFile, shared("--policy")]
"""A file, or a folder of policies."""
ArchetypeFiles = Annotated[
    list[InFile] | None,
    typer.Option(
        "--archetypes", metavar="FILE", help="Rules that name lists, as TOML; may be repeated."
    ),
]
SignedWins = Annotated[
    bool,
    typer.Option("--signed-wins", help="If a tournament has two histories, take the signed one."),
]
KnownLogs = Annotated[
    bool,
    typer.Option(
        "--known", help="Do not check again what was checked before, or what the policy accepts."
    ),
]
OtherVault = Annotated[
    bool,
    typer.Option(
        "--other-vault", help="Take the pseudonyms of another vault than the season was made with."
    ),
]
TakeBack = Annotated[
    str,
    typer.Option(
        "--take-back",
        metavar="REASON",
        help="Take tournaments back that `season remove` took out, for this reason.",
    ),
]
TakenBackBy = Annotated[
    str,
    typer.Option("--by", metavar="NAME", help="With --take-back: the person who decides."),
]
Agreed = Annotated[
    InFile,
    typer.Option(
        "--agreed",
        metavar="FILE",
        help="Show only the names of league ids or numbers listed in FILE.",
    ),
]
GroupedBy = Annotated[
    str,
    typer.Option("--by", metavar="ATTRIBUTE", help="Group by an attribute instead of the faction."),
]
AgreedToNames = Annotated[
    InFile,
    typer.Option(
        "--agreed", metavar="FILE", help="Required: league ids or numbers of those who agreed."
    ),
]
OfRuleset = Annotated[str, typer.Option("--ruleset", metavar="KEY", help="Only this game.")]
OfTier = Annotated[str, typer.Option("--tier", metavar="TIER", help="Only this tier.")]
FirstRows = Annotated[str, typer.Option("--top", metavar="N", help="Only the first N rows.")]
Picture = Annotated[
    OutFile, typer.Option("--plot", metavar="FILE", help="Draw a picture, as .png, .svg or .html.")
]


class SeasonPart(NamedTuple):
    """Which season is asked, and which of its tournaments."""

    file: SeasonFile = DEFAULT_SEASON
    league: LeagueFile = DEFAULT_VAULT
    ruleset: OfRuleset = ""
    tier: OfTier = ""
    first: Annotated[
        str, typer.Option("--from", metavar="YYYY-MM-DD", help="Held on that day or later.")
    ] = ""
    by: GroupedBy = ""
    agreed: Agreed = NO_INPUT


class AnswerOptions(NamedTuple):
    """How much of an answer is shown, and as what."""

    top: FirstRows = ""
    plot: Picture = NO_OUTPUT
    min_games: Annotated[
        str, typer.Option("--min-games", metavar="N", help="Show rows with fewer games in grey.")
    ] = ""


class EngineOptions(NamedTuple):
    """What answers, and whether it is compared with DuckDB."""

    engine: Annotated[
        str,
        typer.Option(
            "--engine", metavar="ENGINE", help="Engine: duckdb, spark://HOST:PORT, local[2]."
        ),
    ] = DUCKDB
    check: Annotated[
        bool, typer.Option("--check", help="Ask the engine and DuckDB, and compare every row.")
    ] = False


class ShownSeason(NamedTuple):
    """What of a season a hall shows to programs."""

    season: Annotated[
        InFile,
        typer.Option(
            "--season", metavar="FILE", help="Also serve the views of this season, for programs."
        ),
    ] = NO_INPUT
    scheme: Annotated[
        list[InFile] | None,
        typer.Option(
            "--scheme",
            metavar="FILE",
            help="With --season: points scheme of its standings; may be repeated.",
        ),
    ] = None
    league: LeagueFile = DEFAULT_VAULT
    agreed: Agreed = NO_INPUT


class SiteParts(NamedTuple):
    """Title and further parts of the season's pages."""

    title: Annotated[
        str,
        typer.Option("--title", metavar="TEXT", help="The title of the pages; default: Season."),
    ] = ""
    logs: Annotated[
        InFile,
        typer.Option(
            "--logs",
            metavar="FOLDER",
            help="A folder of logs to offer for download, without names.",
        ),
    ] = NO_INPUT
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="URL",
            help="The address of the folder on the web; adds Atom feeds to the pages.",
        ),
    ] = ""
    by: GroupedBy = ""


NO_SEASON, PLAIN_SITE = ShownSeason(), SiteParts()
WHOLE_SEASON, AS_TABLE, BY_DUCKDB = SeasonPart(), AnswerOptions(), EngineOptions()


def groups_by(words: str) -> str:
    """Return what `--by` groups by; empty if it is omitted.

    Raises:
        UsageError: it names no attribute.
    """
    if words == "attribute:":
        raise UsageError(
            tr(
                "--by must be faction or an attribute of entrants, not {words}",
                words=f"{words!r}",
            )
        )
    return words


def day_of(typed: str, option: str) -> str:
    """Return the day that an option has, as YYYY-MM-DD; empty if it has none."""
    if not typed:
        return ""
    from cli.input.moments import checked_date  # loads what reads logs

    return checked_date(typed, option)
