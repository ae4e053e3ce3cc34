"""A valid call of every public function, to be spoilt one argument at a time."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gough
from driven import slide
from gough.robot.frame import Frame

HEAD = Path(__file__).resolve().parents[1] / "examples" / "robots" / "tilting_head.xml"
PRINTER = Path(__file__).resolve().parents[1] / "examples" / "printer.cfg"

Call = tuple[Callable[..., Any], dict[str, Any]]


@cache
def calls() -> dict[str, Call]:
    """Functions and valid arguments, by public name; leg builders stand for their kind."""
    robot = gough.zoo.load("five_bar")
    T = robot.home_pose
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(robot, T)
    x = [T[0, 3], T[1, 3]]
    motion = gough.motion.point_to_point(robot, x, [x[0] + 1e-4, x[1]], duration=0.008)
    still = gough.State(T, np.zeros(6), np.zeros(6))
    state = {"robot": robot, "state": still}
    program = gough.trace.program(robot, "inverse_dynamics")
    inputs = {port.name: np.zeros(port.shape) for port in program.inputs}
    along = {"robot": robot, "start": x, "end": [x[0] + 0.01, x[1]]}
    feet = [[-0.1, 0.0], [0.1, 0.0]]
    base = {"leg": 1, "base_point": [0.5, 0.0, 0.0], "T_0p": Frame((0.0, 0.0, 0.6)).matrix}
    leg = {**base, "platform_point": [0.1, 0.0, 0.0]}
    hexagon = [[np.cos(a), np.sin(a), 0.0] for a in np.radians([0, 20, 120, 140, 240, 260])]
    found: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}

    def add(room: Any, name: str, /, **valid: Any) -> None:
        found[f"{room.__name__}.{name}"] = (getattr(room, name), valid)

    rail = Frame.from_axes(z=(1, 0, 0))
    track = gough.Joint("track", "prismatic", robot.base, "cart", rail, rail)
    cart = gough.Body("cart", 2.0)
    add(gough.build, "carried", robot=robot, joint=track, body=cart)
    jaw = gough.Joint("jaw", "revolute", robot.platform, "finger")
    finger = gough.Body("finger", 0.1)
    add(gough.build, "holding", robot=robot, joint=jaw, body=finger)
    gripping = gough.build.holding(robot, jaw, finger)
    add(gough, "serial_core", robot=gripping)
    add(gough, "serial_state", robot=gripping, state=gough.State(T, internal={"jaw": 0.1}))
    add(gough.trace, "coordinates", **state)
    for name in (
        "audit",
        "bias_wrench",
        "cartesian_dynamics",
        "centroidal_momentum",
        "draw",
        "energy",
        "explain",
        "freedom_map",
        "gravity_wrench",
        "implicit_model",
        "inertia_matrix",
        "influence_coefficients",
        "internal_efforts",
        "inverse_dynamics",
        "inverse_kinematics",
        "inverse_jacobian",
        "jacobian",
        "kinematic_coordinates",
        "leg_jacobians",
        "motor_accelerations",
        "motor_rates",
        "observe",
        "partial_screws",
        "posture",
        "reactions",
        "reciprocal_screws",
        "regressor",
        "singularities",
    ):
        add(gough, name, **state)
    soft = {"drives": gough.Servo(1e4, 1.0)}  # the links are rigid: the controller gives way
    add(gough, "elasticity", **state, **soft)
    gears = gough.Servo(1e4, 1.0)
    add(gough, "elastic_motion", robot=robot, motion=motion, drives=gears, postures=1, rate=5e3)
    shaper = gough.input_shaper(50.0)
    add(gough.motion, "shaped", motion=motion, shaper=shaper)
    add(gough, "input_shaper", frequency=10.0, damping=0.1)
    add(gough, "nearest_type_2", **state, radius=0.01)  # a short search
    chi = {"names": ["foot1.viscous", "foot1.coulomb"], "tau": np.ones(4)}
    add(gough, "possible_parameters", robot=robot, W=np.arange(8.0).reshape(4, 2), **chi)
    add(gough, "with_parameters", robot=robot, chi={"foot1.viscous": 0.1})
    rest = {"state": np.stack([T, T]), "forwards": np.ones((2, 2)), "backwards": np.ones((2, 2))}
    add(gough, "gravity_at_rest", robot=robot, **rest)
    speeds = np.array([-2.0, -1.0, 1.0, 2.0])
    add(gough, "friction_at_speeds", speed=speeds, effort=speeds)
    log = gough.State.stack([still] * 3)
    logs = {"unloaded": (log, np.ones((3, 2))), "loaded": (log, np.full((3, 2), 2.0))}
    add(gough, "drive_gains", robot=robot, **logs, payload=1.0, parameters=["offsets"])
    add(gough, "base_parameters", robot=robot, parameters=["friction"])
    few = {"parameters": ["friction"], "harmonics": 1, "trials": 0}
    add(gough, "excitation_motion", robot=gough.zoo.load("five_bar"), duration=0.4, **few)
    add(gough, "identify", robot=robot, log=_swung(robot), parameters=["friction", "offsets"])
    add(gough, "read_log", robot=robot, path="never_made.csv")
    for name in ("doctor", "elements", "sheet"):
        add(gough, name, robot=robot)
    for name in ("analyse", "bearing_loads", "crossing", "singularities_along"):
        add(gough, name, robot=robot, motion=motion)
    for room, name in ((gough, "compile"), (gough, "listing"), (gough.trace, "program")):
        add(room, name, robot=robot, quantity="motor_rates")
    for name in ("singularity_locus", "workspace"):
        add(gough, name, robot=robot, x=(x[0] - 0.01, x[0] + 0.01, 2), y=(x[1], x[1] + 0.01, 2))
    add(gough, "envelope", robot=robot, starts=1)
    delta = gough.zoo.load("delta")
    spans = dict(zip("xyz", [(c - 0.01, c + 0.01, 3) for c in delta.home_pose[:3, 3]], strict=True))
    add(gough, "workspace_volume", robot=delta, **spans)
    add(gough, "balance_gravity", robot=robot, axes=robot.motors, state=np.stack([T, T]))
    add(gough.trace, "casadi", program=program)
    add(gough.trace, "count", program=program)
    add(gough.trace, "listing", program=program)
    add(gough.trace, "run", program=program, inputs=inputs)
    add(gough, "crossing_control", model=robot, motion=motion, bandwidth=50.0)
    add(gough, "forward_dynamics", **state, tau=[0.0, 0.0])
    add(gough, "forward_kinematics", robot=robot, q_a=q)
    add(gough, "draw_modes", modes=gough.forward_kinematics(robot, q))
    add(gough, "view", robot=robot, motion=motion, modes=False)
    add(gough, "export", robot=robot, quantity="motor_rates")
    add(gough, "export_bundle", robot=robot, folder="never_made\0")
    add(gough, "export_c", robot=robot, folder="/dev/null/never_made")
    add(gough, "inverse_dynamics_from_motors", robot=robot, q_a=q, qd_a=0 * q, qdd_a=0 * q)
    add(gough, "inverse_dynamics_observed", robot=robot, legs=gough.observe(**state))
    add(gough, "load", path="never_made.yaml")
    add(gough, "save", robot=robot, path="/dev/null/robot.yaml")
    add(gough, "convert", path=HEAD, platform="head")
    add(gough, "from_pinocchio", model=None)
    add(gough, "to_pinocchio", robot=robot)
    add(gough, "motor_side", robot=robot, tau=0 * q, qd=0 * q, qdd=0 * q)
    add(gough, "plan_crossing", robot=robot, path=motion, duration=0.008)
    add(gough, "pose_from_motors", robot=robot, q_a=q, near=T)
    add(gough, "simulate", robot=robot, state=still, efforts=[0.0, 0.0], t_end=0.002)
    add(gough, "state", robot=robot, x=x)
    add(gough, "state_from_motors", robot=robot, q_a=q)
    add(gough, "track", robot=robot, q_a=np.stack([q, q + 1e-3]))
    add(gough.motion, "chain", motions=motion)
    add(gough.motion, "circle", robot=robot, radius=0.01, duration=0.2)
    add(gough.motion, "fastest", robot=slide(), path=[[0.0], [0.1]], acceleration=1.0, grid=10)
    add(gough.motion, "from_file", robot=robot, path="never_made.csv")
    heights = gough.calibration.Heights([q, q], [0.1, 0.2])
    seen = gough.calibration.Positions([q, q + 0.1], [T[:3, 3], T[:3, 3] + 0.02])
    add(gough, "calibrate", robot=robot, measurements=seen, free="foot*.offset", noise=(1e-2, 1e-2))
    add(gough, "measurement_plan", robot=robot, kind="positions", count=2, free="foot*.offset")
    add(gough.calibration, "read_measurements", robot=robot, path="never_made.csv")
    never = {"path": "/dev/null/never_made.csv", "robot": robot}
    add(gough.calibration, "write_measurements", **never, measurements=heights)
    times = np.linspace(0.0, 0.008, 12)
    add(gough.motion, "from_samples", robot=robot, t=times, poses=motion(times).T_0p)
    add(gough.motion, "hold", robot=robot)
    add(gough.motion, "jerk_limited", **along, velocity=1.0, acceleration=10.0, jerk=100.0)
    add(gough.motion, "lissajous", robot=robot, amplitude=0.01, frequency=1.0, duration=1.0)
    add(gough.motion, "fourier", robot=robot, sines=[[0.01, 0.005]], duration=1.0)
    add(gough.motion, "pick_and_place", robot=robot, cycle=0.4, height=0.005, stroke=0.02)
    add(gough.motion, "point_to_point", **along, duration=0.1)
    add(
        gough.motion,
        "sine_sweep",
        robot=robot,
        amplitude=0.01,
        frequencies=(1.0, 2.0),
        duration=1.0,
    )
    add(gough.motion, "through", robot=robot, poses=[x, x], times=[0.0, 0.1])
    add(gough.control, "computed_torque", model=robot, motion=motion, bandwidth=50.0)
    add(gough.control, "joint_pd", model=robot, motion=motion, bandwidth=50.0)
    add(gough.control, "perturb", robot=robot)
    lengths = {"base_radius": 0.2, "platform_radius": 0.05, "arm": 0.2, "bar": 0.5}
    # a home that is given need not be searched for in each of hundreds of calls
    home = np.array(gough.build.delta(**lengths, half_spacing=0.05).assembly.T_home)
    add(gough.build, "delta", **lengths, half_spacing=0.05, home=home)
    rails = {"rail_radius": 0.2, "platform_radius": 0.05, "bar": 0.4, "half_spacing": 0.05}
    add(gough.build, "linear_delta", **rails)
    add(gough.build, "five_bar", base_points=feet, proximal=0.2, distal=0.25)
    add(
        gough.build,
        "hexapod",
        base_points=hexagon,
        platform_points=np.multiply(hexagon, 0.5),
        home=Frame((0.0, 0.0, 0.8)).matrix,
    )
    corners = np.array(hexagon)[::2, :2]
    for name in ("planar_rrr", "three_rrr"):
        add(
            gough.build,
            name,
            base_points=corners,
            platform_points=0.2 * corners,
            proximal=0.6,
            distal=0.6,
            home=np.eye(4),
        )
    add(gough.build, "ups_leg", **leg)
    add(gough.build, "spu_leg", **leg)
    add(gough.build, "rps_leg", **leg)
    add(gough.build, "pus_leg", **leg, rod=0.9)
    add(gough.build, "rus_leg", **leg, arm=0.3, rod=0.7)
    add(gough.build, "delta_leg", **leg, arm=0.3, bar=0.7, half_spacing=0.05)
    add(gough.build, "linear_delta_leg", **leg, bar=0.9, half_spacing=0.05)
    flat = {**leg, "T_0p": np.eye(4)}
    add(gough.build, "planar_leg", joints="R* R R", **flat, proximal=0.3, distal=0.3)
    knee = {"base_point": (0.4, 0.0, 0.0), "knee": (0.5, 0.0, 0.4), "platform_point": (0.1, 0, 0)}
    axes = {"first_axis": (1, 0, 0), "middle_axis": (0, 1, 0), "last_axis": (1, 0, 0)}
    add(gough.build, "uru_leg", **{**base, **knee}, **axes)
    drawn = gough.build.drawn_chain
    chain = {"joints": "R* R R", "leg": 1, "links": {"crank": None, "bar": None}}
    points = {"points": [(0, 0), (0.3, 0), (0.5, 0.3)], "directions": [(0, 0, 1)] * 3}
    add(gough.build, "drawn_chain", **chain, **points)
    add(gough.build, "chain", **chain, frames=[(Frame(), Frame((0.1, 0.0, 0.0)))] * 3)
    legs = [drawn("R* R", [(-0.1, 0), (0, 0.3)], [(0, 0, 1)] * 2, leg=1, links={"crank": None})]
    add(gough.build, "machine", name="crank", parts=legs)
    rows = [(1, 0, 1, 0, 0, 0, 0, 0, 0, 0), (2, 1, 0, 0, 0, 0, 0, 0.3, 0, 0)]
    add(gough.build, "khalil_kleinfinger", table=rows, leg=1)
    add(gough.build, "body", value=None, name="platform")
    add(gough.build, "joint_string", text="U P* S")
    add(gough.build, "template", kind="hexapod")
    add(gough, "vary", robot=robot)
    add(gough.calibration, "read_klipper", path=PRINTER)
    add(gough.zoo, "load", name="five_bar")
    add(gough.zoo, "parameters", name="five_bar")
    add(gough.inertia, "box", mass=1.0, size=[0.1, 0.2, 0.3])
    add(gough.inertia, "cylinder", mass=1.0, radius=0.1, length=0.2)
    add(gough.inertia, "rod", mass=1.0, start=[0.0, 0.0, 0.0], end=[1.0, 0.0, 0.0])
    add(gough.inertia, "sphere", mass=1.0, radius=0.1)
    return found


def _swung(robot: gough.Robot) -> gough.Log:
    """A short log of a machine."""
    t = np.linspace(0.0, 3.0, 301)
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(robot, robot.home_pose)
    q = q + 0.1 * np.sin(2.0 * np.pi * np.outer(t, [1.0, 2.0]))
    return gough.Log(t, q, np.sin(np.outer(t, [7.0, 9.0])))


def public_functions() -> set[str]:
    """Names of all functions of the public face."""
    rooms = (gough, gough.motion, gough.control, gough.build, gough.zoo, gough.calibration)
    return {
        f"{room.__name__}.{name}"
        for room in rooms
        for name in room.__all__
        if inspect.isfunction(getattr(room, name))
    }
