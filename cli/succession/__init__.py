"""Succession: a second desk follows the first, and goes on in its place when that one is gone."""
