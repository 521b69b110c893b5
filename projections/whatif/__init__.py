"""What would be otherwise: a fork of the day, and the outcomes that are still open.

alternatives.py    the day with other facts: what differs, which rounds and cuts would
repeating.py       the rounds and cuts of a log, each decided again where it stands
outcomes.py        the results that a match may end in: every one, each worth once
sweep.py           the running round swept: who is certain of the cut, who can make it, who is out
chances.py         what a sweep comes to
verdicts.py        everyone's verdict where the cut goes by rank
score_model.py     everyone's place as a sum with one addend for each open match
influence.py       how far one player's match moves everybody's tiebreakers
oriented_model.py  the model either way round, and what of a match's results can ever be needed
rivals.py          whether a player can be among the first, or outside
bounds.py          what bounds alone show of that
search.py          what they do not: branch and bound
samples.py         the same by samples, where there are too many matches
fewest_changes.py  how few results bring somebody else into a cut, by points alone
cut_margin.py      the same with tiebreakers, and which results
margin_certificate.py  what proves it to a reader without this program
"""

from __future__ import annotations

from projections.whatif.alternatives import Alternative, every_outcome, what_if

__all__ = ["Alternative", "every_outcome", "what_if"]
