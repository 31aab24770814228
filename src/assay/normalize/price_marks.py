"""Short forms of currencies that denote one only in a price: "1 R", "200 q", 12 دج.

In running text they are letters like any other. Lines are as in `currency_tables`.
"""

from __future__ import annotations

MARKS = """
AED : د.إ, درهم, DH, Dh, Dhs, Dhs.
AFN : Af, Afs, افغانی
ALL : Lek, lek, L
AMD : դր., դր, AMD
ANG AWG NLG : NAf, NAƒ, fl, fl., Afl., Afl
AOA : Kz, kwz
ARS : AR$, $a
AWG : Awg.
AZN : man., man, ман., ман, manat
BAM : KM, км, КМ
BDT : Tk, টকা, ৲
BGN KGS : лв., лв, lv
BHD : BD, د.ب
BIF : FBu, Fbu
BOB : Bs, Bs., $b, Bs.F.
BRL : R$
BTN : Nu., Nu
BWP : P
BYN ETB : Br, Br., ብር, Rbl
CDF : FC, FrCD
CHF : Fr., Fr, SFr., CHf, Fr-
CLP : CL$, UF
CNY : 元, 圆, 圓, ¥, RMB, CN¥
COP : CO$, COL$
CUP : CUC$, $MN, MN$
CVE PTE : Esc, CV$
CZK : Kč, Kčs, Kc, CZK
DJF : Fdj
DKK : Dkr
DZD : DA, د.ج, دج
EGP : ج.م, جنيه, LE, L.E., E£
ERN : Nfk, نافكا, ናቕፋ
ESP : Pta, Ptas, Pts, Pt
FRF : F, FF
GBP : ₤
GEL : lari, ლ, GEL
GHS : ₵, GH₵, GH¢
GMD : D
GNF : FG, GFr
GRD : Δρχ., Δρ., Dr
GTQ : Q, q
GYD : GY$, G$
HNL LSL SZL : L, Lps, Lps.
HRK : kn
HTG : G
HUF : Ft, ft
IDR : Rp, Rp.
ILS : ש״ח, שח, ש"ח, NIS
INR : Rs, Rs., Re, र, रु, ரூ, ₨, রু, రూ, રૂ, ૱
INR LKR : රු
IQD : ID, د.ع, ع.د
IRR : ریال, تومان
ISK : Ikr, kr, kr.
JOD : JD, د.أ, د.ا, دينار أردني
JPY : 円, 圓, yen
KES : Ksh, KSh, KShs, Kshs, KES
KGS UZS : som, сом, so'm, сўм, soum, S', Sʻ
KHR : ៛, KHR
KMF : CF
KPW KRW : 원, 圓
KWD : KD, د.ك, دينار كويتي
KZT : тг, тг., тңг., тенге, T
LAK : ₭, ₭N, Kip
LBP : ل.ل, LL
LKR : SLRs, SL Re, රු
LRD : L$
LTL : Lt, litų
LVL : Ls
LYD : LD, د.ل
MAD : د.م, د.م., MAD
MDL RON : lei, leu, Lei, LEI
MGA : Ar
MKD : ден, ден., ден
MMK : K, Ks
MNT : ₮, төг
MOP : MOP$, P
MRU : UM
MUR SCR : ₨, MURs
MVR : Rf, Rf., MRf, RF, ރ
MWK : MK
MZN : MT, MTn
NAD : N$
NIO : C$
NPR : नेरू, रू, NPRs
NZD : $NZ
OMR : ر.ع, ر.ع.
PAB : B/., B/
PEN : S/., S/, s/
PGK : K
PHP : P, PhP, Php
PKR : PKRs, روپے
PLN : zł, Zł, zl, ZŁ
PRB : PRB
PYG : Gs, ₲
QAR : QR, ر.ق
RON : RON
RSD : дин, дин., din, din.
RUB : р., р, Р, Р., руб, руб., RUR, p., Rbl
RWF : R₣, FRw, RF
SAR : SR, ر.س, ريال
SDG : ج.س, SPL, SD
SEK DKK NOK ISK : kr, kr., Kr, KR, Skr, Nkr
SLE : Le
SOS : Ssh, Sh.So., S, Sl
SKK : Sk
SRD : Sr$
SSP : SS£
STN : Db
SVC : ₡
SYP : ل.س, SY£, LS, ش.ص
SZL : E, SZL
THB : บาท, ฿, B
TJS : SM, ЅМ, смн
TMT : T, m
TND : DT, د.ت
TOP : T$
TRY : TL, ₤, tl
TZS UGX KES : TSh, USh, Sh, /=, Ush, Tsh
TWD : NT, 元
UAH : грн, грн., гр.
UYU : $U
UZS : лв
VND : đ, ₫, VNĐ, đồng
VUV : Vt, VT
WST : WS$, T
XAF XOF : FCFA, CFA, F CFA
XBT : Ƀ, ₿, BTC
XCD : EC$
XPF : CFP, F
YER : YR, ر.ي
ZAR : R
ZMW : ZK, K
ZWL : Z$
ATS : öS
BGN : leva
BOB : Bs.F.
DEM : D-Mark, mk.
ECS : Sucre
EEK : kroon
EUR : ₠
FRF : fr., FR, ₣
ITL : ₤
MTL : Lm
RSD : Dinara, динар
SIT : tolarjev
BRL : ₢
KZT : тңг, ₸
INR : ௹
DEM : ₰, ℳ
ARA : ₳
AWG : AFL
JEP : JEP
GGP : GGP
IMP : IMP
TVD : TVD
XAU : XAU
XAG : XAG
XPT : XPT
XPD : XPD
XSU : XSU
XUA : XUA
COU : COU
CLF : CLF
CHE : CHE
CHW : CHW
BOV : BOV
MXV : MXV
USN : USN
UYI : UYI
"""
