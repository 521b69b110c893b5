"""The frame of a page that needs nothing else: no script, no picture, no other file.

The page's own policy forbids whatever it does not hold.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import htpy
from markupsafe import Markup

if TYPE_CHECKING:
    from htpy import Node


def web_page(title: str, style: str, body: Node) -> str:
    """Return the whole page; `style` is this program's own."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    page = htpy.html(lang="en")[
        htpy.head[
            htpy.meta(charset="utf-8"),
            htpy.meta(http_equiv="Content-Security-Policy", content=policy),
            htpy.meta(name="viewport", content="width=device-width, initial-scale=1"),
            htpy.meta(name="referrer", content="no-referrer"),
            htpy.title[title],
            htpy.style[Markup(style)],  # noqa: S704 - no text of the log is in it
        ],
        htpy.body[body],
    ]
    return f"{page}\n"
