"""A published event computed again: which of its numbers follow from its rounds, and which do not.

comparing.py  the published rows beside those that the rounds give, number by number
readings.py   what the rounds of a file may mean beside the plain reading
settings.py   a ruleset with one setting changed, as another reading
searching.py  which reading, or pair of readings, makes every published number follow
oddities.py   what is unusual in the rounds themselves: rematches, byes, tables
"""
