"""The served hall: the tournament in hand on every screen, from one port and without internet.

parts.py         the public parts of the tournament, as data for programs and as HTML
hall.py          the tournament in its store, acts that come in, each part made once for everybody
reader.py        slow questions, answered by another process
visitors.py      visitors, and the turns in which they are served
door/            sign-in by a link or code, limits of requests, marks on acts
acts.py, commands.py   acts as JSON and as forms; the commands that may be sent, and drafts
forms.py         forms without a script: fields, and the command of each form
heads.py         signed heads for phones, and receipts
views.py         views of the tournament and of the season for programs
stream.py        news for open pages
pages/           the frame around the parts, and the pages of players, officials and screens
refusals.py      refusals: problem details for a program, words for a person
app.py           each path, and the function that answers it
server.py        the port, the addresses as text and as a code, and the end
connections.py   uvicorn, and how many connections there may be
certificates.py  certificates for TLS
publish.py       the public view as files for any web host
rehearsal.py     an invented tournament whose players are programs, to try all of this
static/          styles and scripts, only our own: news, the outbox, a phone's check of heads
"""
