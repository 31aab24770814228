"""Training what ships with the package: the importance scorer and the router of attention modes."""
