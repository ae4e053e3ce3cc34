"""Programs and what becomes of them: interpreted, machine code, C, CasADi, WebAssembly.

No physics is known here: rooms inside import from ``base`` alone.  ``tracing`` calls a function
with symbols and keeps the program that it spells; ``machine_code`` compiles it, ``targets`` prints
it for others.
"""
