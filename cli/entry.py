"""Where the program begins: Ctrl-C while it is still being loaded is one line, too.

Loading is most of a short command's time. Nothing but a list of numbers is imported before it is
guarded, and no garbage is looked for among what is being loaded, then or later.
"""

from __future__ import annotations

import gc
import sys

from cli.exits import INTERRUPTED


def main() -> int:
    """Load the command line and run it; return the exit code."""
    gc.disable()
    try:
        from cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("\ntourney: interrupted; nothing was written\n")
        return INTERRUPTED
    gc.freeze()
    gc.enable()
    return run()
