"""The logs of a season as this desk reads them, held to what is known of them, and their heads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cli.languages.speaking import in_figures, marked, tr, tr_of
from cli.machine.checkpoint_file import CheckpointFile
from cli.machine.keyring import LOG, key_path
from cli.machine.last_heads import hold_file, known
from cli.terminal.output import say
from ledger.files.kinds import KEYS_FOLDER
from projections.season.loading.sources import FileLog, HeadHere, Known, Source, sources_of

if TYPE_CHECKING:
    from ledger.proof.heads import Asked
    from projections.season.tables.signed_heads import SignedPrefix


RUNNING_HERE = "the log's key is on this machine, and signs its next head"
"""The reason noted for the last lines of a stored tournament that is run on this machine."""


def note_signed(stream: str, where: str) -> Callable[[Sequence[bytes]], HeadHere]:
    """Return what holds a store's lines to what is known of them here, and returns their head.

    That raises NotAsSigned where they are not those that were signed, or seen. Lines behind the
    head are taken if the log's own key is here. A log that no head here covers has the head of the
    folder its store lies in: the lines are held to it as to that of an export, by the keys they
    name.
    """
    heads = known(stream)
    abroad = _note_beside(stream, where) if heads.kept is None else None

    def note_of(lines: Sequence[bytes]) -> HeadHere:
        kept = heads.hold(lines)
        note = kept.note.encode() if kept is not None else abroad
        return HeadHere(note, RUNNING_HERE if key_path(LOG, stream).exists() else "")

    return note_of


def _note_beside(stream: str, where: str) -> bytes | None:
    """Read the signed head in the key folder next to a store; None if the folder has no head."""
    if "://" in where:
        return None
    kept = CheckpointFile(stream, Path(where).parent / KEYS_FOLDER).read()
    return kept.note.encode() if kept is not None else None


def heads_in_words(heads: Sequence[SignedPrefix]) -> str:
    """Say of how many logs a head was looked at, and whose signature it was."""
    kinds = {
        marked("{count} accepted by the policy"): [head for head in heads if head.by_policy],
        marked("{count} signed with a key that the log itself names"): [
            each for each in heads if each.by and not each.by_policy
        ],
        marked("{count} with a head whose signature could not be checked"): [
            each for each in heads if each.size and not each.by
        ],
        marked("{count} without a head: no signature checked"): [
            head for head in heads if not head.size
        ],
    }
    return "; ".join(
        tr(words, count=in_figures(len(found))) for words, found in kinds.items() if found
    )


def head_as_json(signed: SignedPrefix | None) -> dict[str, object] | None:
    """What a head covers and who signed it, for scripts; None where there was none."""
    if signed is None or not signed.size:
        return None
    return {"size": signed.size, "key": signed.by or None, "by_policy": signed.by_policy}


def signed_in_words(
    size: int,
    covered: int,
    key: str | None,
    by_policy: bool,  # noqa: FBT001 - columns of a row
    reason: str | None = None,
) -> str:
    """Say whose key signed a log, how much of it, and for which reason the rest was taken."""
    taken = tr("; taken unsigned: {reason}", reason=reason) if reason else ""
    if not covered or key is None:
        return tr_of("signed", "no") + taken
    whose = tr("by policy") if by_policy else tr("own key")
    if covered != size:
        whose = tr(
            "{whose}, {covered} of {size}",
            whose=whose,
            covered=in_figures(covered),
            size=in_figures(size),
        )
    return whose + taken


class SeenFile(FileLog):
    """A log in a file, held to what this desk saw of it."""

    def known_by(self, stream: str, lines: Sequence[bytes], leaves: bytes, trust: Asked) -> Known:
        """Hold the lines to the head beside the file and what was seen; InvalidLog of others."""
        known = super().known_by(stream, lines, leaves, trust)
        hold_file(self.where, stream, lines, is_accepted=known[1].by_policy)
        return known


def sources_here(places: Iterable[str]) -> Iterator[Source]:
    """Yield the logs of files, folders and stores, held to what is known here; as `sources_of`."""
    return sources_of(places, note_signed, SeenFile, say)
