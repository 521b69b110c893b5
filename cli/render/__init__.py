"""What is shown.

game_tables.py, brackets.py  players, pairings and standings; brackets and finishing orders
trees.py, meetings.py     a number taken apart; why two players met
differences.py, whatif.py, sweeps.py   two moments, another outcome, every outcome
kinds.py     kinds of results in few words
log_table.py              events, when and by whom
dispute_tables.py, office_tables.py, audit.py      what is in question; the audit as a page
round_clock.py            the clock of the round
pages.py, slips.py, receipts.py, html.py   for the wall, the tables, the players, a browser
"""
