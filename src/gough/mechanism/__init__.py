"""From a description to a mechanism: hub and legs, closure equations, mobility, one assembled home.

``topology`` finds hub, legs and spanning trees in the graph; ``closure`` has the equations that
hold the loops together at one state; ``mobility`` closes home, finds degrees of freedom and ranks,
and measures distances to singularities.  What other rooms pass around is
``mobility.assembly.Assembly``: a robot with all of that.
"""
