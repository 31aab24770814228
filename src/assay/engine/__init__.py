"""Sequences and time: what runs in the next step, and what comes of it.

Nothing is re-exported: the scheduler's side is free of torch, and stays cheap to import.
"""
