"""Pages for a browser or a printer, made of components; every text in them is escaped.

components.py    a page that needs nothing else, sections and tables of records
audit_page.py    the audit
evidence_page.py what a judge hands to an appeal
receipt_page.py  slips with a receipt's code, one for each player
"""
