"""The same equations as programs: traced with symbols, compiled to machine code, printed as C.

``tracing`` calls the equations with symbols and keeps the program; ``compile`` and ``native`` make
machine code of it, ``stored`` and ``stored_key`` keep that on disk, ``export`` and ``c_source``
print C, ``c_bundle`` a folder of it; ``casadi_function`` makes functions of CasADi, ``listing``
lines for people.  ``functions`` has the public functions;
``evaluator.Evaluator`` and ``repeated.Repeated`` answer many states: kernel, doubt, NumPy for the
rest; ``loops`` closes the loops of many states at once.
"""
