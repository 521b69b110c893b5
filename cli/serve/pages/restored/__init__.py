"""After an older copy of the log was restored: what phones still know, and how it comes back.

`receipts.py`   what a phone keeps of its own acts, and what is checked of it when it comes back
`losses.py`     what is kept beside the store of a loss and of the acts that phones offered
`routes.py`     what phones ask and offer
`desk_page.py`  the desk's page of offered acts, and the sheet for the judge
"""
