"""Quantities of a robot at states: by NumPy, by an interpreted program or by machine code.

``call`` is where public functions come in; ``engine`` decides who answers, ``evaluator`` puts a
program and NumPy's second verdict together, ``fallback`` settles states that a program is not sure
of.  ``compile`` makes kernels of rows of the table, ``stored`` keeps them on disk.
"""
