"""Points schemes, and the season's standings by one of them."""
