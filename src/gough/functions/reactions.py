"""The public function of reactions: wrenches in all joints, by kernels where they pay."""

from __future__ import annotations

from typing import Any

from gough.base.arguments import one_of
from gough.base.batch import OnError, as_array
from gough.base.progress import Progress
from gough.dynamics.answers.reactions import FrameName, Reactions
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.errors import InputError
from gough.evaluation.call import evaluate
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


def reactions(
    robot: Robot,
    state: Any,
    *,
    tau: Any = None,
    frame: FrameName = "parent",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    on_error: OnError = "raise",
    progress: Progress | None = None,
) -> Reactions:
    """Wrench in every joint of the robot, passive ones included, in a motion.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        tau: motor efforts ``(..., n)`` [N or N m] that produce the motion; computed if not given.
        frame: the joint's frame that wrenches are given in, on its ``"parent"`` or ``"child"``.
        loads: :class:`gough.Loads`, as in :func:`gough.inverse_dynamics`.
        share: how more motors than freedoms share the work.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.
        progress: called with the share that is done, 0 to 1, while NumPy goes from state to state.

    Returns:
        A :class:`Reactions`.

    Raises:
        InputError: ``tau`` does not produce the motion.
    """
    assembled(robot)
    one_of(frame, "frame", ("parent", "child"))
    more: dict[str, Any] = {} if progress is None else {"progress": progress}
    quantity = "reactions" if frame == "parent" else "reactions_on_child"
    if tau is not None:
        if share is not None:
            raise InputError(
                "share says how efforts are found, tau gives them",
                hint="Leave one out.",
                argument="tau",
            )
        quantity += "_under_efforts"
        more["tau"] = as_array(tau, (len(robot.motors),), "tau")
    wrench, unique, ground, frozen, couplings = evaluate(
        robot,
        quantity,
        state,
        None,
        on_error,
        loads=loads,
        share=share,
        **more,
    )
    names = tuple(joint.name for joint in robot.joints)
    return Reactions(names, wrench, unique == 1.0, ground, frozen, frame, couplings)
