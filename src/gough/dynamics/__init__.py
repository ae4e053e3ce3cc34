"""Inverse and direct dynamics: one theory, one file; they must agree."""
