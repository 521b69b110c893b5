"""Pages for a browser or a printer, made of components; every text in them is escaped.

elements.py      a page that needs nothing else, sections and tables of records
page.css         what every page looks like; a page adds its own
print_page.py    pairings, standings and the sheet of the clock
slips_page.py    match slips
audit_page.py    the audit
evidence_page.py what a judge hands to an appeal
receipt_page.py  slips with a receipt's code, one for each player
"""
