"""From the platform to every joint: inverse kinematics, and the state from independent coordinates.

``inverse`` is the entry:  ``closed_form`` where there is one, ``walk`` (continuation from home) for
the rest.  ``state`` completes a state, ``direct`` leads the platform to motor positions near a
known pose, ``rehoming`` makes another working or assembly mode the home of a robot.
"""
