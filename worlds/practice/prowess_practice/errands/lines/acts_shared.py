"""What can be done in the splits app about people, expenses and groups that a text names."""

from __future__ import annotations

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines import pools_money as money
from prowess_practice.errands.lines.act import Act

_CONTACT = "the full name of a contact of mine"
_NOBODY = ("A name that none of my contacts has is left out.", "Whoever is not among my contacts is skipped.")
_NO_EXPENSE = ("What is no expense of that name is skipped.", "A name that no expense has is left out.")
_FOR = ("Choir trip", "Garden fence", "Ferry tickets", "Farewell present", "Costume hire")
_CREWS = ("Kayak Crew", "Chess Evening", "Bread Club", "Night Walkers", "Radio Hour")
_EMAILS = """
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    emails = [person["email"] for person in people if person["name"] in names]
"""
_GROUP = """
    groups = all_pages(apis.splits.show_groups, access_token=splits_token)
    group_id = next(one["group_id"] for one in groups if one["name"] == group)
"""


def _sum(draw: Draw) -> Values:
    return {"amount": draw.rng.randint(2_000, 18_000) / 100, "description": draw.rng.choice(_FOR)}


def _its_name(draw: Draw) -> Values:
    return {"group": money.a_group(draw).name}


def _remark(draw: Draw) -> Values:
    return {"remark": draw.rng.choice(("Receipt is in the drawer.", "Half was a gift.", "Thank you all!", "Checked."))}


def _by_description(call: str) -> str:
    return f"""
    every = all_pages(apis.splits.show_expenses, access_token=splits_token)
    chosen = [one for one in every if one["description"] in names]
    for one in chosen:
        apis.splits.{call}
    return len(chosen)
"""


ACTS = (
    Act(
        word="found_group_of_contacts",
        apps=("splits", "phone"),
        a=_CONTACT,
        one="contact",
        do=(
            'create a group "{new_group}" of OBJ and me, by the e-mail addresses in my phone',
            'put OBJ and me into a new group called "{new_group}"; their e-mail addresses are in my phone',
        ),
        skips=_NOBODY,
        about="Create a group of the contacts",
        code=f"""{_EMAILS}    apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=emails)
    return len(emails)
""",
        pool=pools.contacts,
        slots={"new_group": str},
        choose=lambda draw: {"new_group": draw.rng.choice(_CREWS)},
        matters=((' if person["name"] in names', ""),),
    ),
    Act(
        word="add_contacts_to_group",
        apps=("splits", "phone"),
        a=_CONTACT,
        one="contact",
        do=(
            'add OBJ to my group "{group}", by the e-mail addresses in my phone',
            'let OBJ join my group "{group}" (my phone has their e-mail addresses)',
        ),
        skips=("Who is in it already stays in it.", "Skip those who are members already."),
        about="Add to a group the contacts",
        code=f"""{_GROUP}    members = apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]
    inside = [member["email"] for member in members]
    count = 0
    for person in all_pages(apis.phone.show_contacts, access_token=phone_token):
        if person["name"] in names and person["email"] not in inside:
            apis.splits.add_member(access_token=splits_token, group_id=group_id, email=person["email"])
            count += 1
    return count
""",
        pool=money.newcomers,
        slots={"group": str},
        choose=_its_name,
    ),
    Act(
        word="share_expense_with_contacts",
        apps=("splits", "phone"),
        a=_CONTACT,
        one="contact",
        do=(
            'record an expense "{description}" of ${amount} that I paid, shared equally by OBJ, without me and outside'
            " any group",
            'enter that I paid ${amount} for "{description}", to be borne in equal parts by OBJ alone, in no group',
        ),
        skips=_NOBODY,
        about="Record an expense shared by the contacts",
        code=f"""{_EMAILS}    apis.splits.add_expense(
        access_token=splits_token, description=description, amount=amount, participant_emails=emails
    )
    return len(emails)
""",
        pool=pools.contacts,
        slots={"description": str, "amount": float},
        choose=_sum,
    ),
    Act(
        word="settle_with_contacts",
        apps=("splits", "phone"),
        a=_CONTACT,
        one="contact",
        do=(
            "settle up with OBJ outside any group, if there is anything to settle",
            "record that all is paid back between me and OBJ as far as it is in no group",
        ),
        skips=(
            "My phone has the e-mail addresses. Where nobody owes anything outside the groups, do nothing.",
            "You find the e-mail addresses in my phone. Skip those with whom nothing is open outside the groups.",
        ),
        about="Settle up outside groups with the contacts",
        code="""
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    count = 0
    for person in people:
        if person["name"] in names:
            balance = apis.splits.show_person_balance(access_token=splits_token, email=person["email"])
            if any(part["group_id"] is None for part in balance["by_group"]):
                apis.splits.settle_up(access_token=splits_token, email=person["email"])
                count += 1
    return count
""",
        pool=money.debtors,
    ),
    Act(
        word="delete_expenses",
        apps=("splits",),
        a="the description of an expense that I paid",
        one="expense",
        do=("delete OBJ", "remove OBJ for good"),
        skips=_NO_EXPENSE,
        about="Delete the expenses",
        code=_by_description('delete_expense(access_token=splits_token, expense_id=one["expense_id"])'),
        pool=money.expenses,
    ),
    Act(
        word="comment_on_expenses",
        apps=("splits",),
        a="the description of an expense that I paid",
        one="expense",
        do=('write the comment "{remark}" under OBJ', 'comment on OBJ with "{remark}"'),
        skips=_NO_EXPENSE,
        about="Comment on the expenses",
        code="""
    count = 0
    for name in names:
        for one in all_pages(apis.splits.show_expenses, access_token=splits_token, query=name):
            if one["description"] == name:
                apis.splits.add_expense_comment(
                    access_token=splits_token, expense_id=one["expense_id"], text=remark
                )
                count += 1
    return count
""",
        pool=money.expenses,
        slots={"remark": str},
        choose=_remark,
    ),
    Act(
        word="take_over_expenses",
        apps=("splits", "phone"),
        a="the description of an expense that I paid",
        one="expense",
        do=(
            "make me the only one who shares in OBJ, so that I bear them alone",
            "change OBJ so that nobody but me takes part in them",
        ),
        skips=(
            "A name that no expense has is skipped; my own e-mail address is in my account in the phone app.",
            "The phone app shows my account with my e-mail address. Ignore names that no expense has.",
        ),
        about="Bear alone the expenses",
        code="""
    my_email = apis.phone.show_account(access_token=phone_token)["email"]
    every = all_pages(apis.splits.show_expenses, access_token=splits_token)
    chosen = [one for one in every if one["description"] in names]
    for one in chosen:
        apis.splits.update_expense(
            access_token=splits_token, expense_id=one["expense_id"], participant_emails=[my_email]
        )
    return len(chosen)
""",
        pool=money.expenses,
        places=4,
    ),
)
