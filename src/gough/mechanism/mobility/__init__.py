"""How a robot can move: its closed home, its mobility, its idle freedoms, its own coordinates."""
