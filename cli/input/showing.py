"""The options that show chosen texts to one reader."""

from __future__ import annotations

from typing import Annotated

import typer

Reader = Annotated[
    str,
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
Disclosed = Annotated[
    str, typer.Option(metavar="FILE", help="Texts that `export --for` sealed for you.")
]
