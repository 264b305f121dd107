"""Changes: what differs in the C of two versions, as a reader sees it."""
