"""The desk: what is in hand, and carrying acts out."""
