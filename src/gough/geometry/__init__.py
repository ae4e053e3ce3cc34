"""From the platform to every joint: inverse geometry, and the state from the robot's freedoms."""
