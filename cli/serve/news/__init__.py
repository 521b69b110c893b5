"""News: what hears of it in a store, and the streams that bring it to open pages."""
