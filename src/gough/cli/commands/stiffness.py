"""``gough stiffness``: how far the platform gives way, and which part is to blame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gough.cli.app import app
from gough.cli.elastic import ElasticOf, elastic_words, find_elastic, with_elastic
from gough.cli.files import check_files
from gough.cli.loads import PayloadMass, Pushes, find_loads
from gough.cli.printing import print_facts, print_json, print_places, print_table, say
from gough.cli.words import AsJson, Force, PoseWord, RobotWord, TablePath, find_pose, find_robot

if TYPE_CHECKING:
    from gough.elastic.deflection import Compensation, Deflection
    from gough.elastic.result import Elasticity

_MOVES, _TURNS = ("x", "y", "z"), ("rx", "ry", "rz")
_TOLD = 0.005  # share of the energy from which a part is told


@app.command()
@with_elastic
def stiffness(
    robot: RobotWord,
    pose: PoseWord = None,
    payload: PayloadMass = None,
    load: Pushes = None,
    elastic: ElasticOf = find_elastic,
    preload: Annotated[
        bool,
        typer.Option("--preload", help="Whether weight and loads change the stiffness itself."),
    ] = False,
    output: TablePath = None,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Stiffness of a machine at a pose: compliance, sag, the parts to blame, motor offsets.

    Elastic are beams and stiffness matrices of bodies, bearings, transmissions, springs and
    controllers; a robot file says them.  Sag is that of weight, payload and loads.
    """
    files = check_files(force=force, table=output)
    options = elastic()
    machine = find_robot(robot, remarks=True)
    acting = find_loads(machine, payload, load)
    place = find_pose(machine, pose)
    from gough.elastic.elasticity import elasticity

    with elastic_words():
        found = elasticity(machine, place, loads=acting, preload=preload, **options)
        compliance = found.compliance
        sag, offsets = found.deflection(), found.compensation()
    rows = _rows(compliance, sag)
    if output is not None:
        from gough.base.tables import write_table

        write_table(output, _columns(rows), words=True)
    if as_json:
        print_json({**_data(found, sag, offsets, rows), "files": files})
        return
    print_facts(_lines(found))
    for names, units in (
        (_MOVES, ("um/N", "N/um", "um")),
        (_TURNS, ("urad/Nm", "Nm/mrad", "urad")),
    ):
        flat, stiff, moved = units
        head = ["platform", f"compliance [{flat}]", f"stiffness [{stiff}]", f"sag [{moved}]"]
        factor = 1e-6 if names == _MOVES else 1e-3
        say()
        print_table(
            head,
            [
                (name, 1e6 * row[0], "rigid" if row[1] is None else factor * row[1], 1e6 * row[2])
                for name, row in rows.items()
                if name in names
            ],
        )
    _print_parts(sag)
    _print_offsets(found, offsets)
    print_places(files)


def _rows(compliance: Any, sag: Deflection) -> dict[str, tuple[float, float | None, float]]:
    """Compliance, stiffness and sag along each axis; a force along it alone acts."""
    found = {}
    for i, name in enumerate((*_MOVES, *_TURNS)):
        flat = float(compliance[i, i])
        found[name] = (flat, 1.0 / flat if flat > 0.0 else None, float(sag.platform[i]))
    return found


def _columns(rows: dict[str, tuple[float, float | None, float]]) -> dict[str, Any]:
    import numpy as np

    return {
        "axis": np.array(list(rows), dtype=object),
        "compliance": np.array([row[0] for row in rows.values()]),
        "stiffness": np.array([np.inf if row[1] is None else row[1] for row in rows.values()]),
        "sag": np.array([row[2] for row in rows.values()]),
    }


def _lines(found: Elasticity) -> list[tuple[str, str]]:
    from gough.base.english import counted

    kinds: dict[str, int] = {}
    for part in found.parts:
        kind = part.split()[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    parts = ", ".join(
        counted(n, kind, "bodies" if kind == "body" else "") for kind, n in kinds.items()
    )
    return [
        ("robot", found.robot.name),
        ("elastic", parts),
        *(("note", note) for note in found.notes),
        ("stiffness", "of the platform's origin, base axes, for a force along one axis alone"),
    ]


def _print_parts(sag: Deflection) -> None:
    import numpy as np

    order = [int(k) for k in np.argsort(-sag.shares) if sag.shares[k] >= _TOLD]
    if order:
        say("\nParts that give way under weight and loads")
        print_table(["part", "energy [%]"], [(sag.parts[k], 100.0 * sag.shares[k]) for k in order])


def _print_offsets(found: Elasticity, offsets: Compensation) -> None:
    from gough.base.english import figures
    from gough.cli.words import motor_units

    units = motor_units(found.robot)
    say("\nOffsets of the motors that bring the platform back")
    for unit in dict.fromkeys(units.values()):
        head = ["motor", f"offset [u{unit}]"]
        pairs = zip(offsets.motors, offsets.offsets, strict=True)
        print_table(head, [(name, 1e6 * value) for name, value in pairs if units[name] == unit])
    left = offsets.platform
    say(f"left over: {figures(1e6 * left[:3])} um, {figures(1e6 * left[3:])} urad")


def _data(
    found: Elasticity, sag: Deflection, offsets: Compensation, rows: dict[str, Any]
) -> dict[str, Any]:
    shares = dict(zip(sag.parts, sag.shares.tolist(), strict=True))
    return {
        "robot": found.robot.name,
        "T_0p": found.T_0p,
        "notes": list(found.notes),
        "compliance": found.compliance,
        "stiffness_along": {name: row[1] for name, row in rows.items()},
        "sag": sag.platform,
        "shares": shares,
        "offsets": dict(zip(offsets.motors, offsets.offsets.tolist(), strict=True)),
        "left_over": offsets.platform,
        "findings": list(sag.findings),
    }
