"""Two desks that lost sight of each other: the acts of the other one made again in this log.

numbers.py    which number here is meant by a number there: persons, matches, links, events
remaking.py   an event there as it is here: what it names, and what follows from the log
sameness.py   what both desks entered is one act; what both say differently stays as it is here
merge.py      their acts in order: each lands, waits for a signature, is so already, or is listed
kept.py       the acts that land or wait, as commands; what earlier merges decided
other_log.py  the other's backup: the common beginning, and whose head covers the rest

The order is that of this log as it stands, and behind it theirs. Nothing that stands here changes.
An event of theirs is held to the rules at its place behind this log, as any other. Its number there
says nothing here, so whatever it names is found by what that number was there: the same person,
the same event, the match of the same two players in the same round.
"""
