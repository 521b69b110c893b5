"""Every form in which an event goes out to another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from ledger.exchange.nrtm.writing import write_nrtm
from ledger.exchange.programs.go_writing import write_h9, write_opengotha
from ledger.exchange.programs.trf_writing import write_trf16, write_trf26
from ledger.exchange.sheets.writing import write_rounds

if TYPE_CHECKING:
    from ledger.exchange.programs.written import WrittenRow
    from ledger.tournament.state import Tournament

WRITERS: Mapping[str, Callable[[Tournament, Sequence[WrittenRow]], bytes]] = MappingProxyType(
    {
        "trf16": write_trf16,
        "trf26": write_trf26,
        "h9": write_h9,
        "opengotha": write_opengotha,
        "nrtm": write_nrtm,
        "rounds": write_rounds,
    }
)
"""What writes each, by the name of the form."""
