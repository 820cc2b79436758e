"""Families of test_normal: groups that share expenses, with files, phone and wallet."""

from __future__ import annotations

from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, write_file
from prowess_desk.apps.phone import Contact, change_contact
from prowess_desk.apps.splits import add_expense, create_group, equal_shares
from prowess_desk.apps.wallet import WalletAccount, add_friend, remove_friend
from prowess_desk.data.files import VENDORS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, group_called, groups_of
from prowess_desk.families.toolbox import all_pages, apis, login

# Share the receipts of a month with a group.


def _make_share_receipts(draw: Draw) -> Values | None:
    groups = groups_of(draw, least=3)
    if len(groups) < 2:
        return None
    category, other = draw.rng.sample(sorted(set(VENDORS.values())), 2)
    back = draw.rng.randint(1, 4)
    first = datetime(2025, 5 - back, 1)
    own = [vendor for vendor in VENDORS if VENDORS[vendor] == category]
    rest = [vendor for vendor in VENDORS if VENDORS[vendor] != category]

    def receipt(vendor: str, day: datetime) -> None:
        total = draw.rng.randint(350, 18_000) / 100
        lines = (f"vendor: {vendor}", f"date: {day:%Y-%m-%d}", f"category: {VENDORS[vendor]}", f"total: {total:.2f}")
        path = f"~/receipts/{day:%Y-%m-%d}-{vendor}.txt"
        write_file(draw.state, draw.me.id, at_home(draw.me, path), "\n".join(lines))

    for day in (1, 8, 19, 28):
        receipt(draw.rng.choice(own), first.replace(day=day))
    for day in (3, 14, 22):
        receipt(draw.rng.choice(rest), first.replace(day=day))
    receipt(next(vendor for vendor in VENDORS if VENDORS[vendor] == other), first.replace(day=25))
    receipt(draw.rng.choice(own), first - timedelta(days=1))
    receipt(draw.rng.choice(own), (first + timedelta(days=31)).replace(day=1))
    for day in (6, 15, 24):
        receipt(draw.rng.choice(own), first.replace(year=2024, day=day))
    return {
        "category": category,
        "month": f"{first:%B %Y}",
        "group": groups[0].name,
        "other_category": other,
        "other_group": groups[1].name,
    }


def _solve_share_receipts(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    for file in state[File].of(me.id):
        if file.path.startswith(at_home(me, "~/receipts/")):
            facts = dict(line.split(": ", 1) for line in file.content.splitlines())
            day = datetime.fromisoformat(facts["date"])
            if facts["category"] == values["category"] and f"{day:%B %Y}" == values["month"]:
                cents = round(float(facts["total"]) * 100)
                shares = equal_shares(cents, group.member_ids)
                add_expense(state, me.id, facts["vendor"], cents, shares, group=group.id)


def share_receipts_with_group(category: str, month: str, group_name: str, folder: str) -> int:
    """Add the receipts of a category and a month, such as March 2025, to a splits group as expenses shared by all."""
    token = login(app="files")
    start = datetime.strptime(month, "%B %Y").strftime("%Y-%m")
    files = all_pages(apis.files.search_files, access_token=token, directory_path=folder)
    splits_token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=group_name)
    group = next(group for group in groups if group["name"] == group_name)
    emails = [member["email"] for member in group["members"]]
    count = 0
    for file in files:
        content = apis.files.show_file(access_token=token, file_path=file["path"])["content"]
        facts = dict(line.split(": ", 1) for line in content.splitlines())
        if facts["category"] == category and facts["date"].startswith(start):
            apis.splits.add_expense(
                access_token=splits_token,
                description=facts["vendor"],
                amount=float(facts["total"]),
                participant_emails=emails,
                group_id=group["group_id"],
            )
            count += 1
    return count


share_receipts = Family(
    name="share_receipts",
    split="test_normal",
    difficulty=3,
    apps=("files", "splits"),
    slots={"category": str, "month": str, "group": str},
    wordings=(
        "Each receipt in ~/receipts of the category {category} and dated {month} was for all of us in the splits group"
        ' "{group}". Add an expense for each to the group, paid by me and split equally among all members, me'
        " included: the description is the vendor as it stands in the receipt, the amount its total.",
        'I want to share my {category} costs of {month} with "{group}" on splits. Go through the receipt files in'
        " ~/receipts; for every one of that category and month, record in the group what I paid (its total), with"
        " the vendor's name just as in the file for description, in equal parts for everyone in the group,"
        " myself included.",
        "Enter my {month} receipts with the category {category}, which lie in ~/receipts, as expenses of my splits"
        ' group "{group}", one by one: description = vendor, amount = total, I paid, all members share equally.',
    ),
    make=_make_share_receipts,
    solve=_solve_share_receipts,
    program=Program(
        functions=(share_receipts_with_group,),
        call="share_receipts_with_group("
        'category={category!r}, month={month!r}, group_name={group!r}, folder="~/receipts")',
    ),
    mistakes=(
        Mistake(name="another_category", swap={"category": "other_category"}),
        Mistake(name="another_group", swap={"group": "other_group"}),
        Mistake(name="first_page", old="all_pages(apis.files.search_files, ", new="apis.files.search_files("),
        Mistake(name="any_year", old='facts["date"].startswith(start)', new='facts["date"][5:7] == start[5:]'),
        Mistake(
            name="without_me",
            old='for member in group["members"]]',
            new='for member in group["members"] if member["email"] != apis.supervisor.show_profile()["email"]]',
        ),
        Mistake(name="outside_the_group", old='                group_id=group["group_id"],\n', new=""),
    ),
)


# Start a group with those of a relation who are wallet friends.

_PLANS = "Allotment|Choir Trip|Film Night Fund|Kayak Tour|Market Stall|Ski Hut|Sourdough Circle|Winter Market".split(
    "|"
)
_FIRSTS = "Deposit|First round|Material|Registration fee|Room hire|Starter kit".split("|")


def _make_start_group(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    relation, other = draw.rng.sample(("friend", "coworker", "roommate"), 2)
    rows = state[Contact].of(me.id)
    many = [row for row in rows if relation in row.relationships]
    rest = [row for row in rows if relation not in row.relationships]
    if len(many) < 2 or len(rest) < 6 or not any(other in row.relationships for row in rest):
        return None
    for row in draw.rng.sample(rest, max(0, 7 - len(many))):
        change_contact(state, row.id, relationships=(*row.relationships, relation))
    people = {person.email: person.id for person in state[Person]}
    ids = [people[row.email] for row in state[Contact].of(me.id) if relation in row.relationships]
    for id in ids:
        add_friend(state, me.id, id)
    for id in draw.rng.sample(ids[:-1], 2):  # in the contacts, but not among the friends
        remove_friend(state, me.id, id)
    stranger = draw.rng.choice([person for person in draw.people if person.email not in {row.email for row in rows}])
    if stranger != me:
        add_friend(state, me.id, stranger.id)
    return {
        "relation": relation,
        "group": draw.rng.choice(_PLANS),
        "thing": draw.rng.choice(_FIRSTS),
        "amount": draw.rng.randint(4_000, 19_000) / 100,
        "other_relation": other,
    }


def _solve_start_group(state: State, me: Person, values: Values) -> Json:
    contacts = {row.email for row in state[Contact].of(me.id) if values["relation"] in row.relationships}
    friends = [state[Person][id] for id in state[WalletAccount][me.id].friend_ids]
    members = [person.id for person in friends if person.email in contacts]
    group = create_group(state, me.id, values["group"], members)
    cents = round(values["amount"] * 100)
    add_expense(state, me.id, values["thing"], cents, equal_shares(cents, group.member_ids), group=group.id)


def start_group_with_expense(relationship: str, group_name: str, description: str, amount: float) -> int:
    """Make a splits group of the wallet friends who are contacts of a relationship, with a first shared expense."""
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship)
    friends = all_pages(apis.wallet.show_friends, access_token=login(app="wallet"))
    known = {friend["email"] for friend in friends}
    emails = [contact["email"] for contact in contacts if contact["email"] in known]
    splits_token = login(app="splits")
    me = apis.splits.show_account(access_token=splits_token)["email"]
    group = apis.splits.create_group(access_token=splits_token, name=group_name, member_emails=emails)
    apis.splits.add_expense(
        access_token=splits_token,
        description=description,
        amount=amount,
        participant_emails=[me, *emails],
        group_id=group["group_id"],
    )
    return len(emails)


start_group = Family(
    name="start_group",
    split="test_normal",
    difficulty=3,
    apps=("phone", "wallet", "splits"),
    slots={"relation": str, "group": str, "thing": str, "amount": float},
    wordings=(
        'Create a splits group "{group}" with every {relation} in my phone contacts who is also one of my friends on'
        ' wallet, and add its first expense: "{thing}", ${amount}, paid by me and shared equally by all members'
        " including me.",
        "I am starting something new with the people who are both {relation} in my phone and on my wallet friends list."
        ' Make them a group called "{group}" in splits and record there that I paid ${amount} for "{thing}", to be'
        " split equally among all of us, me too.",
        'Set up "{group}" on splits. Members: me and those contacts listed as {relation} in the phone whom I have among'
        ' my friends in the wallet app, nobody else. Then enter an expense "{thing}" of ${amount} in it that I paid, in'
        " equal shares for the whole group with me.",
    ),
    make=_make_start_group,
    solve=_solve_start_group,
    program=Program(
        functions=(start_group_with_expense,),
        call="start_group_with_expense("
        "relationship={relation!r}, group_name={group!r}, description={thing!r}, amount={amount!r})",
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="not_only_friends", old=' if contact["email"] in known', new=""),
        Mistake(name="all_friends", old="emails = [", new="contacts = friends\n    emails = ["),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="without_me", old="[me, *emails]", new="emails"),
    ),
)

FAMILIES = (share_receipts, start_group)
