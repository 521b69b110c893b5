"""Merge the acts of another desk into this log, after both desks lost sight of each other.

numbers.py    translate a number there to a number here: persons, matches, links, events
remaking.py   make an event of the other desk again, with the numbers and lines of this log
sameness.py   recognize acts that both desks entered; if they differ, the entry of this desk remains
merge.py      decide about each act: it lands, waits for a signature, exists already, or is listed
kept.py       make commands of the acts that land or wait; store the decisions of merges
other_log.py  read the other backup: the common beginning, and the head that covers the other lines

The order is the lines of this log, then the acts of the other desk. No line of this log changes.
Every event of the other desk must follow the rules at its place behind this log, as any event. Its
numbers mean nothing in this log, so each number is replaced by the number of the same thing here:
the same person, the same event, the match of the same two players in the same round.
"""
