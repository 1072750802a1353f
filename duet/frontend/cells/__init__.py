"""Objects to cells: where accesses lead, conversions and operators on values, checks and notes of accesses."""
