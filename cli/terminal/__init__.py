"""What goes to a terminal and to pipes.

output.py       all of stdout: data
diagnostics.py  all of stderr: talk and refusals
progress.py     how far a long task has come
tables.py       columns within the width of the terminal
visible.py      text made safe to show
values.py       what a database answers, as text
csv.py          values for a spreadsheet
counting.py     one row, but 1,200 rows
"""
