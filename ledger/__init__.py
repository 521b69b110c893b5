"""The record of a tournament and the rules that admit an act to it.

`events` is the vocabulary, `lines` its stored form; `decisions` turn a command into events,
`checks` say what is not admissible, `fold` makes the state out of events; `store` keeps the
lines, `books` binds them together. `rulesets`, `pairing`, `draws` and `scoring` hold the rules.
"""

from __future__ import annotations

VERSION = "0.1.0"
ENGINE = f"tourney {VERSION}"
"""What signs the opening event and every posting."""
