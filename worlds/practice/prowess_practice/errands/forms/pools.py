"""Pieces of exact texts, drawn anew for every case: beginnings, ends, what stands between, and made-up samples."""

from __future__ import annotations

from random import Random

_GREETINGS = "|Hi! |Hey, |Hello - |Note to self: |(1) |URGENT: |** |>> |Psst, |FYI - |Update: |@all |[bot] ".split("|")
_OPENERS = (
    "Still waiting for|Any news about|Do not forget|Reminder|Heads-up|Next up|Just saw|Please look at|Thanks for|About|"
    "Re|Checked|Noted|To do|Logged|Quick question on|Have you seen|What about|Open point|Coming soon|Found|Picked|Old|"
    "Back to|More on|Let us talk about|Not sure about|Who takes care of|My verdict on|In short|Item|Entry|Ref|Marked|"
    "Keep|Sorted|Up for grabs|Today|Later|Pending|Follow-up|Closing|Ready|On my list|Double-check|Seen|Worth a look|"
    "Archive|For the record|Good|Ask me about|Wrapped up|Left over|Tell me about|Copy of|News on|First|Batch|Case|Sum"
).split("|")
_GAPS = ": | | - | -> |, |: | | = | | # | ~ | >> |; |:: | |: ".split("|")
_WRAPS = (("", ""),) * 9 + (("(", ")"), ("[", "]"), ("<", ">"), ("'", "'"), ("*", "*"), ("_", "_"), ("{", "}"))
_CLOSERS = (
    "||||, please| (thanks)|, right| asap| today| - ok| for now|, at last| #todo| [open]| (again)| tomorrow||"
    ", as agreed| :-)| and more| - done| (see above)|, over to you| first|; tell me more| it is| and that is it| -- me|"
    " this week|, honestly| (2x)| = new| etc|, as always| or not|. Let me know| - by Friday|! Best, me|? Just asking|"
    ", see you| (no hurry)|. Thank you| or what| / over"
).split("|")
_MARKS = "|||?|!|.|?|!|.|...|!!|?!|;".split("|")
_BULLETS = "- |* |+ |> |• |[ ] |[x] |1) |# |-- |~ |>> |o |=> |-|*|(*) |. - |:: |-> ".split("|")
_TITLES = (
    "Read|Check|Review|Plan|Sort out|Discuss|Prepare|Fix|Old|New|My|Best of|All about|Around|Copy of|Draft|Box|File|"
    "Talk|Look into|Finish|Clear up|Think about|Share|Call about|Kept|Return to|Ask about|Week of|Set|Part|Mix|Log"
).split("|")
_FILES = "read|old|new|x|copy|my|2024|2026|kept|draft|final|todo|backup|own|a|done|tmp|in|out|box|save|v2|big".split(
    "|"
)
_LINKS = "_|-| |.|--|__| - |=|+|@".split("|")
_BETWEEN = (
    ": | - |, | -> | by | from | / | (|; | = | on | for | and | with | at | ~ | :: | + | / |, that is | = | up to |"
    " or | >> | [| @ |... | & |, see | vs. |: only |, now | <-> | # "
).split("|")
_SHUT = {"(": ")", "[": "]"}
_VERBS = "buy|water|mend|paint|return|wash|borrow|pack|carry|label|count|sell|fold|polish|order|lift|hang".split("|")
_THINGS = "stamps|ferns|kettles|skates|ladders|quilts|lanterns|crates|mugs|violins|tents|candles|wheels|oars".split("|")
_COLORS = "Amber|Velvet|Copper|Hollow|Scarlet|Frozen|Wooden|Marble|Lunar|Crooked|Gentle|Salty|Painted".split("|")
_PLACES = "Lagoon|Staircase|Orchid|Compass|Meadow|Chimney|Parade|Harvest|Kingdom|Puzzle|Voyage|Thimble|Canyon".split(
    "|"
)
_FIRSTS = "Mona|Jules|Petra|Hugo|Ines|Oskar|Greta|Felix|Nora|Emil|Clara|Tobias|Ulla|Viktor|Doris|Anton".split("|")
_LASTS = "Keller|Marchetti|Novak|Silva|Okafor|Tanaka|Duarte|Petrov|Jensen|Moreau|Kowalski|Haddad|Costa".split("|")
_ENDINGS = "txt|md|csv|pdf|log".split("|")
_WORDS = "turquoise|maroon|swing|polka|bolero|gospel|ivory|tango|disco|chanson|crimson|calypso|fado".split("|")
_MONEY = (*(("$", ""),) * 5, ("€", ""), ("£", ""), ("USD ", ""), ("", ""), ("", ""), ("", " dollars"), ("", " USD"))
"""What stands right before and right after an amount."""


def sample(rng: Random, kind: str) -> str:
    """A made-up value of a kind: never one of somebody's own, but like it."""
    if kind == "amount":
        return f"{rng.randint(3, 899)}.{rng.randint(0, 99):02}"
    if kind == "day":
        return f"20{rng.randint(18, 26)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
    if kind == "count":
        return str(rng.choice([rng.randint(2, 9), rng.randint(11, 99)]))
    if kind == "time":
        return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    if kind == "number":
        return f"555{rng.randint(1000000, 9999999)}"
    if kind == "email":
        return f"{rng.choice(_FIRSTS)}.{rng.choice(_LASTS)}@mail.test".lower()
    if kind == "word":
        return rng.choice(_WORDS)
    if kind == "name":
        return f"{rng.choice(_FIRSTS)} {rng.choice(_LASTS)}"
    if kind == "song":
        return f"{rng.choice(_COLORS)} {rng.choice(_PLACES)}"
    if kind in ("file", "stem"):
        stem = f"{rng.choice(_COLORS)}_{rng.choice(_PLACES)}".lower()
        return f"{stem}.{rng.choice(_ENDINGS)}" if kind == "file" else stem
    return f"{rng.choice(_VERBS)} {rng.choice(_THINGS)}"


def words(rng: Random) -> str:
    """A beginning that ends with a word: marks that follow are spelt out in the task."""
    return f"{rng.choice(_GREETINGS[:8])}{rng.choice(_OPENERS)}"


def between(rng: Random) -> tuple[str, str]:
    """What stands between two values, and what it needs at the end."""
    link = rng.choice(_BETWEEN)
    return link, _SHUT.get(link[-1], "")


def money(rng: Random, kind: str) -> tuple[str, str]:
    """A currency, before or after a value of this kind; nothing where it is no amount."""
    return rng.choice(_MONEY) if kind == "amount" else ("", "")


def start(rng: Random, style: str, kind: str) -> str:
    """What comes before a value."""
    return f"{_opening(rng, style)}{money(rng, kind)[0]}"


def end(rng: Random, style: str, kind: str) -> str:
    """What comes after a value, never nothing."""
    while True:
        found = f"{money(rng, kind)[1]}{_closing(rng, style)}"
        if found:
            return found


def frame(rng: Random, style: str, sign: str, unit: str) -> tuple[str, str]:
    """Beginning and end around what there is; now and then one of them is empty, but never both."""
    left, right = rng.choice(_WRAPS) if style != "file" else ("", "")
    before, after = f"{_opening(rng, style)}{left}{sign}", f"{unit}{right}{_closing(rng, style)}"
    turn = rng.random()
    if turn < 0.15 and after and not right:
        return sign, after
    return (before, unit) if turn > 0.85 and not right else (before, after)


def _opening(rng: Random, style: str) -> str:
    if style == "file":
        return f"{rng.choice(_FILES)}{rng.choice(_LINKS)}"
    if style == "line" and rng.random() < 0.6:
        return f"{rng.choice(_BULLETS)}{rng.choice(['', '', rng.choice(_OPENERS) + rng.choice(_GAPS)])}"
    if style == "title":
        return f"{rng.choice(_TITLES)}{rng.choice(_GAPS)}"
    greeting = rng.choice(_GREETINGS) if rng.random() < 0.4 else ""
    return f"{greeting}{rng.choice(_OPENERS)}{rng.choice(_GAPS)}"


def _closing(rng: Random, style: str) -> str:
    if style == "file":
        return f"{rng.choice(_LINKS)}{rng.choice(_FILES)}"
    return f"{rng.choice(_CLOSERS)}{rng.choice(_MARKS)}"
