"""Functions of real programs, from Debian source packages."""
