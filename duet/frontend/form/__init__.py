"""The form of C: the body of a function as typed expressions, symbolic places and statements, built once."""
