"""Offsets of time zones from universal time, in hours, by their abbreviations.

Where an abbreviation stands for several zones, the most written about is meant.
"""

ZONES: dict[str, float] = {
    "utc": 0, "gmt": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
    "msk": 3, "gst": 4, "pkt": 5, "ist": 5.5, "bdt": 6, "ict": 7, "wib": 7, "hkt": 8, "sgt": 8,
    "cst": -6, "cdt": -5, "est": -5, "edt": -4, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "nst": -3.5, "ndt": -2.5,
    "brt": -3, "art": -3, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "acst": 9.5, "acdt": 10.5,
    "awst": 8, "nzst": 12, "nzdt": 13, "sast": 2, "eat": 3, "wat": 1, "cat": 2,
}  # fmt: skip
