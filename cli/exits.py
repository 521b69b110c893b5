"""How the program ends: every exit code and what it means. `ledger.errors` knows 1, 3 and 4."""

from __future__ import annotations

from types import MappingProxyType

from ledger.marking import marked

REFUSED = 1
USAGE = 2
ANSWER_LOST = 5
FAULT = 70
INTERRUPTED = 130
BROKEN_PIPE = 141
"""As a shell reports a program that was ended by SIGPIPE."""

EXITS = MappingProxyType(
    {
        0: marked("done, or nothing to change"),
        REFUSED: marked("refused, or a check failed"),
        USAGE: marked("wrong usage"),
        3: marked("not found"),
        4: marked("the store is unavailable or damaged"),
        ANSWER_LOST: marked("done, but the answer could not be written"),
        FAULT: marked("a fault in tourney itself: please report it"),
        INTERRUPTED: marked("interrupted; everything confirmed so far is saved"),
        BROKEN_PIPE: marked("the output was closed before it was complete"),
    }
)
