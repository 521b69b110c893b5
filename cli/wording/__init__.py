"""What the log and the rules say, in words.

phrases.py     free texts within a sentence
event_words.py  every event in one line; a test proves that none is missing
component_words.py, dispute_words.py, floor_words.py, key_words.py  the events of these themes
audit_words.py findings, who did what, whom a correction moved
ruleset_words.py a ruleset for a judge
"""
