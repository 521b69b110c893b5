"""The log and the rules in words.

phrases.py        people, tables, results and free texts within a sentence; sentences of events
event_words.py    every event in one line; a test proves that none is missing
dispute_words.py, floor_words.py  the events of these themes
audit_words.py    findings, acts by official, players moved by a correction, slips
import_words.py   an import, the head that came with a log, numbers computed again
page_words.py     holders of links; names as far as they are public
ruleset_words.py  a ruleset for a judge
"""
