"""The desk: what is in hand, and carrying acts out.

session.py, memory.py   the store, tournament and official in hand; clock and randomness
shelf.py                which tournaments a store holds
acts.py, loop.py        an act carried out; results one after another
forewarning.py          a warning before a breach
aftermath.py, guide.py  what an act has changed besides; what comes next
undoing.py              the last act taken back, or what to do instead
posted.py               what hung on the wall, proven
heads.py, checkpoints.py, soundness.py   signed heads, and whether the store still fits them
keyring.py              the private keys of this desk
"""
