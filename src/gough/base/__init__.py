"""What knows no robot: arrays, rotations, small linear systems, arguments, English, tables.

``spatial`` (rotations and displacements), ``turns`` (rotations of many samples) and
``linalg`` (elimination by a plan) take numbers and symbols alike; ``batch`` runs a function of one
state over leading axes; ``arguments`` checks what users pass; ``english`` makes sentences;
``tables`` reads and writes CSV, Parquet and NPZ; ``once`` keeps what is worked out, ``cache`` keeps
it on disk.
Any room may use all of it.
"""
