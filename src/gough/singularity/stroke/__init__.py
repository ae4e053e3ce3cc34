"""Type 2 within the stroke of the motors: corners, further goals, the smallest measure found."""
