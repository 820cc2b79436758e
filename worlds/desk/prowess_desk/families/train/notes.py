"""Train families of the notes app: text, tags, pins, checklists and copies."""

from __future__ import annotations

import re
from collections import Counter

from prowess.types import Json
from prowess_desk.apps.notes import Note, add_tag, drop_tag, note_titled, rewrite
from prowess_desk.data.notes import TAGS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.papers import CHORES, SCRAPS, jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, login

CLUBS = "allotment choir fencing brewing pottery theater beekeeping chess rowing".split()


# What do the amounts in a note add up to?

_COSTS = {
    "Ski week costs": "lift passes,ski rental,cabin,fondue evening,train,sledges,goggles,lessons,parking,soup stop",
    "Bathroom repairs": "tiles,grout,new tap,plumber,mirror,towel rail,paint,sealant,shower head,waste bags",
    "Birthday dinner": "starters,main courses,drinks,cake,flowers,candles,band,taxi,invitations,room",
    "New bike parts": "frame,saddle,pedals,chain,lights,tyres,bell,brake pads,lock,pump",
    "Balcony makeover": "planters,soil,herbs,folding table,two chairs,string lights,rug,watering can,trellis,hooks",
    "Camping weekend": "site fee,firewood,gas,groceries,canoe,tent pegs,ice,map,torch,ferry",
}


def _costs(draw: Draw, things: str) -> str:
    """Lines of costs, between two lines whose numbers are no costs."""
    rng = draw.rng
    lines = [f"{thing}: {rng.randint(350, 24000) / 100:.2f}" for thing in rng.sample(things.split(","), 8)]
    return "\n".join((f"For {rng.randint(2, 6)} people", *lines, f"Receipts are in box {rng.randint(7, 60)}"))


def _make_add_up_note(draw: Draw) -> Values | None:
    title = draw.rng.choice(list(_COSTS))
    twin = older_twin(title)
    jotted(draw, title, _costs(draw, _COSTS[title]), days=40)
    jotted(draw, twin, _costs(draw, _COSTS[title]), days=400)
    return {"title": title, "other_title": twin}


def _solve_add_up_note(state: State, me: Person, values: Values) -> Json:
    amounts = re.findall(r"(?m)^[^:\n]+: (\d+)\.(\d\d)$", note_titled(state, me.id, values["title"]).content)
    return sum(int(dollars) * 100 + int(cents) for dollars, cents in amounts) / 100


def total_of_note(title: str) -> float:
    """Add up the amounts of a note whose lines read `thing: amount` and return the total."""
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_id = next(note["note_id"] for note in found if note["title"] == title)
    content = apis.notes.show_note(access_token=token, note_id=note_id)["content"]
    amounts = [float(line.split(": ")[1]) for line in content.splitlines() if ": " in line]
    return round(sum(amounts), 2)


add_up_note = Family(
    name="add_up_note",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"title": str},
    wordings=(
        'What is the sum of all the costs listed in my note "{title}"?',
        'I wrote down what everything cost, line by line, in the note called "{title}". Please add it up and tell me'
        " the total.",
        'Open "{title}" in my notes app: each cost stands on its own line after a colon. How much is it altogether?',
    ),
    make=_make_add_up_note,
    solve=_solve_add_up_note,
    program=Program(functions=(total_of_note,), call="total_of_note(title={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if note["title"] == title', new=""),
        Mistake(
            name="every_number",
            old='float(line.split(": ")[1]) for line in content.splitlines() if ": " in line',
            new='float(number) for number in __import__("re").findall(r"[0-9.]+", content)',
        ),
        Mistake(name="first_five_lines", old="content.splitlines()", new="content.splitlines()[:5]"),
    ),
)


# Add items to a list.

_MORE = {
    "Groceries": "paprika,honey,oranges,flour,butter,mushrooms,black tea,salt",
    "Books to read": "The Ferry Ledger,Cold Lanterns,Twelve Doors North,The Salt Cellar,Marsh Country",
    "Films to watch": "Paper Moonrise,The Long Platform,Kites Over Varna,Second Snow,A Quiet Verdict",
    "Packing list": "sun cream,power bank,swimsuit,travel pillow,ear plugs,playing cards",
    "Gift ideas": "tea sampler,puzzle,garden gloves,picture frame,wool socks,umbrella",
    "Repairs": "garden gate,toaster,bathroom fan,mailbox hinge,dripping gutter",
    "Places to visit": "Heron Lake,the tram depot,Amber Caves,North Lighthouse,the glass works",
    "Habits": "drink more water,tidy for ten minutes,write a postcard,plan the week,practice chords",
}


def _make_extend_list_note(draw: Draw) -> Values | None:
    mine = [note for note in draw.state[Note].of(draw.me.id) if note.title in _MORE]
    note = draw.rng.choice(mine)
    old = [line.removeprefix("- ") for line in note.content.splitlines()]
    new = draw.rng.sample(_MORE[note.title].split(","), 4)
    items = draw.rng.sample([*new[:3], draw.rng.choice(old)], 4)
    twin = older_twin(note.title)
    jotted(draw, twin, "\n".join(f"- {item}" for item in (*old[1:], new[0], new[3])), days=450)
    return {"title": note.title, "items": items, "other_title": twin, "other_items": [*items[:3], new[3]]}


def _solve_extend_list_note(state: State, me: Person, values: Values) -> Json:
    note = note_titled(state, me.id, values["title"])
    listed = note.content.split("\n")
    for item in values["items"]:
        if "- " + item not in listed:
            listed.append("- " + item)
    rewrite(state, note.id, content="\n".join(listed))


def add_items_to_note(title: str, items: list) -> int:
    """Add items to a list note, a line `- item` for each that is not on it yet, and return how many were added."""
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_id = next(note["note_id"] for note in found if note["title"] == title)
    lines = apis.notes.show_note(access_token=token, note_id=note_id)["content"].splitlines()
    missing = [item for item in items if f"- {item}" not in lines]
    for item in missing:
        apis.notes.append_to_note(access_token=token, note_id=note_id, text=f"- {item}")
    return len(missing)


extend_list_note = Family(
    name="extend_list_note",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"title": str, "items": list},
    wordings=(
        'Add {items} to the end of my list "{title}" in notes, in that order, one per line and written like the entries'
        " that are there. Leave out what is already on the list.",
        'The note "{title}" is a list of mine. It should also hold {items}: put what is missing at its end, in the'
        " order I said it, each on a new line that starts with a dash and a space like the others.",
        'Please append {items} to "{title}", a list in my notes app. Same form as the lines above (dash, space, item),'
        " same order as I give them, and nothing that the list already has.",
    ),
    make=_make_extend_list_note,
    solve=_solve_extend_list_note,
    program=Program(functions=(add_items_to_note,), call="add_items_to_note(title={title!r}, items={items!r})"),
    mistakes=(
        Mistake(name="the_older_list", swap={"title": "other_title"}),
        Mistake(name="another_item", swap={"items": "other_items"}),
        Mistake(name="one_item_twice", old=' if f"- {item}" not in lines', new=""),
        Mistake(name="no_dash", old='text=f"- {item}"', new="text=item"),
        Mistake(name="reversed", old="for item in missing:", new="for item in missing[::-1]:"),
    ),
)


# Tag the notes that mention a word.

_WORDS = {
    "oak": "cloak",
    "ferry": "ferryman",
    "lamp": "lamppost",
    "rent": "parents",
    "key": "keyboard",
    "boat": "houseboat",
    "clock": "clockwork",
    "ring": "string",
    "paint": "painting",
    "car": "carpet",
}
"""A word, and a longer one that holds it."""


_MENTIONS = (
    ("Call with Ms. Fenwick", "We spoke about the {word} again. She will write next week."),
    ("Errands for Saturday", "{Word} first, then the market."),
    ("Letter to the neighbors", "Dear all, nobody has asked about the {word} so far. Best wishes."),
    ("Old photographs", "Third album, page nine: grandfather with the {word}."),
    ("Questions for later", "How old is the {word}?\nWho looked after it before?"),
    ("Shopping in town", "stamps\nsomething for the {word}\ncough drops"),
    ("Weekend summary", "Slept late, looked at the {word}, cooked for four."),
    ("Yard sale", "Keep the chairs. The {WORD} is not for sale!"),
)


_TAGS = ("autumn", "keep", "project", "later", "shared", "archive-2025", "reading")


def _make_tag_notes_mentioning(draw: Draw) -> Values | None:
    rng = draw.rng
    word, other = rng.sample(list(_WORDS), 2)
    tags = rng.sample(_TAGS, 2)
    for n, (title, text) in enumerate(_MENTIONS):
        content = text.format(word=word, Word=word.capitalize(), WORD=word.upper())
        kept = ("home", "family")[: n % 3]
        jotted(draw, title, content, tags=kept, archived=n in (1, 6), days=rng.randint(5, 300))
    jotted(draw, f"About the {word}", "Nothing new this month.", days=12)  # only in its title
    jotted(draw, "Dictation", f"The third line says {_WORDS[word]}, not more.", days=50)  # part of a longer word
    jotted(draw, "Crossword", f"Seven across is {_WORDS[word]}.\nNine down is {other}.", days=80)
    return {"word": word, "tag": tags[0], "other_word": other, "other_tag": tags[1]}


def _solve_tag_notes_mentioning(state: State, me: Person, values: Values) -> Json:
    for note in state[Note].of(me.id):
        if values["word"] in re.split(r"[^a-z]+", note.content.lower()):
            add_tag(state, note.id, values["tag"])


def tag_notes_with_word(word: str, tag: str) -> int:
    """Give a tag to every note, archived or not, whose text contains a whole word and return how many there are."""
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=word)
    count = 0
    for brief in found:
        note = apis.notes.show_note(access_token=token, note_id=brief["note_id"])
        if re.search(rf"\b{re.escape(word)}\b", note["content"], re.IGNORECASE):
            apis.notes.tag_note(access_token=token, note_id=note["note_id"], tag=tag)
            count += 1
    return count


tag_notes_mentioning = Family(
    name="tag_notes_mentioning",
    split="train",
    difficulty=2,
    apps=("notes",),
    slots={"word": str, "tag": str},
    wordings=(
        'Tag every note of mine, archived ones too, whose text has the word "{word}" in it with "{tag}". Upper or lower'
        " case does not matter; a longer word that merely contains it does not count, and neither does the title.",
        'I need the tag "{tag}" on all my notes (also those in the archive) that mention "{word}" in their body, as a'
        " word of its own and in any capitalization. Titles are irrelevant, and other tags stay.",
        'Which of my notes, archived or not, contain "{word}" as a whole word, however capitalized? Look at the text'
        ' below the title only. Add the tag "{tag}" to each one.',
    ),
    make=_make_tag_notes_mentioning,
    solve=_solve_tag_notes_mentioning,
    program=Program(functions=(tag_notes_with_word,), call="tag_notes_with_word(word={word!r}, tag={tag!r})"),
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="first_page", old="all_pages(apis.notes.search_notes, ", new="apis.notes.search_notes("),
        Mistake(name="longer_words", old=r'rf"\b{re.escape(word)}\b"', new="re.escape(word)"),
        Mistake(name="capitals_missed", old=", re.IGNORECASE", new=""),
        Mistake(
            name="archive_left_out",
            old="for brief in found:",
            new="for brief in (each for each in found if not each['archived']):",
        ),
        Mistake(
            name="other_tags_lost",
            old='apis.notes.tag_note(access_token=token, note_id=note["note_id"], tag=tag)',
            new='apis.notes.update_note(access_token=token, note_id=note["note_id"], tags=[tag])',
        ),
    ),
)


# Have these notes pinned and no others.


def _make_pin_only_these(draw: Draw) -> Values | None:
    rng, table = draw.rng, draw.state[Note]
    mine = rng.sample(table.of(draw.me.id), 6)
    settings = ((True, False), (False, False), (False, True), (True, True), (True, False), (True, True))
    for note, (pinned, archived) in zip(mine, settings, strict=True):  # the last two are not among those asked for
        table.change(note.id, pinned=pinned, archived=archived)
    twin = jotted(draw, older_twin(mine[1].title), mine[1].content, days=400)
    table.change(twin.id, pinned=True)
    for title, text in rng.sample(SCRAPS, 5):  # the first page
        jotted(draw, title, text, days=1)
    titles = [note.title for note in rng.sample(mine[:4], 4)]
    return {"titles": titles, "other_titles": [mine[4].title, *titles[1:]]}


def _solve_pin_only_these(state: State, me: Person, values: Values) -> Json:
    for note in state[Note].of(me.id):
        wanted = note.title in values["titles"]
        rewrite(state, note.id, pinned=wanted, archived=note.archived and not wanted)


def pin_only_notes(titles: list) -> int:
    """Pin the notes of these titles, out of the archive, and unpin all others; return how many others there were."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token)
    notes += all_pages(apis.notes.list_notes, access_token=token, archived=True)
    wanted = [note for note in notes if note["title"] in titles]
    for note in wanted:
        if note["archived"]:
            apis.notes.unarchive_note(access_token=token, note_id=note["note_id"])
        if not note["pinned"]:
            apis.notes.pin_note(access_token=token, note_id=note["note_id"])
    others = [note for note in notes if note["pinned"] and note["title"] not in titles]
    for note in others:
        apis.notes.unpin_note(access_token=token, note_id=note["note_id"])
    return len(others)


pin_only_these = Family(
    name="pin_only_these",
    split="train",
    difficulty=2,
    apps=("notes",),
    slots={"titles": list},
    wordings=(
        "Of all my notes, archived ones included, exactly these should be pinned: {titles}. Unpin the rest, and take"
        " any of the ones I named that is in the archive out of it.",
        "I need these notes at hand: {titles}. Make sure that each of them is pinned and not archived, and that no"
        " other note, in the archive or not, is pinned any more.",
        "Sort out the pins in my notes app. {titles} get one, unless they have it, and come back from the archive if"
        " they are there; all other notes lose theirs, even archived ones, and otherwise stay where they are.",
    ),
    make=_make_pin_only_these,
    solve=_solve_pin_only_these,
    program=Program(functions=(pin_only_notes,), call="pin_only_notes(titles={titles!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"titles": "other_titles"}),
        Mistake(name="archive_not_seen", old=", archived=True)", new=")[:0]"),
        Mistake(name="left_in_the_archive", old='if note["archived"]:', new="if False:"),
        Mistake(name="old_pins_kept", old="for note in others:", new="for note in ():"),
        Mistake(
            name="first_page",
            old="notes = all_pages(apis.notes.list_notes, ",
            new="notes = apis.notes.list_notes(",
        ),
    ),
)


_PAGES = (
    ("Window seat", "Ask for one on the way back."),
    ("Tram map", "Line four runs until midnight."),
    ("House rules", "Shoes off.\nQuiet after ten."),
    ("Phone call on Monday", "They will ring back before noon."),
    ("Leftover paint", "Two tins of grey, half a tin of white."),
    ("Second opinion", "Dr. Reyes, on the third floor."),
    ("Spare parts", "hinges\nfuses\na fan belt"),
    ("Lost property", "One glove, one umbrella, no hat."),
    ("Menu for six", "Soup, pie, plums."),
    ("Opening hours", "Closed on Tuesdays."),
    ("Small print", "Cancel four weeks ahead."),
)
"""Notes that nobody has at first."""


# Put a word in front of the titles of the notes with a tag.

_PREFIXES = ("Lisbon", "Old flat", "Spring", "Season two", "Club", "Grandma", "Clinic", "Draft")


def _make_prefix_note_titles(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    prefix, another = rng.sample(_PREFIXES, 2)
    pages = iter(rng.sample(_PAGES, 10))
    for n in range(5):
        jotted(draw, *next(pages), tags=[tag, other][: 1 + n % 2], days=rng.randint(3, 300))
    title, text = next(pages)
    jotted(draw, f"{prefix} {title[0].lower()}{title[1:]}", text, tags=[tag], days=90)  # no colon: one of them
    title, text = next(pages)
    jotted(draw, f"{prefix}: {title}", text, tags=[tag], days=9)  # has it already
    jotted(draw, *next(pages), tags=[tag], archived=True, days=150)
    title, text = next(pages)
    jotted(draw, f"{title} ({tag})", text, days=20)  # not a tag
    jotted(draw, *next(pages), tags=[other], days=60)
    return {"tag": tag, "prefix": prefix, "other_tag": other, "other_prefix": another}


def _solve_prefix_note_titles(state: State, me: Person, values: Values) -> Json:
    front = values["prefix"] + ": "
    for note in state[Note].of(me.id):
        if values["tag"] in note.tags and not note.archived and note.title[: len(front)] != front:
            rewrite(state, note.id, title=front + note.title)


def prefix_titles_of_tag(tag: str, prefix: str) -> int:
    """Put `<prefix>: ` before the titles of the unarchived notes with a tag that lack it and return how many did."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    lacking = [note for note in notes if not note["title"].startswith(f"{prefix}: ")]
    for note in lacking:
        apis.notes.update_note(access_token=token, note_id=note["note_id"], title=f"{prefix}: {note['title']}")
    return len(lacking)


prefix_note_titles = Family(
    name="prefix_note_titles",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"tag": str, "prefix": str},
    wordings=(
        'Put "{prefix}: " in front of the title of each of my notes tagged "{tag}", except where the title already'
        " starts with just that. Archived notes stay as they are.",
        'The titles of my "{tag}" notes (that is their tag) should all begin with "{prefix}: ". Rename the ones that do'
        " not yet by adding it before the old title; do not touch the archive.",
        'I want to see at once what belongs together: in the notes app, whatever carries the tag "{tag}" and is not'
        ' archived gets a new title, namely "{prefix}: " followed by the one it has. If those very characters are'
        " there already, leave it.",
    ),
    make=_make_prefix_note_titles,
    solve=_solve_prefix_note_titles,
    program=Program(functions=(prefix_titles_of_tag,), call="prefix_titles_of_tag(tag={tag!r}, prefix={prefix!r})"),
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="another_prefix", swap={"prefix": "other_prefix"}),
        Mistake(name="one_of_them_twice", old=""" if not note["title"].startswith(f"{prefix}: ")""", new=""),
        Mistake(name="without_colon_left_out", old='startswith(f"{prefix}: ")', new="startswith(prefix)"),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="those_in_the_archive", old="tag=tag)", new="tag=tag, archived=True)"),
    ),
)


# Which checklist with a tag has the most open items?

_CHECKLISTS = """Spring cleaning|Tax return|Bike tour|School start|Garage|Garden party|Office move|Nursery|Boat trip|
Allotment|Cellar|Street fair|New flat|Christmas""".replace("\n", "").split("|")


def _boxes(draw: Draw, still: int, done: int, heading: str = "") -> str:
    """So many lines that are open and so many that are ticked off, mixed."""
    marks = draw.rng.sample("x" * done + " " * still, done + still)
    lines = [f"[{mark}] {item}" for mark, item in zip(marks, draw.rng.sample(CHORES, done + still), strict=True)]
    return "\n".join((heading, *lines) if heading else lines)


def _make_fullest_checklist(draw: Draw) -> Values | None:
    rng = draw.rng
    tag, other = rng.sample(TAGS, 2)
    titles = iter(rng.sample(_CHECKLISTS, 9))
    most = rng.randint(5, 8)
    jotted(draw, next(titles), _boxes(draw, most, 1), tags=[tag], days=rng.randint(200, 300))  # on a later page
    jotted(draw, next(titles), _boxes(draw, most - 1, 7, "In no order"), tags=[tag, other], days=15)  # more lines
    for n in range(5):
        content = _boxes(draw, rng.randint(1, most - 2), rng.randint(0, 3))
        jotted(draw, next(titles), content, tags=[tag], days=20 + 20 * n)
    jotted(draw, next(titles), _boxes(draw, most + 2, 0), tags=[tag], archived=True, days=40)
    jotted(draw, next(titles), _boxes(draw, most + 3, 2), tags=[other], days=30)
    return {"tag": tag, "other_tag": other}


def _solve_fullest_checklist(state: State, me: Person, values: Values) -> Json:
    found = Counter[str]()
    for note in state[Note].of(me.id):
        if values["tag"] in note.tags and not note.archived:
            found[note.title] = f"\n{note.content}".count("\n[ ] ")
    return found.most_common(1)[0][0]


def checklist_with_most_open_items(tag: str) -> str:
    """Return the title of the unarchived note with a tag that has the most lines not ticked off (`[ ] item`)."""
    token = login(app="notes")
    open_items = {}
    for brief in all_pages(apis.notes.list_notes, access_token=token, tag=tag):
        note = apis.notes.show_note(access_token=token, note_id=brief["note_id"])
        open_items[note["title"]] = sum(line.startswith("[ ]") for line in note["content"].splitlines())
    return max(open_items, key=lambda title: open_items[title])


fullest_checklist = Family(
    name="fullest_checklist",
    split="train",
    difficulty=1,
    apps=("notes",),
    slots={"tag": str},
    wordings=(
        'Which of my notes with the tag "{tag}" has the most items that are still open? Open items are lines that start'
        " with [ ], done ones start with [x]. The archive does not count; the title of the note is enough.",
        "I keep checklists in my notes, with [ ] before what is to be done and [x] before what is done. Among those"
        ' tagged "{tag}" and not archived, on which one is the most left to do? Give me its title.',
        'Look through the notes tagged "{tag}", leaving out archived ones, and tell me the title of the one in which'
        " the largest number of lines begin with an empty box, [ ].",
    ),
    make=_make_fullest_checklist,
    solve=_solve_fullest_checklist,
    program=Program(functions=(checklist_with_most_open_items,), call="checklist_with_most_open_items(tag={tag!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="first_page", old="all_pages(apis.notes.list_notes, ", new="apis.notes.list_notes("),
        Mistake(name="any_line", old='sum(line.startswith("[ ]") for line in', new="len("),
        Mistake(name="most_done", old='startswith("[ ]")', new='startswith("[x]")'),
        Mistake(name="in_the_archive", old="tag=tag)", new="tag=tag, archived=True)"),
        Mistake(name="fewest", old="return max(", new="return min("),
    ),
)


# Take off the tags that few notes have.

_ODD_TAGS = ("misc", "scraps", "borrowed", "choir", "allotment", "boat", "night-shift", "attic", "loose-ends", "maybe")


def _make_drop_rare_tags(draw: Draw) -> Values | None:
    rng = draw.rng
    least = rng.choice((2, 3, 4))
    few, single, keep, enough = rng.sample(_ODD_TAGS, 4)
    common = rng.choice(TAGS)
    for n, (title, text) in enumerate(rng.sample(_PAGES, 8)):
        tags = [common] if n % 2 else []
        tags += [few] if n < least - 1 else []  # the first is archived, so is the second
        tags += [enough] if 1 <= n <= least else []  # only with the archive it is enough
        tags += [single] if n == 2 else [keep] if n == 3 else []
        jotted(draw, title, text, tags=tags, archived=n < 2, days=rng.randint(5, 200))
    return {"least": least, "keep": keep, "other_least": least + 1, "other_keep": single}


def _solve_drop_rare_tags(state: State, me: Person, values: Values) -> Json:
    mine = state[Note].of(me.id)
    counts = Counter(tag for note in mine for tag in note.tags)
    gone = [tag for tag, count in counts.items() if count < values["least"] and tag != values["keep"]]
    for note in mine:
        for tag in {*note.tags} & {*gone}:
            drop_tag(state, note.id, tag)
    return list(gone)


def drop_tags_of_few_notes(least: int, keep: str) -> list:
    """Take each tag but one off its notes if fewer notes than a number have it and return the tags taken off."""
    token = login(app="notes")
    tags = apis.notes.list_tags(access_token=token)
    rare = [each["tag"] for each in tags if each["notes"] < least and each["tag"] != keep]
    for tag in rare:
        for archived in (False, True):
            for note in all_pages(apis.notes.list_notes, access_token=token, tag=tag, archived=archived):
                apis.notes.untag_note(access_token=token, note_id=note["note_id"], tag=tag)
    return rare


drop_rare_tags = Family(
    name="drop_rare_tags",
    split="train",
    difficulty=2,
    apps=("notes",),
    slots={"least": int, "keep": str},
    wordings=(
        "Tidy up the tags of my notes: each tag that is on fewer than {least} notes, archived ones counted, should be"
        ' taken off them, except "{keep}". Which tags did you take off?',
        'Too many tags in my notes app! Keep "{keep}" and those that at least {least} notes have; remove every other'
        " tag from the notes it is on. Archived notes are notes like the others here. Then list the removed tags.",
        'A tag that not even {least} of my notes have (counting the archive) is of no use, "{keep}" being the only'
        " exception. Untag the notes concerned, archived or not, and tell me which tags are gone.",
    ),
    make=_make_drop_rare_tags,
    solve=_solve_drop_rare_tags,
    program=Program(functions=(drop_tags_of_few_notes,), call="drop_tags_of_few_notes(least={least!r}, keep={keep!r})"),
    asks=True,
    mistakes=(
        Mistake(name="one_more", swap={"least": "other_least"}),
        Mistake(name="another_exception", swap={"keep": "other_keep"}),
        Mistake(name="no_exception", old=' and each["tag"] != keep', new=""),
        Mistake(name="archive_left_out", old="in (False, True)", new="in (False,)"),
        Mistake(
            name="their_other_tags_too",
            old='untag_note(access_token=token, note_id=note["note_id"], tag=tag)',
            new='update_note(access_token=token, note_id=note["note_id"], tags=[])',
        ),
        Mistake(name="only_told", old="for tag in rare:", new="for tag in ():"),
    ),
)


# Merge the notes of a tag that say the same.

_SENTENCES = """The key hangs behind the door.|Ask for the quiet room.|Bring gloves and a hat.|Pay by transfer.|
Meet at the north gate.|The code changes every spring.|Take the last tram.""".replace("\n", "").split("|")


def _make_merge_same_notes(draw: Draw) -> Values | None:
    tag, other = draw.rng.sample(CLUBS, 2)
    a, b, c, *rest = draw.rng.sample(_SENTENCES, 7)
    notes = [
        (a, 90, [tag, "phone"], False),
        (a, 60, [tag, "draft"], True),
        (a, 30, [tag, "laptop"], False),
        (b, 80, [tag], True),  # stays in the archive
        (b, 50, [tag, "shared"], False),
        (a, 120, [other, "watch"], False),  # older, but of another tag
        (c, 70, [tag, "tablet"], False),
        (c.replace(".", "!"), 40, [tag, "draft"], False),
        *((text, 20, [tag], False) for text in rest),
    ]
    titles = draw.rng.sample([f"{word} {n}" for word in ("Copy", "Import", "Memo") for n in range(9)], len(notes))
    for title, (text, days, tags, archived) in zip(titles, notes, strict=True):
        papers.jotted(draw, title, text, tags=tags, days=days, archived=archived)
    rewrite(draw.state, note_titled(draw.state, draw.me.id, titles[0]).id)  # written first, changed last
    return {"tag": tag, "other_tag": other}


def _solve_merge_same_notes(state: State, me: Person, values: Values) -> Json:
    notes = [note for note in state[Note].of(me.id) if values["tag"] in note.tags]
    for text in {note.content for note in notes}:
        same = [note for note in notes if note.content == text]
        first = min(same, key=lambda note: note.created_at)
        rewrite(state, first.id, tags=tuple(sorted({tag for note in same for tag in note.tags})))
        for note in {*same} - {first}:
            state[Note].remove(note.id)


def merge_equal_notes(tag: str) -> int:
    """Of the notes with a tag that have the same text keep the oldest, with all their tags; return how many go."""
    token = login(app="notes")
    notes = all_pages(apis.notes.list_notes, access_token=token, tag=tag)
    notes += all_pages(apis.notes.list_notes, access_token=token, tag=tag, archived=True)
    kept: dict = {}
    for note in sorted(notes, key=lambda note: note["created_at"]):
        text = apis.notes.show_note(access_token=token, note_id=note["note_id"])["content"]
        if text not in kept:
            kept[text] = note["note_id"]
            continue
        for name in note["tags"]:
            apis.notes.tag_note(access_token=token, note_id=kept[text], tag=name)
        apis.notes.delete_note(access_token=token, note_id=note["note_id"])
    return len(notes) - len(kept)


merge_same_notes = Family(
    name="merge_same_notes",
    split="train",
    difficulty=3,
    apps=("notes",),
    slots={"tag": str},
    wordings=(
        'Some of my notes tagged "{tag}", archived ones included, have exactly the same text. Keep only the one that'
        " was created first of each such set, give it the tags of all the others and delete those.",
        'Get rid of double notes under the tag "{tag}", archived or not: those with the same text, whatever the title.'
        " The oldest by creation stays where it is and takes over every tag of its doubles, which are deleted.",
        'Among my "{tag}" notes (I mean the tag, and the archive counts) each text should occur just once. Where it'
        " occurs more often, the note written first survives, with the tags of the whole lot. Delete the rest.",
        'I imported my notes several times. For those with the tag "{tag}", also in the archive, merge what has equal'
        " content: the earliest created note stays, gets the tags that only its copies have, and the copies go.",
        'Which notes tagged "{tag}" say the same, word for word? Look in the archive as well. Delete all but the first'
        " one created each time, after its tags have been completed with those of the ones that go.",
    ),
    make=_make_merge_same_notes,
    solve=_solve_merge_same_notes,
    program=Program(functions=(merge_equal_notes,), call="merge_equal_notes(tag={tag!r})"),
    mistakes=(
        Mistake(name="another_tag", swap={"tag": "other_tag"}),
        Mistake(name="last_changed_kept", old='note["created_at"]', new='note["updated_at"]'),
        Mistake(name="tags_lost", old='for name in note["tags"]:', new="for name in ():"),
        Mistake(name="archive_left_out", old=", archived=True)", new=")[:0]"),
        Mistake(name="first_page", old="= all_pages(apis.notes.list_notes, ", new="= apis.notes.list_notes("),
    ),
)

FAMILIES = (
    add_up_note,
    extend_list_note,
    tag_notes_mentioning,
    pin_only_these,
    prefix_note_titles,
    fullest_checklist,
    drop_rare_tags,
    merge_same_notes,
)
