"""`start`: announcing the structure, beginning, and changing what was announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli.desk.acts import act_as_json, answer, desk_of
from cli.desk.starting import (
    record_cosignature,
    refuse_beside_cosigned,
    request_to_witness,
    sign_with_the_log,
)
from cli.input.arguments import UsageError, whole
from cli.input.structures import choices, refuse_narrower_ban, stages_of
from cli.terminal.diagnostics import say
from cli.terminal.output import show_json

if TYPE_CHECKING:
    from cli.desk.session import Desk
    from ledger.decisions.command import Command
    from ledger.events.opening import Stage
    from ledger.rulesets import StructureKind
    from ledger.tournament.state import Tournament

STRUCTURES: dict[str, StructureKind] = {
    "basic": "basic",
    "advanced": "advanced",
    "custom": "custom",
}


Word = Annotated[
    str,
    typer.Option(metavar="WORD", help="A word called out in the room; it goes into every draw."),
]
Cosigned = Annotated[
    str, typer.Option(metavar="FILE", help="The witness's answer: the draws can begin.")
]
Output = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The request to the witness; default: stdout."
    ),
]


def start(
    context: typer.Context,
    structure: Annotated[
        str, typer.Argument(metavar="basic|advanced|custom", help="None: say what there is.")
    ] = "",
    rounds: Annotated[str, typer.Option(metavar="N", help="Swiss rounds, if custom.")] = "0",
    cut: Annotated[str, typer.Option(metavar="N", help="Players in the cut, if custom.")] = "0",
    stage: Annotated[
        list[str] | None,
        typer.Option(metavar='"swiss 5"', help="One stage of a custom structure; repeat it."),
    ] = None,
    word: Word = "",
    outline: Annotated[
        str, typer.Option(metavar="TEXT", help="The document that asks for this structure.")
    ] = "",
    change: Annotated[
        bool, typer.Option("--change", help="Change what was announced; needs --reason.")
    ] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why it is changed.")] = "",
    cosigned: Cosigned = "",
    output: Output = "",
) -> None:
    """Announce rounds and cut, and begin.

    There is one word, for ever. The head that covers it goes on record with it, and every draw
    rests on both. Where `new --witness` named one, the request for its cosignature is printed, and
    nothing is drawn until `start --cosigned FILE` has recorded the answer.

    Basic and advanced follow the ruleset's table for those registered now; before round 1 you may
    start again. A custom structure is rounds and cut, or any stages in order:

        tourney start advanced --word "blue heron"
        tourney start custom --rounds 5 --cut 8
        tourney start --cosigned answer.txt
        tourney start custom --stage "single"
        tourney start custom --stage "swiss 5" --stage "swiss 3 points>=30 carries"
            --stage "single top 8"
        tourney start custom --rounds 4 --cut 8 --change --reason "the hall closes at ten"
    """
    from ledger.decisions.opening import StartTournament
    from ledger.tournament.structures import unusual_for_tier

    desk = desk_of(context)
    if cosigned:
        refuse_beside_cosigned(context)
        record_cosignature(desk, cosigned)
        return
    tournament = desk.tournament
    kind = _kind(structure, tournament)
    stages: tuple[Stage, ...] = ()
    asked = whole("--rounds", rounds, 0, 100), whole("--cut", cut, 0, 8_000)
    if kind == "custom":
        stages = stages_of(*asked, stage or [])
        refuse_narrower_ban(tournament.ruleset, stage or [])
        asked = (0, 0)
    elif stage or (asked != (0, 0) and not _has_choice(tournament, kind)):
        raise UsageError(f"the table fixes a {kind} structure: use `start custom` for your own")
    _refuse_what_does_not_belong(change=change, before=bool(word or outline), reason=reason)
    command: Command
    if change:
        command = _change(tournament, kind, stages, asked, reason)
    else:
        command = StartTournament(kind, stages, outline, word, asked)
    _carry_out(desk, command, output)
    if tournament.opening and (
        note := unusual_for_tier(tournament.ruleset, kind, tournament.opening.tier)
    ):
        say(f"note: {note}")


def _carry_out(desk: Desk, command: Command, output: str) -> None:
    """Announce and begin; where a witness is waited for, ask for its cosignature."""
    sign_with_the_log(desk)
    recorded = desk.act(command)
    request = request_to_witness(desk, output)
    if desk.json:
        show_json(act_as_json(desk.command_id, recorded) | request)
    answer(desk, recorded, "this was announced")


def _kind(structure: str, tournament: Tournament) -> StructureKind:
    kind = STRUCTURES.get(structure.lower())
    if kind is None:
        typed = f"{structure!r} is no structure" if structure else "choose a structure"
        raise UsageError(f"{typed}; {choices(tournament)}")
    return kind


def _has_choice(tournament: Tournament, kind: StructureKind) -> bool:
    """Whether the table leaves the organizer more rounds or another cut for so many players."""
    band = tournament.ruleset.structure(kind, len(tournament.active()))
    return band is not None and (band.at_least or bool(band.cut_choices))


def _refuse_what_does_not_belong(*, change: bool, before: bool, reason: str) -> None:
    """`before`: something was typed that is announced before the start alone.

    Raises:
        UsageError: nothing would come of it.
    """
    if change and before:
        raise UsageError("--word and --outline are for the start: a --change keeps what they said")
    if change and not reason.strip():
        raise UsageError("a change of what was announced needs --reason")
    if reason and not change:
        raise UsageError("--reason says why of a --change, which is not asked for")


def _change(
    tournament: Tournament,
    kind: StructureKind,
    stages: tuple[Stage, ...],
    asked: tuple[int, int],
    reason: str,
) -> Command:
    from ledger.decisions.opening import ChangeStructure, announced_stages

    if kind != "custom":
        stages = announced_stages(tournament, kind, len(tournament.active()), asked)
    return ChangeStructure(stages, reason)
