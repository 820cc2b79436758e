"""Train families of orders: the longest playlists, the smallest requests first, a place in a row, the most texts."""

from __future__ import annotations

from collections import Counter

from prowess.types import Json
from prowess_desk.apps import music, splits
from prowess_desk.apps.music import Playlist, Song
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.phone import Contact, TextMessage, add_contact, change_contact, delete_contact
from prowess_desk.apps.wallet import PaymentRequest, WalletAccount, approve
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import spent
from prowess_desk.families.scene import acquaintances, ago, asked, texted
from prowess_desk.families.toolbox import all_pages, apis, login

_CHARTS = "Playlist chart|Longest playlists|Playing times|Music ranking|Mixtape table|Hours of music|Playlist podium"
_COPIES = "Afterparty|Airport Lounge|All Nighter|Attic Sessions|Autumn Walk|August Rain|Almost Monday"
_ASKED = "Kite kit|Paint rollers|Opera seats|Canoe hire|Baking class|Tram fines|Bee hotel|Chess set|Quiz fee|Tent pegs"
_LENT = "Ladder|Winter tyres|Vet visit|Flight home|Deposit|Old bicycle|Dentist|Sofa|Laptop screen|Visa fee"
_TITLES = "confidant|chat partner|pen pal|regular|sounding board|night owl|gossip|vip"
_LINES = "On my way.|Did you get that?|See you there.|Ha, good one.|Any news?|Again tomorrow?|Sleep well!|Look at this."

# Write down the longest playlists in order.


def _make_chart(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    songs = sorted(state[Song], key=lambda song: song.seconds)
    music.create_playlist(state, me, "Tiny Tunes", [song.id for song in songs[:13]])  # the most songs, but short ones
    music.create_playlist(state, me, "Epics", [song.id for song in rng.sample(songs[-12:], rng.randint(7, 9))])
    found = {row.song_ids: sum(state[Song][song].seconds for song in row.song_ids) for row in state[Playlist].of(me)}
    longest = max(found, key=lambda ids: found[ids])
    music.create_playlist(state, me, rng.choice(_COPIES.split("|")), longest)  # exactly as long, and earlier by title
    count = rng.randint(3, 4)
    places = sorted(found.values(), reverse=True)[:count]
    if len(set(places)) < count or all(seconds % 60 <= 30 for seconds in places[:-1]):
        return None
    return {"title": rng.choice(_CHARTS.split("|")), "count": count, "other_count": count + 1}


def _solve_chart(state: State, me: Person, values: Values) -> Json:
    mine = sorted(state[Playlist].of(me.id), key=lambda row: row.title)
    lengths = {row.title: sum(state[Song][song].seconds for song in row.song_ids) for row in mine}
    best = sorted(lengths.items(), key=lambda item: item[1], reverse=True)  # the order by title stays within
    lines = [f"{n + 1}. {best[n][0]}: {best[n][1] // 60}" for n in range(values["count"])]
    write_note(state, me.id, values["title"], "\n".join(lines))


def write_playlist_chart(title: str, count: int) -> list:
    """Write a note that ranks the longest playlists in lines `1. title: full minutes` and return these lines."""
    token = login(app="music")
    seconds = {}
    for playlist in all_pages(apis.music.show_playlists, access_token=token):
        songs = apis.music.show_playlist(access_token=token, playlist_id=playlist["playlist_id"])["songs"]
        seconds[playlist["title"]] = sum(song["duration"] for song in songs)
    ranked = sorted(seconds, key=lambda name: (-seconds[name], name))[:count]
    lines = [f"{place}. {name}: {seconds[name] // 60}" for place, name in enumerate(ranked, 1)]
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return lines


playlist_chart = Family(
    name="playlist_chart",
    split="train",
    difficulty=2,
    apps=("music", "notes"),
    slots={"title": str, "count": int},
    wordings=(
        'Write a new note "{title}" with my {count} longest playlists on music by the total length of their songs,'
        " longest first. A line is place, full stop, space, title, colon, space and the full minutes, such as"
        " 1. Road Trip: 34. Playlists of the same length go by title, from A to Z.",
        "Which of my music playlists last longest? Add up the songs of each, rank the top {count} (the same length:"
        ' alphabetically by title) and put nothing but the ranking into a note called "{title}", in lines like'
        " 2. Deep Focus: 41, where 41 is the minutes without the seconds left over.",
        'I need a chart in my notes, titled "{title}": my {count} playlists with the most playing time, longest on top.'
        " Write every line as 1. Title: minutes, counting from 1, and cut the minutes down to whole ones. Should two"
        " playlists be equally long to the second, their titles decide, from A to Z.",
        'Make a note with the title "{title}" of the {count} playlists in my music account that play the longest:'
        " number, dot, blank, name, colon, blank, minutes (rounded down), a line per playlist, in falling order of"
        " their length in seconds and by name where that is equal.",
        'Please start a note "{title}" whose only content is lines like 3. Campfire: 28 for places 1 to {count} of my'
        " own playlists, ordered by how long all their songs take together, from long to short, ties by title from A"
        " to Z. The number at the end is full minutes.",
    ),
    make=_make_chart,
    solve=_solve_chart,
    program=Program(functions=(write_playlist_chart,), call="write_playlist_chart(title={title!r}, count={count!r})"),
    mistakes=(
        Mistake(name="a_place_too_many", swap={"count": "other_count"}),
        Mistake(name="most_songs", old='sum(song["duration"] for song in songs)', new="60 * len(songs)"),
        Mistake(name="minutes_rounded", old="{seconds[name] // 60}", new="{round(seconds[name] / 60)}"),
        Mistake(name="ties_as_listed", old="(-seconds[name], name)", new="-seconds[name]"),
        Mistake(name="first_page", old="all_pages(apis.music.show_playlists, ", new="apis.music.show_playlists("),
    ),
)


# Approve requests, the smallest first, while enough money is left.


def _make_afford(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people, notes, cents = acquaintances(draw), rng.sample(_ASKED.split("|"), 10), rng.randint(2_600, 5_000)
    for n in range(4):  # small and old: on a later page
        asked(draw, people[n], me, notes[n], ago(draw, 52 + 9 * n), cents=rng.randint(501, 2_500))
    asked(draw, people[4], me, notes[4], ago(draw, 50), cents=cents)
    asked(draw, people[5], me, notes[5], ago(draw, rng.randint(60, 95)), cents=cents)  # the last that can be paid
    for n in (6, 7):
        asked(draw, people[n], me, notes[n], ago(draw, n / 9), cents=rng.randint(5_001, 12_000))
    asked(draw, people[2], me, notes[8], ago(draw, 4), cents=510, status="denied")
    asked(draw, me, people[3], notes[9], ago(draw, 5), cents=520)
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    if sum(row.cents == cents for row in rows) != 2:
        return None
    reserve = rng.randint(8_000, 60_000)
    state[WalletAccount].change(me.id, cents=reserve + cents + sum(row.cents for row in rows if row.cents < cents))
    return {"reserve": reserve / 100, "other_reserve": (reserve - cents) / 100}


def _solve_afford(state: State, me: Person, values: Values) -> Json:
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    spare = state[WalletAccount][me.id].cents - round(values["reserve"] * 100)
    for row in rows:
        before = [each for each in rows if (each.cents, each.created_at) <= (row.cents, row.created_at)]
        if sum(each.cents for each in before) <= spare:
            approve(state, row.id)


def approve_from_smallest(reserve: float) -> int:
    """Approve pending requests, small before large and old before new, while a reserve is left; return how many."""
    token = login(app="wallet")
    left = apis.wallet.show_balance(access_token=token)["balance"]
    pending = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    approved = 0
    for request in sorted(pending, key=lambda request: (request["amount"], request["created_at"])):
        left = round(left - request["amount"], 2)
        if left < reserve:
            break
        apis.wallet.approve_request(access_token=token, request_id=request["request_id"])
        approved += 1
    return approved


afford_small_requests = Family(
    name="afford_small_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"reserve": float},
    wordings=(
        "Approve the pending payment requests I received on wallet one by one, the smallest amount first and the older"
        " one first where amounts are equal, but only as long as at least ${reserve} stays in my balance.",
        "I want to make many people happy. Pay the open requests in my wallet in order of size, lowest first, and stop"
        " before my balance would drop below ${reserve}. If two ask for the same amount, who asked earlier is ahead.",
        "My wallet balance must not fall under ${reserve}; having exactly that left is fine. Within this limit accept"
        " what others have asked me for and I have not answered, from the cheapest up, of equal ones the oldest first.",
        "Wallet: sort the requests that wait for my answer by amount, then by date, both rising. Approve them in this"
        " order until the next one would leave me with less than ${reserve}. The rest keep waiting.",
        "Set ${reserve} of my wallet balance aside. With what is above that, approve pending requests made to me,"
        " always the smallest left (of several, the one sent first), until the money does not reach for the next.",
    ),
    make=_make_afford,
    solve=_solve_afford,
    program=Program(functions=(approve_from_smallest,), call="approve_from_smallest(reserve={reserve!r})"),
    mistakes=(
        Mistake(name="another_reserve", swap={"reserve": "other_reserve"}),
        Mistake(name="spends_it_all", old="if left < reserve:", new="if left < 0:"),
        Mistake(name="exactly_that_is_too_little", old="if left < reserve:", new="if left <= reserve:"),
        Mistake(name="ties_as_listed", old='(request["amount"], request["created_at"])', new='request["amount"]'),
        Mistake(name="largest_first", old='(request["amount"], ', new='(-request["amount"], '),
        Mistake(name="first_page", old="sorted(pending, ", new="sorted(pending[:5], "),
    ),
)


# The phone number of who comes so far down among those who owe me.


def _make_debtor(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    for friend in acquaintances(draw)[:10]:
        spent(draw, rng.choice(_LENT.split("|")), me, {friend.id: rng.randint(2_000, 40_000)}, days=rng.randint(2, 80))
    owing = {id: cents for id, cents in splits.rows.balances(state, me.id).items() if cents > 0}
    ranked, place = sorted(owing, key=lambda id: -owing[id]), rng.randint(2, 4)
    paid = ranked.pop(rng.randrange(place))  # ahead of the one who is asked for
    listed = [id for id in ranked if id in list(owing)[:5]]
    if len({*owing.values()}) < len(owing) or len(ranked) < 8 or listed[place - 1] == ranked[place - 1]:
        return None
    person = state[Person][ranked[place - 1]]
    double = next(row for row in state[Contact].of(me.id) if row.email == person.email)  # somebody else of that name
    email, number = f"{person.first.lower()}@postbag.example", f"554{rng.randrange(10**7):07d}"
    change_contact(state, double.id, email=email, phone=number)
    add_contact(state, me.id, person.name, person.phone, email=person.email, relationships=double.relationships)
    return {"person": state[Person][paid].name, "place": place, "other_place": place + 1}


def _solve_debtor(state: State, me: Person, values: Values) -> Json:
    owed: Counter[int] = Counter()
    for row in state[splits.Expense].of(me.id):
        if row.payer == me.id:
            owed.update(dict(row.shares))
        owed[row.payer] -= dict(row.shares).get(me.id, 0)
    for back in state[splits.Repayment].of(me.id):
        owed[back.receiver] += back.cents
        owed[back.payer] -= back.cents
    people = [state[Person][id] for id, _ in owed.most_common() if id != me.id]
    email = [person.email for person in people if person.name != values["person"]][values["place"] - 1]
    return next(contact.phone for contact in state[Contact].of(me.id) if contact.email == email)


def phone_of_debtor_at(place: int, left_out: str) -> str:
    """Find the contact's phone number of who is at a place, from 1, among those who owe most, one person left out."""
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=login(app="splits"))
    others = [person for person in debtors if person["name"] != left_out]
    ranked = sorted(others, key=lambda person: person["amount"], reverse=True)
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    person = ranked[place - 1]
    return next(contact["phone_number"] for contact in contacts if contact["email"] == person["email"])


debtor_at_place = Family(
    name="debtor_at_place",
    split="train",
    difficulty=1,
    apps=("splits", "phone"),
    slots={"place": int, "person": str},
    wordings=(
        "Sort the people who owe me on splits by how much that is in all, the largest sum first, without {person}. What"
        " is the phone number of whoever is at place {place}? It is in the contact with the same e-mail address.",
        "Who is number {place} among my debtors on splits, counted down from the one who owes me most over all groups?"
        " {person} does not count. I only need the phone number my contacts have for this person's e-mail address.",
        "I am calling those who owe me on splits, the biggest debt first, all groups taken together. {person} I skip."
        " Which number do I dial at place {place}? In my contacts go by e-mail address, for a name may be there twice.",
        "Without {person}, who will pay me in cash: rank the others who are in the red with me on splits by their"
        " total from high to low and give me the phone number of the one on rank {place}, as saved in my"
        " contacts under the e-mail address they use on splits.",
        "Find a number in my phone contacts, by e-mail address. It belongs to the person at position {place} when all"
        " who have a debt to me on splits, except {person}, are lined up from the highest total to the lowest.",
    ),
    make=_make_debtor,
    solve=_solve_debtor,
    program=Program(functions=(phone_of_debtor_at,), call="phone_of_debtor_at(place={place!r}, left_out={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="one_place_on", swap={"place": "other_place"}),
        Mistake(name="nobody_left_out", old=' if person["name"] != left_out', new=""),
        Mistake(name="smallest_first", old=", reverse=True", new=""),
        Mistake(name="by_name", old='contact["email"] == person["email"]', new='contact["name"] == person["name"]'),
        Mistake(name="first_page", old="person in debtors if", new="person in debtors[:5] if"),
    ),
)


# Who has the most texts with me gets a relationship, and nobody else has it.


def _make_texters(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, count, people = rng.choice(_TITLES.split("|")), rng.randint(2, 4), acquaintances(draw)
    (stranger, *tops), rest = people[:count], people[count + 2 :]
    if len(rest) < 5:
        return None
    winner, loser = sorted(people[count : count + 2], key=lambda person: person.name)
    talks = Counter(row.sender + row.receiver - me.id for row in state[TextMessage].of(me.id))
    wanted = {stranger: 16, winner: 10, loser: 10, **{top: 15 - n for n, top in enumerate(tops)}}
    for person, goal in (*wanted.items(), *((low, talks[low.id] + 1) for low in rest[:4])):
        for n in range(goal - talks[person.id]):
            late = n == 0 and person in (loser, *rest)  # these come first in the list of conversations
            ends = rng.sample((me, person), 2)
            texted(draw, ends[0], ends[1], rng.choice(_LINES.split("|")), ago(draw, 0.01 if late else 30 + 9 * n))
    for row in state[Contact].of(me.id):
        if row.phone == stranger.phone:
            delete_contact(state, row.id)
        elif row.phone in (tops[0].phone, loser.phone, rest[0].phone):
            change_contact(state, row.id, relationships=[*row.relationships, relation])
    return {"relation": relation, "count": count, "other_count": count + 1}


def _solve_texters(state: State, me: Person, values: Values) -> Json:
    talks = Counter(row.sender + row.receiver - me.id for row in state[TextMessage].of(me.id))
    counts = {person.phone: talks[person.id] for person in state[Person]}
    rows = sorted(state[Contact].of(me.id), key=lambda row: (-counts.get(row.phone, 0), row.name))
    for n, row in enumerate(rows):
        kinds = [kind for kind in row.relationships if kind != values["relation"]]
        change_contact(state, row.id, relationships=kinds + [values["relation"]] * (n < values["count"]))


def relate_top_texters(relation: str, count: int) -> int:
    """Let just the contacts with the most texts, ties by name, be this to the supervisor; return how many changed."""
    token = login(app="phone")
    contacts = {contact["phone_number"]: contact for contact in all_pages(apis.phone.show_contacts, access_token=token)}
    talks = all_pages(apis.phone.show_conversations, access_token=token)
    known = [talk for talk in talks if talk["phone_number"] in contacts]
    known.sort(key=lambda talk: (-talk["message_count"], talk["name"]))
    top = {talk["phone_number"] for talk in known[:count]}
    changed = 0
    for number, contact in contacts.items():
        kinds = set(contact["relationships"]) - {relation}
        if number in top:
            kinds.add(relation)
        if kinds != set(contact["relationships"]):
            contact_id = contact["contact_id"]
            apis.phone.update_contact(access_token=token, contact_id=contact_id, relationships=sorted(kinds))
            changed += 1
    return changed


top_texters = Family(
    name="top_texters",
    split="train",
    difficulty=2,
    apps=("phone",),
    slots={"relation": str, "count": int},
    wordings=(
        "Give the {count} contacts with whom I have the most texts, sent and received together, the relationship"
        ' "{relation}" in my phone, on top of what they are already, and take it from everybody else. Where numbers'
        " are equal, the name that comes first in the alphabet goes first.",
        'Exactly {count} of my phone contacts should be "{relation}" to me: those I exchanged the most texts with, both'
        " ways, ties by name from A to Z. Add or remove that relationship where needed, leave their others alone.",
        "I text some people all the time. Count the texts to and from each contact, take the top {count} (same number:"
        ' by name) and make these and nobody else a "{relation}" in my address book. Other relationships stay.',
        'Please update who is a "{relation}" in my phone contacts. That belongs to the {count} people in there with'
        " the most text messages between us; of two with the same count, the one earlier in the alphabet is ahead."
        " Whoever else has it loses it, whoever lacks it gets it besides what they are.",
        "Sort my contacts by how many texts there are between us, most first, and by name where that is the same. The"
        ' first {count} get the relationship "{relation}" besides the ones they have; all others must not have it.',
    ),
    make=_make_texters,
    solve=_solve_texters,
    program=Program(functions=(relate_top_texters,), call="relate_top_texters(relation={relation!r}, count={count!r})"),
    mistakes=(
        Mistake(name="one_too_many", swap={"count": "other_count"}),
        Mistake(name="strangers_rank_too", old=' if talk["phone_number"] in contacts', new=""),
        Mistake(name="ties_as_listed", old='(-talk["message_count"], talk["name"])', new='-talk["message_count"]'),
        Mistake(name="others_keep_it", old="if kinds != ", new="if kinds > "),
        Mistake(name="in_place_of_the_others", old=" - {relation}", new=" & {relation}"),
        Mistake(name="first_page", old="in talks if", new="in talks[:5] if"),
    ),
)

FAMILIES = (playlist_chart, afford_small_requests, debtor_at_place, top_texters)
