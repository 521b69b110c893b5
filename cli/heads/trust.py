"""Whose signature counts: a policy, or a folder of policies, as a person names it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.input.file_kinds import refuse_other_kinds
from cli.keys.keyring import proving
from ledger.errors import NotFound
from ledger.files.access import refuse_no_text

if TYPE_CHECKING:
    from ledger.proof.heads import Trust


def trust_in(place: str, verb: str) -> Trust | None:
    """Read the policies at a place, if one is named; NotFound, or InvalidLog for no policy."""
    if not place:
        return None
    from ledger.proof.policies import read_policies

    path = Path(place)
    if not path.is_dir():
        refuse_other_kinds(place, verb)
        refuse_no_text(path)
    try:
        with proving(place):
            return read_policies(path)
    except OSError as error:
        raise NotFound(f"{error.filename}: {error.strerror}") from None
