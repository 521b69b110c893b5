"""What a property is tried on: the same examples at every run, or others and many more of them.

`TOURNEY_EXAMPLES=20 pytest …` draws by chance, and twenty times as many.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("TOURNEY_EXAMPLES", "0"))


def load_profile() -> None:
    """Settle what every property has in common; a busy machine is no failure."""
    settings.register_profile(
        "tourney",
        derandomize=not TIMES,
        max_examples=100 * max(TIMES, 1),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        print_blob=True,
    )
    settings.load_profile("tourney")


def examples(count: int) -> settings:
    """Give a property as many examples as its rule is worth; a fixture may serve all of them."""
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    return settings(max_examples=count * max(TIMES, 1), suppress_health_check=checks)


def seeds(count: int) -> range:
    """The seeds of a test that draws by itself: as many as its rule is worth, or more of them."""
    return range(count * max(TIMES, 1))
