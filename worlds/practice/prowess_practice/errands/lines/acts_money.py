"""What can be done in wallet and splits about people, payments, expenses and groups that a text names."""

from __future__ import annotations

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act

_WALLET = ("wallet",)
_PERSON = "somebody's full name"
_CONTACT = "the full name of a contact of mine"
_NOBODY = ("A name that none of my contacts has is left out.", "Whoever is not among my contacts is skipped.")
_FOR = ("Choir trip", "Garden fence", "Ferry tickets", "Farewell present", "Costume hire")
_EMAILS = """
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    emails = [person["email"] for person in contacts if person["name"] in names]
"""


def _sum(draw: Draw) -> Values:
    cents = draw.rng.randint(350, 2_400)
    return {"amount": cents / 100, "memo": draw.rng.choice(_FOR)}


def _users(call: str) -> str:
    """Find everybody by name in the wallet, and do it."""
    return f"""
    count = 0
    for name in names:
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next((user["email"] for user in users if user["name"] == name), None)
        if email:
            {call}
            count += 1
    return count
"""


def _requests(listing: str, side: str, api: str) -> str:
    return f"""
    requests = all_pages(apis.wallet.{listing}, access_token=wallet_token, status="pending")
    chosen = [request for request in requests if request["{side}"]["name"] in names]
    for request in chosen:
        apis.wallet.{api}(access_token=wallet_token, request_id=request["request_id"])
    return len(chosen)
"""


def _by_note(filter: str, call: str) -> str:
    return f"""
    every = all_pages(apis.wallet.show_transactions, access_token=wallet_token{filter})
    chosen = [one for one in every if one["note"] in names]
    for one in chosen:
        apis.wallet.{call}
    return len(chosen)
"""


WALLET = (
    Act(
        word="befriend_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=("add OBJ to my friends", "make OBJ friends of mine"),
        skips=("Who is my friend there already is skipped.", "Leave out those that the app has as my friends."),
        about="Befriend the people",
        code="""
    friends = [one["name"] for one in all_pages(apis.wallet.show_friends, access_token=wallet_token)]
    users = all_pages(apis.wallet.search_users, access_token=wallet_token)
    chosen = [user for user in users if user["name"] in names and user["name"] not in friends]
    for user in chosen:
        apis.wallet.add_friend(access_token=wallet_token, email=user["email"])
    return len(chosen)
""",
        pool=pools.no_friends,
    ),
    Act(
        word="unfriend_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=("remove OBJ from my friends", "drop OBJ from the list of my friends"),
        skips=("Who is no friend of mine there is skipped.", "Nothing happens to those who are not my friends there."),
        about="Unfriend the people",
        code="""
    friends = all_pages(apis.wallet.show_friends, access_token=wallet_token)
    chosen = [one for one in friends if one["name"] in names]
    for one in chosen:
        apis.wallet.remove_friend(access_token=wallet_token, email=one["email"])
    return len(chosen)
""",
        pool=pools.friends,
    ),
    Act(
        word="pay_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=('pay OBJ ${amount} each with the note "{memo}"', 'send ${amount}, note "{memo}", to OBJ'),
        about="Pay the people",
        code=_users(
            "apis.wallet.send_payment(access_token=wallet_token, receiver_email=email, amount=amount, note=memo)"
        ),
        pool=pools.acquainted,
        slots={"amount": float, "memo": str},
        choose=_sum,
    ),
    Act(
        word="bill_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=('request ${amount} from OBJ with the note "{memo}"', 'ask OBJ for ${amount} each, note "{memo}",'),
        about="Request money from the people",
        code=_users(
            "apis.wallet.request_payment(access_token=wallet_token, payer_email=email, amount=amount, note=memo)"
        ),
        pool=pools.acquainted,
        slots={"amount": float, "memo": str},
        choose=_sum,
    ),
    Act(
        word="bill_contacts",
        apps=("wallet", "phone"),
        a=_CONTACT,
        one="contact",
        do=(
            'request ${amount} from OBJ, whose e-mail addresses my contacts have, with the note "{memo}"',
            'ask OBJ (they are in my phone with their addresses) for ${amount}, note "{memo}",',
        ),
        skips=_NOBODY,
        about="Request money from the contacts",
        code=f"""{_EMAILS}    for email in emails:
        apis.wallet.request_payment(access_token=wallet_token, payer_email=email, amount=amount, note=memo)
    return len(emails)
""",
        pool=pools.contacts,
        slots={"amount": float, "memo": str},
        choose=_sum,
        matters=((' if person["name"] in names', ""),),
    ),
    Act(
        word="approve_requests_of_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=(
            "approve the pending payment requests of OBJ",
            "say yes to each pending payment request of OBJ",
        ),
        skips=("From some there is no request that waits: skip them.", "Who has no pending request is left out."),
        about="Approve the requests of the people",
        code=_requests("show_received_requests", "requester", "approve_request"),
        pool=pools.askers,
    ),
    Act(
        word="deny_requests_of_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=("deny the pending payment requests of OBJ", "refuse every pending payment request from OBJ"),
        skips=("Somebody without a pending request is skipped.", "If nothing is pending from somebody, go on."),
        about="Deny the requests of the people",
        code=_requests("show_received_requests", "requester", "deny_request"),
        pool=pools.askers,
    ),
    Act(
        word="cancel_requests_to_people",
        apps=_WALLET,
        a=_PERSON,
        one="person",
        ones="people",
        do=("cancel my pending payment requests to OBJ", "take back what I still ask of OBJ, cancelling the requests,"),
        skips=("Where nothing is pending, do nothing.", "Who was not asked for anything, or has paid, is skipped."),
        about="Cancel the requests to the people",
        code=_requests("show_sent_requests", "payer", "cancel_request"),
        pool=pools.asked_by_me,
    ),
    Act(
        word="like_payments",
        apps=_WALLET,
        a="the note of a payment I made",
        one="payment",
        do=("like OBJ", "put my like on OBJ"),
        skips=("A note that none of my payments has is skipped.", "What is no note of a payment is left out."),
        about="Like the payments",
        code=_by_note(
            ', direction="sent"', 'like_transaction(access_token=wallet_token, transaction_id=one["transaction_id"])'
        ),
        pool=pools.payments,
    ),
    Act(
        word="comment_on_payments",
        apps=_WALLET,
        a="the note of a payment I made",
        one="payment",
        do=('write the comment "{remark}" under OBJ', 'comment on OBJ with "{remark}"'),
        skips=("A note that none of my payments has is skipped.", "What is no note of a payment is left out."),
        about="Comment on the payments",
        code="""
    count = 0
    for name in names:
        for one in all_pages(apis.wallet.show_transactions, access_token=wallet_token, query=name, direction="sent"):
            if one["note"] == name:
                apis.wallet.add_transaction_comment(
                    access_token=wallet_token, transaction_id=one["transaction_id"], text=remark
                )
                count += 1
    return count
""",
        pool=pools.payments,
        slots={"remark": str},
        choose=lambda draw: {"remark": draw.rng.choice(("Gladly paid.", "For the records.", "Worth it!", "All good."))},
    ),
)


_NO_EXPENSE = ("What is no expense of that name is skipped.", "A name that no expense has is left out.")
_CREWS = ("Kayak Crew", "Chess Evening", "Bread Club", "Night Walkers", "Radio Hour")
_MEMBERS = """
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    emails = [person["email"] for person in people if person["name"] in names]
"""
_GROUP = """
    groups = all_pages(apis.splits.show_groups, access_token=splits_token)
    group_id = next(one["group_id"] for one in groups if one["name"] == group)
"""


def _shared_sum(draw: Draw) -> Values:
    return {"amount": draw.rng.randint(2_000, 18_000) / 100, "description": draw.rng.choice(_FOR)}


def _its_name(draw: Draw) -> Values:
    return {"group": pools.a_group(draw).name}


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


SPLITS = (
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
        code=f"""{_MEMBERS}    apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=emails)
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
        pool=pools.newcomers,
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
        code=f"""{_MEMBERS}    apis.splits.add_expense(
        access_token=splits_token, description=description, amount=amount, participant_emails=emails
    )
    return len(emails)
""",
        pool=pools.contacts,
        slots={"description": str, "amount": float},
        choose=_shared_sum,
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
        pool=pools.debtors,
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
        pool=pools.expenses,
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
        pool=pools.expenses,
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
        pool=pools.expenses,
        places=4,
    ),
)
