"""What a log says of how the day was run: who did what, what was corrected, what departs.

`kinds` names every kind of finding, `findings` reads one event at its place, `report` walks the
log once and puts all of it together.
"""
