"""Words that tell a row of an address from other rows at the head of a letter, bill or receipt."""

from __future__ import annotations

import re

from assay.patterns import lazy_pattern

#: Streets, buildings and parts of towns, in English and in the Malay of many English bills.
_STREET = lazy_pattern(
    r"(?<![A-Za-z])(?:street|st\.|road|rd|avenue|ave|boulevard|blvd|lane|drive|highway|hwy|parkway|square"
    r"|crescent|close|terrace|court|place|plaza|mall|building|bldg|tower|towers|centre|center"
    r"|complex|floor|flr|level|suite|unit|apartment|apt|block|blk|p\.?\s?o\.?\s?box|industrial"
    r"|park|estate|jalan|ja[l1]an|j[l1I]n|lorong|lrg|taman|tmn|bandar|lebuh\w*|lingkaran|persiaran"
    r"|kampung|kg|kawasan|seksyen|section|sek|lot|no|wisma|menara|bangunan|pusat|batu|mukim|medan"
    r"|desa|dataran|off)(?![A-Za-z])",
    re.IGNORECASE,
)
#: Countries, states and cities that end addresses.
_REGION = lazy_pattern(
    r"\b(?:malaysia|singapore|selangor|kuala\s*lumpur|k\.?l|johor(?:\s*ba[hr]+u)?|penang"
    r"|pulau\s*pinang|perak|melaka|negeri\s*sembilan|pahang|kedah|kelantan|terengganu|sabah"
    r"|sarawak|putrajaya|darul\s*ehsan|petaling\s*jaya|shah\s*alam|usa|united\s*states"
    r"|united\s*kingdom|england|london|china|hong\s*kong|germany|france|canada|australia|india"
    r"|(?:NSW|VIC|QLD|TAS|ACT|NT|WA|SA)\s+\d{4}|[A-Z]{2}\s+\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})\b",
    re.IGNORECASE,
)
_POSTCODE = lazy_pattern(r"(?<![\d-])\d{2}[\dOo]{3}(?![\d-]|\.\d)")
_NUMBERED = lazy_pattern(
    r"\s*#?(?:(?:no|lot|unit|suite|blk|block|level)\b[\s.:#]*)?(?:[A-Z]\.?){0,2}[-\s]?\d+"
    r"[\w/&.,#-]*[\s,.]|\s*(?:lot|no|unit|blk|block|level)\b.*\d",
    re.IGNORECASE,
)
# On the continent of Europe the number of the house follows its street, the town its postcode.
_HOUSE_LAST = lazy_pattern(r"[^\W\d][^\d\n:,#]{3,40}\s\d{1,4}\s?[a-zA-Z]?")
_TOWN_LAST = lazy_pattern(r"(?:[A-Z]{1,2}-)?\d{4,5}\s+[A-ZÀ-Þ][^\W\d]{2,}[^\d\n]*")
_HAN = lazy_pattern(
    r"(?:省|市|自治区|区|區|县|縣|镇|鎮|路|街|大道|巷|弄)[^\n]{0,30}(?:号|號|室|楼|樓|层|座)"
)
_CONTACT = lazy_pattern(
    r"\b(?:te[l1](?:ephone)?|fax|phone|mobile|hp|h/p|hotline|contact|e-?mail|website|www|whatsapps?"
    r"|gst|sst|vat|tax|reg(?:istration)?|roc|company\s+no|co\.?\s*(?:reg|no)|id\s+no|facebook)\b"
    r"|@|www\.|https?:|\+?\d{2,3}[-\s]\d{3,4}[-\s]?\d{3,4}"
    r"|\(\d{3}\)\s?\d{3}[-.\s]\d{4}|电话|電話|传真|邮箱|税号",
    re.IGNORECASE,
)


def is_contact_row(text: str) -> bool:
    """Telephone, e-mail, registration for tax and the like, which end an address."""
    return _CONTACT.search(text) is not None


def address_weight(text: str) -> float:
    """How much speaks for a row being one of an address; 0 for nothing, from 2 on surely."""
    if is_contact_row(text):
        return 0.0
    weight = 1.0 * min(2, len(_STREET.findall(text)))
    weight += 1.5 * bool(_REGION.search(text))
    weight += 1.0 * bool(_POSTCODE.search(text))
    weight += 2.0 * bool(_HAN.search(text))
    weight += 0.5 * bool(_NUMBERED.match(text)) + 0.5 * ("," in text)
    return weight


def is_address_row(text: str) -> bool:
    """Whether a row is surely one of an address."""
    return address_weight(text) >= 2.0


def names_region(text: str) -> bool:
    """A row with a state or a country, which mostly come last."""
    return _REGION.search(text) is not None


def is_street_over_town(text: str, below: str) -> bool:
    """A street with the number of the house behind it, over a postcode with the town behind it."""
    return _HOUSE_LAST.fullmatch(text) is not None and _TOWN_LAST.fullmatch(below) is not None


def has_postcode(text: str) -> bool:
    """A row with five figures that may be a postcode."""
    return _POSTCODE.search(text) is not None


def is_region(text: str) -> bool:
    """A row that names a state or a country and nothing else."""
    return sum(char.isalpha() for char in _REGION.sub("", text)) <= 2 < len(text)


def is_numbered(text: str) -> bool:
    """A row that starts with the number of a house, a lot or a unit."""
    return _NUMBERED.match(text) is not None
