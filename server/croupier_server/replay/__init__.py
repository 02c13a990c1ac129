"""Recordings of a table, served over the normal wire to those who write clients or test pages.

A recording is what `croupier watch --json` prints. Nothing here has a part in hosting live tables.
"""
