"""Finds the two versions of C files that `tightrope diff` compares: in two files, two folders or a git repository."""
