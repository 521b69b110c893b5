"""Days that play themselves: for who looks, and to try the hall before the day.

demo.py, demo.toml  a day of 12 players that stops where a person would look
rehearsal.py        the real server, and players as programs
"""
