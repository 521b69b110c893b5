"""The facts that a log can hold, by theme: each event, and what it does to the tournament."""

from __future__ import annotations
