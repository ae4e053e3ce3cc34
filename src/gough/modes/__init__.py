"""Assembly modes: every pose that motor positions allow, and the one that a motion follows."""
