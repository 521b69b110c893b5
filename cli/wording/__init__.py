"""What the log and the rules say, in words.

phrases.py     free texts within a sentence
events.py      every event in one line; a test proves that none is missing
components.py, disputes.py, floor.py, keys.py   the events of these themes
audit.py       findings, who did what, whom a correction moved
rulesets.py    a ruleset for a judge
"""
