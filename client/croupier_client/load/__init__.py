"""The load tester: many spectators in one process, and what they saw."""
