"""Expressions to commands: lvalues, rvalues, initialisers, assignments, in C's order of evaluation."""
