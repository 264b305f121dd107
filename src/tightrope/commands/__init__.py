"""One module or folder per command of the command line."""
