"""The pages of officials: the desk's and the judge's, whose acts are lines as they are typed.

line_forms.py    the forms, each a line with fields in it
asking.py        what a page's line comes to, and what it would do
desk_page.py     the desk's page
judge_page.py    the judge's page, and that of a match
waiting.py       what waits for somebody
nodes.py         forms and texts, of which pages are made
sight.py         what a page is handed
routes.py        which path shows what, and where a line is posted
"""
