"""Shared expenses: which of them are changed, and what to."""

from __future__ import annotations

from prowess_desk.apps.phone import Contact
from prowess_desk.apps.splits import Expense, Group
from prowess_desk.engine.family import Draw, Values
from prowess_desk.engine.people import Person

from prowess_practice.drills.conditions import contains
from prowess_practice.drills.listings_money import EXPENSE
from prowess_practice.errands.edits.changes import like_first, numbered, one_of, prefixed, shouted, suffixed, tailed
from prowess_practice.errands.edits.choices import by, inside, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.people.scene import borrowed, more_of

_MINE = 'my_email = apis.splits.show_account(access_token=splits_token)["email"]'
_TARGET = Target(
    word="expenses",
    app="splits",
    row="expense",
    rows="expenses",
    reads=(_MINE, "expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, paid_by_email=my_email)"),
    mine="the splits expenses paid by me",
    name="description",
    called="description",
    update='apis.splits.update_expense(access_token=splits_token, expense_id=expense["expense_id"]',
    stage=lambda draw: more_of(draw, borrowed),
)
_ID = 'access_token=splits_token, expense_id=expense["expense_id"]'
_NAMES = (
    "groups = all_pages(apis.splits.show_groups, access_token=splits_token)",
    'group_names = {group["group_id"]: group["name"] for group in groups}',
)
_COMMENTS = f"comments = all_pages(apis.splits.show_expense_comments, {_ID})"


def _own(draw: Draw) -> list[Expense]:
    return [one for one in draw.state[Expense].of(draw.me.id) if one.payer == draw.me.id]


def _sharer(draw: Draw) -> Values | None:
    people = [id for one in _own(draw) for id, _ in one.shares if id != draw.me.id]
    return {"sharer": draw.state[Person][draw.rng.choice(people)].name} if people else None


def _group(draw: Draw) -> Values | None:
    groups = [one.group for one in _own(draw) if one.group is not None]
    return {"own_group": draw.state[Group][draw.rng.choice(groups)].name} if groups else None


def _relation(draw: Draw) -> Values:
    return {
        "relationship": draw.rng.choice(
            [one for row in draw.state[Contact].of(draw.me.id) for one in row.relationships]
        )
    }


_CHOICES = (
    *(by(_TARGET, one) for one in EXPENSE if one.slot != "person"),
    by(_TARGET, contains("description", 'with "{word}" in the description (in capitals or not)', "with a word")),
    inside(
        _TARGET,
        "shared_by",
        'MINE in which "{sharer}" has a share',
        "in which somebody has a share",
        'sharer in [share["name"] for share in expense["shares"]]',
        slots={"sharer": str},
        draws=_sharer,
    ),
    inside(
        _TARGET,
        "of_group",
        ('MINE that belong to the group "{own_group}"', 'MINE in the group "{own_group}"'),
        "of a group",
        'group_names.get(expense["group_id"]) == own_group',
        before=_NAMES,
        slots={"own_group": str},
        draws=_group,
    ),
    inside(
        _TARGET,
        "of_many",
        "MINE in which more than {heads} people (counting me, too) have a share",
        "shared by many people",
        'len(expense["shares"]) > heads',
        slots={"heads": int},
        draws=lambda draw: {"heads": draw.rng.randint(2, 4)},
    ),
    inside(
        _TARGET,
        "with_comments",
        "MINE of less than {less} dollars under which there is a comment",
        "with a comment, of less than an amount",
        'comments and expense["amount"] < less',
        looks=(_COMMENTS,),
        slots={"less": float},
        draws=lambda draw: {"less": float(draw.rng.randrange(20, 160, 5))},
    ),
    inside(
        _TARGET,
        "shared_by_relation",
        'MINE in which a phone contact with the relationship "{relationship}" has a share',
        "in which contacts of a relationship have a share",
        'any(share["email"] in their_emails for share in expense["shares"])',
        before=(
            "contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relationship)",
            'their_emails = {contact["email"] for contact in contacts}',
        ),
        apps=("phone",),
        slots={"relationship": str},
        draws=_relation,
    ),
    *(
        inside(
            _TARGET,
            f"shared_by_{word}",
            f"MINE in which {says} has a share",
            f"in which {about} have a share",
            f'any(share["email"] in {word} for share in expense["shares"])',
            before=(f'{word} = {{one["email"] for one in all_pages({api}, access_token={app}_token)}}',),
            apps=(app,),
        )
        for word, app, api, says, about in (
            (
                "debtors",
                "splits",
                "apis.splits.show_people_who_owe_me",
                "somebody who owes me money on splits",
                "debtors",
            ),
            (
                "creditors",
                "splits",
                "apis.splits.show_people_i_owe",
                "somebody whom I owe money on splits",
                "creditors",
            ),
            ("friends", "wallet", "apis.wallet.show_friends", "a friend of mine in the wallet", "wallet friends"),
        )
    ),
    ranked(
        _TARGET,
        "largest",
        ("the {count} largest splits expenses paid by me",),
        "the largest expenses that the supervisor paid",
        'expense["amount"]',
        highest=True,
        most=6,
    ),
    ranked(
        _TARGET,
        "latest",
        ("the {count} latest splits expenses paid by me",),
        "the latest expenses that the supervisor paid",
        'expense["created_at"]',
        highest=True,
        most=6,
    ),
)
_AMOUNT = ("expenses_over_amount", "expenses_under_amount")
_EQUAL = " and let it be split equally among the people who share it now"
_CHANGES = (
    tailed(
        _TARGET,
        "date",
        "f\"{expense['description']} ({expense['created_at'][:10]})\"",
        "DESCRIPTION (DATE)",
        "the day on which it was made, like 2025-01-31, in brackets",
        "the day",
    ),
    RowChange(
        word="add_to",
        says=(
            "Raise the amount of each of WHICH by {extra} dollars; it is split equally among the people in it.",
            "TAKE Each amount was noted too low by {extra} dollars. Correct that, with equal shares for those who share"
            " the expense.",
            "I forgot {extra} dollars in each of WHICH. Add them to the amount, which is then split equally among the"
            " same people.",
        ),
        about="Raise by some dollars the amount of",
        each=(_TARGET.updating('amount=round(expense["amount"] + extra, 2)'),),
        slots=(one_of("extra", "1.50|2.25|4.00|5.75|10.00|12.40", float),),
    ),
    tailed(
        _TARGET,
        "group",
        "f\"{expense['description']}, {group_name}\"",
        "DESCRIPTION, GROUP",
        'a comma, a space and the name of the group it belongs to, or "no group" if it belongs to none',
        "the group",
        before=_NAMES,
        finds=('group_name = group_names.get(expense["group_id"], "no group")',),
        bars=("expenses_of_group",),
    ),
    RowChange(
        word="percent_on",
        says=(
            "Add {percent} percent to the amount of each of WHICH, rounded to the cent, with equal shares.",
            f"TAKE Increase each amount by {{percent}} percent (two decimals){_EQUAL}.",
            "The amounts of WHICH should go up by {percent} percent. Round to two decimals and split them equally among"
            " those who share them.",
        ),
        about="Raise by percents the amount of",
        each=('amount = round(expense["amount"] * (100 + percent) / 100, 2)', _TARGET.updating("amount=amount")),
        slots=(one_of("percent", "4|8|12|16|20|24", int),),
    ),
    numbered(_TARGET, 'expense["created_at"]', "from the earliest to the latest"),
    RowChange(
        word="comment_shares",
        says=(
            'Comment on each of WHICH with "{front} NUMBER: AMOUNT", NUMBER being how many people share it and AMOUNT'
            " the"
            " whole amount with two decimals.",
            'TAKE Leave a comment on each that says "{front} NUMBER: AMOUNT", with the number of people in it and its'
            " amount in two decimals, such as 12.50.",
            'Under WHICH I want comments of the form "{front} NUMBER: AMOUNT". NUMBER is the number of people who'
            " have a"
            " share, AMOUNT the amount of the expense with two decimals.",
        ),
        about="Comment with number and amount on",
        each=(
            "comment_text = f\"{front} {len(expense['shares'])}: {expense['amount']:.2f}\"",
            f"apis.splits.add_expense_comment({_ID}, text=comment_text)",
        ),
        slots=(one_of("front", "Shared by|People|Heads|Split by"),),
    ),
    prefixed(_TARGET),
    like_first(
        _TARGET,
        "amount",
        "amount",
        'expense["amount"]',
        "that cost most",
        last=True,
        more=" Split each of them, that one included, equally among the people who share it.",
    ),
    tailed(
        _TARGET,
        "largest_share",
        "f\"{expense['description']} for {names}\"",
        "DESCRIPTION for NAMES",
        'the word "for" and the first names of the people who share it (mine, too, if I do), in alphabetical order and'
        ' with commas between them, as in "Ada, Ben"',
        "the first names",
        finds=(
            'first_names = sorted(share["name"].split()[0] for share in expense["shares"])',
            'names = ", ".join(first_names)',
        ),
    ),
    RowChange(
        word="without_me",
        says=(
            "Take me out of WHICH: the same amount is split equally among the others, and the description becomes"
            ' "{front}: DESCRIPTION", with the old one. Those in which I have no share, or only I, stay.',
            "TAKE Where I share one with others, I should have no share any more: split the amount equally among the"
            ' others, and put "{front}: " before the description.',
            "As a present, I take over WHICH. Where I have a share beside others, split the whole amount equally"
            " among those"
            ' others, and let the description begin with "{front}: ".',
        ),
        about="Take the supervisor out of",
        each=(
            'others = [share["email"] for share in expense["shares"] if share["email"] != my_email]',
            'if others and len(others) < len(expense["shares"]):',
            "    description = f\"{front}: {expense['description']}\"",
            f"    apis.splits.update_expense({_ID}, description=description, participant_emails=others)",
        ),
        slots=(one_of("front", "Present|On me|Invited|My treat"),),
    ),
    suffixed(_TARGET),
    RowChange(
        word="whole",
        says=(
            'Round the amounts of WHICH down to whole dollars, split equally, and add "{suffix}" to the description'
            " after"
            " a comma and a space.",
            "TAKE Drop the cents from each amount; the people who share it pay equal parts. The description gets"
            ' ", {suffix}" at the end.',
            "I do not care for cents. The amount of each of WHICH becomes the whole dollars it has (20.95 becomes 20),"
            ' split equally, and the description ends in ", {suffix}".',
        ),
        about="Drop the cents of",
        each=(
            "description = f\"{expense['description']}, {suffix}\"",
            _TARGET.updating('description=description, amount=int(expense["amount"])'),
        ),
        slots=(one_of("suffix", "rounded|without cents|about|even"),),
        matters=(('int(expense["amount"])', 'expense["amount"]'),),
    ),
    shouted(_TARGET),
)
EXPENSES = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("other_notes", "some_tasks"))
