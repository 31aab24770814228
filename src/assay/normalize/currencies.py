"""What denotes a currency, and which currencies it may denote (ISO 4217).

Signs and names shared by several countries carry all of the usual ones, the most traded first;
the choice is the document's, not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal


def _table(lines: str) -> dict[str, tuple[str, ...]]:
    """Reads lines of `CODE CODE : mark, mark`."""
    rows = (line.split(" : ") for line in lines.strip().splitlines())
    return {
        mark: tuple(codes.split()) for codes, marks in rows for mark in marks.strip().split(", ")
    }


_CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN
BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD
FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD
JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG
QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR
ZMW ZWL
"""
CODES = frozenset(_CODES.split())

# Signs and abbreviations that are written next to the figure, matched with their case.
SIGNS = _table("""
USD CAD AUD NZD HKD SGD TWD MXN : $
USD : US$, U.S.$, U.S. $, US $, USD$, USD $, $US
CAD : CAD$, CDN$, Cdn$, Cdn. $, CA$, CAD $, C$
AUD : A$, AU$, AUD $, AUD$
NZD : NZ$, NZ $
HKD : HK$, HK $
SGD : S$, SG$
TWD : NT$, NTD
MXN : MX$, Mex$
BRL : R$
JMD : J$
TTD : TT$
BZD : BZ$
DOP : RD$
COP : COL$
MOP : MOP$
EUR : €, Euro, EURO
GBP EGP LBP FKP : £, ￡
CNY JPY : ¥, ￥
CNY : CN¥, RMB, CNH
JPY : JP¥
MYR : RM
INR : ₹
INR PKR LKR NPR MUR : Rs, Rs., ₨, Re
KRW KPW : ₩
RUB : ₽, руб, руб.
TRY : ₺, TL
UAH : ₴, грн
ILS : ₪, NIS
VND : ₫, đ
THB : ฿
PHP CUP : ₱
NGN : ₦
CRC : ₡
PYG : ₲
KZT : ₸
GHS : ₵, GH₵
PLN : zł
CZK : Kč
HUF : Ft
SEK NOK DKK ISK : kr, kr., Kr
BGN : лв, лв.
RON MDL : lei
IDR : Rp
PEN : S/, S/.
BOB VES : Bs
CHF : Fr., SFr, SFr.
AED MAD : Dhs, DH
""")

# Names in words, matched without case, beside the figure; the longest that fits wins.
NAMES = _table("""
USD CAD AUD NZD HKD SGD TWD MXN : dollars, dollar, bucks
USD : us dollars, u.s. dollars, u. s. dollars, united states dollars, american dollars
USD : us dollar, u.s. dollar, united states dollar, dollars of the united states
CAD : canadian dollars, canadian dollar
AUD : australian dollars, australian dollar
NZD : new zealand dollars, new zealand dollar
HKD : hong kong dollars, hong kong dollar
SGD : singapore dollars, singapore dollar
TWD : new taiwan dollars, taiwan dollars
JMD : jamaican dollars
BBD : barbados dollars
BMD : bermuda dollars
BSD : bahamian dollars
FJD : fijian dollars
GBP : pounds sterling, pound sterling, british pounds, british pound, sterling, quid
GBP EGP LBP FKP : pounds, pound
EGP : egyptian pounds
EUR : euros, euro
JPY : japanese yen, yen
CNY : chinese yuan, yuan renminbi, renminbi, yuan
CHF : swiss francs, swiss franc
CHF XAF XOF : francs
INR : indian rupees, indian rupee
INR PKR LKR NPR MUR : rupees, rupee
KRW : south korean won, korean won
KRW KPW : won
RUB : rubles, roubles
MXN : mexican pesos
PHP : philippine pesos
MXN PHP COP CLP ARS UYU CUP DOP : pesos, peso
BRL : brazilian reais, reais
THB : thai baht, baht
MYR : malaysian ringgit, ringgit
IDR : rupiah
VND : dong
SEK : swedish kronor, swedish krona, kronor
NOK : norwegian kroner, norwegian krone
DKK : danish kroner, danish krone
NOK DKK : kroner
PLN : zloty, zlotys
HUF : forint
ILS : new israeli shekels, new shekels, shekels
ZAR : south african rand, rand
AED : uae dirhams
AED MAD : dirhams
SAR : saudi riyals
SAR QAR : riyals, riyal
TRY : turkish lira, liras, lira
NGN : naira
USD : usd
EUR : eur
GBP : gbp
JPY : jpy
CNY : rmb, cny
CAD : cad
AUD : aud
HKD : hkd
CHF : chf
INR : inr
CNY : 元人民币, 人民币, 人民幣, 元整, 圆整, 元, 圆, 块钱, 块, 塊
USD : 美元, 美金
HKD : 港元, 港币, 港幣
JPY : 日元, 日圆, 日圓
EUR : 欧元, 歐元
GBP : 英镑, 英鎊
AUD : 澳元
CAD : 加元, 加拿大元
SGD : 新加坡元
NZD : 新西兰元
TWD : 新台币, 新臺幣, 新台幣, 台币
KRW : 韩元, 韓元
CHF : 瑞士法郎
RUB : 卢布, 盧布
THB : 泰铢, 泰銖
INR : 印度卢比
INR PKR LKR : 卢比
MOP : 澳门元
""")

# Hundredths: the figure counts a hundredth of one of these currencies.
CENTS = _table("""
USD : us cents, 美分
USD CAD AUD NZD HKD SGD TWD EUR : cents, cent
USD CAD AUD NZD HKD SGD : ¢
GBP : pence
""")
HUNDREDTH = Decimal("0.01")
# Currencies without decimals in use: a mark before three digits groups.
# Codes that are also words in capitals: beside a small whole number they are words.
WORDS = frozenset({"ALL", "CUP", "GEL", "MOP", "PEN", "SOS", "TOP", "TRY"})
WHOLE = frozenset({"CLP", "IDR", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"})


def _alternation(keys: Iterable[str]) -> str:
    escaped = [re.escape(key).replace(r"\ ", r"\s+") for key in sorted(keys, key=len, reverse=True)]
    return "|".join(escaped)


_EDGE_BEFORE, _EDGE_AFTER = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_CODE = "|".join(sorted(CODES))
_LATIN_SIGNS = [sign for sign in SIGNS if sign[-1].isalpha() or sign[0].isalpha()]
_OTHER_SIGNS = [sign for sign in SIGNS if sign not in _LATIN_SIGNS]
_HAN = [name for name in NAMES if not name.isascii()]
_LATIN_NAMES = [name for name in NAMES if name.isascii()]
_SIGN = (
    rf"(?:{_EDGE_BEFORE}(?:{_alternation(_LATIN_SIGNS)}|usd\$|cad\$|aud\$)"
    rf"|{_alternation(_OTHER_SIGNS)})"
)

BEFORE = re.compile(
    rf"(?P<mark>(?:{_EDGE_BEFORE}(?:{_CODE}|(?i:{_alternation(_LATIN_NAMES)}))"
    rf"|{_SIGN}|{_alternation(_HAN)}))[\s:：]{{0,2}}\Z"
)
AFTER = re.compile(
    rf"[\s\-]{{0,2}}(?:(?P<cents>(?i:{_alternation(list(CENTS))}){_EDGE_AFTER})"
    rf"|(?P<mark>(?:{_CODE}|(?i:{_alternation(_LATIN_NAMES)})"
    rf"|{_alternation(_LATIN_SIGNS)}){_EDGE_AFTER}"
    rf"|(?:{_alternation(_OTHER_SIGNS)})(?!\d)|{_alternation(_HAN)})"
    r"(?:\s(?P<scale>million|billion)\b)?)"
)


def currencies_of(mark: str) -> tuple[str, ...]:
    """The currencies that a match of `BEFORE` or `AFTER` may denote, the most usual first."""
    plain = " ".join(mark.split())
    if plain in CODES:
        return (plain,)
    for table in (SIGNS, NAMES, CENTS):
        if plain in table:
            return table[plain]
    folded = plain.lower()
    return NAMES.get(folded) or CENTS.get(folded) or SIGNS.get(plain.upper()) or ()
