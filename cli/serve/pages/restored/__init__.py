"""Recover acts of players from phones after an older copy of the log was restored.

`receipts.py`   receipts of a player's own acts, and the checks of an offered receipt
`losses.py`     the file next to the store that keeps a loss and the offered acts
`routes.py`     paths where phones ask for receipts and offer acts
`desk_page.py`  the desk's page of offered acts, and the sheet for the judge
"""
