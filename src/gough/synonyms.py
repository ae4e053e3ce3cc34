"""Words for public functions in other libraries, in the papers and in older versions."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

# what somebody may type: the public name for it
_MEANT = {
    "inverse_kinematics": "ik inverse_geometry inverse_geometric_model igm inv_kin ikine",
    "forward_kinematics": (
        "fk fkine direct_geometry direct_kinematics direct_geometric_model dgm forward_geometry"
    ),
    "inverse_dynamics": "id idm rnea inverse_dynamic_model mj_inverse CalcInverseDynamics",
    "forward_dynamics": (
        "fd ddm aba direct_dynamics direct_dynamic_model mj_forward constraintDynamics "
        "EvalTimeDerivatives"
    ),
    "posture": (
        "forwardKinematics updateFramePlacements mj_kinematics mj_objectVelocity "
        "EvalBodyPoseInWorld EvalBodySpatialVelocityInWorld"
    ),
    "jacobian": (
        "computeJointJacobians getFrameJacobian mj_jacBody mj_jac CalcJacobianSpatialVelocity "
        "forward_jacobian"
    ),
    "energy": (
        "computeKineticEnergy computePotentialEnergy mj_energyVel mj_energyPos "
        "CalcKineticEnergy CalcPotentialEnergy"
    ),
    "centroidal_momentum": (
        "momentum computeCentroidalMomentum ccrba mj_subtreeVel "
        "CalcSpatialMomentumInWorldAboutPoint"
    ),
    "simulate": "mj_step integrate",
    "motor_rates": "inverse_velocity joint_velocities motor_velocities inverse_rates",
    "motor_accelerations": "inverse_acceleration joint_accelerations",
    "inertia_matrix": "crba mass_matrix mj_fullM CalcMassMatrix",
    "bias_wrench": "bias coriolis nonlinear_effects nle qfrc_bias CalcBiasTerm nonLinearEffects",
    "gravity_wrench": (
        "gravity generalized_gravity computeGeneralizedGravity CalcGravityGeneralizedForces"
    ),
    "vary": "varied variant",
    "control.perturb": "perturb perturbed",
    "excitation_motion": "excite excitation",
    "EffortSharing": "Share Sharing",
    "WorkspaceSection": "Section",
    "State": "SerialAxes States",
    "options": "set_engine set_threads engine threads config",
    "pose_from_motors": "closest_pose follow_pose",
    "draw": "plot show",
    "view": "visualize visualise viewer meshcat",
    "convert": "from_urdf from_mjcf from_sdf load_urdf load_mjcf parse",
}
_PUBLIC = {word: public for public, words in _MEANT.items() for word in words.split()}


def advice(name: str, known: Sequence[str]) -> str:
    """The end of an error about a name that ``gough`` does not have: which one is meant."""
    public = _PUBLIC.get(name) or _PUBLIC.get(name.lower())
    if public:
        return f": it is gough.{public}"
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f". Did you mean gough.{close[0]}?" if close else ""
