"""The C source: tokens, preprocessed text, clang's syntax tree."""
