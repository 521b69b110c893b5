"""The interface for programs: acts as JSON, views as JSON, and what describes them."""
