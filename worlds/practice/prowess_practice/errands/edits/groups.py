"""Groups that share expenses: which of them are changed, and what to."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.apps.phone import Contact
from prowess_desk.apps.splits import Expense, Group, create_group
from prowess_desk.engine.family import Draw, Values
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import spent
from prowess_desk.families.scene import acquaintances, ago

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.edits.changes import drawn, numbered, one_of, prefixed, shouted, suffixed, tailed
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.people.scene import strangers


def _more_groups(draw: Draw) -> None:
    """Some more groups of people whom the supervisor knows, made by any of them."""
    names = draw.rng.sample(("Allotment", "Choir Tour", "Film Club", "Old House", "Rowing Team", "Book Box"), 4)
    for n, name in enumerate(names):
        people = acquaintances(draw)[: draw.rng.randint(1, 5)]
        creator = people[0].id if n % 2 else draw.me.id
        group = create_group(draw.state, creator, name, [draw.me.id, *(one.id for one in people)])
        draw.state[Group].put(replace(group, created_at=ago(draw, draw.rng.randint(5, 500))))


_LISTING = listed("splits", "groups")
_TARGET = Target(
    word="groups",
    app="splits",
    row="group",
    rows="groups",
    reads=("groups = all_pages(apis.splits.show_groups, access_token=splits_token)",),
    mine="my groups on splits",
    name="name",
    called="name",
    update='apis.splits.rename_group(access_token=splits_token, group_id=group["group_id"]',
    stage=_more_groups,
)
_ID = 'access_token=splits_token, group_id=group["group_id"]'
_EXPENSES = f"expenses = all_pages(apis.splits.show_expenses, {_ID})"


def _member(draw: Draw) -> Values:
    people = [id for one in draw.state[Group].of(draw.me.id) for id in one.member_ids if id != draw.me.id]
    return {"member": draw.state[Person][draw.rng.choice(people)].name}


def _outsider(draw: Draw) -> str:
    """A contact who is in few groups."""
    names = [one.name for one in draw.state[Contact].of(draw.me.id)]
    return draw.rng.choice(names)


def _stranger(draw: Draw) -> str:
    return strangers(draw, 1)[0].email


def _spend(draw: Draw) -> None:
    """An expense or two in every group that has none."""
    for group in draw.state[Group].of(draw.me.id):
        if not draw.state[Expense].of(("group", group.id)):
            for what in draw.rng.sample(("Bus", "Cake", "Paint", "Tickets", "Tea", "Rope"), 2):
                shares = dict.fromkeys(group.member_ids, draw.rng.randint(150, 1_900))
                spent(draw, what, draw.me, shares, group=group, days=draw.rng.randint(1, 60))


_BIG = Condition(
    word="of_size_over",
    says="with more than {heads} members (me included)",
    about="with many members",
    code='len(ROW["members"]) > heads',
    slot="heads",
    kind=int,
    pick=lambda rng, rows: rng.choice([len(row["members"]) for row in rows]),
)
_SMALL = replace(
    _BIG,
    word="of_size_under",
    says="with fewer than {heads} members (me included)",
    about="with few members",
    code='len(ROW["members"]) < heads',
)
_CHOICES = (
    *(by(_TARGET, one) for one in (*_LISTING.conditions, _BIG, _SMALL)),
    inside(
        _TARGET,
        "with_member",
        ('MINE of which "{member}" is a member', 'MINE that have "{member}" in them'),
        "with a member",
        'member in [one["name"] for one in group["members"]]',
        slots={"member": str},
        draws=_member,
    ),
    inside(
        _TARGET,
        "without_member",
        'MINE of which "{member}" is no member',
        "without a member",
        'member not in [one["name"] for one in group["members"]]',
        slots={"member": str},
        draws=_member,
    ),
    inside(
        _TARGET,
        "of_cost",
        "MINE whose expenses add up to more than {amount} dollars",
        "that cost more than an amount",
        'sum(expense["amount"] for expense in expenses) > amount',
        looks=(_EXPENSES,),
        slots={"amount": float},
        draws=lambda draw: {"amount": float(draw.rng.randrange(100, 900, 25))},
    ),
    inside(
        _TARGET,
        "of_few_expenses",
        "MINE with fewer than {fewer} expenses",
        "with few expenses",
        "len(expenses) < fewer",
        looks=(_EXPENSES,),
        slots={"fewer": int},
        draws=lambda draw: {"fewer": draw.rng.randint(2, 12)},
    ),
    inside(
        _TARGET,
        "with_debts",
        "MINE in which I owe somebody something, with more than {heads} members (me included)",
        "in which the supervisor owes something, with many members",
        'debts and len(group["members"]) > heads',
        looks=(f"debts = all_pages(apis.splits.show_people_i_owe, {_ID})",),
        slots={"heads": int},
        draws=lambda draw: {"heads": draw.rng.randint(2, 5)},
    ),
    inside(
        _TARGET,
        "with_relation",
        'MINE of which a phone contact with the relationship "{relationship}" is a member',
        "with contacts of a relationship",
        'any(member["email"] in their_emails for member in group["members"])',
        before=(
            "contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relationship)",
            'their_emails = {contact["email"] for contact in contacts}',
        ),
        apps=("phone",),
        slots={"relationship": str},
        draws=lambda draw: {"relationship": draw.rng.choice(("coworker", "friend", "roommate", "sibling"))},
    ),
    inside(
        _TARGET,
        "of_friends",
        "MINE with {least} or more members who are friends of mine in the wallet",
        "with wallet friends",
        'sum(member["email"] in friend_emails for member in group["members"]) >= least',
        before=(
            "friends = all_pages(apis.wallet.show_friends, access_token=wallet_token)",
            'friend_emails = {friend["email"] for friend in friends}',
        ),
        apps=("wallet",),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 4)},
    ),
    ranked(
        _TARGET,
        "newest",
        ("my {count} newest groups on splits", "the {count} groups of mine on splits that were made last"),
        "the newest groups",
        'group["created_at"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "largest",
        ("the {count} groups of mine on splits with the most members",),
        "the largest groups",
        'len(group["members"])',
        highest=True,
    ),
)
_CHANGES = (
    tailed(
        _TARGET,
        "size",
        "f\"{group['name']} ({len(group['members'])})\"",
        "NAME (NUMBER)",
        "the number of its members, me included, in brackets",
        "the number of members",
    ),
    prefixed(_TARGET),
    tailed(
        _TARGET,
        "cost",
        "f\"{group['name']}, {total:.2f} dollars\"",
        "NAME, SUM dollars",
        "the sum of the amounts of all expenses of the group with two decimals, as shown",
        "the sum of the expenses",
        finds=(_EXPENSES, 'total = sum(expense["amount"] for expense in expenses)'),
    ),
    RowChange(
        word="join",
        says=(
            'Add my phone contact "{joiner}" to WHICH, where they are not a member yet, and put " with FIRST" behind'
            " the"
            " names of these groups, FIRST being the first name of that contact.",
            'TAKE "{joiner}" from my phone contacts should become a member of those that do not have them, and each of'
            ' these groups gets the name "NAME with FIRST": its old name and the first name of the new member.',
            'I want "{joiner}", a contact in my phone, in all of WHICH. Add them where they are missing, and rename'
            " such"
            ' a group to "NAME with FIRST", with the old name and the first name of the contact.',
        ),
        about="Add a contact to and rename",
        before=(
            "found = all_pages(apis.phone.show_contacts, access_token=phone_token, query=joiner)",
            'joiner_email = next(one["email"] for one in found if one["name"] == joiner)',
        ),
        each=(
            'if joiner not in [one["name"] for one in group["members"]]:',
            f"    apis.splits.add_member({_ID}, email=joiner_email)",
            "    new_name = f\"{group['name']} with {joiner.split()[0]}\"",
            f"    apis.splits.rename_group({_ID}, name=new_name)",
        ),
        apps=("phone",),
        slots=(drawn("joiner", _outsider),),
    ),
    numbered(_TARGET, 'group["created_at"]', "from the one created first to the one created last"),
    tailed(
        _TARGET,
        "maker",
        "f\"{group['name']} by {group['creator']['name']}\"",
        "NAME by CREATOR",
        'the word "by" and the full name of whoever created it',
        "the creator",
        bars=("groups_of_creator",),
    ),
    RowChange(
        word="add_cost",
        says=(
            "Record an expense of {cost} dollars in each of WHICH, paid by me, shared equally by all its members and"
            ' described as "{front} NAME" with the name of the group.',
            'TAKE In each, add an expense "{front} NAME", NAME being that of the group: {cost} dollars that I paid for'
            " all the members, split equally.",
            "I paid {cost} dollars for each of WHICH. Record that there, shared equally by everybody in the group, with"
            ' "{front} NAME" as the description, where NAME is what the group is called.',
        ),
        about="Record an expense named after",
        each=(
            "description = f\"{front} {group['name']}\"",
            'emails = [one["email"] for one in group["members"]]',
            "apis.splits.add_expense(access_token=splits_token, description=description, amount=cost, "
            'participant_emails=emails, group_id=group["group_id"])',
        ),
        slots=(
            one_of("front", "Fee of|Cake for|Stamps for|Room for"),
            one_of("cost", "12.00|18.60|24.00|33.30", float),
        ),
    ),
    suffixed(_TARGET),
    RowChange(
        word="copy",
        says=(
            'Make a second group for each of WHICH, called "{front} NAME" with its name, of the same people and'
            ' "{newcomer}", which is somebody\'s e-mail address.',
            'TAKE For each, create a new group "{front} NAME" (NAME is its name) with all its members and the person'
            " with"
            ' the e-mail address "{newcomer}".',
            'I want WHICH once more, with one more person: new groups "{front} NAME", after the old names, whose'
            " members"
            ' are those of the old group and "{newcomer}" (an e-mail address).',
        ),
        about="Make larger copies of",
        each=(
            "new_name = f\"{front} {group['name']}\"",
            'emails = [one["email"] for one in group["members"]]',
            "apis.splits.create_group(access_token=splits_token, name=new_name, member_emails=[*emails, newcomer])",
        ),
        slots=(one_of("front", "New|Second|Big|Next"), drawn("newcomer", _stranger)),
    ),
    tailed(
        _TARGET,
        "top_expense",
        "f\"{group['name']}: {largest['description']}\"",
        "NAME: EXPENSE",
        "a colon, a space and the description of the largest expense of the group (the latest of them, if there are"
        " several)",
        "the largest expense",
        finds=(_EXPENSES, 'largest = max(expenses, key=lambda expense: expense["amount"])'),
        bars=("groups_of_few",),
        stage=_spend,
        matters=(("largest = max(", "largest = min("),),
    ),
    RowChange(
        word="first_names",
        says=(
            'Rename WHICH after the people in them: "{front} A, B, C" with the first names of all members, me included,'
            " in alphabetical order.",
            'TAKE The new name of each is "{front}", a space and the first names of its members (I am one), sorted by'
            " the"
            " alphabet and separated by a comma and a space.",
            'I would like to see in the names of WHICH who is in there: first "{front} ", then the first names of'
            ' everybody in the group, me included, alphabetically and like "A, B, C".',
        ),
        about="Rename after their members",
        each=(
            'first_names = sorted(one["name"].split()[0] for one in group["members"])',
            _TARGET.updating("name=f\"{front} {', '.join(first_names)}\""),
        ),
        slots=(one_of("front", "With|Us:|Team|Only"),),
        matters=(('sorted(one["name"].split()[0] for one in group["members"])', '["x"]'),),
    ),
    shouted(_TARGET),
    tailed(
        _TARGET,
        "year",
        "f\"{group['name']} since {group['created_at'][:4]}\"",
        "NAME since YEAR",
        'the word "since" and the year in which it was made',
        "the year",
        bars=("groups_from",),
    ),
)
GROUPS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("other_notes", "some_tasks"))
