"""Measurements in files: tables of any kind, and Klipper's configuration of a printer."""
