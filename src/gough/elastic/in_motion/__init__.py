"""Elastic machines in motion: how far they leave the planned motion, and how they ring after it."""
