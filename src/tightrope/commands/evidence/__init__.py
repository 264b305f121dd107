"""Evidence packs (`--evidence`): what somebody needs to check a report without Tightrope, in one folder."""
