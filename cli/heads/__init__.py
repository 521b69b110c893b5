"""Signed heads, what a desk saw, and whether a store still fits both."""
