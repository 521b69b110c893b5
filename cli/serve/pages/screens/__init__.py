"""Any browser as a numbered screen: the desk says what it shows, and nobody touches it again.

What a screen shows is no part of the record: it decides nothing, and stays in this folder.

showing.py    what each screen shows, kept in a small file
sheets.py     what is shown, in sheets of as many rows as can be read from afar
routes.py     a screen's page, its news, and the form that assigns it
"""
