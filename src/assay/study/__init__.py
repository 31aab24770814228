"""Studies of a model: what in it matters to which request. They fit nothing and change nothing."""
