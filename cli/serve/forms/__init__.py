"""What a page may post, without any script: one row a form, by theme.

A form is at `/do/NAME`. Besides its own fields it has `id`, drawn when it was rendered, so that
a double click is one act; `to`, the page that it leads to; `for`, the player on whose word an
official enters it; and `seen`, the event up to which its page knew the tables.
"""

from __future__ import annotations

from types import MappingProxyType

from cli.serve.forms import newcomer, player, result_forms

FORMS = MappingProxyType(
    {each.name: each for each in (*result_forms.FORMS, *player.FORMS, *newcomer.FORMS)}
)
"""By the last word of their address."""
