"""LLVM IR as immutable values."""
