"""Glossaries: the terms of a trade or of a tenant, found in running text and put to use."""

from assay.terms.glossary import Glossary, Term, TermMatch
from assay.terms.registry import GlossaryRegistry, TenantTerms
from assay.terms.starter import starter_glossary
from assay.terms.table import read_glossary

__all__ = [
    "Glossary",
    "GlossaryRegistry",
    "TenantTerms",
    "Term",
    "TermMatch",
    "read_glossary",
    "starter_glossary",
]
