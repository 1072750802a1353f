"""The language server: verdicts in editors, whenever a file is saved."""
