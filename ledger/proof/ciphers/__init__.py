"""What is sealed and opened: texts in lines, texts for one reader, files and keys."""
