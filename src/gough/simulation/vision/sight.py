"""How a controller looks at legs: a camera, an observer, and how far each of them is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gough.base.arguments import check_known, number, words
from gough.dynamics.elements.camera import seen_elements
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly
from gough.simulation.vision.camera import Camera
from gough.simulation.vision.cylinders import Radius, radii, visible_elements

USUAL_BANDWIDTH = 0.3
"""Bandwidth of an observer by the rate of images, if none is given: errors fade in some ten."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A camera that looks at the legs of a machine, and what is made of its images.

    Attributes:
        camera: that takes the images.
        believed: the camera as the controller knows it, if that is not quite the same: its
            orientation and focal length make directions out of images.
        bandwidth: of the :class:`Observer` [rad/s]; three tenths of the rate of images if not
            given.
        patience: how long a hidden leg is predicted [s]; see :class:`Observer`.
        radius: of the legs, as in :func:`cylinders` [m].
        elements: which legs are looked at; all that a camera can see if not given: those with a
            length, and so no crosses of universal joints.
        encoders: motors whose encoders are read as well.
        encoder_error: by how much they may be off, as a standard deviation [rad or m].
        direction_error: by how much directions may be off beside the noise of the image, as a
            standard deviation: the geometry is not quite known [rad].

    Raises:
        InputError: an argument makes no sense; names it.
    """

    camera: Camera
    believed: Camera | None = None
    bandwidth: float | None = None
    patience: float | None = None
    radius: Radius = None
    elements: Sequence[str] | None = None
    encoders: Sequence[str] = ()
    encoder_error: float = 1e-4
    direction_error: float = 1e-3

    def __post_init__(self) -> None:
        for name in ("camera", "believed"):
            value = getattr(self, name)
            if not isinstance(value, Camera) and not (name == "believed" and value is None):
                raise InputError(
                    f"{name} is {shown(value)}, expected a gough.vision.Camera", argument=name
                )
        for name in ("bandwidth", "encoder_error", "direction_error"):
            if name != "bandwidth" or self.bandwidth is not None:
                number(getattr(self, name), name, positive=True)
        if self.patience is not None:
            number(self.patience, "patience", nonnegative=True)
        words(self.encoders, "encoders")
        if self.elements is not None:
            words(self.elements, "elements")

    def names(self, assembly: Assembly) -> tuple[str, ...]:
        """Legs that are looked at, checked against those that the robot has, as all names are."""
        known = visible_elements(assembly)
        radii(assembly, self.radius)
        for motor in self.encoders:
            check_known(motor, assembly.robot.motors, "encoders has an unknown name", "encoders")
        if self.elements is None:
            return known
        for name in self.elements:
            if name in seen_elements(assembly) and name not in known:
                raise InputError(
                    f"elements: {name!r} has no length along which a camera could see it",
                    hint=f"Known: {', '.join(known)}.",
                    argument="elements",
                )
            check_known(name, known, "elements has an unknown name", "elements")
        return tuple(self.elements)

    @property
    def speed(self) -> float:
        """Bandwidth of the observer [rad/s]."""
        return USUAL_BANDWIDTH * self.camera.rate if self.bandwidth is None else self.bandwidth
