"""What bench and experiments share: units ready to explore, subjects, tables, plots, pages of results."""
