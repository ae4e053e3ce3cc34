"""What the inputs and outputs of programs are, with frames and units, in a few words each."""

from __future__ import annotations

from collections.abc import Sequence

_STATE = {
    "T_0p": "platform pose, 4x4 row by row [1, m]",
    "V_0p": "platform twist [v; omega], base axes [m/s, rad/s]",
    "Vdot_0p": "plain time derivative of the twist [m/s^2, rad/s^2]",
    "x": "the robot's freedoms, in their order [m, rad]",
    "xd": "rates of the freedoms [m/s, rad/s]",
    "xdd": "accelerations of the freedoms [m/s^2, rad/s^2]",
    "V_r": "components of the twist along the freedoms, in their order [m/s, rad/s]",
    "Vdot_r": "plain time derivatives of V_r [m/s^2, rad/s^2]",
    "step": "step from the pose: translation, Cayley vector, change of V_r [m, rad, m/s, rad/s]",
    "tau": "motor efforts, in the order of the motors [N m or N]",
    "q": "motor positions [rad or m]",
    "qd": "motor rates [rad/s or m/s]",
    "qdd": "motor accelerations [rad/s^2 or m/s^2]",
    "q_s": "positions of the serial axes, in their order [rad or m]",
    "qd_s": "rates of the serial axes [rad/s or m/s]",
    "qdd_s": "accelerations of the serial axes [rad/s^2 or m/s^2]",
    "Vdot_s": "twist rate of the platform, base axes, then accelerations of the serial axes",
    "coordinates": "all joints: (cos, sin) of a turn, distance of a slide, matrix of a ball",
}
_ANSWERS = {
    "J_inv": "motor rates by freedoms, row by row [1, 1/m, m, rad]",
    "Psi": "platform twist by freedoms, 6 rows [1, 1/m, m, rad]",
    "drift": "twist rate with freedoms that do not accelerate [m/s^2, rad/s^2]",
    "closing": "step of the pose to where the loops close [m, rad]",
    "joints": "rates of all joints by freedoms, row by row",
    "error": "how far the motors are from their positions [rad or m]",
    "off": "sum of what motors and loops are off by, lengths in units of the robot's [rad]",
    "size": "square of the step's size, lengths in units of the robot's [rad^2]",
    "type_2": "figure that changes its sign at a Type 2 singularity [1]",
    "M_rob": "inertia matrix in the robot's freedoms [kg, kg m, kg m^2]",
    "c_rob": "bias wrench in the robot's freedoms [N, N m]",
    "g_rob": "weight in the robot's freedoms [N, N m]",
    "w_r": "generalised force on the robot's freedoms [N, N m]",
    "W": "efforts by parameters, one row a motor [N m or N by the unit of the parameter]",
    "tau_0": "efforts that forces and a payload ask for, in the order of the motors [N m or N]",
    "A": "matrix of A tau + b = 0, row by row",
    "b": "vector of A tau + b = 0 [N, N m]",
    "wrench": "[f; n] in every joint, row by row, in the joint's frame [N, N m]",
    "unique": "1 where a component of a wrench is determined, else 0",
    "ground": "[f; n] of the base on the machine, at the base's origin, base axes [N, N m]",
    "slope": "rates of the step, and powers of motors, friction, loads, smoothing [W]",
    "bounded": "positions of axes with limits [rad or m]",
    "closure": "how far the loops are open, natural units",
    "stretch": "bound on the square of the norm of Psi, natural units: large where V_r is poor",
    "energy": "kinetic and potential energy [J]",
    "kinetic": "kinetic energy [J]",
    "potential": "potential energy [J]",
    "doubt": "whether the state is consistent, and whether it is regular: the sum below 1 [1]",
}
_PAYLOAD = {
    "mass": "mass of the payload [kg]",
    "center": "centre of the payload in the platform's body [m]",
    "inertia": "inertia of the payload about its centre, 3x3 row by row [kg m^2]",
}
_BASE = {
    "base_felt": "acceleration of the base's origin less free fall, base axes [m/s^2]",
    "base_omega": "angular velocity of the base, base axes [rad/s]",
    "base_alpha": "angular acceleration of the base, base axes [rad/s^2]",
}
_FIGURES = {
    "gravity": "acceleration of free fall, base axes [m/s^2]",
    "masses": "masses of the bodies [kg]",
    "centers": "centres of mass, body axes [m]",
    "inertias": "inertias about the centres of mass, body axes [kg m^2]",
    "viscous": "viscous friction of the axes [N m s/rad or N s/m]",
    "coulomb": "Coulomb friction of the axes [N m or N]",
    "rotor_inertia": "rotors at the axes [kg m^2 or kg]",
    "stiffness": "springs of the axes [N m/rad or N/m]",
    "rest": "where springs are at rest [rad or m]",
    "parent_points": "origins of the joints' frames on the parents, body axes [m]",
    "child_points": "origins of the joints' frames on the children, body axes [m]",
    "parent_turns": "turns of the joints' frames on the parents, body axes [rad]",
    "child_turns": "turns of the joints' frames on the children, body axes [rad]",
}
_PORTS = {**_STATE, **_ANSWERS, **_PAYLOAD, **_BASE, **_FIGURES}
_SEEN = {
    "x": "directions of the legs, base axes, row by row [1]",
    "xd": "their rates [1/s]",
    "xdd": "their accelerations [1/s^2]",
    "d": "lengths of slides inside legs [m]",
    "dd": "their rates [m/s]",
    "ddd": "their accelerations [m/s^2]",
    "theta": "turns of legs about their directions [rad]",
    "spin": "their rates [rad/s]",
    "spin_rate": "their accelerations [rad/s^2]",
}
"""What ``inverse_dynamics_observed`` takes."""

_LOADS = {
    "point": "point in the body's frame [m]",
    "f": "force, base axes [N]",
    "n": "moment [N m]",
}


def meaning(name: str, quantity: str = "", loads: Sequence[str] = ()) -> str:
    """What an input or output is; empty if that is not known.

    Args:
        name: of the port.
        quantity: it belongs to.
        loads: bodies that forces act on, in order.
    """
    if name.startswith("d_"):
        return "derivatives, row by row"
    stem, _, index = name.partition("_")
    if stem in _LOADS and index.isdigit():
        return f"load on {loads[int(index)]}: {_LOADS[stem]}"
    if quantity == "inverse_dynamics_observed" and name in _SEEN:
        return _SEEN[name]
    return _PORTS.get(name, "")
