"""Options that several verbs declare, each in one place."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.input.file_names import InFile, OutFile

Output = Annotated[OutFile, typer.Option("--output", "-o", metavar="FILE", help="Default: stdout.")]
Policy = Annotated[
    InFile,
    typer.Option("--policy", metavar="POLICY", help="Whose signature counts, as given to you."),
]
Unsigned = Annotated[
    str,
    typer.Option(
        "--unsigned", metavar="REASON", help="Take lines that no signed head covers; it is kept."
    ),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]
Sealed = Annotated[
    bool, typer.Option("--passphrase", help="Sealed with a passphrase, which is asked for.")
]
EndOfDay = Annotated[
    str, typer.Option("--at", metavar="YYYY-MM-DD", help="As of the end of that day.")
]
PassOver = Annotated[
    bool, typer.Option("--pass-over", help="Leave columns of the card file out that nobody knows.")
]
HeldOn = Annotated[str, typer.Option("--date", metavar="YYYY-MM-DD", help="The day of the event.")]
Reader = Annotated[
    InFile,
    typer.Option(
        "--for", metavar="READER", help="Chosen texts alone, sealed for this reader's key."
    ),
]
ShownEvents = Annotated[
    list[str] | None,
    typer.Option("--event", metavar="N", help="With --for: the texts of this event."),
]
ShownTexts = Annotated[
    str, typer.Option("--texts", metavar="all", help="With --for: every text and name.")
]
Form = Annotated[
    str,
    typer.Option("--form", metavar="FORM", help="As trf16, trf26, h9, opengotha, nrtm or rounds."),
]
Disclosed = Annotated[
    InFile, typer.Option(metavar="FILE", help="Texts that `export --for` sealed for you.")
]
