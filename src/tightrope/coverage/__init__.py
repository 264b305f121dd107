"""What must be covered: criteria, labels, objectives, verdicts and the ledger."""
