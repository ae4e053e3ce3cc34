"""Words for public functions in other libraries, in the papers and in older versions."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from typing import Any

# what is meant: what somebody may type for it
_MEANT = {
    "gough.inverse_kinematics": (
        "ik inverse_geometry inverse_geometric_model igm inv_kin ikine InverseKinematics "
        "motor_positions motor_angles"
    ),
    "gough.forward_kinematics": (
        "fk fkine direct_geometry direct_kinematics direct_geometric_model dgm forward_geometry"
    ),
    "gough.inverse_dynamics": (
        "id idm rnea inverse_dynamic_model mj_inverse CalcInverseDynamics motor_efforts "
        "motor_torques joint_torques efforts torques"
    ),
    "gough.forward_dynamics": (
        "fd ddm aba direct_dynamics direct_dynamic_model mj_forward constraintDynamics "
        "EvalTimeDerivatives"
    ),
    "gough.posture": (
        "forwardKinematics updateFramePlacements mj_kinematics mj_objectVelocity "
        "EvalBodyPoseInWorld EvalBodySpatialVelocityInWorld joint_positions joint_angles"
    ),
    "gough.jacobian": (
        "computeJointJacobian computeJointJacobians computeFrameJacobian getFrameJacobian "
        "mj_jacBody mj_jac CalcJacobianSpatialVelocity forward_jacobian"
    ),
    "gough.energy": (
        "computeKineticEnergy computePotentialEnergy mj_energyVel mj_energyPos "
        "CalcKineticEnergy CalcPotentialEnergy"
    ),
    "sum(body.mass for body in robot.bodies)": "mass total_mass",
    "gough.centroidal_momentum(robot, state).center_of_mass": (
        "center_of_mass centre_of_mass com centerOfMass CalcCenterOfMassPositionInWorld"
    ),
    "gough.centroidal_momentum": (
        "momentum computeCentroidalMomentum ccrba mj_subtreeVel "
        "CalcSpatialMomentumInWorldAboutPoint"
    ),
    "gough.compile(robot, quantity, derivatives=[...])": (
        "computeRNEADerivatives computeABADerivatives mjd_inverseFD mjd_transitionFD AutoDiffXd "
        "linearize linearise derivatives gradient"
    ),
    "gough.simulate": "mj_step integrate Simulator",
    "gough.reactions": "get_reaction_forces_output_port efc_force constraint_forces joint_forces",
    "gough.regressor": "computeJointTorqueRegressor",
    "gough.motor_rates": "inverse_velocity joint_velocities motor_velocities inverse_rates",
    "gough.motor_accelerations": "inverse_acceleration joint_accelerations",
    "gough.inertia_matrix": "crba mass_matrix mj_fullM CalcMassMatrix",
    "gough.bias_wrench": (
        "bias coriolis nonlinear_effects nle qfrc_bias CalcBiasTerm nonLinearEffects"
    ),
    "gough.gravity_wrench": (
        "gravity generalized_gravity computeGeneralizedGravity CalcGravityGeneralizedForces"
    ),
    "gough.inverse_dynamics of a state at rest, or gough.gravity_wrench of the freedoms": (
        "gravity_compensation gravity_torques"
    ),
    "gough.vary": "varied variant",
    "gough.control.perturb": "perturbed",
    "gough.excitation_motion": "excite excitation",
    "gough.EffortSharing": "Share Sharing",
    "gough.WorkspaceSection": "Section",
    "gough.State": "SerialAxes States SetPositions SetVelocities qpos qvel qacc",
    "gough.options(engine=...)": "set_engine engine",
    "gough.options(threads=...)": "set_threads set_num_threads num_threads threads",
    "gough.options": "config",
    "gough.pose_from_motors": "closest_pose follow_pose",
    "gough.draw": "plot show",
    "gough.view": "visualize visualise viewer meshcat animation animate",
    "gough.load": "from_yaml load_robot load_yaml read read_robot open",
    "gough.convert": "from_urdf from_mjcf from_sdf load_urdf load_mjcf parse",
    "gough.analyse": "size_motors sizing motor_sizing analyze",
    "gough.elasticity": "stiffness compliance",
    "gough.Axis(viscous=..., coulomb=...)": "friction",
    "gough.Robot": "Model MultibodyPlant MjModel",
    "gough.__version__": "version",
    "robot.mobility, and gough.doctor(robot) says where it comes from": "mobility dof",
    "robot.length": "length",
    "robot.motors": "motors",
    "robot.freedoms": "freedoms",
    "gough.inverse_kinematics or gough.forward_kinematics": "kinematics",
    "gough.inverse_dynamics or gough.forward_dynamics": "dynamics",
    "gough.zoo.load('gough_stewart')": "stewart stewart_gough stewart_platform hexapod",
    "gough.motion.point_to_point": "p2p stroke",
    "a motion of gough.motion, such as gough.motion.point_to_point": "trajectory path",
}
# names in public modules, for those who look for them at the top
_INSIDE = {
    "motion": (
        "Samples chain circle fastest fourier from_file from_samples jerk_limited lissajous "
        "pick_and_place point_to_point shaped sine_sweep through"
    ),
    "build": (
        "BK_COLUMNS KI_COLUMNS TEMPLATES Leg Parts chain delta delta_leg drawn_chain five_bar "
        "hexapod joint_string khalil_kleinfinger linear_delta linear_delta_leg planar_leg "
        "planar_rrr pus_leg rps_leg rus_leg spu_leg template three_rrr ups_leg uru_leg"
    ),
    "control": "Loop Measured computed_torque joint_pd perturb",
    "report": (
        "save_calibration_figures save_figures save_identification_figures write_calibration "
        "write_identification write_report"
    ),
    "trace": "Operations Program casadi coordinates program",
    "vision": "Camera Cylinder Image Observer contour_normals cylinders ellipse_centre",
    "calibration": (
        "Distances Encoders Heights Lengths MeasurementTable Measurements Orientations Positions "
        "Printer read_klipper read_measurements write_measurements"
    ),
}
_ROBOTS = (  # of the zoo
    "five_bar three_rrr four_rrr spherical_2dof agile_eye delta linear_delta delta_4 quattro h4 "
    "orthoglide dymo tilt_3rps space_3ups c5 gough_stewart gough_stewart_6spu hexapod_6rus "
    "hexapod_6pus"
)
_LIKE = 0.76  # 'energie' is like 'energy' (0.77); below are 'bench' and 'bias_wrench' (0.62)


def _collected() -> dict[str, str]:
    """What is meant, by what somebody may type."""
    found: dict[str, list[str]] = {}
    for public, words in _MEANT.items():
        for word in words.split():
            found.setdefault(word, []).append(public)
    for robot in _ROBOTS.split():
        found.setdefault(robot, []).append(f"gough.zoo.load({robot!r})")
    for module, names in _INSIDE.items():
        for name in names.split():
            found.setdefault(name, []).append(f"gough.{module}.{name}")
    return {word: " or ".join(places) for word, places in found.items()}


WORDS = _collected()
"""What is meant, as a program writes it, by the word that somebody may type for it."""


def find_meant(word: str) -> str:
    """What a word of another library or of a paper means, ``gough.NAME``; or nothing."""
    return WORDS.get(word) or WORDS.get(word.lower(), "")


def unknown_name(module: str, name: str, known: Sequence[str]) -> AttributeError:
    """The error about a name that a module does not have: it says which one is meant.

    Args:
        module: its dotted name.
        name: what was asked for.
        known: names that it has.
    """
    end = f": it is {find_meant(name)}" if find_meant(name) else ""
    own = {each: f"{module}.{each}" for each in known}
    # a slip in a public name, or else in a word for one
    for places in (own, WORDS if module in ("gough", "gough.zoo") else {}):
        if not end:
            close = difflib.get_close_matches(name, places, n=1, cutoff=_LIKE)
            end = f". Did you mean {places[close[0]]}?" if close else ""
    return AttributeError(f"module {module!r} has no attribute {name!r}{end}")


def refuse_unknown(module: str, known: Sequence[str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a public module: it refuses with advice what the module has not."""

    def refuse(name: str) -> Any:
        raise unknown_name(module, name, known)

    return refuse
