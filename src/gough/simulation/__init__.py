"""Direct dynamics in time: simulated machines, with what moves them and what stops them."""
