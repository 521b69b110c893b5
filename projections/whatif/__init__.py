"""What would be otherwise: a fork of the day, and the outcomes that are still open.

forks.py     a fork beside the log: the differences, and what later rounds and cuts would be
later.py     the rounds and cuts of a log, each decided anew on what had been played before it
outcomes.py  the results that a match may end in: every one that is accepted, one of each worth
sweep.py     the running round swept: who is certain of the cut, who can make it, who is out
hopes.py     what a sweep comes to
places.py    everyone's hopes of a cut by rank: what is asked, and what follows
influence.py how far one player's match moves everybody's tiebreakers
race.py      everyone's place as a sum with one addend for each open match
field.py     the race either way round, and what of a match's results can ever be needed
rivals.py    whether a player can be among the first, or outside
bounds.py    what bounds alone tell of that
search.py    what they do not: branch and bound
samples.py   the same by samples, where there are too many matches
"""

from __future__ import annotations

from projections.whatif.forks import Otherwise, every_outcome, what_if

__all__ = ["Otherwise", "every_outcome", "what_if"]
