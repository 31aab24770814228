"""The routes, one file a resource; each has a `router`."""
