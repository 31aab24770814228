"""Words by which kinds of document are known, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from assay.units.fallbacks.label_cues import Cues

DOCUMENT_CUES: Mapping[str, Cues] = MappingProxyType(
    {
        "contract": Cues(
            {
                r"\b(?:this|the) (?:[\w-]+ ){0,3}agreement\b|\bhereinafter\b|\bwitnesseth\b": 1.5,
                r"(?-i:\b[A-Z][A-Z ]{3,60}(?:AGREEMENT|CONTRACT)\b)|\bagreement dated\b": 2.0,
                r"\bby and between\b|\bin witness whereof\b|\bgoverning law\b": 2.0,
                r"\bthe parties (?:agree|hereto)\b|\bshall (?:not )?be (?:liable|binding)\b": 1.0,
                "甲方|乙方": 1.0,
                "本合同|本协议|合同编号": 1.5,
                "违约责任|争议解决": 1.5,
            }
        ),
        "invoice": Cues(
            {
                r"\binvoice\b": 1.5,
                r"\b(?:amount due|due date|bill to|invoice (?:no|number|date)|remit|iban"
                r"|vat)\b": 1.5,
                r"\b(?:subtotal|unit price|qty|quantity)\b": 1.0,
                "发票(?:号码|代码)?|价税合计|开票日期|购买方|销售方": 2.0,
            }
        ),
        "receipt": Cues(
            {
                r"\breceipt\b|\bcashier\b|\bchange due\b": 1.5,
                r"\b(?:cash|visa|mastercard)\b|\bthank you for (?:shopping|your purchase)\b": 1.0,
                r"\b(?:gst|rounding|tender(?:ed)?)\b": 1.0,
                "收据|小票|收银|找零": 2.0,
            }
        ),
        "email": Cues(
            {
                r"(?m)^(?:from|to|cc|sent|subject):\s": 1.5,
                r"(?m)^(?:hi|hello|dear)\b[^\n]{0,40}[,:]?$": 0.5,
                r"\b(?:attached|forwarded message|original message)\b": 0.5,
                "(?m)^(?:发件人|收件人|主题|抄送)[：:]": 1.5,
            }
        ),
        "letter": Cues(
            {
                r"\bdear (?:sir|madam|mr|ms|mrs|dr)\b": 2.0,
                r"\b(?:yours (?:sincerely|faithfully|truly)|sincerely yours|kind regards)\b": 2.0,
                "尊敬的|此致|敬礼": 2.0,
            }
        ),
        "report": Cues(
            {
                r"\b(?:annual report|executive summary|fiscal (?:year )?\d{4}|consolidated)\b": 1.5,
                r"\b(?:year ended|in (?:thousands|millions)|compared (?:to"
                r"|with) (?:the prior|\d{4}))\b": 1.5,
                r"\b(?:revenues?|net income|balance sheet|cash flows?)\b": 0.7,
                "年度报告|报告期|同比|财务报表|营业收入": 1.5,
            }
        ),
        "judgment": Cues(
            {
                r"\b(?:plaintiff|defendant|the court (?:finds|held|holds)|appellant|v\.)\b": 1.5,
                "经审理查明|本院认为|判决如下|公诉机关|被告人|原告|被告": 1.5,
            }
        ),
        "insurance_claim": Cues(
            {
                r"\b(?:claim (?:no|number|form)|policy(?:holder| (?:no|number))|insured"
                r"|deductible)\b": 1.5,
                r"\bdate of loss\b|\badjuster\b|\bloss (?:occurred|assessment)\b": 2.0,
                "理赔|保单号?|被保险人|免赔额|出险": 2.0,
            }
        ),
        "resume": Cues(
            {
                r"\b(?:curriculum vitae|resume|work experience|references available)\b": 2.0,
                r"\b(?:education|skills|languages|employment history)\b": 0.7,
                "简历|工作经历|教育背景|求职意向": 2.0,
            }
        ),
    }
)
