"""What people ask for, and what it comes to: each command beside its decision, by theme."""

from __future__ import annotations
