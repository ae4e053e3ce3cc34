"""Shapes of what quantities take and answer, by name."""

from __future__ import annotations

from gough.dynamics.methods import METHODS
from gough.geometry.turns import counted_axes
from gough.kernels.tracing.integration_quantities import POWERS, bounded_axes
from gough.kernels.tracing.leg_quantities import passive_axes
from gough.kernels.tracing.limited_step import limited_axes
from gough.kernels.tracing.stepped_quantities import shown_axes
from gough.kernels.tracing.turning import margin_count
from gough.mechanism.closure.coordinates import packed_length
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.varying import row_pattern
from gough.mechanism.serial import serial_parts


def shapes_of(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shapes of the inputs and outputs of quantities; worked out once, for every call asks."""
    return assembly.cached("shapes of quantities", _shapes)


def _shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    motors, n = (len(assembly.robot.motors),), assembly.mobility
    rates = len(assembly.scales.rates)
    parts = serial_parts(assembly)
    serial = 0 if parts is None else len(parts.axes)
    scalars = ("kinetic", "potential", "off", "size", "type_2", "closure", "open", "stretch")
    return dict.fromkeys(scalars, (1,)) | {
        "T_0p": (4, 4),
        "V_0p": (6,),
        "Vdot_0p": (6,),
        "tau": motors,
        "tau_0": motors,
        "q": motors,
        "lead": motors,
        "qd": motors,
        "qdd": motors,
        "Vddot_0p": (6,),
        **dict.fromkeys(("x", "xd", "xdd", "xddd"), (n,)),
        "V_r": (n,),
        "Vdot_r": (n,),
        "step": (6 + n,),
        "M_rob": (n, n),
        "c_rob": (n,),
        "w_r": (n,),
        "A": (n, *motors),
        "b": (n,),
        "g_rob": (n,),
        "efforts": (len(METHODS), *motors),
        "gaps": (sum(len(rows) for rows in assembly.scales.rows),),
        "biases": (sum(len(rows) for rows in assembly.scales.rows),),
        "link_rates": (rates,),
        "accelerations": (rates,),
        "powers": (4,),
        "wrench": (len(assembly.robot.joints), 6),
        "unique": (len(assembly.robot.joints), 6),
        "ground": (6,),
        "frozen": (len(assembly.idle),),
        "couplings": (len(assembly.robot.couplings),),
        "y": (6,),
        "bodies": (len(assembly.robot.bodies), 12),
        "positions": (len(shown_axes(assembly)),),
        "J_inv": (*motors, n),
        "error": motors,
        "Psi": (6, n),
        "closing": (6,),
        "drift": (6,),
        "joints": (rates, n),
        "coordinates": (packed_length(assembly.topology),),
        "joint_step": (rates,),
        "platform_step": (6,),
        "limited": (len(limited_axes(assembly)),),
        "limited_rows": (len(limited_axes(assembly)), rates + 6),
        "joint_rates": (rates, n),
        "rates_closing": (rates,),
        "row_entries": (len(row_pattern(assembly).places),),
        "closure_rows": (sum(len(rows) for rows in assembly.scales.rows), rates + 6),
        "slope": (6 + n + POWERS,),
        "bounded": (len(bounded_axes(assembly)),),
        "passive": (len(passive_axes(assembly)),),
        "passive_rates": (len(passive_axes(assembly)),),
        "axis_speeds": (len(assembly.robot.axis_names),),
        "energy": (2,),
        "wound": (0,),
        "angles": (len(counted_axes(assembly)),),
        "rates": (len(counted_axes(assembly)), n),
        "margins": (margin_count(assembly),),
        "compliance": (6, 6),
        **dict.fromkeys(("q_s", "qd_s", "qdd_s"), (serial,)),
        "Vdot_s": (6 + serial,),
        "body_poses": (len(assembly.robot.bodies), 3, 4),
    }
