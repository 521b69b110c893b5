"""What a person types, as numbers: words and options, players, tables, results, moments, files."""
