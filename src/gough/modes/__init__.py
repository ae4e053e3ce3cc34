"""Assembly modes: every pose that motor positions allow, and the one that a motion follows.

All modes (``direct.py`` is the public function, ``mode.py`` its answer, ``finding.py`` the plan):

- ``groups.py``: how the platform moves at all; ``units.py``: poses in the robot's own units.
- ``chains.py``, ``relations.py``: legs sampled with their motors locked, and what they demand.
- ``algebra.py``: all poses that obey the demands: ``paraboloid.py`` (spheres that meet),
  ``turning.py`` (a polynomial of one angle), ``spherical.py``, ``study.py``, ``ties.py`` (quadrics,
  followed by ``quadrics.py`` from the platforms of ``starts.py``).
- ``closing.py``: joints of many machines at once; ``search.py``: for what algebra cannot say;
  ``motions.py``: whole motions told from single poses; ``described.py``: branches, conditioning.
- ``figures.py``: hexagons that are singular in every pose.

One mode (``track.py`` along a motion, ``follow.py`` in a control loop): ``driven.py``,
``walking.py``, ``along.py``, ``meetings.py``, ``tracked.py``; ``stepper.py``, ``poses.py``.
"""
