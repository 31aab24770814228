"""The HTTP service: who asks, what is kept of it, and the routes."""
