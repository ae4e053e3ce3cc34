"""Twists, accelerations and Jacobians of everything in the machine.

``motion.Kinematics`` is a machine in motion at one state, worked out once and handed on to all
theories; ``posture`` and ``jacobians`` are the public functions; ``consistency`` and ``regularity``
refuse twists outside the mobility and singular states.
"""
