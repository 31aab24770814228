"""Chinese names of holidays, in simplified characters (see `simplified`)."""

from __future__ import annotations

from collections.abc import Iterator

from assay.normalize.temporal.holiday_rules import (
    chinese,
    chinese_eve,
    easter,
    fixed,
    hebrew,
    hindu,
    hours,
    islamic,
    last_friday_of_ramadan,
    nearest_workday,
    nth_weekday,
    onam,
    orthodox,
    parsi_new_year,
    solar_term,
)
from assay.normalize.temporal.series import Series
from assay.normalize.temporal.tokens import Time
from assay.patterns import lazy_pattern

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
_NATIONAL: dict[str, Series] = {"": fixed(10, 1), "TW": fixed(10, 10)}
_EVE, _DAY = r"(?:前夕|前夜|前一天)", r"(?:节|日)?"

_NAMES: dict[str, Series | dict[str, Series]] = {
    # ---- China
    r"元旦节?|(?:阳历|新历|公历)?新年(?!快乐|快樂|好)": fixed(1, 1),
    r"春节|农历新年|中国新年|新春(?:佳节)?|正月(?:初一|朔日|正时)|大年初一|过大年": chinese(1, 1),
    r"除夕夜?|大年三十(?:晚)?|年三十|大年夜|农历除夕": chinese_eve(),
    r"元宵节?|上元节|灯节|小正月": chinese(1, 15),
    r"龙抬头": chinese(2, 2),
    r"清明节?|踏青节|扫墓节": solar_term(15),
    r"端午节?|端阳节|龙舟节|五月节|重五节": chinese(5, 5),
    r"七夕(?:情人)?节?|乞巧节": chinese(7, 7),
    r"中元节|鬼节|盂兰盆?节": chinese(7, 15),
    r"中秋节?|团圆节|八月节|月饼节": chinese(8, 15),
    r"重阳节?|重九节|登高节": chinese(9, 9),
    r"腊八节?": chinese(12, 8),
    r"冬至节?": solar_term(270),
    r"国庆节?|国庆日|双十节": _NATIONAL,
    r"(?:五一)?(?:国际)?劳动节|五一(?:节|国际劳动节)?": fixed(5, 1),
    r"(?:五四)?青年节": fixed(5, 4),
    r"(?:六一)?(?:国际)?儿童节|六一(?:儿童节)?": fixed(6, 1),
    r"(?:七一)?建党节": fixed(7, 1),
    r"(?:八一)?建军节|八一节?": fixed(8, 1),
    r"教师节": {"": fixed(9, 10), "TW": fixed(9, 28), "HK": fixed(9, 10)},
    r"(?:国际|三八)?(?:劳动)?妇女节|三八(?:节|妇女节)?|女人节": fixed(3, 8),
    r"女生节": fixed(3, 7),
    r"植树节": fixed(3, 12),
    r"(?:国际)?消费者权益日|三一五": fixed(3, 15),
    r"双十一|光棍节|双11": fixed(11, 11),
    r"双十二|双12": fixed(12, 12),
    r"和平纪念日": fixed(2, 28),
    r"香港回归纪念日|香港特别行政区成立纪念日": fixed(7, 1),
    r"澳门回归纪念日|澳门特别行政区成立纪念日": fixed(12, 20),
    r"国家公祭日": fixed(12, 13),
    # ---- of many countries
    r"(?:西洋|圣瓦伦丁)?情人节|圣瓦伦丁(?:节|日)?": fixed(2, 14),
    r"白色情人节": fixed(3, 14),
    r"愚人节": fixed(4, 1),
    r"地球日": fixed(4, 22),
    r"万圣夜|万圣节前夕|万圣节": fixed(10, 31),
    r"诸圣节|诸圣日": fixed(11, 1),
    r"万灵节": fixed(11, 2),
    r"圣诞(?:节)?(?:快乐)?": fixed(12, 25),
    r"平安夜|圣诞(?:节)?(?:前夕|前夜)": fixed(12, 24),
    r"节礼日": fixed(12, 26),
    r"父亲节": {"": nth_weekday(3, SUN, 6), "TW": fixed(8, 8)},
    r"母亲节": nth_weekday(2, SUN, 5),
    r"感恩节": nth_weekday(4, THU, 11),
    r"黑色星期五": nth_weekday(4, THU, 11, 1),
    r"(?:美国)?独立日|美国国庆(?:节|日)": fixed(7, 4),
    r"老板节": nearest_workday(10, 16),
    r"全球青年服务日": nth_weekday(3, FRI, 4, 7, 3),
    r"地球一小时|地球关灯一小时": hours(easter(-8), 20.5, 21.5),
    r"圣帕特里克节": fixed(3, 17),
    r"圣乔治节": fixed(4, 23),
    r"主显节": fixed(1, 6),
    # ---- Christian, by Easter
    r"(?:主)?复活(?:节|日|主日)": easter(0),
    r"复活节(?:星期一|周一)": easter(1),
    r"(?:耶稣|主)受难(?:节|日)|圣周五|神圣(?:星期五|周五)|沈默(?:周五|星期五)|圣星期五": easter(-2),
    r"神圣(?:周六|星期六)|圣周六|圣星期六|黑色星期六|(?:耶稣|主)受难(?:节|日)翌日"
    r"|复活节前夜": easter(-1),
    r"神圣星期四|圣周(?:星期)?四|濯足(?:节|星期四)|设立圣餐日": easter(-3),
    r"棕枝(?:主日|全日)|圣枝主日|圣树主日|基督苦难主日": easter(-7),
    r"(?:大斋首日|圣灰(?:星期三|日|节|周三|礼仪日)|灰日|涂灰日)": easter(-46),
    r"忏悔(?:节|火曜日|星期二)|煎饼星期二|薄饼日": easter(-47),
    r"大斋(?:期|节)|四旬期": easter(-46, 46),
    r"耶稣升天(?:节|日)|升天节": easter(39),
    r"五旬节|圣灵降临(?:节|日)": easter(49),
    r"圣灵节庆日|圣灵节星期一": easter(50),
    r"(?:天主)?圣?三一?(?:主日|节)|天主三一主日": easter(56),
    r"基督圣体(?:圣血)?(?:节|瞻礼)|圣体节": easter(60),
    r"东正教(?:复活节|主复活日)": orthodox(0),
    r"东正教复活节(?:星期一|周一)": orthodox(1),
    r"东正教(?:(?:耶稣|主)受难(?:节|日)|圣周五|(?:神圣|沈默)(?:周五|星期五))": orthodox(-2),
    r"东正教(?:神圣|圣)(?:周六|星期六)|东正教复活节前夜": orthodox(-1),
    r"东正教(?:棕枝主日|圣枝主日|圣树主日|基督苦难主日)": orthodox(-7),
    r"拉撒路(?:圣)?(?:周六|星期六)|拉匝路(?:圣)?(?:周六|星期六)": orthodox(-8),
    r"四旬节|东正教大斋(?:期|节)": orthodox(-48, 40),
    r"洁净(?:周一|星期一)|东正教忏悔星期一": orthodox(-48),
    # ---- Jewish
    r"犹太新年|岁首节": hebrew("Tishri", 1, -1, 3),
    r"赎罪日": hebrew("Tishri", 10, -1),
    r"住棚节|结茅节": hebrew("Tishri", 15, -1, 9),
    r"圣会节": hebrew("Tishri", 22, -1),
    r"西赫(?:托|妥)拉节|(?:欢庆|庆祝)?(?:圣法|律法)节|诵经节|转经节|诵经节": hebrew("Tishri", 22),
    r"光明节|哈努卡节|修殿节|献殿节|烛光节|马加比节|净殿节|再献圣殿节": hebrew("Kislev", 25, -1, 8),
    r"犹太植树节|图比舍巴特节|树木新年": hebrew("Shevat", 15, -1),
    r"普珥节": hebrew("Adar", 14, -1),
    r"逾越节": hebrew("Nisan", 15, -1, 9),
    r"篝火节": hebrew("Iyar", 18, -1),
    r"以色列(?:独立日|国庆节|国庆日)": hebrew("Iyar", 5, 0),
    r"七七节|沙勿?夙?幽?特节|收获节": hebrew("Sivan", 6, -1, 3),
    r"圣殿被毁日|禁食日|埃波月第九日": hebrew("Av", 9, -1),
    # ---- Islamic
    r"伊斯兰(?:教)?新年": islamic(1, 1),
    r"阿舒拉(?:节|日)": islamic(1, 10),
    r"圣纪节|圣忌节": islamic(3, 12),
    r"登霄节": islamic(7, 27),
    r"(?:穆斯林)?斋月|(?:穆斯林)?莱麦丹月?": islamic(9, 1, 0, 30),
    r"法令之夜|权力之夜|盖德尔夜": islamic(9, 27),
    r"开斋节|肉孜节|尔代节": islamic(10, 1),
    r"古尔邦节|宰牲节|忠孝节": islamic(12, 10),
    r"主麻日": last_friday_of_ramadan(),
    # ---- Indian
    r"(?:侯丽|欢悦|好利|五彩|荷丽|胡里|洒红|霍利|色彩)节": hindu("phalguna", 15, 18, 1),
    r"卫塞节|比萨宝蕉节|佛诞(?:节)?|浴佛节|维萨卡节": hindu("vaishakha", 15, 12),
    r"九夜节|难近母节": hindu("ashvina", 1, 12, 0, 10),
    r"十胜节|凯旋节|圣母节|杜瑟拉节": hindu("ashvina", 10, 12, 1),
    r"(?:印度)?排灯节|印度灯节|屠妖节|万灯节": hindu("ashvina", 30, 18),
    r"(?:淡米尔|印度)?丰收节|庞格尔节": fixed(1, 14),
    r"(?:印度丰收节|庞格尔节|淡米尔丰收节)第三天": fixed(1, 15),
    r"(?:印度丰收节|庞格尔节|淡米尔丰收节)第四天": fixed(1, 16),
    r"(?:印度丰收节|庞格尔节|淡米尔丰收节)前一天": fixed(1, 13),
    r"欧南节": onam(),
    r"帕西新年|帕西人?新年": parsi_new_year(),
    r"甘地诞辰|甘地纪念日": fixed(10, 2),
}  # fmt: skip

_RULES = [(lazy_pattern(name), rules) for name, rules in _NAMES.items()]
_ANY = lazy_pattern("|".join(f"(?:{name})" for name in _NAMES))


def find_chinese_holidays(text: str, region: str) -> Iterator[tuple[int, int, Time]]:
    """(start, end, time) of the holidays named in a text of simplified characters."""
    for match in _ANY.finditer(text):
        found = [
            (longest.end(), rules)
            for pattern, rules in _RULES
            if (longest := pattern.match(text, match.start()))
        ]
        end, rules = max(found, key=lambda item: item[0])
        series = rules.get(region, rules[""]) if isinstance(rules, dict) else rules
        yield match.start(), end, Time(series, "holiday", holiday=text[match.start() : end])
