"""What is shown.

views.py, brackets.py     players, pairings and standings; brackets and finishing orders
trees.py, meetings.py     a number taken apart; why two players met
differences.py, whatif.py, sweeps.py   two moments, another outcome, every outcome
kinds.py     kinds of results in few words
log.py                    events, when and by whom
disputes.py, rulings.py, audit.py      what is in question; the audit as a page
clock.py                  the clock of the round
pages.py, slips.py, receipts.py, html.py   for the wall, the tables, the players, a browser
hidden.py                 what players may not know yet
"""
