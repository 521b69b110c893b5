"""The served hall: the event in hand on everybody's screen, from one port and without internet.

parts.py     what everybody may see, as data for programs and as HTML
hall.py      the event as it is now, followed in its store, each part made once for all who ask
writer.py    acts that come in, as many as have come for one lock; the same guards as at the desk
news/        what hears that a store was written to; which parts changed since, for open pages
visitors.py  who asks: a player, an official, a screen, or anybody
door/        links and codes exchanged for a cookie, guesses counted
api/         acts and views for programs
forms/       what a page may post without a script: one row a form, by theme
pages/       the pages around the parts, and those of their own: one row a page
rehearsal/   a made-up event whose players are programs, to try all of this
refusals.py  why not: problem details for a program, words for a person
app.py       what is asked by its path, and how it is answered
guard.py     what no request passes: hosts, methods, origins, sizes, headers of every answer
server/      the port, the address as text and as a code, and the end
publish/     what everybody may see, as files for any web host
static/      styles and scripts, of our own alone: news, the outbox, what a phone checks of heads
"""
