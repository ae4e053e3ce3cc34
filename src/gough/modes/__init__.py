"""Assembly modes: every pose that motor positions allow, and the one that a motion follows.

All modes (``direct.py`` is the public function, ``mode.py`` its answer, ``finding.py`` the plan):

- ``groups.py``: the motion group of the platform, in the robot's own units.
- ``chains.py``, ``relations.py``: legs sampled with their motors locked, and the equations of the
  platform pose (demands) that all samples satisfy.
- ``algebra.py``: all poses that obey the demands: ``paraboloid.py`` (spheres that meet),
  ``turning.py`` (a polynomial of one angle), ``study.py`` (quadrics of orientations and poses),
  ``ties.py`` (points on spheres and circles, followed by ``quadrics.py`` from the platforms of
  ``starts.py``).
- ``closing.py``: joints of many machines at once, and whole motions distinguished from single
  poses; ``search.py``: for machines that the algebra does not cover.
- ``hexagons.py``: hexagons that are singular in every pose.

One mode (``track.py`` along a motion, ``follow.py`` in a control loop): ``driven.py``,
``walking.py``, ``merges.py``; ``stepper.py``, ``nearby.py``.
"""
