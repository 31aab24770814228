"""Check digits of identifiers: ISO 7064, Luhn, and those of single countries.

Each function takes the identifier without spaces, in capitals, and says whether it checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

_HAN_CHARS = "0123456789ABCDEFGHJKLMNPQRTUWXY"


def _as_number(text: str) -> int:
    """Letters as 10 to 35."""
    return int("".join(str(int(char, 36)) for char in text))


def iban(value: str) -> bool:
    """ISO 13616: modulo 97 of the account with its country behind it."""
    return _as_number(value[4:] + value[:4]) % 97 == 1


def lei(value: str) -> bool:
    """ISO 17442."""
    return len(value) == 20 and _as_number(value) % 97 == 1


def luhn(digits: str) -> bool:
    """From the right, every second digit doubled."""
    total = 0
    for index, char in enumerate(reversed(digits)):
        doubled = int(char) * (1 + index % 2)
        total += doubled // 10 + doubled % 10
    return total % 10 == 0


def isin(value: str) -> bool:
    """ISO 6166."""
    return luhn("".join(str(int(char, 36)) for char in value))


def credit_code(value: str) -> bool:
    """统一社会信用代码, GB 32100: weights are powers of 3 modulo 31."""
    total = sum(_HAN_CHARS.index(char) * pow(3, index, 31) for index, char in enumerate(value[:17]))
    return _HAN_CHARS[(31 - total % 31) % 31] == value[17]


def resident_id(value: str) -> bool:
    """公民身份号码, GB 11643: ISO 7064 modulo 11-2."""
    total = sum(int(char) * pow(2, 17 - index, 11) for index, char in enumerate(value[:17]))
    return "10X98765432"[total % 11] == value[17]


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(char) * weight for char, weight in zip(digits, weights, strict=False))


def _vat_at(body: str) -> bool:
    digits = body[1:]
    total = sum(sum(map(int, str(int(char) * (1 + index % 2)))) for index, char in
                enumerate(digits[:7]))  # fmt: skip
    return (96 - total) % 10 == int(digits[7])


def _vat_de(body: str) -> bool:
    product = 10
    for char in body[:8]:
        product = 2 * ((int(char) + product) % 10 or 10) % 11
    return (11 - product) % 10 == int(body[8])


def _vat_fr(body: str) -> bool:
    siren = body[2:]
    return luhn(siren) and (not body[:2].isdigit() or int(siren + "12") % 97 == int(body[:2]))


def _vat_gb(body: str) -> bool:
    total = _weighted(body[:7], range(8, 1, -1)) + int(body[7:9])
    return total % 97 == 0 or (total + 55) % 97 == 0


def _vat_nl(body: str) -> bool:
    old = _weighted(body[:8], range(9, 1, -1)) % 11
    return old == int(body[8]) or _as_number("NL" + body) % 97 == 1


def _vat_be(body: str) -> bool:
    return 97 - int(body[:8]) % 97 == int(body[8:])


def _vat_pl(body: str) -> bool:
    return _weighted(body, (6, 5, 7, 2, 3, 4, 5, 6, 7)) % 11 == int(body[9])


def _vat_dk(body: str) -> bool:
    return _weighted(body, (2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0


def _vat_fi(body: str) -> bool:
    return _weighted(body, (7, 9, 10, 5, 8, 4, 2, 1)) % 11 == 0


def _vat_pt(body: str) -> bool:
    rest = _weighted(body[:8], range(9, 1, -1)) % 11
    return (0 if rest < 2 else 11 - rest) == int(body[8])


def _vat_lu(body: str) -> bool:
    return int(body[:6]) % 89 == int(body[6:])


def _vat_se(body: str) -> bool:
    return luhn(body[:10])


#: What stands behind the country of a VAT number: its form, and its check where we know it.
VAT: dict[str, tuple[str, Callable[[str], bool] | None]] = {
    "AT": (r"U\d{8}", _vat_at),
    "BE": (r"[01]\d{9}", _vat_be),
    "BG": (r"\d{9,10}", None),
    "CY": (r"\d{8}[A-Z]", None),
    "CZ": (r"\d{8,10}", None),
    "DE": (r"\d{9}", _vat_de),
    "DK": (r"\d{8}", _vat_dk),
    "EE": (r"\d{9}", None),
    "EL": (r"\d{9}", None),
    "ES": (r"[A-Z0-9]\d{7}[A-Z0-9]", None),
    "FI": (r"\d{8}", _vat_fi),
    "FR": (r"[A-HJ-NP-Z0-9]{2}\d{9}", _vat_fr),
    "GB": (r"\d{9}(?:\d{3})?", _vat_gb),
    "HR": (r"\d{11}", None),
    "HU": (r"\d{8}", None),
    "IE": (r"\d[A-Z0-9]\d{5}[A-Z]{1,2}", None),
    "IT": (r"\d{11}", luhn),
    "LT": (r"\d{9}(?:\d{3})?", None),
    "LU": (r"\d{8}", _vat_lu),
    "LV": (r"\d{11}", None),
    "MT": (r"\d{8}", None),
    "NL": (r"\d{9}B\d{2}", _vat_nl),
    "PL": (r"\d{10}", _vat_pl),
    "PT": (r"\d{9}", _vat_pt),
    "RO": (r"\d{2,10}", None),
    "SE": (r"\d{12}", _vat_se),
    "SI": (r"\d{8}", None),
    "SK": (r"\d{10}", None),
}
#: How long an IBAN of a country is.
IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15,
    "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24,
    "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "VG": 24, "XK": 20,
}  # fmt: skip
