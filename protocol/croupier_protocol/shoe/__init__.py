"""The shoe: its order, burn, cut card and position."""
