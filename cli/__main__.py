"""`python -m cli`, where the command `tourney` is not on the path."""

from __future__ import annotations

import sys

from cli.entry import main

if __name__ == "__main__":
    sys.exit(main())
