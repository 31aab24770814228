"""The names of the world's currencies, English and Chinese, made of a country and a unit.

Each line is `CODE : country, country : unit, unit : 国家, 国家 : 单位, 单位`: any of the countries
with any of the units is a name ("argentine peso", 阿根廷比索). Units that stand for one currency by
themselves are in `currency_tables`, as are those that several share. Accents may be left out.
Lines of `MINOR` are `CODE CODE : size : name, name`: how many of them make one.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from assay.normalize.lexicon import fold

COUNTRIES = """
AED : uae, emirati, united arab emirates : dirham, dirhams : 阿联酋 : 迪拉姆
AFN : afghan, afghanistan : afghani, afghanis : 阿富汗 : 尼
ALL : albanian, albania : lek, leks, lekë : 阿尔巴尼亚 : 列克
AMD : armenian, armenia : dram, drams : 亚美尼亚 : 德拉姆
ANG : netherlands antillean : guilder, guilders : 荷属安的列斯 : 盾
AOA : angolan, angola : kwanza, kwanzas : 安哥拉 : 宽扎
ARS : argentine, argentinian, argentina : peso, pesos : 阿根廷 : 比索, 披索
AUD : australian, australia, aussie : dollar, dollars : 澳大利亚, 澳洲 : 元
AWG : aruban : florin, florins, guilder, guilders : 阿鲁巴 : 弗罗林, 币
AZN : azerbaijani, azerbaijan : manat, manats : 阿塞拜疆 : 马纳特
BAM : bosnian, bosnia and herzegovina : convertible mark, convertible marks : 波黑, 波赫, 波斯尼亚 : 可兑换马克, 马克
BBD : barbadian, barbados, bajan : dollar, dollars : 巴巴多斯 : 元
BDT : bangladeshi, bangladesh : taka, takas : 孟加拉, 孟加拉国 : 塔卡
BEF : belgian, belgium : franc, francs : 比利时 : 法郎
BGN : bulgarian, bulgaria : lev, levs, leva : 保加利亚 : 列弗, 列瓦
BHD : bahraini, bahrain : dinar, dinars : 巴林 : 第纳尔
BIF : burundian, burundi : franc, francs : 布隆迪 : 法郎
BMD : bermudian, bermudan, bermuda : dollar, dollars : 百慕大, 百慕达 : 元
BND : brunei, bruneian : dollar, dollars : 文莱 : 元, 币
BOB : bolivian, bolivia : boliviano, bolivianos : 玻利维亚 : 诺, 币
BRL : brazilian, brazil : real, reals, reais : 巴西 : 雷亚尔, 里亚尔, 币
BSD : bahamian, bahamas, bahama : dollar, dollars : 巴哈马 : 元
BTN : bhutanese, bhutan : ngultrum, ngultrums : 不丹 : 努尔特鲁姆, 努扎姆
BWP : botswana, botswanan : pula, pulas : 博茨瓦纳, 波札那 : 普拉
BYN : belarusian, belarus, new belarusian, new belarus : ruble, rubles, rouble, roubles : 白俄罗斯 : 卢布
BZD : belize, belizean : dollar, dollars : 伯利兹 : 元
CAD : canadian, canada : dollar, dollars : 加拿大 : 元, 币
CDF : congolese, congo : franc, francs : 刚果 : 法郎
CHF : swiss, switzerland : franc, francs : 瑞士 : 法郎
CLP : chilean, chile : peso, pesos : 智利 : 比索, 披索
CNY : chinese, china : yuan, yuans, renminbi : 中国 : 元
COP : colombian, colombia : peso, pesos : 哥伦比亚 : 比索, 披索
CRC : costa rican, costa rica : colon, colons, colones, colón, colóns : 哥斯达黎加 : 科朗
CUP : cuban, cuba : peso, pesos : 古巴 : 比索, 披索
CVE : cape verdean, cape verde, cabo verde : escudo, escudos : 佛得角, 维德角 : 埃斯库多
CZK : czech : koruna, korunas, koruny, korun, crown, crowns : 捷克 : 克朗
DEM : german, deutsche : mark, marks : 德国 : 马克
DJF : djiboutian, djibouti : franc, francs : 吉布提 : 法郎
DKK : danish, denmark : krone, kroner, krones, krona, kronor : 丹麦 : 克朗, 克郎
DOP : dominican, dominica : peso, pesos : 多米尼加 : 比索, 披索
DZD : algerian, algeria : dinar, dinars : 阿尔及利亚 : 第纳尔
EGP : egyptian, egypt : pound, pounds : 埃及 : 镑
ERN : eritrean, eritrea : nakfa, nakfas : 厄立特里亚 : 纳克法
ESP : spanish, spain : peseta, pesetas : 西班牙 : 比塞塔, 币
ETB : ethiopian, ethiopia : birr, birrs : 埃塞俄比亚 : 比尔
FIM : finnish, suomen, finland : markka, markkas, markkaa, mark, marks : 芬兰 : 马克
FJD : fijian, fiji : dollar, dollars : 斐济 : 元, 币
FKP : falkland islands, falkland island, falklands : pound, pounds : 福克兰, 福克兰群岛 : 镑
FRF : french : franc, francs : 法国 : 法郎
GBP : british, uk, english : pound, pounds : 英国 : 镑
GEL : georgian, georgia : lari, laris : 格鲁吉亚 : 拉里
GHS : ghanaian, ghana : cedi, cedis : 加纳 : 塞地
GIP : gibraltar : pound, pounds : 直布罗陀 : 镑
GMD : gambian, gambia : dalasi, dalasis : 冈比亚, 甘比亚 : 达拉西
GNF : guinean, guinea : franc, francs : 几内亚 : 法郎
GRD : greek : drachma, drachmas : 希腊 : 德拉克马
GTQ : guatemalan, guatemala : quetzal, quetzals, quetzales : 瓜地马拉, 危地马拉 : 格查尔
GYD : guyanese, guyana : dollar, dollars : 圭亚那 : 元
HKD : hong kong, hongkong, hk : dollar, dollars : 香港 : 元, 币
HNL : honduran, honduras : lempira, lempiras : 洪都拉斯 : 伦皮拉
HRK : croatian, croatia : kuna, kunas : 克罗地亚, 克罗埃西亚 : 库纳, 库那
HTG : haitian, haiti : gourde, gourdes : 海地 : 古德
HUF : hungarian, hungary : forint, forints : 匈牙利 : 福林
IDR : indonesian, indonesia : rupiah, rupiahs : 印度尼西亚, 印尼 : 盾, 卢比
IEP : irish : pound, pounds, punt, punts : 爱尔兰 : 镑
ILS : israeli, israel, israeli new, new israeli : shekel, shekels, sheqel, sheqels : 以色列, 以色列新 : 谢克尔, 新谢克尔, 币
INR : indian, india : rupee, rupees : 印度 : 卢比
IQD : iraqi, iraq : dinar, dinars : 伊拉克 : 第纳尔
IRR : iranian, iran : rial, rials : 伊朗 : 里亚尔, 莱尔
ISK : icelandic, iceland : krona, kronur, króna, krónur, krone, crown, crowns : 冰岛 : 克朗
ITL : italian : lira, lire, liras : 意大利 : 里拉
JMD : jamaican, jamaica : dollar, dollars : 牙买加 : 元
JOD : jordanian, jordan : dinar, dinars : 约旦 : 第纳尔
JPY : japanese, japan : yen, yens : 日本 : 元, 圆
KES : kenyan, kenya : shilling, shillings : 肯尼亚 : 先令
KGS : kyrgyzstani, kyrgyz, kyrgyzstan : som, soms : 吉尔吉斯斯坦, 吉尔吉斯 : 索姆
KHR : cambodian, cambodia : riel, riels : 柬埔寨 : 瑞尔
KMF : comorian, comoros : franc, francs : 科摩罗 : 法郎
KPW : north korean, north korea : won, wons : 朝鲜, 北朝鲜 : 元, 圆
KRW : south korean, south korea : won, wons : 韩国 : 元, 圆, 币
KWD : kuwaiti, kuwait : dinar, dinars : 科威特 : 第纳尔, 币
KYD : cayman islands, cayman island, cayman : dollar, dollars : 开曼, 开曼岛, 开曼群岛 : 元
KZT : kazakhstani, kazakh, kazakhstan : tenge, tenges : 哈萨克斯坦, 哈萨克 : 坚戈
LAK : lao, laotian, laos : kip, kips : 老挝 : 基普, 币
LBP : lebanese, lebanon : pound, pounds : 黎巴嫩 : 镑
LKR : sri lankan, sri lanka : rupee, rupees : 斯里兰卡 : 卢比
LRD : liberian, liberia : dollar, dollars : 利比里亚 : 元
LSL : lesotho, basotho : loti, maloti : 莱索托 : 洛蒂, 洛提, 马洛蒂
LTL : lithuanian, lithuania : litas, lit, litai : 立陶宛 : 立特
LVL : latvian : lats, lat : 拉脱维亚 : 拉特
LYD : libyan, libya : dinar, dinars : 利比亚 : 第纳尔
MAD : moroccan, morocco : dirham, dirhams : 摩洛哥 : 迪拉姆
MDL : moldovan, moldova : leu, lei : 摩尔多瓦 : 列伊
MGA : malagasy, madagascar : ariary, ariarys : 马达加斯加 : 阿里亚里
MKD : macedonian, macedonia : denar, denars, dinar, dinars : 马其顿 : 代纳尔, 第纳尔, 币
MMK : burmese, myanmar, burma : kyat, kyats : 缅甸 : 元, 币
MNT : mongolian, mongolia : tugrik, tugriks, tögrög, tögrögs, togrog, togrogs : 蒙古 : 图格里克
MOP : macanese, macau, macao : pataca, patacas : 澳门 : 元, 币
MRU : mauritanian, mauritania : ouguiya, ouguiyas : 毛里塔尼亚 : 乌吉亚
MUR : mauritian, mauritius : rupee, rupees : 毛里求斯 : 卢比
MVR : maldivian, maldives, maldive : rufiyaa, rufiyaas : 马尔代夫 : 卢比, 拉菲亚
MWK : malawian, malawi : kwacha, kwachas : 马拉维 : 克瓦查
MXN : mexican, mexico : peso, pesos : 墨西哥 : 比索, 披索
MYR : malaysian, malaysia : ringgit, ringgits : 马来西亚 : 林吉特, 令吉, 币
MZN : mozambican, mozambique : metical, meticals, meticais : 莫桑比克 : 梅蒂卡尔
NAD : namibian, namibia : dollar, dollars : 纳米比亚 : 元
NGN : nigerian, nigeria : naira, nairas : 尼日利亚 : 奈拉, 币
NIO : nicaraguan, nicaragua : cordoba, cordobas, córdoba, córdobas : 尼加拉瓜 : 科多巴
NLG : dutch, netherlands, nederlandse : guilder, guilders, gulden, florin, florins : 荷兰 : 盾
NOK : norwegian, norway : krone, kroner, krones, krona : 挪威 : 克朗, 克郎
NPR : nepalese, nepali, nepal : rupee, rupees : 尼泊尔 : 卢比
NZD : new zealand, kiwi : dollar, dollars : 新西兰, 纽西兰 : 元, 币
OMR : omani, oman : rial, rials, riyal, riyals : 阿曼 : 里亚尔, 莱尔
PAB : panamanian, panama : balboa, balboas : 巴拿马 : 巴波亚
PEN : peruvian, peru, peruvian nuevo : sol, soles, sols : 秘鲁 : 索尔, 新索尔
PGK : papua new guinean, papua new guinea : kina, kinas : 巴布亚新几内亚 : 基那
PHP : philippine, filipino, philippines : peso, pesos, piso : 菲律宾 : 比索, 披索, 币
PKR : pakistani, pakistan : rupee, rupees : 巴基斯坦 : 卢比
PLN : polish, poland : zloty, zlotys, zlotych, złoty, złotych : 波兰 : 兹罗提, 币
PTE : portuguese : escudo, escudos : 葡萄牙 : 埃斯库多
PYG : paraguayan, paraguay : guarani, guaranis, guaraní, guaraníes : 巴拉圭 : 瓜拉尼
QAR : qatari, qatar : riyal, riyals, rial, rials : 卡塔尔, 卡达 : 里亚尔
RON : romanian, romania : leu, lei : 罗马尼亚 : 列伊
RSD : serbian, serbia : dinar, dinars : 塞尔维亚 : 第纳尔, 币
RUB : russian, russia : ruble, rubles, rouble, roubles : 俄罗斯, 俄国 : 卢布
RWF : rwandan, rwanda : franc, francs : 卢旺达 : 法郎
SAR : saudi, saudi arabian : riyal, riyals, rial, rials : 沙特, 沙特阿拉伯 : 里亚尔
SBD : solomon islands, solomon island : dollar, dollars : 所罗门, 所罗门群岛 : 元
SCR : seychellois, seychelles : rupee, rupees : 塞舌尔 : 卢比
SDG : sudanese, sudan : pound, pounds : 苏丹 : 镑
SEK : swedish, sweden : krona, kronor, krone, kroner, krones, crown, crowns : 瑞典 : 克朗, 克郎
SGD : singapore, singaporean : dollar, dollars : 新加坡 : 元, 币
SHP : saint helena, st helena : pound, pounds : 圣赫勒拿 : 镑
SLE : sierra leonean, sierra leone : leone, leones : 塞拉利昂 : 利昂
SOS : somali, somalia : shilling, shillings : 索马里, 索马利 : 先令
SRD : surinamese, surinam, suriname : dollar, dollars : 苏里南 : 元, 盾
SSP : south sudanese, south sudan : pound, pounds : 南苏丹 : 镑
STN : são tomé and príncipe, sao tome and principe : dobra, dobras : 圣多美 : 多布拉
SVC : salvadoran, salvador, el salvador : colon, colons, colones, colón, colóns : 萨尔瓦多 : 科朗
SYP : syrian, syria : pound, pounds : 叙利亚 : 镑
SZL : swazi, eswatini : lilangeni, emalangeni : 斯威士兰 : 里兰吉尼, 兰吉尼
THB : thai, thailand : baht, bahts : 泰国 : 铢
TJS : tajikistani, tajik : somoni, somonis : 塔吉克斯坦, 塔吉克 : 索莫尼
TMT : turkmenistan, turkmen, turkmenistan new : manat, manats : 土库曼, 土库曼斯坦 : 马纳特
TND : tunisian, tunisia : dinar, dinars : 突尼斯 : 第纳尔
TOP : tongan, tonga : pa'anga, paʻanga, paanga : 汤加 : 潘加
TRY : turkish, turkey, new turkish : lira, liras : 土耳其, 土耳其新 : 里拉
TTD : trinidad and tobago, trinidad, trinidadian : dollar, dollars : 特立尼达, 特立尼达多巴哥, 特立尼达和多巴哥 : 元
TWD : new taiwan, taiwan, taiwanese : dollar, dollars : 台湾 : 元, 币
TZS : tanzanian, tanzania : shilling, shillings : 坦桑尼亚 : 先令
UAH : ukrainian, ukraine : hryvnia, hryvnias, hryvnya, hryvna : 乌克兰 : 格里夫纳, 格里夫尼亚
UGX : ugandan, uganda : shilling, shillings : 乌干达 : 先令
USD : us, u.s., u. s., u s, u.s, united states, american : dollar, dollars : 美国 : 元
UYU : uruguayan, uruguay : peso, pesos : 乌拉圭 : 比索, 披索
UZS : uzbekistani, uzbekitan, uzbek, uzbekistan : som, soms, so'm, sum : 乌兹别克斯坦, 乌兹别克 : 苏姆
VES : venezuelan, venezuela : bolivar, bolivars, bolivares, bolívar, bolívars, bolívares : 委内瑞拉 : 玻利瓦尔
VND : vietnamese, vietnam : dong, dongs, đồng : 越南 : 盾
VUV : vanuatu : vatu, vatus : 瓦努阿图 : 瓦图
WST : samoan, samoa : tala, talas, tālā : 萨摩亚 : 塔拉
XAF : central african, central african cfa, central africa, central africa cfa : franc, francs : 中非, 中非金融合作 : 法郎
XCD : east caribbean, eastern caribbean : dollar, dollars : 东加勒比 : 元
XOF : west african, west african cfa, west africa, west africa cfa : franc, francs : 西非, 非共体 : 法郎
XPF : cfp : franc, francs : 太平洋 : 法郎
YER : yemeni, yemen : rial, rials, riyal, riyals : 也门, 叶门 : 里亚尔, 莱尔
ZAR : south african, south africa : rand, rands : 南非 : 兰特
ZMW : zambian, zambia : kwacha, kwachas : 赞比亚 : 克瓦查
"""  # noqa: E501

MINOR = """
USD CAD AUD NZD HKD SGD TWD EUR : 100 : cents, cent
USD CAD AUD NZD HKD SGD : 100 : ¢
USD : 100 : us cents, us cent, american cents, 美分
EUR : 100 : euro cents, euro cent, eurocents, eurocent, 欧分
CAD : 100 : canadian cents, canadian cent, 加分
AUD : 100 : australian cents, australian cent, 澳分
HKD : 100 : hong kong cents, hong kong cent, 港仙, 仙
GBP : 100 : pence, penny, pennies, 便士
JPY MYR IDR KHR BND : 100 : sen
JPY : 100 : 日本銭
MYR : 100 : sens
RUB UAH BYN : 100 : kopecks, kopeck, kopeks, kopek, copecks, copeck, 戈比
UAH : 100 : kopiyka, kopiykas, kopiyky, kopiyok
CNY : 10 : jiao, mao
CNY : 100 : fen
INR PKR NPR BDT : 100 : paisa, paise, paisas, poisha, 派萨
CHF : 100 : rappen, 瑞士生丁
CHF XAF XOF XPF FRF : 100 : centimes, centime, 生丁
MXN PHP COP CLP ARS CUP DOP BRL BOB HNL MZN CVE : 100 : centavos, centavo, 分币
CRC PEN PYG VES UYU PAB : 100 : centimos, centimo, céntimos, céntimo, centesimos, centesimo
NOK SEK DKK : 100 : øre, öre, ore
ISK : 100 : aurar, eyrir
PLN : 100 : groszy, grosze, grosz, 格罗希
CZK SKK : 100 : haleru, haléřů, halers, haler, haléř
HUF : 100 : filler, fillér
RON MDL : 100 : bani
BGN : 100 : stotinki, stotinka, 斯托丁卡
HRK : 100 : lipa, lipas
TRY : 100 : kurus, kuruş
ILS : 100 : agorot, agora
GHS : 100 : pesewas, pesewa
NGN : 100 : kobo, 考包
THB : 100 : satang, satangs, 萨当
SAR : 100 : halalas, halala
EGP LBP SYP SDG SSP : 100 : piastres, piastre
KWD BHD IQD JOD : 1000 : fils
AED YER : 100 : fils
TND : 1000 : millimes, millime
OMR : 1000 : baisa, baiza
ZMW : 100 : ngwee
ALL : 100 : qindarka, qindarkë, qindarke
AZN : 100 : qapik, qəpik
GEL : 100 : tetri
MOP : 100 : avos, avo
XBT : 100000000 : satoshis, satoshi
FIM : 100 : penni, penniä, pennia
AMD : 100 : luma, lumas
LAK : 100 : att
BWP : 100 : thebe
GMD : 100 : bututs, butut
"""

MinorUnits = dict[str, dict[str, Decimal]]


def country_names() -> Iterator[tuple[str, str]]:
    """(code, name): all that `COUNTRIES` makes; before a unit of dollars or pounds also the sign
    with the country ("canadian $")."""
    for line in COUNTRIES.strip().splitlines():
        code, *parts = line.split(" : ")
        lands, units, han_lands, han_units = (part.split(", ") for part in parts)
        signs = ["$"] if "dollar" in units else ["£"] if "pound" in units else []
        for land in lands:  # "us" before a sign is also a pronoun: see `currencies`
            for unit in units:
                yield code, f"{land} {unit}"
                yield code, unaccented(f"{land} {unit}")
            for sign in signs if land != "us" else []:
                yield code, f"{land} {sign}"
        for land in han_lands:
            for unit in han_units:
                yield code, land + unit


def minor_units() -> MinorUnits:
    """By name: of which currencies it is a part, and what part, the most traded first."""
    table: MinorUnits = {}
    for line in MINOR.strip().splitlines():
        codes, size, names = line.split(" : ")
        for name in names.split(", "):
            for spelt in (name, unaccented(name)):
                parts = table.setdefault(spelt, {})
                for code in codes.split():
                    parts.setdefault(code, Decimal(1) / int(size))
    return table


def unaccented(name: str) -> str:
    """As it is typed where there are no accents."""
    folded = fold(name).replace("ł", "l").replace("ø", "o").replace("đ", "d").replace("ə", "a")
    return folded.replace("'", "'").replace("ʻ", "'")
