"""Changes: what differs in the C of two versions, as people read it."""
