"""The closure equations of a robot at one state: ``E_l qd_l = F_l z`` for every leg.

Plain NumPy on small arrays; numbers and symbols run through the same lines.
"""
