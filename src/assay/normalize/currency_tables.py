"""The marks of currencies, as tables: codes, signs, and names in words.

Each line is `CODE CODE : mark, mark`: the currencies that a mark may denote (ISO 4217, with the
codes of currencies that are gone), the most traded first.
"""

from __future__ import annotations

CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN
BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD
FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD
JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT
MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG
QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR
ZMW ZWL
ATS BEF CYP DEM EEK ESP FIM FRF GRD IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK XBT
BYR CUC MRO SLL STD VEF XDR ZMK ZWD
"""

SIGNS = """
USD CAD AUD NZD HKD SGD TWD MXN : $
USD : US$, U.S.$, U.S. $, US $, USD$, USD $, $US, $USD
CAD : CAD$, CDN$, Cdn$, Cdn. $, CA$, CAD $, C$, C $, CAN$, CND, c $
AUD : A$, AU$, AU $, AUD $, AUD$, A $
NZD : NZ$, NZ $
HKD : HK$, HK $
SGD : S$, SG$, SGD$
TWD : NT$, NTD, NT
MXN : MX$, Mex$, Mex $
KYD : CI$
BND : B$
WST : WS$
SBD : SI$
XCD : EC$
LRD : L$
FJD : F$
USD : U.S $
GYD : GY$
SRD : Sr$, SR$
BRL : R$
JMD : J$
TTD : TT$
BZD : BZ$
DOP : RD$
COP : COL$
MOP : MOP$
EUR : €, Euro, EURO
GBP EGP LBP FKP : £, ￡
ITL GBP TRY : ₤
IEP : IR£
EGP : E£, LE, L.E., L.E, l.e.
LBP : LB£
SYP : SY£
CNY JPY : ¥, ￥
CNY : CN¥, RMB, CNH
JPY : JP¥
MYR : RM
INR : ₹
INR PKR LKR NPR MUR : Rs, Rs., rs, rs., RS, ₨, Re
KRW KPW : ₩
RUB : ₽, руб, руб., рублей, рубля, рубль
TRY : ₺, TL
UAH : ₴, грн, грн.
ILS : ₪, NIS
VND : ₫, đ
THB : ฿
PHP CUP : ₱
NGN : ₦
CRC : ₡
PYG : ₲
KZT : ₸
GHS : ₵, GH₵
PLN : zł, Zł, zl
CZK : Kč, Kčs
HUF : Ft
SEK NOK DKK ISK : kr, kr., Kr
BGN : лв, лв.
RON MDL : lei
IDR : Rp
PEN : S/, S/.
BOB VES : Bs, Bs.F.
LKR : SL Re
CHF : Fr., SFr, SFr.
AED MAD : Dhs, DH
LAK : ₭
KHR : ៛
MNT : ₮
AZN : ₼
GEL : ₾
AMD : ֏
AFN : ؋
IRR YER OMR SAR QAR : ﷼
BDT : ৳
XBT : ₿
FRF CHF XAF XOF : ₣
ESP : ₧
GRD : ₯
ANG AWG NLG : ƒ
TTD : TTD$
NAD : N$
FJD : FJ$
BBD : Bds$
BND : BN$
GYD : G$
TOP : T$
ZWL : Z$
PAB : B/., B/
DEM : DM
GTQ : GTQ
RON MDL : LEI, Lei
"""

# With the country ("mexican peso", 墨西哥比索) they are in `currency_names`.
NAMES = """
USD CAD AUD NZD HKD SGD TWD MXN : dollars, dollar, bucks, buck
USD : greenbacks, dollars of the united states, dollar of the united states
GBP : pounds sterling, pound sterling, pound sterlings, sterling, quid
GBP EGP LBP FKP : pounds, pound
EGP : egyptianpounds, egyptianpound
EUR : euros, euro
JPY : yen, yens
CNY : yuan renminbi, renminbi, yuan, yuans, kuai
CHF XAF XOF : francs
FRF CHF XAF XOF : franc
XAF XOF : cfa francs, cfa franc
INR PKR LKR NPR MUR : rupees, rupee
KRW : korean won, korean wons
KRW KPW : won, wons
RUB : rubles, roubles, ruble, rouble
MXN PHP COP CLP ARS UYU CUP DOP : pesos, peso
BRL : reais
THB : baht, bahts
MYR : ringgits, ringgit
IDR : rupiah, rupiahs
VND : dong, dongs
SEK : kronor, krona
NOK DKK : kroner
NOK DKK SEK ISK : krone, krones, krona, króna
SEK DKK NOK ISK CZK : crowns, crown
CZK SKK : koruna, korunas
PLN : zloty, zlotys, złoty, złotych
HUF : forint, forints
ILS : new shekels, new shekel, shekels, shekel
ZAR : rands, rand
AED MAD : dirhams, dirham
SAR QAR : riyals, riyal
SAR QAR OMR IRR YER : rials, rial
TRY : lira, liras
ITL TRY : lire, lira
NGN : naira, nairas
AFN : afghanis, afghani
ALL : leks
ANG NLG AWG : guilders, guilder, florins, florin, gulden
AOA : kwanza, kwanzas
AZN TMT : manat, manats
BDT : taka, takas
BOB : boliviano, bolivianos
BWP : pula, pulas
DEM : deutschmarks, deutschmark
ERN : nakfa, nakfas
ESP : pesetas, peseta
ETB : birr
FIM : markkas, markka, markkaa
GEL : lari, laris
GHS : cedis, cedi
GMD : dalasi, dalasis
GRD : drachmas, drachma
GTQ : quetzal, quetzals, quetzales
HNL : lempira, lempiras
HRK : kuna, kunas
HTG : gourde, gourdes
IEP : punts, punt
KHR : riel, riels
KWD BHD IQD JOD TND LYD DZD RSD : dinars, dinar
KZT : tenge
LAK : kips, kip
LSL : loti, maloti
MGA : ariary
MKD : denar, denars
MMK : kyat, kyats
MNT : tugrik, tugriks
MOP : patacas, pataca
MVR : rufiyaa
MZN : metical, meticals
PEN : soles
PGK : kina
PTE CVE : escudos, escudo
PYG : guaranis
RON MDL : leu
STN : dobras, dobra
SZL : lilangeni, emalangeni
TJS : somoni
TOP : pa'anga, paʻanga
UAH : hryvnias, hryvnia, hryvnya, hryvna
KES UGX TZS SOS : shillings, shilling
UZS KGS : som, so'm
VES : bolivares, bolívares
XBT : bitcoins, bitcoin, btc, 个比特币, 比特币
ZMW MWK : kwachas, kwacha
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
SEK : sek
CNY : 元人民币, 人民币元, 人民币, 人民幣, 元整, 圆整, 圓整, 元正, 元, 圆, 圓, 块钱, 塊錢, 块, 塊
USD : 美元, 美圆, 美圓, 美金, 美币
HKD : 港元, 港圆, 港圓, 港币, 港幣, 港纸, 蚊
JPY : 日元, 日圆, 日圓, 日币, 日幣, 日本円, 円
EUR : 欧元, 歐元, 欧罗
GBP : 英镑, 英鎊, 镑, 鎊
AUD : 澳元, 澳币, 澳幣
CAD : 加元, 加币, 加幣
NZD : 纽元, 纽币, 纽西兰币
SGD : 新元, 新币, 坡币
TWD : 新台币, 新臺幣, 新台幣, 台币, 台幣, 臺幣
KRW : 韩元, 韓元, 韩圆, 韓圓, 韩币, 韓幣
KPW : 朝币
MOP : 澳门币
RUB : 卢布, 盧布
THB : 泰铢, 泰銖, 泰元
INR PKR LKR NPR MUR : 卢比, 盧比
MYR : 林吉特, 令吉, 马币
VND IDR NLG : 盾
PHP MXN COP CLP ARS : 比索, 披索
ITL TRY : 里拉
DEM FIM : 马克
FRF CHF XAF XOF : 法郎
BRL : 雷亚尔
ZAR : 兰特
SEK DKK NOK ISK CZK : 克朗
AED MAD : 迪拉姆
SAR QAR OMR IRR YER : 里亚尔
KWD BHD IQD JOD TND LYD DZD RSD : 第纳尔
KES UGX TZS SOS : 先令
RON MDL : 列伊
ALL : 列克
AOA : 宽扎
BDT : 塔卡
BGN : 列弗
BOB : 玻利维亚诺
BWP : 普拉
ESP : 比塞塔
ETB : 比尔
GHS : 塞地
HUF : 福林
ILS : 谢克尔
KHR : 瑞尔
KZT : 坚戈
LAK : 基普
MMK : 缅元, 缅币
MNT : 图格里克
MZN : 梅蒂卡尔
NGN : 奈拉
PGK : 基那
PLN : 兹罗提
SLE : leones, 利昂
TMT AZN : 马纳特
TOP : 潘加
UAH : 格里夫纳
WST : 塔拉
ZMW MWK : 克瓦查
FJD : 斐币
"""
