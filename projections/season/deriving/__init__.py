"""From a log and its fold to the season's rows, table by table, by theme.

folded_log.py        the state that a log adds up to, beside its events: which, when and by whom
matches.py           games as they were paired and are seated by now
match_results.py     the result of each match that counts, and corrections
rounds_and_clocks.py rounds and their clocks
entrants.py          who came, who they are, who left
stages.py            stages, who went on to them, standings, what opponents scored
floor.py             rulings, penalties, disputes
setups_and_lists.py  set-ups and lists
overview.py          the tournament itself, and every event
rows.py              which function makes the rows of which table

Nothing is folded here: what the state says is copied, and what it does not keep (who entered an
event and when, what a correction replaced) is looked up among the events.
"""
