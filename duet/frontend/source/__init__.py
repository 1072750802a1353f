"""Source text to a tree: preprocessing, GNU dialects, parsing, attributes, compilation databases."""
