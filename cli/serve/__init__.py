"""The served hall: the event in hand on everybody's screen, from one port and without internet.

parts.py     what everybody may see, as data for programs and as HTML
hall.py      the event as it is now, followed in its store, each part made once for all who ask
stream.py    news for open pages: which parts changed, by the log's position
pages.py     the pages around the parts
app.py       what is asked by its path, and how it is answered
guard.py     what no request passes: hosts, methods, sizes, headers of every answer
server.py    the port, the address as text and as a code, and the end
static/      the style and the script, which need no other file
"""
