"""Payments, requests, expenses and cards brought in line with each other, or compared."""

from __future__ import annotations

from prowess_practice.drills.listing import GROUP
from prowess_practice.errands.transfers.parts import inside, one_of, own, written

_GROUP = inside(GROUP)
_MONTH = one_of("start", *(f"2025-{month:02d}-01" for month in range(1, 5)), "2024-12-01", "2024-11-01", "2024-10-01")
_FINDS = GROUP.finds
_SENT = (
    "    sent = all_pages(\n"
    '        apis.wallet.show_transactions, access_token=wallet_token, direction="sent", from_date=start\n'
    "    )\n"
)
_CARD = own("card", '[one["name"] for one in apis.wallet.show_cards(access_token=login(app="wallet"))]')

ERRANDS = (
    written(
        "sent_minus_received_since",
        "return how much more was sent than received since a day",
        _SENT
        + """    received = all_pages(
        apis.wallet.show_transactions, access_token=wallet_token, direction="received", from_date=start
    )
    return round(sum(one["amount"] for one in sent) - sum(one["amount"] for one in received), 2)
""",
        (
            "How much more money did I send than receive with the wallet on or after {start}? A negative amount means"
            " that I received more.",
            "Add up the payments I sent on the wallet since {start} (that day included), subtract the ones I received"
            " in the same time, and give me the amount.",
            "Payments on the wallet from {start} on: what is the sum of those I sent minus the sum of those I"
            " received?",
        ),
        apps=("wallet",),
        slots=(_MONTH,),
        matters=((' - sum(one["amount"] for one in received)', ""),),
        gives="float",
        asks=True,
    ),
    written(
        "spent_on_splits_and_wallet",
        "return the sum of what they paid on splits and sent on the wallet since a day",
        _SENT
        + """    me = apis.splits.show_account(access_token=splits_token)["email"]
    expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, paid_by_email=me, from_date=start)
    return round(sum(one["amount"] for one in [*sent, *expenses]), 2)
""",
        (
            "How much did I spend since {start} (that day included), counting the payments I sent on the wallet and"
            " the expenses that I paid on splits?",
            "Add up two things from {start} on: the amounts that I sent with the wallet, and the full amounts of the"
            " splits expenses I paid. What is the total?",
            "I want one number: everything I paid on splits on or after {start}, shares of others included, plus"
            " everything I sent with the wallet in that time.",
        ),
        apps=("wallet", "splits"),
        slots=(_MONTH,),
        matters=(("[*sent, *expenses]", "sent"), ("[*sent, *expenses]", "expenses")),
        gives="float",
        asks=True,
    ),
    written(
        "hide_payments_to_receivers_of_hidden_ones",
        "make the payments to receivers of private ones private, too; return how many",
        """
    sent = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="sent", from_date=start)
    receivers = {one["receiver"]["email"] for one in sent if one["is_private"]}
    found = [one for one in sent if one["receiver"]["email"] in receivers and not one["is_private"]]
    for one in found:
        apis.wallet.update_transaction(access_token=wallet_token, transaction_id=one["transaction_id"], is_private=True)
    return len(found)
""",
        (
            "Of the payments I sent on the wallet on or after {start}, some are private. Make private also all others"
            " from that time that went to the same people.",
            "Whom did I send a private payment on the wallet since {start} (that day included)? All my payments to"
            " these people since then should be private.",
            "If one of my payments to somebody on or after {start} is private on the wallet, make all my payments to"
            " that person from that time private.",
        ),
        apps=("wallet",),
        slots=(_MONTH,),
        matters=(('one["receiver"]["email"] in receivers', "True"),),
    ),
    written(
        "comment_on_expenses_of_top_payer",
        "comment on the expenses of a group paid by who paid the most there; return how many",
        _FINDS
        + """    expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=group_id)
    totals: dict = {}
    for expense in expenses:
        email = expense["paid_by"]["email"]
        totals[email] = totals.get(email, 0) + expense["amount"]
    top = max(totals, key=lambda email: totals[email])
    found = [expense for expense in expenses if expense["paid_by"]["email"] == top]
    for expense in found:
        apis.splits.add_expense_comment(
            access_token=splits_token, expense_id=expense["expense_id"], text=comment
        )
    return len(found)
""",
        (
            'Who has paid the most in the splits group "{group}", all amounts added up? Comment on each expense that'
            ' this person paid there with "{comment}".',
            'Write the comment "{comment}" on every expense in the splits group "{group}" that was paid by the member'
            " whose payments for expenses add up to the most.",
            'In "{group}" on splits, add up the expenses by payer. All expenses of the payer with the greatest sum'
            ' should get the comment "{comment}".',
        ),
        apps=("splits",),
        slots=(
            _GROUP,
            one_of("comment", "Thank you for paying!", "You paid a lot.", "Next time I pay.", "Great, thanks."),
        ),
        matters=(("top = max(", "top = min("), (' if expense["paid_by"]["email"] == top', "")),
    ),
    written(
        "groups_costing_more_than_one",
        "return the names of the groups whose expenses add up to more than those of `group`",
        """
    totals: dict = {}
    for one in all_pages(apis.splits.show_groups, access_token=splits_token):
        expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=one["group_id"])
        totals[one["name"]] = sum(expense["amount"] for expense in expenses)
    return sorted(name for name in totals if totals[name] > totals[group])
""",
        (
            'In which of my splits groups do the expenses add up to more than in "{group}"? Answer with a list of'
            " names.",
            "Add up all expenses of each group I am in on splits. List the names of the groups with a greater sum"
            ' than the group "{group}".',
            'My splits group "{group}" costs a lot, but which groups of mine cost even more, all their expenses taken'
            " together? Give me the names as a list.",
        ),
        apps=("splits",),
        slots=(_GROUP,),
        matters=((" if totals[name] > totals[group]", ""),),
        gives="list",
        asks=True,
    ),
    written(
        "share_minus_paid_in_group",
        "return how much their shares in a group exceed what they paid there",
        _FINDS
        + """    me = apis.splits.show_account(access_token=splits_token)["email"]
    expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=group_id)
    shares = sum(share["amount"] for one in expenses for share in one["shares"] if share["email"] == me)
    paid = sum(one["amount"] for one in expenses if one["paid_by"]["email"] == me)
    return round(shares - paid, 2)
""",
        (
            'Add up my shares of all expenses in the splits group "{group}" and subtract the expenses there that I'
            " paid. Which amount is left? (It may be negative.)",
            'By how much do my shares in the expenses of the splits group "{group}" exceed what I paid for expenses'
            " there? Leave repayments aside; a negative amount means I paid more.",
            'For the group "{group}" on splits: the sum of my shares minus the sum of the expenses paid by me,'
            " please, whatever was paid back since.",
        ),
        apps=("splits",),
        slots=(_GROUP,),
        matters=(("round(shares - paid, 2)", "round(shares, 2)"), ("round(shares - paid, 2)", "round(-paid, 2)")),
        gives="float",
        asks=True,
    ),
    written(
        "delete_cards_without_transfer",
        "delete the cards without a transfer since a day; return how many",
        """
    transfers = all_pages(apis.wallet.show_card_transfers, access_token=wallet_token)
    used = {transfer["card_id"] for transfer in transfers if transfer["created_at"] >= start}
    cards = apis.wallet.show_cards(access_token=wallet_token)
    unused = [card for card in cards if card["card_id"] not in used]
    for card in unused:
        apis.wallet.delete_card(access_token=wallet_token, card_id=card["card_id"])
    return len(unused)
""",
        (
            "Delete every card of mine in the wallet without a transfer on or after {start}.",
            "Which of my payment cards in the wallet have I neither topped up from nor withdrawn to since {start}"
            " (that day included)? Delete those cards.",
            "I only want to keep the cards in my wallet that I used, one way or the other, for a transfer on {start}"
            " or later. The others can be deleted.",
        ),
        apps=("wallet",),
        slots=(_MONTH,),
        matters=((' if card["card_id"] not in used', ""), (' if transfer["created_at"] >= start', "")),
    ),
    written(
        "withdraw_to_card_of_latest_withdrawal",
        "withdraw an amount to the card of the latest withdrawal; return 1",
        """
    transfers = all_pages(apis.wallet.show_card_transfers, access_token=wallet_token)
    earlier = [transfer for transfer in transfers if transfer["kind"] == "withdrawal"]
    latest = max(earlier, key=lambda transfer: transfer["created_at"])
    apis.wallet.withdraw_balance(access_token=wallet_token, card_id=latest["card_id"], amount=amount)
    return 1
""",
        (
            "Withdraw {amount} dollars from my wallet to the card to which I made my latest withdrawal.",
            "To which card did I last withdraw money from the wallet? Send {amount} dollars there now.",
            "Look up the most recent withdrawal among my card transfers in the wallet and withdraw {amount} dollars"
            " to the same card.",
        ),
        apps=("wallet",),
        slots=(one_of("amount", 15.0, 22.5, 31.0, 40.0, 18.75, 27.3, 12.0),),
        matters=(("latest = max(", "latest = min("), (' if transfer["kind"] == "withdrawal"', "")),
    ),
    written(
        "top_up_what_requests_ask",
        "top up from a card what the pending requests add up to; return how many requests there are",
        """
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    total = round(sum(request["amount"] for request in requests), 2)
    cards = apis.wallet.show_cards(access_token=wallet_token)
    card_id = next(one["card_id"] for one in cards if one["name"] == card)
    apis.wallet.top_up_balance(access_token=wallet_token, card_id=card_id, amount=total)
    return len(requests)
""",
        (
            'Top up my wallet from the card "{card}" by as much as the pending payment requests to me add up to.',
            "What do the pending payment requests that others sent me on the wallet come to? Put exactly that sum"
            ' into my balance from the card "{card}".',
            "I want to be able to pay all payment requests to me that are still pending: take their total from the"
            ' card "{card}" and put it into my wallet.',
        ),
        apps=("wallet",),
        slots=(_CARD,),
        matters=((', status="pending"', ""),),
    ),
    written(
        "expenses_for_payments_to_members",
        "record an expense in a group for each payment sent to a member; return how many",
        _FINDS
        + """    members = apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]
    emails = [member["email"] for member in members]
    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="sent", from_date=start)
    found = [one for one in payments if one["receiver"]["email"] in emails]
    for one in found:
        apis.splits.add_expense(
            access_token=splits_token,
            description=one["note"],
            amount=one["amount"],
            participant_emails=emails,
            group_id=group_id,
        )
    return len(found)
""",
        (
            "For each payment that I sent on the wallet on or after {start} to a member of the splits group"
            ' "{group}", record an expense in that group: described like the note of the payment, with the same'
            " amount, paid by me and split equally among all members.",
            "Which payments of mine on the wallet since {start} (that day included) went to members of the splits"
            ' group "{group}"? Enter each of them there as an expense paid by me, with its note as the description,'
            " its amount, and equal shares for all members of the group.",
            'My wallet payments from {start} on to people in "{group}" (a group on splits) were for the whole group.'
            " Add an expense to the group for every one of them, with the note as its description and the amount"
            " unchanged, paid by me and shared equally by all members.",
        ),
        apps=("splits", "wallet"),
        slots=(_GROUP, _MONTH),
        matters=((' if one["receiver"]["email"] in emails', ""), (", from_date=start", "")),
    ),
    written(
        "like_payments_with_notes_of_sent_ones",
        "like the received payments with the note of one sent since a day; return how many",
        """
    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token)
    sent = {one["note"] for one in payments if one["direction"] == "sent" and one["created_at"] >= start}
    found = [
        one
        for one in payments
        if one["direction"] == "received" and one["note"] in sent and not one["liked_by_me"]
    ]
    for one in found:
        apis.wallet.like_transaction(access_token=wallet_token, transaction_id=one["transaction_id"])
    return len(found)
""",
        (
            "Like every payment I received on the wallet whose note is also the note of a payment that I sent on or"
            " after {start}, unless I like it already.",
            "Collect the notes of the payments that I sent on the wallet since {start} (that day included). All"
            " payments I received with one of these notes, whenever that was, should have my like.",
            "For which of the payments that I got on the wallet is there a payment of mine from {start} or later with"
            " exactly the same note? Like those that I have not liked yet.",
        ),
        apps=("wallet",),
        slots=(_MONTH,),
        matters=(('one["note"] in sent', "True"), (' and one["created_at"] >= start', "")),
    ),
)
