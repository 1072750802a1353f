"""Questions about the whole program: points-to, exclusion of accesses, identities of threads, gathered facts."""
