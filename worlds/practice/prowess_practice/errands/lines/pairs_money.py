"""What can be done about payments, cards, expenses and groups where a text gives each its own entry."""

from __future__ import annotations

from prowess_desk.apps.phone import Contact
from prowess_desk.apps.wallet import PaymentCard
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings
from prowess_practice.errands.lines.pools import paired

_WALLET, _SPLITS = ("wallet",), ("splits",)
_NO_EXPENSE = ("What is no expense of that name is skipped.", "A name that no expense has is left out.")
_THINGS = ("Lamp oil", "Snorkels", "Goat cheese", "Net repair", "Paddles", "Night train", "Sun hats", "Rope")


def _amount(draw: Draw, name: str) -> str:
    return f"{draw.rng.randint(310, 4_900) / 100:.2f}"


def _cards(draw: Draw) -> NamedThings:
    """Valid cards, each with some amounts."""
    now = draw.state.now
    mine = draw.state[PaymentCard].of(draw.me.id)
    valid = [one.name for one in mine if (one.expiry_year, one.expiry_month) >= (now.year, now.month)]
    return NamedThings(list(dict.fromkeys((name, f"{10 * draw.rng.randint(1, 19)}.00") for name in valid * 4)))


def _friend(draw: Draw) -> Values:
    return {"person": draw.rng.choice(draw.state[Contact].of(draw.me.id)).name}


def _card(api: str) -> str:
    return f"""
    card_ids = {{card["name"]: card["card_id"] for card in apis.wallet.show_cards(access_token=wallet_token)}}
    for name, value in pairs:
        apis.wallet.{api}(access_token=wallet_token, card_id=card_ids[name], amount=float(value))
    return len(pairs)
"""


_FRIEND = """
    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=person)
    email = next(one["email"] for one in people if one["name"] == person)
"""
_EMAILS = """
    people = all_pages(apis.phone.show_contacts, access_token=phone_token)
    emails = {one["name"]: one["email"] for one in people}
"""

ACTS = (
    Act(
        word="top_up_from_cards",
        apps=_WALLET,
        one="card",
        key="name of a card of mine",
        value="amount in dollars",
        do=("top up my balance from OBJ with the amounts given there", "put the given amounts from OBJ on my balance"),
        about="Top up the balance from the cards",
        code=_card("top_up_balance"),
        pool=_cards,
        fewest=2,
        most=3,
    ),
    Act(
        word="withdraw_to_cards",
        apps=_WALLET,
        one="card",
        key="name of a card of mine",
        value="amount in dollars",
        do=("withdraw the amounts given there from my balance to OBJ", "send the given amounts from my balance to OBJ"),
        about="Withdraw from the balance to the cards",
        code=_card("withdraw_balance"),
        pool=_cards,
        fewest=2,
        most=2,
        places=3,
    ),
    Act(
        word="reword_payments",
        apps=_WALLET,
        one="payment",
        key="note of a payment I made",
        value="new note",
        do=("change the notes of OBJ as it says there", "give OBJ the new notes that stand there"),
        skips=("A note that none of my payments has is skipped.", "What is no note of a payment is left out."),
        about="Reword the notes of the payments",
        code="""
    wanted = dict(pairs)
    sent = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="sent")
    chosen = [one for one in sent if one["note"] in wanted]
    for one in chosen:
        apis.wallet.update_transaction(
            access_token=wallet_token, transaction_id=one["transaction_id"], note=wanted[one["note"]]
        )
    return len(chosen)
""",
        pool=paired(pools.payments, lambda draw, name: f"{name} {draw.rng.choice(('in May', 'for two', 'paid late'))}"),
    ),
    Act(
        word="record_expenses_with_friend",
        apps=("splits", "phone"),
        one="expense",
        key="description",
        value="amount in dollars",
        do=(
            'record OBJ as expenses that I paid and "{person}" alone has to bear, outside any group,',
            'enter OBJ as paid by me for "{person}" (who bears all of it), in no group,',
        ),
        skips=(
            "The e-mail address of the other is in my phone.",
            "You find the other's e-mail address among my contacts.",
        ),
        about="Record for somebody the expenses",
        code=f"""{_FRIEND}    for name, value in pairs:
        apis.splits.add_expense(
            access_token=splits_token, description=name, amount=float(value), participant_emails=[email]
        )
    return len(pairs)
""",
        pool=paired(lambda draw: NamedThings(_THINGS), _amount),
        slots={"person": str},
        choose=_friend,
    ),
    Act(
        word="split_expense_by_shares",
        apps=("splits", "phone"),
        one="contact",
        key="full name of a contact",
        value="share in dollars",
        do=(
            'record one expense "{description}" that I paid, in no group, with the shares of OBJ as given: it amounts'
            " to their sum",
            'enter an expense "{description}", paid by me and outside any group, with the given shares for OBJ, as'
            " large as these together",
        ),
        skips=("My phone has the e-mail addresses.", "You find the e-mail addresses among my contacts."),
        about="Record an expense with the shares of the contacts",
        code=f"""{_EMAILS}    shares = [float(value) for name, value in pairs]
    apis.splits.add_expense(
        access_token=splits_token,
        description=description,
        amount=round(sum(shares), 2),
        participant_emails=[emails[name] for name, value in pairs],
        share_amounts=shares,
    )
    return len(pairs)
""",
        pool=paired(pools.acquainted, _amount),
        slots={"description": str},
        choose=lambda draw: {
            "description": draw.rng.choice(("Barge trip", "Kiln day", "Harvest lunch", "Sauna evening"))
        },
    ),
    Act(
        word="correct_expenses",
        apps=_SPLITS,
        one="expense",
        key="description of an expense that I paid",
        value="right amount in dollars",
        do=("correct the amounts of OBJ, split equally as before,", "set OBJ to the right amounts, in equal parts,"),
        skips=_NO_EXPENSE,
        about="Correct the amounts of the expenses",
        code="""
    wanted = {name: float(value) for name, value in pairs}
    every = all_pages(apis.splits.show_expenses, access_token=splits_token)
    chosen = [one for one in every if one["description"] in wanted]
    for one in chosen:
        apis.splits.update_expense(
            access_token=splits_token, expense_id=one["expense_id"], amount=wanted[one["description"]]
        )
    return len(chosen)
""",
        pool=paired(pools.expenses, _amount),
    ),
    Act(
        word="comment_on_expenses_each",
        apps=_SPLITS,
        one="expense",
        key="description of an expense that I paid",
        value="comment",
        do=("write the given comments under OBJ", "comment on OBJ with the words written next to each"),
        skips=_NO_EXPENSE,
        about="Comment on the expenses",
        code="""
    count = 0
    for name, value in pairs:
        for one in all_pages(apis.splits.show_expenses, access_token=splits_token, query=name):
            if one["description"] == name:
                apis.splits.add_expense_comment(
                    access_token=splits_token, expense_id=one["expense_id"], text=value
                )
                count += 1
    return count
""",
        pool=paired(
            pools.expenses, lambda draw, name: draw.rng.choice(("paid in cash", "half price", "split by three"))
        ),
    ),
    Act(
        word="record_paybacks",
        apps=("splits", "phone"),
        one="contact",
        key="full name of a contact",
        value="amount in dollars",
        do=(
            'record the amounts given there as paid back to me by OBJ, outside any group, with the note "{memo}"',
            'enter the given amounts as money that came back to me from OBJ, in no group and with the note "{memo}",',
        ),
        skips=(
            "My phone has their e-mail addresses and, in my account, my own.",
            "All e-mail addresses are in my phone: theirs among the contacts, mine in the account.",
        ),
        about="Record what was paid back by the contacts",
        code=f"""{_EMAILS}    my_email = apis.phone.show_account(access_token=phone_token)["email"]
    for name, value in pairs:
        apis.splits.record_payment(
            access_token=splits_token,
            payer_email=emails[name],
            receiver_email=my_email,
            amount=float(value),
            note=memo,
        )
    return len(pairs)
""",
        pool=paired(pools.acquainted, _amount),
        slots={"memo": str},
        choose=lambda draw: {"memo": draw.rng.choice(("in cash", "at the door", "by bank"))},
    ),
    Act(
        word="rename_groups_each",
        apps=_SPLITS,
        one="group",
        key="name of a group",
        value="new name",
        do=("rename OBJ as it says there", "give OBJ the new names that stand there"),
        skips=("A name that no group of mine has is skipped.", "What is no group of mine is left out."),
        about="Rename the groups",
        code="""
    wanted = dict(pairs)
    groups = all_pages(apis.splits.show_groups, access_token=splits_token)
    chosen = [group for group in groups if group["name"] in wanted]
    for group in chosen:
        apis.splits.rename_group(
            access_token=splits_token, group_id=group["group_id"], name=wanted[group["name"]]
        )
    return len(chosen)
""",
        pool=paired(
            pools.many_groups, lambda draw, name: f"{name} {draw.rng.choice(('II', '2025', 'at home', 'anew'))}"
        ),
        fewest=2,
        most=2,
    ),
)
