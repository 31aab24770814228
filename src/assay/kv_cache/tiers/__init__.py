"""Where the contents of blocks go that the pool gives up: host memory, then disk."""
