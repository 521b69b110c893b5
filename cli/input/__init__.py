"""What a person types, as numbers.

parsing.py, arguments.py  a verb's words and options; options that stand anywhere in the line
belonging.py              which options go with which act of a verb
synonyms.py               the words that people try first, as verbs
people.py, matches.py     players and officials by their names, matches by round and table
reports.py, facts.py      results, and what a table saw
moments.py, places.py     moments of the day; dates and time zones
structures.py, whatif.py  stages; facts that did not happen
sheets.py, filekinds.py   files of players; a file given to the wrong verb
"""
