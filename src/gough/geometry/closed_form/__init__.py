"""Closed forms of the inverse geometry, found from structure."""
