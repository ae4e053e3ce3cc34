"""What follows from a model: reactions in joints, energy, the certificate, what freezing costs.

``reactions``, ``energy``, ``certificate`` (``audit``), ``motor_side`` and ``balancing`` have public
functions; ``worst`` finds the largest reactions along a motion; ``frozen`` measures what freedoms
that the platform does not feel cost when they are frozen; ``smoothing`` chooses the speeds over
which a simulation smooths Coulomb friction.
"""
