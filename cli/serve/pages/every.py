"""Every page of its own: a form that is refused shows the page again that it stands on."""

from __future__ import annotations

from cli.serve.pages import join, player
from cli.serve.pages.visit import HallPage  # noqa: TC001 - says what they are

PAGES: tuple[HallPage, ...] = (*player.PAGES, *join.PAGES)
