"""The served hall: the tournament in hand on every screen, from one port and without internet.

parts.py         the public parts of the tournament, as data for programs and as HTML
pieces.py        long lists in pieces, and their search
hall.py          the tournament in its store, each part made once for everybody
writing.py       the acts that come in, and the wait for news of the store
reader.py        slow questions, answered by another process
visitors.py      visitors, and the turns in which they are served
door/            sign-in by a link or code, the owner, limits of requests, marks on acts
acts.py, commands.py   acts as JSON and as forms; the commands that may be sent, and drafts
forms.py         forms without a script: fields, and the command of each form
heads.py         signed heads for phones, and receipts
views.py         views of the tournament and of the season for programs
stream.py        news for open pages
pages/           the frame around the parts, and the pages of players, officials and screens
refusals.py      refusals: problem details for a program, words for a person
app.py           each path of a tournament, and the function that answers it
entry.py         several tournaments at one address, and the pages of none
looking.py       a log that somebody sent, looked at by the owner
ports/           the port, its addresses, connections and certificates
publish.py       the public view as files for any web host
rehearsals/      days that play themselves, to look and to try all of this
static/          styles and scripts, only our own: news, the outbox, a phone's check of heads
"""
