"""Where the program begins: Ctrl-C while it is still being loaded is one line, too.

Loading is most of a short command's time. Nothing of the project is imported before it is guarded.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130


def main() -> int:
    """Load the command line and run it; return the exit code."""
    try:
        from cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("\ntourney: interrupted; nothing was written\n")
        return INTERRUPTED
    return run()
