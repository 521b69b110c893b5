"""What the log and the rules say, in words.

phrases.py      people, tables and free texts within a sentence; sentences of an event's members
result_words.py how a match ended
result_lines.py a result as the words that are typed for it
event_words.py  every event in one line; a test proves that none is missing
dispute_words.py, floor_words.py  the events of these themes
audit_words.py  findings, who did what, whom a correction moved
head_words.py   what was checked of a log's signature
ruleset_words.py  a ruleset for a judge
"""
