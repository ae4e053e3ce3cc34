"""Forward dynamics in time: simulated machines, what moves them, what stops them, controllers.

``simulate`` is the public function; ``rk4`` and ``adaptive`` (DOP853) are the integrators,
``plant`` is what they integrate, ``drive`` what moves it, ``events`` what ends a run.  Controllers
are in ``control`` (``gough.control``), cameras that they look through in ``vision``
(``gough.vision``).
"""
