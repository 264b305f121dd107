"""`tightrope diff`: two versions of a program."""
