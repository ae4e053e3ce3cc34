"""Default classes: nested, in several blocks, chosen by ``class`` or by ``childclass``."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from gough.base.arguments import nearest
from gough.errors import shown
from gough.robot.formats.model import Model
from gough.robot.formats.xml import Node

MAIN = "main"

ACTUATORS = (
    *("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"),
    *("muscle", "adhesion", "plugin"),
)
"""Kinds of actuators; they share one default, the last one that sets an attribute wins."""

_PLACED = "name class pos quat axisangle euler xyaxes zaxis"
_SOLVED = "solref solimp solreflimit solimplimit solreffriction solimpfriction margin gap"
_ACTING = "limited range armature damping frictionloss stiffness springlength springyield group"
_CLOSING = "name class active body1 body2 site1 site2 anchor solref solimp"
_DRIVING = """
    name class group user joint jointinparent tendon site refsite body slidersite cranksite
    cranklength gear lengthrange ctrllimited ctrlrange forcelimited forcerange actlimited actrange
    actdim actearly armature damping delay interp nsample inheritrange input ffrange velrange
    posrange dyntype gaintype biastype dynprm gainprm biasprm kp kv ki imax slewmax dampratio
    timeconst area diameter bias force scale lmin lmax vmax fpmax fvmax tausmooth range gain
    plugin instance
"""
_ATTRIBUTES = {
    "compiler": """
        alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict
        convexhull coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic
        inertiafromgeom inertiagrouprange meshdir passthrough savecanonical savecompiled
        saveinertial settotalmass strippath texturedir usethread
    """,
    "option": """
        actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density gravity
        impratio integrator iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations
        mpr_tolerance noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref
        sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance viscosity wind
    """,
    "body": f"{_PLACED} childclass mocap gravcomp fuse simple sleep user",
    "frame": f"{_PLACED} childclass",
    "replicate": "count offset euler sep childclass",
    "inertial": f"{_PLACED} mass diaginertia fullinertia",
    "joint": f"""
        name class type group pos axis springdamper springref ref user actuatorfrclimited
        actuatorfrcrange actuatorgravcomp {_ACTING} {_SOLVED} joint joint1 joint2 polycoef active
        coef
    """,
    "freejoint": "name class group align",
    "geom": f"""
        {_PLACED} {_SOLVED} type contype conaffinity condim group priority size material rgba
        friction mass density shellinertia solmix fromto hfield mesh fitscale fluidshape fluidcoef
        user adhesion castshadow surfacevel geom sidesite
    """,
    "site": f"{_PLACED} type group material size fromto rgba user mesh site",
    "material": """
        name class texture texrepeat texuniform emission specular shininess reflectance metallic
        roughness rgba
    """,
    "connect": _CLOSING,
    "weld": f"{_CLOSING} relpose torquescale",
    "fixed": f"name class user actuatorfrclimited actuatorfrcrange {_ACTING} {_SOLVED}",
    "key": "name time qpos qvel act ctrl mpos mquat plastic",
    "mesh": """
        name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal
        maxhullvert inertia material builtin params
    """,
    **dict.fromkeys(ACTUATORS, _DRIVING),
}
_ATTRIBUTES["spatial"] = f"{_ATTRIBUTES['fixed']} width material rgba"
_ATTRIBUTES["tendon"] = f"{_ATTRIBUTES['spatial']} tendon1 tendon2 polycoef {_CLOSING}"
KNOWN = {tag: frozenset(names.split()) for tag, names in _ATTRIBUTES.items()}
"""Attributes that MuJoCo knows of elements that are read, wherever these stand."""

_READ = (
    *("compiler", "option", "default", "worldbody", "asset", "equality", "tendon", "actuator"),
    "keyframe",
)
_ALIKE = 0.6  # of difflib: what differs by a letter or two is a slip, what differs more is unknown

_SHARED = dict.fromkeys(ACTUATORS, "actuator")
_SHARED |= {"connect": "equality", "weld": "equality", "fixed": "tendon", "spatial": "tendon"}

Attributes = dict[str, str]


def check_attributes(root: Node, model: Model) -> None:
    """Refuse attributes that are known ones misspelt, as MuJoCo does; name other unknown ones.

    Args:
        root: of the file, with all that it includes.
        model: to warn in.
    """
    unknown: dict[str, None] = {}
    for node in (each for block in root.all(*_READ) for each in block.within()):
        for key in node.attributes if node.tag in KNOWN else ():
            if key in KNOWN[node.tag]:
                continue
            options = sorted(KNOWN[node.tag])
            slip = difflib.get_close_matches(key[:60].lower(), options, n=1, cutoff=_ALIKE)
            if slip and ":" not in key:
                node.refuse(f"unknown attribute {shown(key)}", hint=f"Did you mean {slip[0]!r}?")
            unknown.setdefault(f"{shown(key)} of {node.label} in line {node.line}", None)
    if unknown:
        more = f", and {len(unknown) - 3} more" if len(unknown) > 3 else ""
        model.warn(
            "unknown-attributes",
            "attributes that MJCF does not have are not used: "
            f"{', '.join(list(unknown)[:3])}{more}",
            "Correct them if they mean something.",
        )


class Defaults:
    """Attributes that elements have unless they say otherwise."""

    def __init__(self, root: Node) -> None:
        self.classes: dict[str, dict[str, Attributes]] = {MAIN: {}}
        for block in root.all("default"):
            self._read(block, block.get("class", MAIN) or MAIN, self.classes[MAIN])

    def _read(self, block: Node, name: str, inherited: Mapping[str, Attributes]) -> None:
        # classes share what they inherit; what one of them changes is made anew
        found = dict(self.classes.get(name, inherited))
        self.classes[name] = found
        for child in block.children:
            if child.tag not in KNOWN and child.tag != "equality":
                continue  # further classes, and what is not read
            tag = _SHARED.get(child.tag, child.tag)
            own = {k: v for k, v in child.attributes.items() if k != "class"}
            found[tag] = {**found.get(tag, {}), **own}
        for child in block.all("default"):
            self._read(child, child.need("class"), found)

    def apply(self, node: Node, childclass: str) -> Node:
        """The element with its defaults; ``childclass`` is that of the bodies around it."""
        name = node.get("class") or childclass or MAIN
        if name not in self.classes:
            node.refuse(f"unknown default class {name!r}", hint=nearest(name, self.classes))
        tag = _SHARED.get(node.tag, node.tag)
        attributes = {**self.classes[name].get(tag, {}), **node.attributes}
        if any(each in node.attributes for each in _TURNS):  # one orientation takes another's place
            for each in _TURNS:
                if each not in node.attributes:
                    attributes.pop(each, None)
        return Node(node.tag, attributes, node.file, node.line, node.children, node.text)


_TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
