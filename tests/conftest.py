"""What all tests share: the fixtures of two modules, and the option for golden files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

pytest_plugins = ["tests.store_fixtures", "tests.cli_desk"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update-golden`."""
    parser.addoption("--update-golden", action="store_true", help="write the expected outputs anew")
