"""The control flow graph of a thread while it is built: commands, events beside them, and making it small."""
