"""Who may enter what, and which acts are signed with whose key."""
