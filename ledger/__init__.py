"""The record of a tournament and the rules that admit an act to it.

`facts` holds the events and what each does to the state, `lines` their stored form; `fold` makes
the state out of events; `rules` say what is admissible and turn a command into events; `store`
keeps the lines, `books` binds them together. `rulesets`, `pairing` and `procedures` hold the rules
of the games.
"""

import sys

# Read by every Python there is: no older one gets further than here.
if sys.version_info < (3, 11):  # noqa: UP036 - pip asks the same, a checkout has nobody who asks
    sys.exit("tourney needs Python 3.11 or newer; this is Python " + sys.version.split()[0])

VERSION = "0.3.0"
ENGINE = "tourney " + VERSION
"""What signs the opening event and every posting."""
