"""E-mail intent: which sentences of e-mails ask their reader to do something (Apache-2.0).

Rows: `text` (a sentence), `is_request`. Requests are counted as they are found: a sentence that
is none, and is not said to be one, neither gains nor loses anything.
"""

from __future__ import annotations

from assay.documents import Document
from assay.evaluation.base import Ask, Counts, Finding, PlainQuestion, one_value
from assay.evaluation.labelled_texts import LabelledTexts

_PLAIN = PlainQuestion(
    "Does this sentence of an e-mail ask its reader to do something?", {"type": ["boolean", "null"]}
)


class EmailIntent(LabelledTexts):
    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """A request is right if it is one and something is quoted for it."""
        answered = finding.value is True
        return one_value(right=bool(finding.places), answered=answered, expected=ask.gold)


SET = EmailIntent("email_intent", "detect_request", "is_request", _PLAIN)
