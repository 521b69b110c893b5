"""How an event is written: its line, sealed texts, what stays hidden for a while."""
