"""What a calibration shows: residual maps, ellipsoids of joints, tilt, and one page of it all."""
