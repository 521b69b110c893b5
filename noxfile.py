"""The tasks of a day's work: `nox` runs the fast loop, `nox -s all` everything that CI asks for.

Each task runs in the environment that nox is started from, so that nothing is installed again.
"""

from __future__ import annotations

import sys

import nox

nox.needs_version = ">=2025.2"
nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "fast"]

PYTEST = (sys.executable, "-m", "pytest", "-q")
SIDE_BY_SIDE = ("-n", "auto", "--dist", "loadgroup")
NOT_SLOW = ("-m", "not slow")
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = ("win32", "darwin")
PACKAGES = ("ledger", "projections", "cli")


@nox.session
def lint(session: nox.Session) -> None:
    """Say what the linter and the formatter would change."""
    session.run(sys.executable, "-m", "ruff", "check", ".")
    session.run(sys.executable, "-m", "ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check the types as each Python has them, and those of the product on other systems."""
    for version in PYTHONS:
        session.run(sys.executable, "-m", "mypy", "--python-version", version)
    packages = [word for name in PACKAGES for word in ("-p", name)]
    for platform in PLATFORMS:
        own = ("--platform", platform, "--cache-dir", f".mypy_cache/{platform}")
        session.run(sys.executable, "-m", "mypy", *own, *packages)


@nox.session
def fast(session: nox.Session) -> None:
    """Run the tests for after each change; words given after `--` are pytest's."""
    session.run(*PYTEST, *NOT_SLOW, *SIDE_BY_SIDE, *session.posargs)


@nox.session(name="all")
def everything(session: nox.Session) -> None:
    """Run every test, as the README's command does."""
    session.run(*PYTEST, *SIDE_BY_SIDE, *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure; `tests/benchmarks/README.md` says what, and on what machine."""
    session.run(
        *PYTEST, *(session.posargs or ["tests/benchmarks"]), "-o", "python_files=bench_*.py"
    )


@nox.session
def coverage(session: nox.Session) -> None:
    """Say which lines the fast tests do not reach; fails below the floor in `pyproject.toml`."""
    shown = ("--cov", "--cov-report", "term:skip-covered")
    session.run(*PYTEST, *NOT_SLOW, *SIDE_BY_SIDE, *shown, *session.posargs)
