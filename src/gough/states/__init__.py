"""Where a machine is and how it moves: the value of a state, and its components in other axes."""
