"""Builders: short ways to write machines, which all expand to the plain graph ``gough.Robot``."""

from typing import TYPE_CHECKING

from gough.build.chains import chain, drawn_chain
from gough.build.deltas import delta
from gough.build.hexapods import hexapod
from gough.build.legs_bars import delta_leg, linear_delta_leg
from gough.build.legs_planar import planar_leg
from gough.build.legs_rods import pus_leg, rus_leg, uru_leg
from gough.build.legs_telescopic import rps_leg, spu_leg, ups_leg
from gough.build.linear_deltas import linear_delta
from gough.build.parts import Leg, Parts, body, machine
from gough.build.planar import five_bar, planar_rrr, three_rrr
from gough.build.serial import carried, holding
from gough.build.strings import joint_string
from gough.build.tables import BK_COLUMNS, KI_COLUMNS, khalil_kleinfinger
from gough.build.templating import TEMPLATES, template
from gough.synonyms import refuse_unknown

__all__ = [
    "BK_COLUMNS",
    "KI_COLUMNS",
    "TEMPLATES",
    "Leg",
    "Parts",
    "body",
    "carried",
    "chain",
    "delta",
    "delta_leg",
    "drawn_chain",
    "five_bar",
    "hexapod",
    "holding",
    "joint_string",
    "khalil_kleinfinger",
    "linear_delta",
    "linear_delta_leg",
    "machine",
    "planar_leg",
    "planar_rrr",
    "pus_leg",
    "rps_leg",
    "rus_leg",
    "spu_leg",
    "template",
    "three_rrr",
    "ups_leg",
    "uru_leg",
]

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.build", __all__)
