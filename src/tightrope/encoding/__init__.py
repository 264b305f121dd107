"""A whole unit as one formula."""
