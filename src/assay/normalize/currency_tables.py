"""The marks of currencies, as tables: codes, signs, names in words, hundredths, local short forms.

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
EGP : E£
LBP : LB£
SYP : SY£
CNY JPY : ¥, ￥
CNY : CN¥, RMB, CNH
JPY : JP¥
MYR : RM
INR : ₹
INR PKR LKR NPR MUR : Rs, Rs., ₨, Re
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
BOB VES : Bs
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

NAMES = """
USD CAD AUD NZD HKD SGD TWD MXN : dollars, dollar, bucks, buck
USD : greenbacks, us dollars, u.s. dollars, u. s. dollars, united states dollars
USD : american dollars, american dollar
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
CNY : chinese yuan, yuan renminbi, renminbi, yuan, yuans, kuai
CHF : swiss francs, swiss franc
CHF XAF XOF : francs
INR : indian rupees, indian rupee
INR PKR LKR NPR MUR : rupees, rupee
KRW : south korean won, korean won, south korea won
KRW KPW : won
RUB : rubles, roubles
MXN : mexican pesos
PHP : philippine pesos
MXN PHP COP CLP ARS UYU CUP DOP : pesos, peso
BRL : brazilian reais, reais
THB : thai baht, baht, thai bahts, bahts
MYR : malaysian ringgit, malaysian ringgits, malaysia ringgits, malaysia ringgit, ringgits, ringgit
IDR : rupiah
VND : dong
SEK : swedish kronor, swedish krona, kronor
NOK : norwegian kroner, norwegian krone
DKK : danish kroner, danish krone
NOK DKK : kroner
PLN : zloty, zlotys
HUF : forint
ILS : new israeli shekels, new shekels, shekels
ZAR : south african rand, south african rands, rands, rand
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
USD : 美元, 美圆, 美金, 美币
HKD : 港元, 港币, 港幣, 蚊
JPY : 日元, 日圆, 日圓, 日本円, 円
EUR : 欧元, 歐元, 欧罗
GBP : 英镑, 英鎊, 镑
AUD : 澳元
CAD : 加元, 加拿大元
SGD : 新加坡元
NZD : 新西兰元
TWD : 新台币, 新臺幣, 新台幣, 台币, 台幣, 臺幣
KRW : 韩元, 韓元, 韩圆, 韩币
CHF : 瑞士法郎
RUB : 卢布, 盧布
THB : 泰铢, 泰銖
INR : 印度卢比
INR PKR LKR : 卢比
MOP : 澳门元
AED : united arab emirates dirham, united arab emirates dirhams, emirati dirhams
AFN : afghanis, afghani
ALL : albanian lek
AMD : armenian dram
ANG NLG AWG : guilders, guilder
AZN : azerbaijani manat
BDT : bangladeshi taka, taka
BHD : bahraini dinars, bahraini dinar
BGN : bulgarian lev, bulgarian leva
CRC : costa rican colones, costa rican colon
CZK : czech koruna, czech crowns, czech crown
DEM : deutsche marks, deutsche mark, german marks, german mark, deutschmarks, deutschmark
DZD : algerian dinars, algerian dinar
EGP : egyptian pound, egyptianpounds, egyptianpound
ESP : spanish pesetas, pesetas, peseta
FIM : finnish markka, markkas, markka
FRF : french francs, french franc
GEL : georgian lari, lari
GHS : ghanaian cedis, cedis, cedi
GRD : greek drachmas, drachmas, drachma
HRK : croatian kuna, kuna
IDR : indonesian rupiah, rupiahs
IEP : irish pounds, irish pound, punts, punt
IQD : iraqi dinars, iraqi dinar
IRR : iranian rials, iranian rial
ITL : italian lire, italian lira, lire
ISK : icelandic kronur, icelandic krona
JOD : jordanian dinars, jordanian dinar
KES : kenyan shillings, kenyan shilling
KWD : kuwaiti dinars, kuwaiti dinar
KWD BHD IQD JOD TND LYD DZD RSD : dinars, dinar
KZT : kazakhstani tenge, tenge
LAK : lao kip, laotian kip, kips, kip
LBP : lebanese pounds, lebanese pound
LKR : sri lankan rupees, sri lankan rupee
MAD : moroccan dirhams, moroccan dirham
MNT : tugrik, tugriks
MOP : macanese patacas, patacas, pataca
MXN : mexican peso
NGN : nigerian naira, nigerian nairas, nairas
NLG : dutch guilders, dutch guilder, netherlands guilders, netherlands guilder
NPR : nepalese rupees, nepalese rupee
OMR : omani rials, omani rial
PHP : philippine peso, filipino pesos
PKR : pakistani rupees, pakistani rupee, pakistan rupees
PLN : polish zloty, zlotys
PTE CVE : escudos, escudo
QAR : qatari riyals, qatari riyal, qatari rials, qatari rial
RUB : russian rubles, russian roubles, russian ruble, russian rouble, ruble, rouble
RON MDL : romanian lei, leu
RSD : serbian dinars, serbian dinar
SAR : saudi riyal
SAR QAR OMR IRR YER : rials, rial
SEK : swedish kroner, krona, sek
SEK DKK NOK ISK CZK : crowns, crown
TND : tunisian dinars, tunisian dinar
TRY : turkish liras
TWD : new taiwan dollar, taiwan dollar
TTD : trinidad and tobago dollars
JMD : jamaican dollar
UAH : hryvnias, hryvnia, hryvnya
UGX : ugandan shillings, ugandan shilling
KES UGX TZS SOS : shillings, shilling
UZS KGS : som, so'm
VND : vietnamese dong
XBT : bitcoins, bitcoin, 个比特币, 比特币
ZMW MWK : kwachas, kwacha
XAF XOF : cfa francs, cfa franc
FRF CHF XAF XOF : franc
NGN : 奈拉
MYR : 马来西亚林吉特, 林吉特, 令吉, 马币
IDR : 印尼盾, 印度尼西亚盾
VND : 越南盾
PHP : 菲律宾比索
PHP MXN COP CLP ARS : 比索
TRY : 土耳其里拉
ITL TRY : 里拉
DEM : 德国马克, 马克
FRF : 法国法郎
FRF CHF XAF XOF : 法郎
BRL : 巴西雷亚尔, 雷亚尔
ZAR : 南非兰特, 兰特
SEK : 瑞典克朗
DKK : 丹麦克朗
NOK : 挪威克朗
SEK DKK NOK ISK CZK : 克朗
AED : 阿联酋迪拉姆
AED MAD : 迪拉姆
SAR : 沙特里亚尔
IRR SAR QAR OMR : 里亚尔
KWD : 科威特第纳尔
KWD BHD IQD JOD : 第纳尔
EGP : 埃及镑
MMK : 缅元, 缅币
PLN : 兹罗提
HUF : 福林
UAH : 格里夫纳
MXN : 墨西哥比索
PKR : 巴基斯坦卢比
LKR : 斯里兰卡卢比
NPR : 尼泊尔卢比
MNT : 图格里克
KZT : 坚戈
"""

# The figure counts a hundredth of one of these.
CENTS = """
USD : us cents, 美分
USD CAD AUD NZD HKD SGD TWD EUR : cents, cent
USD CAD AUD NZD HKD SGD : ¢
GBP : pence, penny, pennies
JPY MYR IDR : sen
JPY : 日本銭
MYR : sens
EUR : 欧分
HKD : 港仙
RUB : kopecks, kopeck, kopeks, 戈比
"""
