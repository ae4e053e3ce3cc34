"""What follows from a model: reactions in joints, energy, the certificate, what freezing costs.

``energy``, ``certificate`` (``audit``), ``motor_side`` and ``balancing`` have public functions;
``reactions`` come from ``free_bodies``, which ``joint_wrenches`` hold together; ``worst`` finds the
largest reactions along a motion; ``frozen`` measures what freedoms that the platform does not feel
cost when they are frozen; ``smoothing`` chooses the speeds over which a simulation smooths Coulomb
friction.
"""
