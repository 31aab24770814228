"""Other engines, each in a virtual environment of its own, spoken to over pipes or loopback."""
