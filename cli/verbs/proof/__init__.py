"""Verbs of the proof: signed heads, receipts, witnesses and keys."""
