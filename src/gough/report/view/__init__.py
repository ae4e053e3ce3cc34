"""The page that computes: one HTML file in which a robot is seen, dragged, and read off.

``solids`` puts the shapes of ``drawing`` into body axes, ``computing`` compiles the robot to
WebAssembly, ``ranges`` finds how far it goes, ``playing`` samples a motion or a simulation,
``overlay`` has curves of its workspace, and ``page`` puts all of it, and the scripts beside it,
into one file.  The scripts: ``algebra.js`` (vectors, singular values), ``machine.js`` (kernels,
steps), ``painter.js`` (WebGL, or lines without it), ``panel.js`` (sliders, words), ``player.js``
(time line, curves), ``main.js``.
"""

from gough.report.view.page import Page, view

__all__ = ["Page", "view"]
