"""`verify`: everything that can be checked of an exported log, layer by layer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Annotated

import typer

from cli.acts import desk_of
from cli.diagnostics import say
from cli.keyring import proving
from cli.output import show
from cli.output import show_json
from ledger.errors import InvalidLog
from ledger.errors import NotFound

if TYPE_CHECKING:
    from ledger.proof.formats import Policy


def verify(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A log, or a receipt.")],
    policy: Annotated[
        str, typer.Option(metavar="POLICY", help="Who may sign, as you were given it early.")
    ] = "",
) -> None:
    """Check a log without a store, and without trusting who made it.

    Form, tree, signatures and witnesses first, then everybody's authority and the rules, then every
    draw, pairing and posting once more. What could not be checked is said.

        tourney verify kotei.jsonl --policy policy
        tourney verify aki.tlog-proof --policy policy
    """
    from ledger.proof.verifier import read_policy

    desk = desk_of(context)
    path = Path(file)
    try:
        with proving():
            trusted = read_policy(Path(policy)) if policy else None
            if _is_receipt(path):
                checked, unchecked = _receipt(path, trusted)
            else:
                checked, unchecked = _log(path, trusted)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
    if desk.json:
        show_json({"checked": checked, "unchecked": unchecked})
        return
    show(*(f"{layer}: {text}" for layer, text in checked.items()))
    show(*(f"{layer}: UNCHECKED: {text}" for layer, text in unchecked.items()))
    say("verified" if not unchecked else "verified, but for what is unchecked")


def _is_receipt(path: Path) -> bool:
    from ledger.proof.receipts import HEADER

    with path.open("rb") as file:
        return file.read(len(HEADER)) == HEADER.encode()


def _receipt(path: Path, policy: Policy | None) -> tuple[dict[str, str], dict[str, str]]:
    from ledger.files import whole
    from ledger.lines import read
    from ledger.proof.receipts import check_receipt
    from ledger.proof.receipts import parse_receipt

    receipt = parse_receipt(whole(path))
    if policy is None:
        raise InvalidLog("a receipt needs --policy: nothing in it is trusted to say who signs")
    if not receipt.extra:
        raise InvalidLog("this receipt does not hold its event: ask for it as a file")
    head = check_receipt(receipt, receipt.extra, policy)
    recorded = read(receipt.extra)
    if recorded.seq != receipt.position + 1:
        raise InvalidLog(f"event {recorded.seq} stands at place {receipt.position + 1} of the log")
    return {
        "signature": f"the head of {head.size} events, by {head.origin}",
        "inclusion": f"event {recorded.seq}, {recorded.type}, stands in it",
    }, {}


def _log(path: Path, policy: Policy | None) -> tuple[dict[str, str], dict[str, str]]:
    from ledger.exchange import replay
    from ledger.proof.verifier import verify_file
    from projections.rederived import rederive
    from projections.standings import ranking

    verdict = verify_file(path, policy)
    replayed = replay(path, ranking)
    checked = verdict.checked | {
        "authority": "everybody was entitled to what they entered, and every rule was kept"
    }
    unchecked = verdict.unchecked
    tournament = replayed.tournament
    if tournament.importing:
        unchecked["rules"] = "facts of a foreign file are held to few of them"
    derived = rederive(replayed.lines, tournament.shuffle_key)
    for kind, count in derived.checked.items():
        checked[kind] = f"{count} derived again"
    return checked, unchecked | derived.unchecked
