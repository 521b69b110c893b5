"""Files of a log held to what this desk saw of it: a file whose past is another is refused.

What a store showed is last_heads.py's; here is what files showed, kept likewise beside it:

    seen/<tournament>.files.json, seen/<tournament>.files.hashes

Anybody can write a file, so it is kept only where a policy accepted the head of all its lines. A
store is not held to it: a file may well be newer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cli.heads.last_heads import (
    LastHead,
    LastHeads,
    NotAsSeen,
    begins_with,
    fork_on_record,
    heads_for,
)
from cli.heads.line_hashes import Digest, first_changed
from cli.terminal.output import say

FILES = ".files"
_STREAM = re.compile("[0-9a-f]{32}")


def hold_file(where: str, stream: str, lines: Sequence[bytes], *, is_accepted: bool) -> None:
    """Hold a file's lines to those seen, and keep them if `is_accepted`; or NotAsSeen."""
    if not _STREAM.fullmatch(stream):
        return
    files, seen = heads_for(stream, lines, FILES), heads_for(stream, lines)
    of_files = files.read()
    fits = of_files is None or _fits(where, files, of_files, lines)
    if (of_store := seen.read()) is not None:
        _fits(where, seen, of_store, lines)
    if is_accepted and (of_files is None or of_files.size < len(lines)):
        files.write(of_files if fits else None, lines, Digest().feed(lines))


def _fits(where: str, heads: LastHeads, last: LastHead, lines: Sequence[bytes]) -> bool:
    """Whether lines begin with those that were seen; where they are only shorter, that is said."""
    size = len(lines)
    if begins_with(last, lines):
        return True
    seq = first_changed(heads.hashes, last.size, last.root, lines)
    if size < last.size and not 0 < seq <= size:
        how = "" if seq else ", and what was seen of them is lost: they are not compared"
        say(f"{where} has {size} events, and this desk saw {last.size} of this log{how}")
        return False
    if said := fork_on_record(lines, seq, last.size):
        say(said)
        return False
    named = f"event {seq} is" if seq else f"its first {last.size} events are"
    raise NotAsSeen(
        f"{where} has another past: {named} not what this desk saw of this log; `tourney compare` "
        "proves it of two signed copies; to go on without what was seen, move "
        f"{heads.path} away",
        seq,
    )


def hold_file_at(path: Path, *, is_accepted: bool) -> None:
    """Hold a file that was checked already, as `hold_file`; it is read only if there is a use."""
    from ledger.exchange import read_log
    from ledger.exchange.names import is_names
    from ledger.proof.heads import tournament_in

    stream = tournament_in(path)
    if not _STREAM.fullmatch(stream):
        return
    heads = [LastHeads(stream), LastHeads(stream, FILES)]
    if is_accepted or any(head.path.exists() for head in heads):
        lines = [line for line in read_log(path) if not is_names(line)]
        hold_file(str(path), stream, lines, is_accepted=is_accepted)
