"""Sections through what a robot can do: workspace, singularities and capability on a grid."""
