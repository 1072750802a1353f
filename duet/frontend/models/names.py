"""Names of checks and assumptions: calls that may be repeated on several paths, since they only look."""

CHECKS = frozenset(
    (
        *("assert", "__VERIFIER_assert", "__goblint_check", "__goblint_assert", "BUG_ON"),
        *("assume", "__VERIFIER_assume", "assume_abort_if_not", "__duet_assume"),
    )
)
