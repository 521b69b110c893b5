"""Tables, pages and printed sheets.

records.py            records and columns, from which tables, JSON and CSV are made
game_tables.py        players, pairings and standings
brackets.py           brackets and finishing orders
log_tables.py, dispute_tables.py, audit_tables.py   events and notes; disputes; findings and slips
round_clock.py        the clock of the round
trees.py              explanations of numbers and of pairings
differences.py        two moments compared
whatif.py             another outcome, and every outcome
pages.py, codes.py    text for a printer; codes for a phone
elements.py           elements of HTML pages, with the style in page.css
timelines.py          the timeline of a match as a picture
printed_pages.py      HTML for a print dialog: tables, slips, badges
evidence_pages.py     HTML of the audit, of a match's evidence and of receipts
"""
