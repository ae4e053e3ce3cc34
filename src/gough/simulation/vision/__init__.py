"""Cameras that look at the legs of machines: images, directions, rates.  [OZ] section 7."""

from gough.simulation.vision.camera import Camera, looking
from gough.simulation.vision.contours import contour_normals, ellipse_centre
from gough.simulation.vision.cylinders import Cylinder, cylinders
from gough.simulation.vision.directions import Direction, directions
from gough.simulation.vision.image import Image, Outline, take
from gough.simulation.vision.observe import observe
from gough.simulation.vision.observer import Observer
from gough.simulation.vision.sight import Sight

__all__ = [
    "Camera",
    "Cylinder",
    "Direction",
    "Image",
    "Observer",
    "Outline",
    "Sight",
    "contour_normals",
    "cylinders",
    "directions",
    "ellipse_centre",
    "looking",
    "observe",
    "take",
]
