"""The rules of baccarat: pure values and functions."""
