"""Words that praise, words that blame, and words of complaint, in English and Chinese."""

from __future__ import annotations

from assay.units.fallbacks.label_cues import Cues

_PRAISE = (
    r"\b(?:good|nice|pleased|happy|glad|satisf(?:ied|ying|actory)|helpful|friendly|reliable|smooth"
    r"|recommend(?:ed)?|enjoy(?:ed|able)?|impress(?:ed|ive)|improv(?:ed|ement)|welcome"
    r"|thank(?:s| you)"
    r"|appreciate[ds]?|easy|fast|clean|works well)\b"
)
_HIGH_PRAISE = (
    r"\b(?:excellent|great|wonderful|outstanding|fantastic|amazing|superb|perfect(?:ly)?|delighted"
    r"|love[ds]?|best|brilliant|thrilled|exceptional)\b"
)
_BLAME = (
    r"\b(?:bad|poor(?:ly)?|slow|late|delay(?:ed|s)?|wrong|fault(?:y)?|broken|damaged"
    r"|defect(?:ive|s)?"
    r"|problems?|issues?|(?<!without )fail(?:ed|s|ure)?|lost|cracks?|cracked|nobody|never"
    r"|disappoint(?:ed|ing|ment)|unhappy|rude|confusing|annoy(?:ed|ing)"
    r"|unreliable|overcharged?|missing|difficult|concern(?:ed|s)|regret|losses"
    r"|unfortunately|dirty|waited|waiting)\b"
)
_HIGH_BLAME = (
    r"\b(?:terrible|awful|horrible|worst|unacceptable|disgrace(?:ful)?|furious|angry"
    r"|outrag(?:ed|eous)"
    r"|appall(?:ed|ing)|hate[ds]?|useless|scam|fraud|never again|fed up|disgust(?:ed|ing))\b"
)
POSITIVE = Cues(
    {
        _PRAISE: 1.0,
        _HIGH_PRAISE: 2.0,
        "满意|感谢|谢谢|方便|可靠|及时|热情|舒适|推荐|不错|高兴|顺利|喜欢|好评": 1.0,
        "非常好|很好|优秀|出色|完美|太棒|赞|一流|优质": 2.0,
    },
    flips_to="negative",
)
NEGATIVE = Cues(
    {
        _BLAME: 1.0,
        _HIGH_BLAME: 2.0,
        "失望|拖延|延误|故障|损坏|问题|缺陷|差评|麻烦|不便|遗憾|投诉|错误|亏损": 1.0,
        "糟糕|恶劣|极差|太差|愤怒|无法接受|不可接受|欺骗|骗子|气愤|垃圾|不满|令人发指": 2.0,
    },
    flips_to="positive",
)
#: A weak cue of complaint counts where the writer speaks of himself: a contract has the same words.
_I = r"\b(?:i|we|my|our|me|us)\b[^.!?\n]{0,120}\b"
COMPLAINT = Cues(
    {
        r"\b(?:i|we)\b[^.!?\n]{0,40}\bcomplain(?:t|ts|ed|ing)?\b|\bformal complaint\b": 2.0,
        r"\bdissatisf\w+|\bunacceptable\b|\bnot (?:at all )?(?:happy|satisfied|good enough)\b": 2.0,
        rf"{_I}(?:refund|compensat\w+|reimburse\w*|money back|make this right)\b": 1.0,
        rf"{_I}(?:not received|never (?:got|arrived|received|called)|still waiting|waited"
        rf"|lost)\b": 1.0,
        r"\b(?:nobody|no one) (?:came|called|replied|answered|helped)\b": 1.0,
        rf"{_I}(?:broken|defective|faulty|damaged|overcharged|wrongly|disputed?|harass\w*"
        rf"|misled)\b": 1.0,
        r"\b(?:no (?:reply|response)|refus(?:e|ed|es|ing) to (?:help|pay|refund)"
        r"|keeps? calling)\b": 1.0,
        _HIGH_BLAME: 1.0,
        "我们?要?投诉|举报|维权": 2.0,
        "不满|无法接受|不可接受|要求(?:退款|道歉|处理)|欺骗|态度恶劣": 2.0,
        "退款|至今(?:没|未)|一直没有|迟迟|多次(?:联系|沟通|催)|质量问题|拒不|推诿": 1.0,
    }
)
