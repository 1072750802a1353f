"""Correctness witnesses: invariants in C at places of the source, written, read and checked."""
