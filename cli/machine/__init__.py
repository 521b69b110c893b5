"""Keys of this machine, and the heads of logs that it signed, saw or was given."""
