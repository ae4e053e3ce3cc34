"""Keys of other formats, which mean something here: what URDF, SDF and habit call it."""

from __future__ import annotations

from collections.abc import Collection

_BOTH = "if they are the same on both bodies, else parent_frame and child_frame."
_AXIS = f"The axis of a joint is the z axis of its frames: frame: {{z: [0, 1, 0]}} {_BOTH}"
_PLACE = f"A joint sits where its frames are: frame: {{position: [0.1, 0, 0.5]}} {_BOTH}"
_SPRING = "A spring is written spring: {stiffness: 400, rest: 0.1}."
_LOADS = "Loads have one key: loads: {payload: 0.3, friction: false}."
_MOTOR = "Motors are listed at the top level of the file: motors: [NAME OF THE AXIS, ...]."
_MOTOR_DATA = f"{_MOTOR} Under 'motor' stand its data: motor: {{peak: 2.4, rotor_inertia: 1e-4}}."

# By a key that only this part of the file has: what is written there by mistake, and what is meant.
_SENTENCES = {
    "child_frame": {
        "axis": _AXIS,
        "z": _AXIS,
        "direction": _AXIS,
        "position": _PLACE,
        "origin": _PLACE,
        "point": _PLACE,
        "xyz": _PLACE,
        "actuated": _MOTOR,
        "active": _MOTOR,
        "friction": "Friction is viscous or coulomb.",
        "damping": "Did you mean 'viscous'? It is the effort per speed.",
        "stiffness": _SPRING,
        "spring_stiffness": _SPRING,
        "spring_reference": _SPRING,
    },
    "quaternion_wxyz": {
        "axis": "Did you mean 'z'? The axis of a joint is the z axis of its frames.",
        "quaternion": "Say in which order: quaternion_wxyz or quaternion_xyzw.",
    },
    "inverse_dynamics": dict.fromkeys(
        ("payload", "external", "forces", "friction", "rotors", "smoothing"), _LOADS
    ),
    "efficiency": {"gear_ratio": "Did you mean 'ratio'?"},
    "continuous": {
        "torque": "Did you mean 'peak' or 'continuous'?",
        "inertia": "Did you mean 'rotor_inertia'?",
        "ratio": "The ratio belongs to 'transmission', beside 'motor'.",
    },
    "stiffness": {"reference": "Did you mean 'rest'?", "springref": "Did you mean 'rest'?"},
}
_WORDS = {
    "child_frame": {"type": "kind", "from": "parent", "to": "child", "child_link": "child"},
    "composite": {"com": "center", "cog": "center", "centre": "center", "I": "inertia"},
    "quaternion_wxyz": {
        "xyz": "position",
        "origin": "position",
        "R": "rotation",
        "matrix": "rotation",
        "euler": "rpy",
    },
    "bodies": {"links": "bodies", "actuators": "motors", "end_effector": "platform"},
}


def foreign_key(name: str, known: Collection[str]) -> str:
    """A hint about a key that another format has; empty if there is none."""
    for mark, sentences in _SENTENCES.items():
        if mark in known and name in sentences:
            return sentences[name]
    for mark, words in _WORDS.items():
        if mark in known and name in words:
            return f"Did you mean {words[name]!r}? Known: {', '.join(known)}."
    return ""


def misused_key(name: object, value: object) -> str:
    """A hint about a key of ours that means something else in other formats."""
    return _MOTOR_DATA if name == "motor" and not isinstance(value, dict) else ""
