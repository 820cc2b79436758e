"""Train families of the notes app, one of them with the phone."""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.notes import Note, add_tag, note_titled, rewrite, write_note
from prowess_desk.apps.phone import Contact, add_contact, change_contact
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import FIRST, LAST, Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login

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


def _make_costs(draw: Draw) -> Values | None:
    title = draw.rng.choice(list(_COSTS))
    twin = older_twin(title)
    jotted(draw, title, _costs(draw, _COSTS[title]), days=40)
    jotted(draw, twin, _costs(draw, _COSTS[title]), days=400)
    return {"title": title, "other_title": twin}


def _solve_costs(state: State, me: Person, values: Values) -> Json:
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
    make=_make_costs,
    solve=_solve_costs,
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


def _make_items(draw: Draw) -> Values | None:
    mine = [note for note in draw.state[Note].of(draw.me.id) if note.title in _MORE]
    note = draw.rng.choice(mine)
    old = [line.removeprefix("- ") for line in note.content.splitlines()]
    new = draw.rng.sample(_MORE[note.title].split(","), 4)
    items = draw.rng.sample([*new[:3], draw.rng.choice(old)], 4)
    twin = older_twin(note.title)
    jotted(draw, twin, "\n".join(f"- {item}" for item in (*old[1:], new[0], new[3])), days=450)
    return {"title": note.title, "items": items, "other_title": twin, "other_items": [*items[:3], new[3]]}


def _solve_items(state: State, me: Person, values: Values) -> Json:
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
    make=_make_items,
    solve=_solve_items,
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


def _make_mentions(draw: Draw) -> Values | None:
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


def _solve_mentions(state: State, me: Person, values: Values) -> Json:
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
    make=_make_mentions,
    solve=_solve_mentions,
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


# Write the phone numbers of a circle into a note.

_DIRECTORIES = (
    "Call list",
    "Phone tree",
    "Numbers for the fridge",
    "Who to call",
    "Paper address book",
    "Backup numbers",
)


def _make_numbers(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, other = rng.sample(("coworker", "friend", "roommate"), 2)
    mine = state[Contact].of(me.id)
    if not me.related(relation) or not me.related(other):
        return None
    free = [first for first in FIRST if first not in {person.first for person in draw.people}]
    for first in rng.sample(free, 6):  # so many that one page does not hold them, and not in order of name
        name, number = f"{first} {rng.choice(LAST)}", f"555{rng.randrange(10**7):07d}"
        add_contact(state, me.id, name, number, relationships=[relation], address="12 Quay Street, Harborton")
    both = rng.choice([contact for contact in mine if contact.relationships == (other,)])
    change_contact(state, both.id, relationships=[relation, other])  # counts as well
    return {"title": rng.choice(_DIRECTORIES), "relation": relation, "other_relation": other}


def _solve_numbers(state: State, me: Person, values: Values) -> Json:
    book = {row.name: row.phone for row in state[Contact].of(me.id) if values["relation"] in row.relationships}
    write_note(state, me.id, values["title"], "\n".join(f"{name}: {book[name]}" for name in sorted(book)))


def note_phone_numbers(title: str, relationship: str) -> int:
    """Write a note with a line `name: number` for each contact of a relationship, by name, and return how many."""
    contacts = sorted(contacts_who_are(relationship=relationship), key=lambda contact: contact["name"])
    lines = [f"{contact['name']}: {contact['phone_number']}" for contact in contacts]
    token = login(app="notes")
    apis.notes.create_note(access_token=token, title=title, content="\n".join(lines))
    return len(lines)


phone_numbers_note = Family(
    name="phone_numbers_note",
    split="train",
    difficulty=2,
    apps=("phone", "notes"),
    slots={"title": str, "relation": str},
    wordings=(
        'Write a note "{title}" with the phone numbers of all my {relation}s, ordered by name: nothing but a line per'
        " person that reads full name, colon, space, number.",
        "I want to have the number of every {relation} among my phone contacts in one place. Make a new note titled"
        ' "{title}" in which each line is a full name, then a colon and a space, then the number; sort the lines by'
        " name and add nothing else.",
        'Create "{title}" in my notes app: look up who is a {relation} of mine in the phone app and list them'
        " alphabetically, one per line, like Jane Doe: 5550001111, with no other text.",
    ),
    make=_make_numbers,
    solve=_solve_numbers,
    program=Program(
        functions=(note_phone_numbers,), call="note_phone_numbers(title={title!r}, relationship={relation!r})"
    ),
    mistakes=(
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="as_listed", old=', key=lambda contact: contact["name"])', new=", key=lambda contact: 0)"),
        Mistake(name="on_one_line", old=r'"\n".join(lines)', new='", ".join(lines)'),
    ),
)

FAMILIES = (add_up_note, extend_list_note, tag_notes_mentioning, phone_numbers_note)
