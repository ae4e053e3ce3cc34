"""Random machines against maximal coordinates: ``make fuzz SEED=... N=...``."""
