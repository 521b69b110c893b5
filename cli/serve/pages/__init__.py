"""The pages that are more than one part: pure functions from what was asked to HTML.

frame.py     the page around everything
visit.py     what a page is handed
staff/       the desk's and the judge's pages, whose acts are lines as they are typed
screens/     any browser as a numbered screen
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.serve.pages.visit import HallPage

PAGES: tuple[HallPage, ...] = ()
"""Each with its path; a form that is refused shows the page again that it stands on."""
