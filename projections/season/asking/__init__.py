"""Questions to a season: named ones, SQL, and the tournaments that are looked at."""
