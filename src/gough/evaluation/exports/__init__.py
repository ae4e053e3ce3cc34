"""Quantities of a robot as C for a controller, and as functions of other libraries."""
