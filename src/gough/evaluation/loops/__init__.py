"""Loops of many states closed at once, each continued from a state that is assembled already."""
