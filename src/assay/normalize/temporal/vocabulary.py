"""The English words that may be part of a time."""

from __future__ import annotations

from assay.patterns import lazy_pattern

_WORDS = """
a a.m about ad additional after afternoon ago all am an and approximately apr april around as
asap at atm aug august autumn b back bc before beginning between bom boy breakfast brunch
business but by c calendar ce clock closest coming couple current d day day's days dec december
dinner during earlier early end eod eom eoy evening exactly extra fall feb february few fewer
following for fortnight fri friday fridays from full gmt h half hence hour hours hr hrs ides
immediately in ish jan january jul july jun june just last late later lunch lunchtime m mar
march may mid midday middle midnight min mins minus minute minutes mo moment mon monday mondays
month months more morning mos mth mths my nd next night nights nite no noon not nov november now
o oclock oct october of oh on or p p.m pair past pm possible preceding precisely previous prior
q q1 q2 q3 q4 qtr qtrs quarter quarters rd rest right roughly s sat saturday saturdays school
season seasons sec second seconds secs sep sept september sharp since soon spring st start
summer sun sunday sundays supper td th than the this through thru thu thur thurs thursday
thursdays til till time tmr tmrw to today tommorow tomorow tomorrow tonight tonights tonite tue
tues tuesday tuesdays until up upcoming utc wed wedn wednesday wednesdays weds week weekend
weekends weeks whole winter within wk wkend wknd wks work working year years yesterday yr yrs
"""
VOCABULARY = frozenset(_WORDS.split()) | {"t"}
NUMBER_WORD = lazy_pattern(
    r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty"
    r"|ninety|hundred|thousand|first|third|fif|nin|eigh|twelf|[a-z]{3,10}th|[a-z]+teen|an?)"
    r"(?:th|s|ieth)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)?"
)
# A long stretch of words without one of these is no time.
_STRONG = """
afternoon ago apr april asap atm aug august autumn back bom boy breakfast brunch day days dec
december dinner eod eom eoy evening fall feb february fortnight fri friday fridays hence hour
hours hr hrs jan january jul july jun june later lunch lunchtime mar march may mid midday
midnight min mins minute minutes mo moment mon monday mondays month months morning mos mth mths
night nights nite noon nov november now o oclock oct october past q qtr qtrs quarter quarters
sat saturday saturdays season seasons sec second seconds secs sep sept september spring summer
sun sunday sundays supper td thu thur thurs thursday thursdays time tmr tmrw today tommorow
tomorow tomorrow tonight tonights tonite tue tues tuesday tuesdays wed wedn wednesday wednesdays
weds week weekend weekends weeks winter wk wkend wknd wks year years yesterday yr yrs
"""
STRONG = frozenset(_STRONG.split())
