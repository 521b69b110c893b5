"""What is shown.

records.py                records and columns: tables, JSON and CSV come from here
game_tables.py, brackets.py   players, pairings and standings; brackets and finishing orders
dispute_tables.py, office_tables.py, audit_tables.py   what is in question, and what was ruled
log_table.py, round_clock.py   events, when and by whom; the clock of the round
trees.py, meetings.py     a number taken apart; why two players met
changes/                  two moments, another outcome, every outcome
pages.py, slips.py, codes.py   for the wall, for the tables, for a phone
html/                     pages for a browser
"""
