"""Train families on one person whom several apps know: as a friend, contact, member of groups, voice or payer."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.files import file_at, write_file
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.phone import Contact, VoiceMessage, send_voice
from prowess_desk.apps.splits import Group, create_group, remove_member, repay
from prowess_desk.apps.wallet import Payment, add_friend, remove_friend
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, owed, spent
from prowess_desk.families.scene import acquaintances, ago, named, paid
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

_GROUPS = """Allotment|Choir Outing|Pub Quiz|Tennis Court|Ferry Tour|Band Room|Vinyl Swap|Canoe Days|Bread Circle|
Film Evenings|Yard Sale|Kite Meeting""".replace("\n", "").split("|")


def _contact(state: State, me: Person, name: str) -> Contact:
    return next(row for row in state[Contact].of(me.id) if row.name == name)


# Have no more to do with somebody, as far as debts allow.


def _make_parting(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, a, b = acquaintances(draw)[:4]
    for each in (person, other, a):
        add_friend(state, me.id, each.id)
    owing, even, between, quiet, foreign = (
        create_group(state, me.id, name, [a.id, b.id, (other if n == 4 else person).id])
        for n, name in enumerate(rng.sample(_GROUPS, 5))
    )
    spent(draw, "Deposit", *rng.choice(((me, {person.id: 1_250}), (person, {a.id: 900, b.id: 900}))), group=owing)
    spent(draw, "Drinks", a, {person.id: 1_400, a.id: 1_400}, group=even)
    repay(state, person.id, person.id, a.id, 1_400, group=even.id)
    spent(draw, "Tickets", person, {a.id: 800}, group=between)  # comes out at zero, but is not settled
    spent(draw, "Snacks", b, {person.id: 800}, group=between)
    spent(draw, "Rent", me, {a.id: 2_000, b.id: 1_500}, group=quiet)  # others owe
    spent(draw, "Fuel", a, {other.id: 700}, group=foreign)
    return {"person": person.name, "other_person": other.name}


def _solve_parting(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    remove_friend(state, me.id, person.id)
    kept = []
    for group in state[Group].of(me.id):
        if person.id in group.member_ids:
            if any(owed(state, person.id, id, group.id) for id in group.member_ids if id != person.id):
                kept.append(group.name)
            else:
                remove_member(state, group.id, person.id)
    return kept


def part_with_person(name: str) -> list:
    """Unfriend somebody on wallet, remove them from splits groups where nothing is open; return the other groups."""
    token = login(app="wallet")
    for friend in all_pages(apis.wallet.show_friends, access_token=token, query=name):
        if friend["name"] == name:
            apis.wallet.remove_friend(access_token=token, email=friend["email"])
    token = login(app="splits")
    kept = []
    for group in all_pages(apis.splits.show_groups, access_token=token):
        emails = {member["name"]: member["email"] for member in group["members"]}
        if name not in emails:
            continue
        debts = apis.splits.show_group_balances(access_token=token, group_id=group["group_id"])["debts"]
        if any(name in (debt["debtor"]["name"], debt["creditor"]["name"]) for debt in debts):
            kept.append(group["name"])
        else:
            apis.splits.remove_member(access_token=token, group_id=group["group_id"], email=emails[name])
    return kept


part_ways = Family(
    name="part_ways",
    split="train",
    difficulty=3,
    apps=("wallet", "splits"),
    slots={"person": str},
    wordings=(
        "Remove {person} from my friends on wallet and from all my splits groups in which {person} neither owes anybody"
        " anything nor is owed anything. Which of my groups does {person} have to stay in?",
        "I have fallen out with {person}. End our friendship on wallet, and on splits throw {person} out of each group"
        " of mine where no debt from or to {person} is left. Then name me the groups where one still is.",
        "{person} is moving abroad. Wherever in my splits groups there is nothing to settle between {person} and"
        " anybody else, take {person} out; and take {person} off the list of my wallet friends. As an answer, list the"
        " groups of mine that {person} is a member of after that.",
        "No more plans with {person}: unfriend {person} in my wallet. Then go through the splits groups we are both in."
        " Whoever owes or is owed money in a group must stay in it; tell me the names of those where that is true of"
        " {person}, and remove {person} from the rest.",
        "In which splits groups of mine does {person} still have open debts, either way and with anyone? Tell me these."
        " From my other groups, and from my wallet friends, {person} can be removed. Please do that, too.",
    ),
    make=_make_parting,
    solve=_solve_parting,
    program=Program(functions=(part_with_person,), call="part_with_person(name={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="friends_still", old='if friend["name"] == name:', new="if not friend:"),
        Mistake(name="members_still", old="apis.splits.remove_member(", new="dict("),
        Mistake(name="first_groups", old="all_pages(apis.splits.show_groups, ", new="apis.splits.show_groups("),
    ),
)


# Fill in a letter for somebody.

_LETTERS = {
    "invitation": "we are getting married in June, and you must be there|Please tell us what you eat",
    "thank-you": "thank you for the lovely present|It has its place on the shelf already",
    "change-of-address": "we have moved, and the door is open for you|There is a guest room",
    "reunion": "our class meets again after all these years|Bring old pictures if you have any",
    "garden-party": "the roses are out, and the grill is ready|Come hungry",
}


def _make_letter(draw: Draw) -> Values | None:
    rng = draw.rng
    person, other = acquaintances(draw)[:2]
    kind, target = rng.choice(list(_LETTERS)), f"~/documents/{person.first.lower()}-letter.txt"
    first, second = _LETTERS[kind].split("|")
    rest = rng.sample((f"{second}.", "Is [phone] still your number?", "I also wrote to [e-mail].", "[weather]"), 4)
    lines = ("[name]", "[address]", "", f"Dear [first name], {first}.", *rest, "Yours, dear [first name],", "[me]")
    filed(draw, f"documents/personal/{kind}.txt", "\n".join(lines), days=rng.randint(3, 40))
    filed(draw, f"documents/work/{kind}.txt", "\n".join((*lines[:4], "[e-mail]", "[me]")), days=400)
    values = {"path": f"~/documents/personal/{kind}.txt", "other_path": f"~/documents/work/{kind}.txt"}
    return {"person": person.name, "target": target, "other_person": other.name, **values}


def _solve_letter(state: State, me: Person, values: Values) -> Json:
    contact, letter = _contact(state, me, values["person"]), file_at(state, me.id, at_home(me, values["path"]))
    assert letter is not None
    text = letter.content.replace("[first name]", contact.name.partition(" ")[0]).replace("[name]", contact.name)
    text = text.replace("[address]", contact.address).replace("[phone]", contact.phone)
    write_file(state, me.id, at_home(me, values["target"]), text.replace("[e-mail]", contact.email))


def fill_letter(template: str, name: str, target: str) -> str:
    """Fill the gaps of a letter with what the phone contacts say of a person, save it as a new file and return it."""
    contact = contact_named(name=name)
    details = {"name": contact["name"], "first name": contact["name"].split()[0], "address": contact["address"]}
    details |= {"phone": contact["phone_number"], "e-mail": contact["email"]}
    token = login(app="files")
    text = apis.files.show_file(access_token=token, file_path=template)["content"]
    for gap, detail in details.items():
        text = text.replace(f"[{gap}]", detail)
    apis.files.create_file(access_token=token, file_path=target, content=text)
    return text


letter_for_person = Family(
    name="letter_for_person",
    split="train",
    difficulty=1,
    apps=("phone", "files"),
    slots={"person": str, "path": str, "target": str},
    wordings=(
        "Fill in the letter {path} for {person} and save the result as {target}: put what my phone contacts say in"
        " place of [name], [first name], [address], [phone] and [e-mail], and change nothing else.",
        "Make {target} from the text in {path}, for {person}: where it says [name], [first name], [address], [phone]"
        " or [e-mail], what my contacts have for {person} must stand instead. Leave other brackets, and {path}, as is.",
        "{person} should get a letter. The text is in {path}, with gaps in square brackets. Replace [first name],"
        " [name], [phone], [e-mail] and [address], each time they occur, by what my phone has for {person}, and save"
        " the letter as {target}, a new file. I see to the other gaps myself.",
        "Create {target} for me, a copy of {path} in which every [name] (the full one), [first name], [address],"
        " [e-mail] and [phone] has become what is true of {person} according to my phone contacts.",
        "Look up {person} in my phone contacts and put what is there into the letter {path} at [address], [phone],"
        " [e-mail], [name] and, for the first name alone, [first name]. Save that as {target} and keep {path}.",
    ),
    make=_make_letter,
    solve=_solve_letter,
    program=Program(
        functions=(fill_letter,),
        call="fill_letter(template={path!r}, name={person!r}, target={target!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_older_letter", swap={"path": "other_path"}),
        Mistake(name="once_each", old='(f"[{gap}]", detail)', new='(f"[{gap}]", detail, 1)'),
        Mistake(name="full_name_always", old='contact["name"].split()[0]', new='contact["name"]'),
        Mistake(name="brackets_stay", old='(f"[{gap}]", detail)', new="(gap, detail)"),
    ),
)


# Write down how to reach somebody, and what is open with them.


def _make_sheet(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, third = acquaintances(draw)[:3]
    members = [person.id, other.id, third.id]
    groups = [create_group(state, me.id, name, members) for name in rng.sample(_GROUPS, 5)]
    for group, payer in zip(groups, rng.sample((me, me, person, third), 4), strict=False):  # the last has nothing
        shares = {each.id: rng.randint(310, 4_000) for each in (me, person, other, third)}
        spent(draw, "Shared costs", payer, shares, group=group)
    spent(draw, "Cinema", me, {person.id: rng.randint(500, 2_000)})
    words = ("About", "Sheet on", "Things with", "Data of")
    return {"person": person.name, "title": f"{rng.choice(words)} {person.first}", "other_person": other.name}


def _solve_sheet(state: State, me: Person, values: Values) -> Json:
    contact, person = _contact(state, me, values["person"]), named(state, values["person"])
    lines = [contact.phone, contact.email]
    for group in sorted(state[Group].of(me.id), key=lambda group: group.name):
        if cents := owed(state, person.id, me.id, group.id):
            lines.append(f"{group.name}: {cents / 100:.2f}")
    write_note(state, me.id, values["title"], "\n".join(lines))


def note_down_person(name: str, title: str) -> str:
    """Write a note with a person's number, e-mail and what is open with them in each splits group; return its text."""
    contact = contact_named(name=name)
    token = login(app="splits")
    parts = apis.splits.show_person_balance(access_token=token, email=contact["email"])["by_group"]
    balances = {part["group_name"]: part["balance"] for part in parts if part["group_id"]}
    lines = [f"{group}: {balances[group]:.2f}" for group in sorted(balances)]
    content = "\n".join([contact["phone_number"], contact["email"], *lines])
    apis.notes.create_note(access_token=login(app="notes"), title=title, content=content)
    return content


note_about_person = Family(
    name="note_about_person",
    split="train",
    difficulty=2,
    apps=("phone", "splits", "notes"),
    slots={"person": str, "title": str},
    wordings=(
        'Make a note "{title}" with the phone number of {person} on its first line, the e-mail address on the second'
        " (see my contacts), and then a line for every splits group in which {person} and I are not even, in the order"
        " of the alphabet: the group, a colon, a space, what {person} owes me (Sea Tour: 7.50), negative if I owe.",
        'I am meeting {person} and want it all on one page, a new note "{title}". Top line: phone number. Next line:'
        " e-mail address. Below that our balance in each group on splits where it is not zero (Sea Tour: 7.50 if"
        " {person} owes me, Sea Tour: -7.50 if I owe), groups from A to Z.",
        "Note down what is open between {person} and me on splits: one line for each group where there is something,"
        " sorted by group name, like Sea Tour: 7.50, with a minus before what I owe. Above that go the phone number and"
        ' on the second line the e-mail address that my phone has for {person}. Save this as a new note, "{title}".',
        'Start a note named "{title}". It holds, line by line: the number of {person} in my phone, the e-mail address'
        " there, and for each of our common splits groups with a balance between the two of us other than zero, sorted"
        " by name, group and balance, for example Sea Tour: -7.50 when I have to pay {person} 7.50.",
        "Please look up {person}: number and e-mail address in my phone contacts, and on splits the balance between us"
        ' in each group (only groups, only if not 0.00, positive when I get money). The new note "{title}" gets a line'
        " with the number, one with the address, then lines such as Sea Tour: 7.50 by group name from A to Z.",
    ),
    make=_make_sheet,
    solve=_solve_sheet,
    program=Program(functions=(note_down_person,), call="note_down_person(name={person!r}, title={title!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="without_sign", old="{balances[group]:.2f}", new="{abs(balances[group]):.2f}"),
        Mistake(name="no_own_debts", old='if part["group_id"]', new='if part["group_id"] and part["balance"] > 0'),
        Mistake(name="from_z_to_a", old="in sorted(balances)]", new="in sorted(balances, reverse=True)]"),
        Mistake(name="no_groups", old='contact["email"], *lines]', new='contact["email"]]'),
    ),
)


# What did the one who said something on the phone pay?

_SAID = "green sofa|broken ladder|spare tent|left glove|second key|piano stool|blue canoe|school play".split("|")


def _make_speaker(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, earlier, later, heard = acquaintances(draw)[:4]
    words, other = rng.sample(_SAID, 2)
    one, two = words.split()
    said = (
        (person, me, f"Hello, about the {words}, I will come by tonight.", 12),
        (earlier, me, f"Did you hear of the {words}? Call me.", 40),
        (later, me, f"I have a {one} carpet now, but I still look for a {two}.", 3),  # both words, but apart
        (me, heard, f"Yes, the {words} is still here.", 2),
        (heard, me, f"I am calling about the {other}.", 1),
    )
    for sender, receiver, text, days in said:
        message = send_voice(state, sender.id, receiver.id, text)
        state[VoiceMessage].change(message.id, sent_at=ago(draw, days))
    for n in range(6):
        paid(draw, person, me, rng.choice(("Thanks", "My part")), ago(draw, 4 + 30 * n))
    for each in (earlier, later, heard):
        paid(draw, each, me, "Thanks", ago(draw, 8))
    paid(draw, me, person, "Back to you", ago(draw, 5))
    return {"words": words, "other_words": other}


def _solve_speaker(state: State, me: Person, values: Values) -> Json:
    heard = [row for row in state[VoiceMessage].of(me.id) if row.receiver == me.id]
    speaker = max((row for row in heard if values["words"] in row.transcript), key=lambda row: row.sent_at).sender
    return sum(row.cents for row in state[Payment].of(me.id) if row.sender == speaker) / 100


def total_paid_by_speaker(words: str) -> float:
    """Add up what the sender of the latest voice message received with these words has ever paid on wallet."""
    token = login(app="phone")
    messages = all_pages(apis.phone.show_voice_messages, access_token=token, query=words, direction="received")
    number = next(each["sender"]["phone_number"] for each in messages if words.lower() in each["transcript"].lower())
    contacts = all_pages(apis.phone.show_contacts, access_token=token)
    email = next(contact["email"] for contact in contacts if contact["phone_number"] == number)
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, user_email=email, direction="received")
    return round(sum(payment["amount"] for payment in payments), 2)


paid_by_speaker = Family(
    name="paid_by_speaker",
    split="train",
    difficulty=1,
    apps=("phone", "wallet"),
    slots={"words": str},
    wordings=(
        'How much have I received on wallet, in all, from the person who last said "{words}" in a voice message to me?',
        'Somebody left me a voice message with the words "{words}"; if several people did, I mean the latest of these'
        " messages. Add up all wallet payments that I ever got from that person. What is the sum?",
        'Find the most recent voice message sent to me in which "{words}" is said, one word right after the other. I'
        " want to know the total of what the speaker has paid me on wallet so far.",
        'Tell me one amount: everything that came into my wallet from whoever mentioned "{words}" to me in a voice'
        " message. Should more than one person have done so, go by the one who did it last.",
        'I forgot who talked about the "{words}" on my voice mail the other day (the last one who did, and not myself).'
        " Whoever it was, how many dollars has this person sent me through wallet up to now?",
    ),
    make=_make_speaker,
    solve=_solve_speaker,
    program=Program(functions=(total_paid_by_speaker,), call="total_paid_by_speaker(words={words!r})"),
    asks=True,
    mistakes=(
        Mistake(name="other_words", swap={"words": "other_words"}),
        Mistake(name="the_first_speaker", old=" for each in messages if", new=" for each in messages[::-1] if"),
        Mistake(name="words_apart", old=" if words.lower() in each", new=" if each"),
        Mistake(name="both_ways", old='user_email=email, direction="received"', new="user_email=email"),
        Mistake(name="one_payment", old="round(sum(payment", new="round(max(payment"),
    ),
)

FAMILIES = (part_ways, letter_for_person, note_about_person, paid_by_speaker)
