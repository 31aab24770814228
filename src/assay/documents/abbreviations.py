"""Words that tell whether a full stop ends a sentence in English business and legal text."""

from __future__ import annotations

_NEVER = """
no nos sec secs art arts cl para paras par pars ex exh exhs fig figs sched schs app appx ann vs v
mr mrs ms dr prof hon messrs rev gen sen rep st ste mt ft e.g i.e eg ie cf viz approx dept est vol
vols pp p pg pgs ch chs lit supp reg regs stat tel fax attn ext ref refs bldg rm fl apt blvd rd
incl excl resp cap al jan feb mar apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur
thurs fri u.s.c c.f.r f.supp f.2d f.3d abs gmbh s.a
"""
_SOMETIMES = """
inc ltd co corp llc lp llp plc bros jr sr esq etc u.s u.k u.s.a e.u p.r.c n.a a.m p.m ph.d b.v n.v
s.p.a s.r.l l.p l.l.c l.l.p p.c p.a d.c n.y ave intl mfg assn
"""
_STARTERS = """
the this these those that each every any all such no neither if in on upon for from by as at unless
until when where whereas while during after before subject notwithstanding except either both it
its he she they we you i our your there however therefore nothing a an pursuant provided to with
without within please buyer seller
"""

NEVER = frozenset(_NEVER.split())
"""No sentence ends at these, whatever follows."""

SOMETIMES = frozenset(_SOMETIMES.split())
"""A sentence ends at these if one plainly starts after them."""

STARTERS = frozenset(_STARTERS.split())
"""A sentence plainly starts with these."""
