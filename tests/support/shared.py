"""What the project does not contain: published tournaments and vectors, beside a checkout.

A clone without `../shared` skips the tests that are marked here, and runs all others.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.paths import ROOT

SHARED = ROOT.parent / "shared"
TOURNAMENTS = tuple(sorted((SHARED / "real").glob("*.json")))
"""Six tournaments as another program published them."""

needs_shared = pytest.mark.skipif(
    not TOURNAMENTS, reason="published sources are not beside this checkout, in ../shared"
)


def vectors(name: str) -> Any:  # noqa: ANN401 - as the file has it
    """Read a published file of vectors; nothing where there are none."""
    return json.loads((SHARED / "vectors" / f"{name}.json").read_bytes()) if TOURNAMENTS else {}
