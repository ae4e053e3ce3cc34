"""The masses, friction and drives of the machine on the bench: what efforts tell of them.

:func:`gough.regressor` has the efforts of a motion as a linear function of the parameters,
:func:`gough.base_parameters` those combinations of them that efforts depend on at all.
:func:`gough.possible_parameters` fits bodies that can exist, :func:`gough.drive_gains` the drives.
"""
