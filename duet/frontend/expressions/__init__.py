"""Expressions to commands: lvalues, rvalues, initialisers, assignments, with operands in any order that C allows."""
