"""Officials and the start: `official` appoints them, `start` announces the structure and begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args

from cli.desk.acts import (
    act_as_json,
    answer,
    carry_out,
    record_cosignature,
    request_to_witness,
)
from cli.desk.confirm_breaches import confirm_change
from cli.desk.session import Desk
from cli.input.arguments import UsageError, choice, whole
from cli.input.file_names import NO_OUTPUT, InFile, OutFile
from cli.input.find_people import find_official, find_player, labelled, plain
from cli.input.options import flag, option, word
from cli.input.structures import choices, refuse_narrower_ban, stages_of
from cli.languages.speaking import marked, tr
from cli.render.records import show_records, shows_table
from cli.terminal.output import say, show_json
from cli.terminal.problems import NAME_CELLS, said
from cli.terminal.tables import Column
from cli.terminal.visible import shortened, visible
from ledger.errors import NotFound, Refused
from ledger.facts.base import Role
from ledger.problems import phrase
from ledger.rules.office import HandOver, LinkOfficial, Resume, StandDown
from ledger.rules.opening import (
    AppointOfficial,
    ChangeStructure,
    StartTournament,
    announced_stages,
)

if TYPE_CHECKING:
    from ledger.facts.shared import Stage
    from ledger.rules.command import Command
    from ledger.rulesets import StructureKind
    from ledger.tournament.state import Tournament

Name = Annotated[list[str], word("OFFICIAL", "The official's name or number.")]


@shows_table
def list_officials(desk: Desk) -> None:
    """List the officials and their roles."""
    tournament = desk.book.tournament

    def state(each: dict[str, Any]) -> str:
        plays = (
            [tr("plays as {player}", player=labelled(tournament, each["player"]))]
            if each["player"]
            else []
        )
        if of := tournament.floor.deputies.get(each["official"], 0):
            plays.append(
                tr(
                    "organizer in place of {official}",
                    official=tournament.names.get(f"o{of}", f"o{of}"),
                )
            )
        return ", ".join([*plays, *([tr("stood down")] if each["stood_down"] else [])])

    columns = (
        Column("#", key="official", text=lambda each: f"o{each['official']}"),
        Column("name", flexible=True),
        Column(
            "roles",
            flexible=True,
            value=lambda each: ", ".join(each["roles"]),
            text=lambda each: ", ".join(map(tr, each["roles"])),
        ),
        Column("player", only="program"),
        Column("", flexible=True, optional=True, key="stood_down", text=state),
    )
    records = [
        {
            "official": official.number,
            "name": tournament.names.get(f"o{official.number}", ""),
            "roles": official.roles,
            "player": official.player or None,
            "stood_down": official.stood_down,
        }
        for official in tournament.officials[1:]
    ]
    show_records(desk, columns, records)


def add(
    desk: Desk,
    name: Annotated[list[str], word("NAME", "A new official, or one to change.")],
    role: Annotated[
        list[str] | None,
        option("ROLE", "Required: marshal, judge, co-organizer or scorekeeper; can be repeated."),
    ] = None,
    namesake: Annotated[
        bool, flag("--namesake", "Appoint a second person with the same name.")
    ] = False,
) -> None:
    """Appoint an official, or change the roles of one.

    The new roles replace the old ones.

        tourney official add "Pat Jones" --role judge --role scorekeeper
    """
    if not role:
        raise UsageError(tr("give at least one role, such as --role judge"))
    roles = tuple(choice(word, get_args(Role), tr("role")) for word in dict.fromkeys(role))
    words = " ".join(name)
    number = _known(desk.tournament, words, namesake=namesake)
    command = AppointOfficial("" if number else words, roles, number, namesake)
    carry_out(desk, command, tr("this official has these roles"))


def plays(
    desk: Desk,
    name: Annotated[str, word("OFFICIAL", "The official's name or number.")],
    player: Annotated[list[str], word("PLAYER", "The player who is this official.")],
) -> None:
    """Record that an official also plays, and as which player.

    tourney official plays pat "Pat Jones"
    """
    number = find_official(desk.tournament, name)
    carry_out(desk, LinkOfficial(number, find_player(desk.tournament, " ".join(player))))


def hand_over(
    desk: Desk,
    name: Name,
    for_now: Annotated[
        bool, flag("--for-now", "Only until the present organizer resumes.")
    ] = False,
) -> None:
    """Make another official the organizer, permanently or for now.

    Both keep their other roles. With --for-now you are a spectator until `official resume`. On a
    terminal you are asked first.

        tourney official hand-over "Pat Jones" --for-now
    """
    number = find_official(desk.tournament, " ".join(name))
    command = HandOver(number, for_now)
    who = shortened(visible(desk.tournament.names.get(f"o{number}", "")), NAME_CELLS)
    question = (
        marked("make {official} (o{number}) the organizer until you resume?")
        if for_now
        else marked("make {official} (o{number}) the organizer until they hand it over themselves?")
    )
    confirm_change(desk, command, tr(question, official=who, number=number))
    carry_out(desk, command, tr("this official is the organizer"))


def stand_down(desk: Desk, name: Name) -> None:
    """Make an official a spectator until they resume."""
    carry_out(desk, StandDown(find_official(desk.tournament, " ".join(name))))


def resume(desk: Desk, name: Name) -> None:
    """Restore the roles of an official who stood down."""
    carry_out(desk, Resume(find_official(desk.tournament, " ".join(name))))


def _known(tournament: Tournament, words: str, *, namesake: bool) -> int:
    """Return the number of the official whom the words name in full; 0 for a new one.

    Raises:
        Refused: they are a part of an official's name, and may mean that one.
    """
    from ledger.facts.people import official_named

    if words.lstrip("o#").isdigit():
        try:
            return find_official(tournament, words)
        except NotFound:
            return 0
    number = official_named(tournament, words)
    if not number and not namesake:
        _refuse_part_of_a_name(tournament, words)
    return number


def _refuse_part_of_a_name(tournament: Tournament, words: str) -> None:
    sought = set(plain(words).split())
    for official in tournament.officials[1:]:
        name = tournament.names.get(f"o{official.number}", "")
        if sought and sought < set(plain(name).split()):
            raise Refused(
                phrase(
                    "{name} (o{number}) is an official: for this person, type the whole name or "
                    "o{number}; for another person, add --namesake",
                    name=name,
                    number=official.number,
                )
            )


STRUCTURES: tuple[StructureKind, ...] = ("basic", "advanced", "custom")


Structure = Annotated[str, word("basic|advanced|custom", "Without it, the choices are listed.")]
Rounds = Annotated[str, option("N", "Number of Swiss rounds, if custom.")]
Cut = Annotated[str, option("N", "Number of players in the cut, if custom.")]
Stages = Annotated[
    list[str] | None, option('"swiss 5"', "One stage of a custom structure; can be repeated.")
]


class Beginning(NamedTuple):
    """What is said at the start and stays so."""

    word: Annotated[
        str, option("WORD", "A word called out in the room; every draw depends on it.")
    ] = ""
    reason: Annotated[
        str, option("TEXT", "Why the structure changes, or has fewer rounds than the table.")
    ] = ""
    outline: Annotated[str, option("TEXT", "The document that prescribes this structure.")] = ""
    output: Annotated[
        OutFile,
        option("FILE", "File for the request to the witness; default: stdout.", "--output", "-o"),
    ] = NO_OUTPUT


PLAIN = Beginning()


def start(
    desk: Desk,
    structure: Structure = "",
    rounds: Rounds = "0",
    cut: Cut = "0",
    stage: Stages = None,
    beginning: Beginning = PLAIN,
) -> None:
    """Announce the rounds and the cut, and start the tournament.

    The word can never be changed. It is recorded with the head that covers it, and every draw
    depends on both. If `new --witness` named a witness, the request for its cosignature is
    printed, and no draw is possible until `start cosigned FILE` has recorded the answer.

    Basic and advanced structures follow the ruleset's table for the number of players. If other
    players ask for another structure before round 1, start again. Any other change of what is
    announced needs --reason; the word and the outline stay. A custom structure is rounds and a
    cut, or any stages in order:

        tourney start advanced --word "blue heron"
        tourney start custom --rounds 5 --cut 8
        tourney start custom --stage "single"
        tourney start custom --stage "swiss 5" --stage "swiss 3 points>=30 carries"
            --stage "single top 8"
        tourney start custom --rounds 4 --cut 8 --reason "the hall closes at ten"
    """
    tournament, reason = desk.tournament, beginning.reason
    kind, stages, asked = _asked(tournament, structure, rounds, cut, stage or [])
    if reason.strip() and tournament.announced:
        _refuse_what_stays(beginning)
        if kind != "custom":
            stages = announced_stages(tournament, kind, len(tournament.active()), asked)
        _carry_out(desk, ChangeStructure(stages, reason, kind), kind)
        return
    if reason.strip() and desk.command_id not in desk.book.tournament.ids:
        _refuse_needless_reason(tournament, kind, stages)
    order = StartTournament(kind, stages, beginning.outline, beginning.word, asked, reason)
    _carry_out(desk, order, kind, beginning.output)
    if kind != "custom" and asked == (0, 0):
        _say_what_else(desk.book.tournament, kind)


def _say_what_else(tournament: Tournament, kind: StructureKind) -> None:
    """Say which options choose more rounds or another cut, where the game's table leaves that."""
    band = tournament.ruleset.structure(kind, len(tournament.active()))
    options = ["--rounds N"] if band and band.at_least else []
    options += ["--cut N"] if band and band.cut_choices else []
    if band and options:
        line = f"start {kind} {' '.join(options)} --reason WHY"
        say(
            tr(
                "note: {kind} is {rounds}; to choose otherwise before round 1: `{line}`",
                kind=kind,
                rounds=said(band.in_words),
                line=line,
            )
        )


def _refuse_what_stays(beginning: Beginning) -> None:
    """Refuse to change what no change of the structure changes, as UsageError."""
    given = {"--word": beginning.word, "--outline": beginning.outline, "-o": beginning.output}
    if typed := [name for name, value in given.items() if value]:
        raise UsageError(
            tr(
                "{options} cannot be changed with the structure: omit that",
                options=tr(" and ").join(typed),
            )
        )


def _refuse_needless_reason(
    tournament: Tournament, kind: StructureKind, stages: tuple[Stage, ...]
) -> None:
    """Refuse a reason for a structure that has as many rounds as the game's table (AOP-ROUNDS)."""
    from ledger.facts.opening import rounds_below
    from ledger.facts.shared import StructureAnnounced

    announced = StructureAnnounced(kind, stages, len(tournament.active()))
    if not rounds_below(tournament.ruleset, announced):
        raise UsageError(
            tr("--reason is for fewer rounds than the table, or for a change of the structure")
        )


def cosigned(desk: Desk, file: Annotated[InFile, word("FILE", "The witness's answer.")]) -> None:
    """Record the witness's cosignature; the draws can begin."""
    record_cosignature(desk, file)


def _asked(
    tournament: Tournament, structure: str, rounds: str, cut: str, typed: list[str]
) -> tuple[StructureKind, tuple[Stage, ...], tuple[int, int]]:
    """Read a structure: its kind, its stages where it is custom, else the rounds and cut chosen."""
    kind = _kind(structure, tournament)
    asked = whole("--rounds", rounds, 0, 100), whole("--cut", cut, 0, 8_000)
    if kind == "custom":
        stages = stages_of(*asked, typed, tournament.ruleset.scoring)
        refuse_narrower_ban(tournament.ruleset, typed)
        return kind, stages, (0, 0)
    if typed or (asked != (0, 0) and not _has_choice(tournament, kind)):
        raise UsageError(
            tr(
                "the {kind} structure is fixed by the ruleset ({clause}): for another, use "
                "`start custom`",
                kind=kind,
                clause=tournament.ruleset.structures.clause,
            )
        )
    return kind, (), asked


def _carry_out(
    desk: Desk, command: Command, kind: StructureKind, output: OutFile = NO_OUTPUT
) -> None:
    """Announce and begin; where a witness is waited for, ask for its cosignature."""
    from ledger.facts.opening import (
        few_players,
        unusual_for_tier,
        unusual_structure_for_type,
    )
    from ledger.facts.shared import StructureAnnounced

    tournament = desk.tournament
    recorded = desk.act(command)
    kinds = {
        each.event.structure for each in recorded if isinstance(each.event, StructureAnnounced)
    }
    request = request_to_witness(desk, output)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded) | request)
    answer(desk, recorded, tr("this structure is announced"))
    rules, opening = tournament.ruleset, tournament.opening
    assert opening is not None  # noqa: S101 - what is announced was opened
    for note in (
        tr("with a round paired, a change gives a custom structure, not {kind}", kind=kind)
        if kinds - {kind}
        else "",
        few_players(rules, len(tournament.active())),
        unusual_for_tier(rules, kind, opening.tier),
        unusual_structure_for_type(rules, opening.event_type, kind),
    ):
        if note:
            say(tr("note: {note}", note=said(note)))


def _kind(structure: str, tournament: Tournament) -> StructureKind:
    for kind in STRUCTURES:
        if kind == structure.lower():
            return kind
    typed = (
        tr("{typed} is not a structure", typed=repr(structure))
        if structure
        else tr("choose a structure")
    )
    raise UsageError(f"{typed}; {choices(tournament)}")


def _has_choice(tournament: Tournament, kind: StructureKind) -> bool:
    """Whether the table leaves the organizer more rounds or another cut for those who play."""
    band = tournament.ruleset.structure(kind, len(tournament.active()))
    return band is not None and (band.at_least or bool(band.cut_choices))
