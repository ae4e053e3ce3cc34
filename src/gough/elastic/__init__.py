"""Elastic machines: stiffness, sag, vibrations, and which part is to blame for them.

One linear system about a posture.  Every body has coordinates of its own small displacements in its
own axes (``bodies.py``, beams from ``elements.py`` and ``mesh.py``), joints say what they hold
(``joints.py``), drives how motors hold (``drives.py``); ``system.py`` puts them together.  Of many
postures ``many.py`` has frequencies and sag at once, ``compliances.py`` the compliance by a kernel.
"""
