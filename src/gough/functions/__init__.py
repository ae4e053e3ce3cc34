"""Public functions of states: signatures, docstrings, and a line or two each."""
