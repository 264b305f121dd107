"""Where pointers lead, and how they are used."""
