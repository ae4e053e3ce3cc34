"""Quantities of a robot as equations for people: names, headings, the equations of the papers."""
