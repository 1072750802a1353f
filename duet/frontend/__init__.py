"""C text to PLIP; the rooms are named in `docs/tour.md`, from the text to the program."""
