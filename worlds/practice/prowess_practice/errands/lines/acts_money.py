"""What can be done in the wallet app about people and payments that a text names."""

from __future__ import annotations

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines import pools_money as money
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


ACTS = (
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
        pool=money.askers,
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
        pool=money.askers,
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
        pool=money.asked_by_me,
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
        pool=money.payments,
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
        pool=money.payments,
        slots={"remark": str},
        choose=lambda draw: {"remark": draw.rng.choice(("Gladly paid.", "For the records.", "Worth it!", "All good."))},
    ),
)
