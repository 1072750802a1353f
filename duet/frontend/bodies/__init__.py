"""Statements, calls and bodies of functions to control flow."""
