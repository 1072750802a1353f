"""Linux drivers: the roles of their functions, buses, the harness that runs them, model headers."""
