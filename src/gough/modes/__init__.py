"""Assembly modes: every pose that motor positions allow, and the one that a motion follows.

All modes (``direct.py`` is the public function, ``mode.py`` its answer, ``finding.py`` the plan):

- ``groups.py``: how the platform moves at all, in the robot's own units.
- ``chains.py``, ``relations.py``: legs sampled with their motors locked, and what they demand.
- ``algebra.py``: all poses that obey the demands: ``paraboloid.py`` (spheres that meet),
  ``turning.py`` (a polynomial of one angle), ``study.py`` (quadrics of orientations and poses),
  ``ties.py`` (points on spheres and circles, followed by ``quadrics.py`` from the platforms of
  ``starts.py``).
- ``closing.py``: joints of many machines at once, and whole motions told from single poses;
  ``search.py``: for what algebra cannot say.
- ``hexagons.py``: hexagons that are singular in every pose.

One mode (``track.py`` along a motion, ``follow.py`` in a control loop): ``driven.py``,
``walking.py``, ``merges.py``; ``stepper.py``, ``poses.py``.
"""
