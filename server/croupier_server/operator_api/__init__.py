"""The operator's API on the admin port: what `operations` can do, for programs with a key."""
