"""The door: a link or code is proved and gives a cookie; marks and limits for each browser.

guard.py     limits of every request, headers of every answer, private connections
keeper.py    sign-in: links, browsers and their cookies
marks.py     marks on acts over an open connection, and acts carried as a code
owner.py     the person at this computer, who needs no link
claims.py    a newcomer's own phone, which becomes theirs
pace.py      limits over time, also of wrong codes
sign_in.py   the page of a link, and the field for a typed code
"""
