"""What the project does not contain: published tournaments and vectors, next to a checkout.

A clone without `../shared` skips the tests that are marked here, which compare with them, and runs
all others: they need nothing but the project.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.files.hostile_texts import hostile_texts
from tests.support.paths import ROOT

SHARED = ROOT.parent / "shared"
TOURNAMENTS = tuple(sorted((SHARED / "real").glob("*.json")))
"""Six tournaments as another program published them."""

needs_shared = pytest.mark.skipif(
    not TOURNAMENTS, reason="published sources are not beside this checkout, in ../shared"
)


def vectors(name: str) -> Any:  # noqa: ANN401 - as the file has it
    """Read a published file of vectors, for a test that is marked `needs_shared`."""
    return json.loads((SHARED / "vectors" / f"{name}.json").read_bytes()) if TOURNAMENTS else {}


def texts_to_try() -> list[str]:
    """Return the project's own hostile texts, and the published ones if they are there."""
    return list(dict.fromkeys([*hostile_texts(), *(vectors("blns") or ())]))
