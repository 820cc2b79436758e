"""What people's notes hold at first: lists, `key: value` lines and plain texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.notes import Note
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import labels
from prowess_desk.engine.tables import Base

LISTS = {
    "Groceries": "milk,eggs,oat bread,tomatoes,rice,olive oil,apples,yogurt,coffee,spinach,lentils,cheese",
    "Books to read": "The Quiet Harbor,Salt Roads,A House of Clocks,Winter Cartography,The Ninth Orchard,Paper Rivers",
    "Films to watch": "Glass Meridian,The Last Ferry,Orange Sky,Nobody Calls Twice,Small Hours,The Beekeeper's Map",
    "Packing list": "passport,charger,rain jacket,toothbrush,first-aid kit,sunglasses,hiking socks,water bottle",
    "Gift ideas": "scented candle,board game,cookbook,wool scarf,houseplant,concert tickets,fountain pen",
    "Repairs": "kitchen tap,bedroom lamp,bike brakes,squeaky door,window latch,loose shelf",
    "Places to visit": "Larkspur Falls,Old Mill Museum,Copper Bay,Stone Arch Bridge,Willow Gardens,Signal Hill",
    "Habits": "stretch,read ten pages,walk after lunch,water the plants,call home,no screens after ten",
}
FACTS = {
    "Wi-Fi": (("network", "harbor-5g,attic-net,blue-door"), ("code", "4471-kite,8820-moss,1294-lamp")),
    "Car": (("plate", "KLM-482,RTV-190,ZQP-733"), ("oil change", "2025-03-02,2025-01-19"), ("tyres", "winter,summer")),
    "Clothing sizes": (("shirt", "S,M,L,XL"), ("shoes", "38,40,42,44"), ("jacket", "46,48,50,52")),
    "Landlord": (
        ("name", "Mr. Alcott,Ms. Fenwick,Mrs. Oduya"),
        ("rent", "820.00,910.00,1040.00"),
        ("due day", "1,3,5"),
    ),
    "Gym": (("member number", "20417,38155,47790"), ("locker", "12,57,103"), ("monthly fee", "24.90,31.50,42.00")),
    "Library card": (("number", "L-88120,L-43207,L-61954"), ("limit", "8,10,12")),
    "Coffee recipe": (("grams", "15,16,18"), ("water", "240,250,270"), ("minutes", "3,4,5")),
    "Monthly budget": (
        ("food", "320,380,410"),
        ("transport", "60,75,90"),
        ("fun", "100,140,180"),
        ("savings", "200,300"),
    ),
}
TEXTS = {
    "Meeting thoughts": "Keep the agenda short. Ask for questions in advance. End five minutes early.",
    "Dream journal": "A train that stopped in an orchard. Nobody seemed to mind.",
    "Ideas for the balcony": "Two long planters by the rail, herbs near the door, a folding table for summer.",
    "Toast for the wedding": "Start with how they met on the ferry. Mention the umbrella. Raise the glass.",
    "Running plan": "Week one easy, week two hills, week three long run on Sunday, week four rest.",
    "Garden diary": "Planted beans along the fence. The basil does not like the wind.",
}
TAGS = ("home", "work", "travel", "health", "family", "ideas", "money")


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The notes' table at first."""
    rng = random.Random(derive(seed, "notes"))
    found: list[Note] = []
    for person in people:
        texts = _texts(rng)
        rng.shuffle(texts)
        for title, content in texts:
            created = now - timedelta(minutes=rng.randint(2 * 1440, 500 * 1440))
            found.append(
                Note(
                    id=len(found) + 1,
                    owner=person.id,
                    title=title,
                    content=content,
                    tags=labels(rng.sample(TAGS, rng.randint(0, 3))),
                    created_at=created,
                    updated_at=min(now, created + timedelta(days=rng.choice((0, 0, 2, 20)))),
                    pinned=rng.random() < 0.2,
                    archived=rng.random() < 0.12,
                )
            )
    return [Base(Note, found)]


def _texts(rng: random.Random) -> list[tuple[str, str]]:
    """Some ten titles with their contents; a person's titles differ."""
    found = []
    for title in rng.sample(list(LISTS), rng.randint(4, 6)):
        items = LISTS[title].split(",")
        found.append((title, "\n".join(f"- {item}" for item in rng.sample(items, rng.randint(3, 6)))))
    for title in rng.sample(list(FACTS), rng.randint(3, 5)):
        found.append((title, "\n".join(f"{key}: {rng.choice(values.split(','))}" for key, values in FACTS[title])))
    for title in rng.sample(list(TEXTS), rng.randint(2, 4)):
        found.append((title, TEXTS[title]))
    return found
