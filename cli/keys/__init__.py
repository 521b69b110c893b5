"""Keys on this machine: those of logs, of officials, of the draws, of readers and of backups."""
