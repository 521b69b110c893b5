"""The season at the command line.

options.py       options that its verbs share
league.py        the league's vault: whom words mean, and names beside pseudonyms
answers.py       answers as tables, CSV, JSON and pictures
forms.py         what a question of one's own gives: all of it, in bounds, before any is shown
restatements.py  what a correction moves in it
sandbox.py       a limit of memory and time for a question
sources.py       the logs of a season as this desk reads them, and their heads
"""
