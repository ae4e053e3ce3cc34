"""What the assembly of a robot shows that a user should know before using it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gough.mobility.assembly import Assembly


def findings(assembly: Assembly) -> tuple[str, ...]:
    """Sentences about motors, singular homes and limits."""
    found = []
    robot, motors, n = assembly.robot, len(assembly.robot.motors), assembly.mobility
    if n == 0:
        found.append("the platform cannot move: its legs hold it")
    if motors != n:
        which = "fewer" if motors < n else "more"
        found.append(f"{motors} motors for {n} freedoms: {which} than the mobility")
    if assembly.motor_rank < min(n, motors):
        found.append(f"the motors control only {assembly.motor_rank} of {n} freedoms")
    if assembly.motor_rank_at_home < assembly.motor_rank:
        found.append("home is singular (Type 2): with the motors locked the platform can move")
    if assembly.mobility_at_home != n:
        found.append(
            f"home is singular: it counts {assembly.mobility_at_home} freedoms, "
            f"postures around it {n}"
        )
    elif assembly.start[1] is not assembly.home:
        found.append("home is singular: a leg is stretched out, folded or free to move by itself")
    if len(assembly.modes) > 1:
        counts = " and ".join(str(mode) for mode in assembly.modes)
        found.append(f"modes of motion meet at home: postures around it count {counts} freedoms")
    for name, value in assembly.home_values.items():
        bounds = robot.axis(name).limits.position
        if bounds is not None and not bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9:
            found.append(
                f"home has {name} = {value:.4g}, outside its limits [{bounds[0]:g}, {bounds[1]:g}]"
            )
    return tuple(found)
