"""The masses, friction and drives of the machine on the bench: what efforts tell of them.

:func:`gough.regressor` has the efforts of a motion as a linear function of the parameters,
:func:`gough.base_parameters` those combinations of them that efforts depend on at all, and
:func:`gough.identify` finds them from what a controller has recorded.
"""
