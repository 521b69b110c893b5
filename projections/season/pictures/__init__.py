"""Pictures of answers: charts, and the files that hold them."""
