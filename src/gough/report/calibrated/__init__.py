"""What a calibration shows: residual maps, ellipsoids of joints, tilt, and the page of all of it."""
