"""Commands, each registered with the program by being imported."""
