"""C types, their layout, scopes and constants, and what is known of the value of an expression."""
