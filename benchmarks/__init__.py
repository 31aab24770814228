"""Measurements: `python -m benchmarks.NAME`; the last line on stdout is one JSON object."""
