"""What `tightrope diff` compares: two versions of C files, from two files, two folders or a git repository."""
