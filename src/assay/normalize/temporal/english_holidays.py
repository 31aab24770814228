"""English names of holidays, those of other faiths and countries among them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.normalize.temporal.holiday_rules import (
    chinese,
    chinese_eve,
    easter,
    every_fourth,
    fixed,
    fixed_but_sunday,
    hebrew,
    hindu,
    hours,
    islamic,
    last_friday_of_ramadan,
    nearest_weekday,
    nearest_workday,
    nth_weekday,
    onam,
    once,
    orthodox,
    parsi_new_year,
    tax_day,
    weekday_before,
)
from assay.normalize.temporal.series import Series
from assay.normalize.temporal.tokens import Time
from assay.patterns import lazy_pattern

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
_DAY = r"(?:'?s'?)?(?:\s+day)?"
Rules = dict[str, Series]


def _by_region(default: Series, **regions: Series) -> Rules:
    return {"": default} | {region.upper(): series for region, series in regions.items()}


_THANKSGIVING = _by_region(nth_weekday(4, THU, 11), ca=nth_weekday(2, MON, 10))
_LABOUR = _by_region(
    nth_weekday(1, MON, 9), nz=nth_weekday(4, MON, 10), au=nth_weekday(1, MON, 10),
    ie=nth_weekday(1, MON, 5), gb=nth_weekday(1, MON, 5), jm=fixed(5, 23), tt=fixed(6, 19),
    za=fixed(5, 1), bz=fixed(5, 1), ph=fixed(5, 1), **{"in": fixed(5, 1)},
)  # fmt: skip
_FATHER = _by_region(nth_weekday(3, SUN, 6), au=nth_weekday(1, SUN, 9), nz=nth_weekday(1, SUN, 9))
_MOTHER = _by_region(nth_weekday(2, SUN, 5), gb=easter(-21))
_AUGUST = _by_region(nth_weekday(-1, MON, 8), ie=nth_weekday(1, MON, 8))

_NAMES: dict[str, Series | Rules] = {
    # ---- many countries
    r"(?:x|christ)mas(?:\s+day)?": fixed(12, 25),
    r"(?:x|christ)mas\s*'?s?\s+eve": fixed(12, 24),
    r"boxing\s+day": fixed(12, 26),
    rf"(?:new\s*year(?:{_DAY})|new\s+years?'?\s+day|yuandan)": fixed(1, 1),
    r"new\s*year'?s?'?\s+eve": fixed(12, 31),
    r"(?:saint|st\.?)?\s*valentine'?s?(?:\s+day)?": fixed(2, 14),
    r"hall?owe?en(?:\s+day)?|all\s+hallows'?\s+eve": fixed(10, 31),
    r"all\s+saints?'?(?:\s+day)?": fixed(11, 1),
    r"all\s+souls?'?(?:\s+day)?": fixed(11, 2),
    r"(?:saint|st\.?)\s*(?:patrick|patty|paddy)'?s?(?:\s+day)?": fixed(3, 17),
    r"(?:saint|st\.?)\s*george'?s?(?:\s+day)?|feast\s+of\s+saint\s+george": fixed(4, 23),
    r"(?:saint|st\.?)\s*andrew'?s?(?:\s+day)?": fixed(11, 30),
    r"(?:saint|st\.?)\s*david'?s?(?:\s+day)?": fixed(3, 1),
    r"epiphany": fixed(1, 6),
    r"april\s+fool'?s?'?(?:\s+day)?|all\s+fool'?s?'?(?:\s+day)?": fixed(4, 1),
    r"(?:international\s+)?women'?s\s+day": fixed(3, 8),
    r"(?:international\s+)?men'?s\s+day": fixed(11, 19),
    r"teacher'?s'?\s+day": _by_region(
        fixed(9, 10), us=nth_weekday(1, TUE, 5), **{"in": fixed(9, 5)}
    ),
    r"single'?s'?\s+day": fixed(11, 11),
    r"youth\s+day": _by_region(fixed(5, 4), za=fixed(6, 16)),
    r"(?:international\s+)?child(?:ren)?'?s?'?\s+day": _by_region(
        fixed(6, 1), **{"in": fixed(11, 14)}
    ),
    r"earth\s+day": fixed(4, 22),
    r"may\s+day|(?:international\s+)?workers?'?s?'?\s+day": fixed(5, 1),
    r"world\s+vegan\s+day": fixed(11, 1),
    r"world\s+aids\s+day": fixed(12, 1),
    r"world\s+environment\s+day": fixed(6, 5),
    r"human\s+rights\s+day": fixed(12, 10),
    r"bastille\s+day": fixed(7, 14),
    r"(?:king'?s?\s+day|koningsdag)": fixed_but_sunday(4, 27),
    r"father'?s?'?(?:\s+day)": _FATHER,
    r"mother'?s?'?(?:\s+day)": _MOTHER,
    r"mothering\s+sunday": easter(-21),
    r"grandparents'?\s+day|national\s+grandparents'?\s+day": nth_weekday(1, MON, 9, 6),
    r"parents'?\s+day": nth_weekday(4, SUN, 7),
    r"black\s+friday": nth_weekday(4, THU, 11, 1),
    r"cyber\s+monday": nth_weekday(4, THU, 11, 4),
    r"small\s+business\s+saturday": nth_weekday(4, THU, 11, 2),
    r"giving\s+tuesday": nth_weekday(4, THU, 11, 5),
    r"(?:global|national)\s+youth\s+service\s+day": nth_weekday(3, FRI, 4, 7, 3),
    r"earth\s+hour": hours(easter(-8), 20.5, 21.5),
    r"(?:boss|bosses)'?s?'?(?:\s+day)": nearest_workday(10, 16),
    r"(?:admin|administrative\s+professional'?s?'?|secretar(?:y|ies)'?s?'?)\s+day":
        nth_weekday(-1, SAT, 4, -3),
    r"sibling'?s?'?\s+day": fixed(4, 10),
    r"take\s+(?:our|your)\s+child(?:ren)?\s+to\s+work\s+day": nth_weekday(4, THU, 4),
    r"super\s*bowl(?:\s+sunday)?": nth_weekday(1, SUN, 2),
    # ---- Christian, by Easter
    r"easter(?:\s+(?:sunday|sun|day))?": easter(0),
    r"easter\s+mon(?:day)?": easter(1),
    r"(?:good|great|holy)\s+fri(?:day)?": easter(-2),
    r"(?:holy|black|easter)\s+sat(?:urday)?|easter\s+eve|joyous\s+saturday": easter(-1),
    r"(?:maundy|holy|covenant|sheer|great\s+and\s+holy)\s+thu(?:rs?(?:day)?)?"
    r"|thu(?:rs?(?:day)?)?\s+of\s+mysteries": easter(-3),
    r"(?:palm|passion|branch)\s+sunday": easter(-7),
    r"ash\s+wed(?:nesday)?": easter(-46),
    r"(?:shrove|pancake|fat)\s+tue(?:s(?:day)?)?|pancake\s+day|mardi\s+gras|carnival\s+tuesday":
        easter(-47),
    r"(?:shrove|rose|carnival)\s+mon(?:day)?": easter(-48),
    r"lent|(?:the\s+)?lenten\s+(?:season|fast)": easter(-46, 47),
    r"ascension(?:\s+(?:thursday|day))?": easter(39),
    r"(?:pentecost|whit\s*sun(?:day)?)": easter(49),
    r"whit\s*mon(?:day)?|mon(?:day)?\s+of\s+the\s+holy\s+spirit|pentecost\s+monday": easter(50),
    r"trinity\s+sun(?:day)?": easter(56),
    r"(?:the\s+)?(?:feast\s+of\s+)?corpus\s+christi": easter(60),
    r"orthodox\s+easter(?:\s+(?:sunday|day))?|pascha": orthodox(0),
    r"orthodox\s+easter\s+mon(?:day)?": orthodox(1),
    r"orthodox\s+(?:good|great|holy)\s+fri(?:day)?": orthodox(-2),
    r"orthodox\s+(?:holy|great|black)\s+sat(?:urday)?": orthodox(-1),
    r"orthodox\s+palm\s+sun(?:day)?": orthodox(-7),
    r"lazarus\s+sat(?:urday)?": orthodox(-8),
    r"clean\s+mon(?:day)?|orthodox\s+(?:shrove|clean|ash|pure)\s+mon(?:day)?"
    r"|green\s+monday": orthodox(-48),
    r"orthodox\s+ascension(?:\s+day)?": orthodox(39),
    r"great\s+(?:lent|fast)": orthodox(-48, 40),
    # ---- Jewish
    r"rosh\s+ha-?shann?ah?|jewish\s+new\s+year": hebrew("Tishri", 1, -1, 3),
    r"yom\s+kippur|day\s+of\s+atonement": hebrew("Tishri", 10),
    r"sukkot|sukkos|feast\s+of\s+(?:the\s+ingathering|booths|tabernacles)":
        hebrew("Tishri", 15, -1, 9),
    r"shemini?\s+atzeret": hebrew("Tishri", 22, -1),
    r"simchat\s+torah": hebrew("Tishri", 22),
    r"(?:c?hann?uk{1,2}ah?|festival\s+of\s+lights)": hebrew("Kislev", 25, -1, 8),
    r"tu\s+b'?i?shvat": hebrew("Shevat", 15, -1),
    r"purim": hebrew("Adar", 14, -1),
    r"shushan\s+purim": hebrew("Adar", 15, -1),
    r"pass?over|pesach": hebrew("Nisan", 15, -1, 9),
    r"yom\s+ha-?shoah|holocaust\s+(?:remembrance\s+)?day": hebrew("Nisan", 27, -1),
    r"yom\s+ha'?atzmaut": hebrew("Iyar", 5, -1),
    r"lag\s+b(?:a|'|a')?\s?omer": hebrew("Iyar", 18, -1),
    r"shavuot|feast\s+of\s+weeks": hebrew("Sivan", 6, -1, 3),
    r"tisha\s+b'?av": hebrew("Av", 9),
    # ---- Islamic
    r"(?:islamic|hijri|arabic|muslim)\s+new\s+year|amun\s+jadid|al-hijra": islamic(1, 1),
    r"(?:day\s+of\s+)?ashura(?:\s+day)?": islamic(1, 10),
    r"mawlid(?:\s+an-nabi)?|milad\s+un\s+nabi|eid\s+milad": islamic(3, 12),
    r"isra\s+and\s+mi'?raj|the\s+prophet'?s'?\s+ascension|night\s+journey|lailat\s+al\s+miraj":
        islamic(7, 27),
    r"ramad[ah]n|ramazan|month\s+of\s+ramadan": islamic(9, 1, 0, 30),
    r"la[iy]lat\s+al[\s-][qk]ad[ar]|night\s+of\s+(?:power|destiny|decree|measures)": islamic(9, 27),
    r"eid\s+al[\s-]?fitr|eid\s+ul[\s-]?fitr|festival\s+of\s+breaking\s+the\s+fast":
        islamic(10, 1),
    r"eid\s+al[\s-]?adha|eid\s+ul[\s-]?adha|bakr[\s-]?i?d|(?:festival|feast)\s+of\s+(?:the\s+)?"
    r"sacrifice": islamic(12, 10),
    r"jumu'?atul[\s-]?wida|jamat[\s-]ul[\s-]vida|jumat[\s-]al[\s-]wida": last_friday_of_ramadan(),
    # ---- Indian
    r"(?:parsi|jamshedi|zoroastrian)\s+(?:new\s+year|navroz)|navroz": parsi_new_year(),
    r"thiru\s*v?onam|onam": onam(),
    r"(?:maha\s+)?shivar[ai]tri": hindu("magha", 29, 24),
    r"vasant\s+panchami|basant\s+panchami": hindu("magha", 5, 9),
    r"guru\s+ravidass?\s+(?:jayanti|birthday)": hindu("magha", 15),
    r"holika\s+dahan|chhoti\s+holi": hindu("phalguna", 15, 18),
    r"holi|phagwah|dhulandi|dhulheti|dhuleti": hindu("phalguna", 15, 18, 1),
    r"ugadi|yugadi|samvatsaradi|chaitra\s+sukhladi|gudi\s+padwa": hindu("chaitra", 1, 10),
    r"rama?\s+navami": hindu("chaitra", 9, 12),
    r"mahavir\s+jayanti": hindu("chaitra", 13),
    r"hanuman\s+jayanti": hindu("chaitra", 15),
    r"vesak|buddha\s+(?:purnima|day)|vaisakha|buddha\s+jayanti": hindu("vaishakha", 15, 12),
    r"rath(?:a)?\s+yatra": hindu("ashadha", 2),
    r"guru\s+purnima": hindu("ashadha", 15),
    r"raksha\s*bandhan|rakhi": hindu("shravana", 15),
    r"krishna\s+janmashtami|gokulashtami|janmashtami": hindu("shravana", 23, 24),
    r"ganesh\s+chaturthi|vinayaka\s+chaturthi": hindu("bhadrapada", 4, 12),
    r"navar[aā]tri|navratri|durga\s+puja|durgotsava": hindu("ashvina", 1, 12, 0, 10),
    r"maha\s+saptami": hindu("ashvina", 7),
    r"vijayadashami|dussehra|dasara|dashain": hindu("ashvina", 10, 16),
    r"pargat\s+diwas|(?:maharishi\s+)?valmiki\s+jayanti": hindu("ashvina", 15, 12),
    r"karva\s+chauth": hindu("ashvina", 19, 20),
    r"dhanteras|dhanatrayodashi": hindu("ashvina", 28, 18),
    r"(?:naraka|narak)\s+chaturdashi|ch?hoti\s+diwali|kali\s+chaudas": hindu("ashvina", 29, 18),
    r"diwali|deepavali|divali|dipavali": hindu("ashvina", 30, 18),
    r"govardhan\s+puja": hindu("kartika", 1),
    r"bhai\s+d(?:oo|u)j": hindu("kartika", 2, 12),
    r"chhath(?:\s+puja)?|dala\s+(?:puja|chhath)|surya\s+shashthi": hindu("kartika", 6),
    r"guru\s+nanak\s+(?:jayanti|gurpurab)": hindu("kartika", 15),
    r"guru\s+gobind\s+singh\s+(?:jayanti|birthday)": hindu("pausha", 7),
    r"bogh?i(?:\s+pandigai)?": fixed(1, 13),
    r"(?:thai\s+)?pongal|makara?\s+sankr?anth?i|makar\s+sankranti": fixed(1, 14),
    r"mattu\s+pongal": fixed(1, 15),
    r"kaanum\s+pongal|kanni\s+pongal": fixed(1, 16),
    r"lohri": fixed(1, 13),
    r"vaish?akhi|baisakhi|vaisakhadi|vasakhi": fixed(4, 14),
    r"rabindra\s+jayanti": fixed(5, 7),
    r"shivaji\s+jayanti": fixed(2, 19),
    r"gandhi\s+jayanti": fixed(10, 2),
    # ---- Chinese
    r"(?:chinese|lunar|chinese\s+lunar)\s+new\s+year(?:'?s?'?)?(?:\s+day)?": chinese(1, 1),
    r"spring\s+festival": chinese(1, 1),
    r"chinese\s+new\s+year'?s?'?\s+eve": chinese_eve(),
    r"lantern\s+festival": chinese(1, 15),
    r"dragon\s+boat(?:\s+festival)?": chinese(5, 5),
    r"mid-?\s?autumn(?:\s+(?:festival|day))?|mooncake\s+festival": chinese(8, 15),
    # ---- United States
    r"thanks\s?giving(?:\s+day)?": _THANKSGIVING,
    r"labou?r\s+day": _LABOUR,
    r"memorial\s+day|decoration\s+day": _by_region(nth_weekday(-1, MON, 5), ca=fixed(7, 1)),
    r"independence\s+day": _by_region(fixed(7, 4), **{"in": fixed(8, 15)}, ph=fixed(6, 12),
                                      jm=fixed(8, 6), bz=fixed(9, 21), tt=fixed(8, 31)),
    r"(?:martin\s+luther\s+king'?s?,?(?:\s+jr\.?)?|mlk)(?:\s+jr\.?)?(?:\s+day)"
    r"|civil\s+rights\s+day|martin\s+luther\s+king\s+day": nth_weekday(3, MON, 1),
    r"president'?s?'?\s+day|(?:george\s+)?washington'?s?'?(?:\s+(?:birthday|day))"
    r"|washington-lincoln\s+day": nth_weekday(3, MON, 2),
    r"(?:abraham\s+)?lincoln'?s?(?:\s+birthday)(?:\s+day)?": fixed(2, 12),
    r"ground\s?hog\s+day": fixed(2, 2),
    r"columbus\s+day|indigenous\s+people'?s\s+day": nth_weekday(2, MON, 10),
    r"veterans?'?s?'?\s+day|armistice\s+day|remembrance\s+day": fixed(11, 11),
    r"flag\s+day": fixed(6, 14),
    r"tax\s+day": tax_day(),
    r"patriots?'?\s+day": nth_weekday(3, MON, 4),
    r"(?:loyalty|lei)\s+day": fixed(5, 1),
    r"cinco\s+de\s+mayo": fixed(5, 5),
    r"juneteenth": fixed(6, 19),
    r"kwanzaa": fixed(12, 26, 7),
    r"inauguration\s+day": every_fourth(fixed(1, 20), 1),
    r"election\s+day": nth_weekday(1, MON, 11, 1),
    r"super\s+tue(?:s(?:day)?)?\.?": every_fourth(nth_weekday(1, TUE, 3), 0),
    r"(?:mini|minor)\s?-?\s?tue(?:s(?:day)?)?": once(2004, 2, 3),
    r"(?:giga|mega|tsunami)\s?-?\s?tue(?:s(?:day)?)?": once(2008, 2, 5),
    r"daylight\s+savings?\s+start(?:\s+day)?|daylight\s+savings?\s+begins?":
        nth_weekday(2, SUN, 3),
    r"daylight\s+savings?\s+end(?:\s+day)?|daylight\s+savings?\s+ends": nth_weekday(1, SUN, 11),
    r"(?:emergency\s+medical\s+services|ems)\s+week": nth_weekday(3, SUN, 5, 0, 7),
    r"(?:emergency\s+medical\s+services\s+for\s+children|ems[\s-]?c)\s+day":
        nth_weekday(3, SUN, 5, 3),
    r"(?:mlk|dr\.?\s+martin\s+luther\s+king)\s+jr\.?\s+day": nth_weekday(3, MON, 1),
    r"pearl\s+harbor(?:\s+remembrance)?\s+day": fixed(12, 7),
    r"constitution\s+day": fixed(9, 17),
    r"national\s+nurses'?\s+day": fixed(5, 6),
    # ---- Canada
    r"canada\s+day|dominion\s+day": fixed(7, 1),
    r"victoria\s+day|(?:national\s+)?patriots'\s+day\s+qc|sovereign'?s\s+day":
        weekday_before(5, 25, MON),
    r"national\s+patriots'?\s+day": weekday_before(5, 25, MON),
    r"(?:family|louis\s+riel|nova\s+scotia\s+heritage|islander)\s+day": nth_weekday(3, MON, 2),
    r"(?:civic\s+holiday|(?:british\s+columbia|saskatchewan|new\s+brunswick|natal|simcoe"
    r"|terry\s+fox|heritage)\s+day)": nth_weekday(1, MON, 8),
    r"discovery\s+day": nearest_weekday(6, 24, MON),
    r"orangem[ea]n'?s\s+day|the\s+twelfth": fixed(7, 12),
    r"vimy\s+ridge\s+day": fixed(4, 9),
    r"truth\s+and\s+reconciliation(?:\s+day)?": fixed(9, 30),
    # ---- Britain, Ireland and others
    r"guy\s+fawkes(?:\s+(?:day|night))?|bonfire\s+night": fixed(11, 5),
    r"(?:early\s+)?may\s+bank\s+holiday": nth_weekday(1, MON, 5),
    r"spring\s+bank\s+holiday": nth_weekday(-1, MON, 5),
    r"(?:late\s+)?(?:summer|august)\s+bank\s+holiday": _AUGUST,
    r"remembrance\s+sunday": nth_weekday(2, SUN, 11),
    r"australia\s+day": fixed(1, 26),
    r"anzac\s+day": fixed(4, 25),
    r"waitangi\s+day": fixed(2, 6),
    r"(?:royal\s+queensland|rna|ekka)\s+(?:show\s+)?day": nth_weekday(2, FRI, 8, 5),
    r"royal\s+(?:queensland\s+show|national\s+agricultural\s+show)|ekka":
        nth_weekday(2, FRI, 8, 0, 10),
    r"day\s+of\s+(?:reconciliation|the\s+vow|the\s+covenant)|dingane'?s\s+day": fixed(12, 16),
    r"freedom\s+day": fixed(4, 27),
    r"heritage\s+day\s+za": fixed(9, 24),
    r"rizal\s+day": fixed(12, 30),
    r"republic\s+day": _by_region(fixed(1, 26), tt=fixed(9, 24)),
    r"emancipation\s+day": fixed(8, 1),
}  # fmt: skip

_RULES = [
    (lazy_pattern(rf"(?<![A-Za-z])(?:{name})(?![A-Za-z])", re.IGNORECASE), rules)
    for name, rules in _NAMES.items()
]
_ANY = lazy_pattern(
    rf"(?<![A-Za-z])(?:{'|'.join(f'(?:{name})' for name in _NAMES)})(?![A-Za-z])",
    re.IGNORECASE,
)


def find_holidays(text: str, region: str) -> Iterator[tuple[int, int, Time]]:
    """(start, end, time) of the holidays named in a text."""
    for match in _ANY.finditer(text):
        longest = max(
            ((found.end(), rules) for pattern, rules in _RULES
             if (found := pattern.match(text, match.start()))),
            key=lambda item: item[0],
        )  # fmt: skip
        end, rules = longest
        series = rules.get(region, rules[""]) if isinstance(rules, dict) else rules
        yield match.start(), end, Time(series, "holiday", holiday=text[match.start() : end])
