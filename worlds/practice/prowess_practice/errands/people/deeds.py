"""What is done with other rows of the people: their requests, payments, messages and expenses; or asked of these."""

from __future__ import annotations

from prowess_practice.errands.people import scene
from prowess_practice.errands.people.plan import Outcome
from prowess_practice.errands.people.slots import COMMENT, REASON

_STAGES = {
    "approve": scene.got_request,
    "deny": scene.got_request,
    "sum_claims_of": scene.got_request,
    "cancel_claims_on": scene.sent_request,
    "drop_voices_of": scene.got_voice,
    "count_calls_of": scene.missed_call,
}
"""Rows that are few at first."""


def _deed(
    word: str, reads: str, row: str, person: str, call: str, about: str, wordings: tuple[str, ...], **more: object
) -> Outcome:
    """Something done to each of the people's rows that a listing has."""
    app, _, _ = reads.partition(".")
    api, _, arguments = reads.partition("(")
    named = f'{row}["{person}"]["name"] <is>'
    tests = " and ".join([named, *([str(more["test"])] if "test" in more else [])])
    return Outcome(
        word=word,
        apps=(app,),
        needs=("name",),
        after=(
            f"    {row}_rows = all_pages(apis.{api}, access_token={app}_token{arguments})\n"
            f"    theirs = [{row} for {row} in {row}_rows if {tests}]\n"
            f"    for {row} in theirs:\n        {call}\n"
        ),
        result="len(theirs)",
        about=about,
        wordings=wordings,
        slots=(COMMENT,) if "=comment" in call else (REASON,) if "=reason" in call else (),
        matters=((named, "True"),),
        stage=_STAGES.get(word),
        not_from=tuple(str(one) for one in str(more.get("not_from", "")).split()),
        pays=word == "approve",
    )


def _asked(
    word: str, reads: str, row: str, person: str, result: str, about: str, wordings: tuple[str, ...], not_from: str
) -> Outcome:
    """A number out of the people's rows that a listing has."""
    app, _, _ = reads.partition(".")
    api, _, arguments = reads.partition("(")
    named = f'{row}["{person}"]["name"] <is>'
    return Outcome(
        word=word,
        apps=(app,),
        needs=("name",),
        after=(
            f"    {row}_rows = all_pages(apis.{api}, access_token={app}_token{arguments})\n"
            f"    theirs = [{row} for {row} in {row}_rows if {named}]\n"
        ),
        result=result,
        returns="float" if "round" in result else "int",
        about=about,
        wordings=wordings,
        asks=True,
        matters=((named, "True"),),
        stage=_STAGES.get(word),
        not_from=tuple(not_from.split()),
    )


DEEDS = (
    _deed(
        "approve",
        'wallet.show_received_requests(, status="pending"',
        "asking",
        "requester",
        'apis.wallet.approve_request(access_token=wallet_token, request_id=asking["request_id"])',
        "Approve the pending requests of PEOPLE; return how many.",
        (
            "Approve the pending wallet requests that I have got from WHO.",
            "INTRO If there are pending wallet requests to me from REF, approve them, and no others.",
            "In the wallet, requests from ALL are fine with me: approve those that are pending.",
        ),
        not_from="askers",
    ),
    _deed(
        "deny",
        'wallet.show_received_requests(, status="pending"',
        "asking",
        "requester",
        'apis.wallet.deny_request(access_token=wallet_token, request_id=asking["request_id"])',
        "Deny the pending requests of PEOPLE; return how many.",
        (
            "Deny every pending wallet request that comes from WHO.",
            "INTRO Then deny whatever pending wallet requests I have got from REF.",
            "No money for ALL: their pending requests to me in the wallet are to be denied.",
        ),
        not_from="askers",
    ),
    _deed(
        "cancel_claims_on",
        'wallet.show_sent_requests(, status="pending"',
        "claim",
        "payer",
        'apis.wallet.cancel_request(access_token=wallet_token, request_id=claim["request_id"])',
        "Cancel the pending requests sent to PEOPLE; return how many.",
        (
            "Cancel my pending wallet requests to WHO.",
            "INTRO Take back every wallet request of mine that is still pending with REF.",
            "I no longer want money from ALL: cancel the wallet requests that I sent them and that are pending.",
        ),
        not_from="asked_people",
    ),
    _deed(
        "like_payments_of",
        'wallet.show_transactions(, direction="received"',
        "gift",
        "sender",
        'apis.wallet.like_transaction(access_token=wallet_token, transaction_id=gift["transaction_id"])',
        "Like the payments got from PEOPLE; return how many.",
        (
            "Like all wallet payments that I received from WHO, except those that I like already.",
            "INTRO Then like every wallet payment that I got from REF, if I have not liked it yet.",
            "I am grateful to ALL. Like the wallet payments that they sent me, where I have not.",
        ),
        test='not gift["liked_by_me"]',
        not_from="payers",
    ),
    _deed(
        "hide_payments_to",
        'wallet.show_transactions(, direction="sent"',
        "outlay",
        "receiver",
        "apis.wallet.update_transaction("
        'access_token=wallet_token, transaction_id=outlay["transaction_id"], is_private=True)',
        "Make the payments to PEOPLE private; return how many.",
        (
            "Where they are not private yet, make the wallet payments private that I sent to WHO.",
            "INTRO Then make private, where it is still public, every wallet payment of mine to REF.",
            "Nobody needs to see what I paid by wallet to ALL. Set those of these payments that are public to private.",
        ),
        test='not outlay["is_private"]',
        not_from="payees",
    ),
    _deed(
        "rename_payments_to",
        'wallet.show_transactions(, direction="sent"',
        "outlay",
        "receiver",
        'apis.wallet.update_transaction(access_token=wallet_token, transaction_id=outlay["transaction_id"],'
        " note=reason)",
        "Change the note of the payments to PEOPLE; return how many.",
        (
            'Change the note to "{reason}" on every wallet payment that I sent to WHO.',
            'INTRO All wallet payments from me to REF should have "{reason}" as their note.',
            'My wallet payments to ALL need a new note: make it "{reason}" on each of them.',
        ),
        not_from="payees",
    ),
    _deed(
        "answer_payments_of",
        'wallet.show_transactions(, direction="received"',
        "gift",
        "sender",
        "apis.wallet.add_transaction_comment("
        'access_token=wallet_token, transaction_id=gift["transaction_id"], text=comment)',
        "Comment on the payments got from PEOPLE; return how many.",
        (
            'Comment "{comment}" under each wallet payment that I received from WHO.',
            'INTRO Then leave the comment "{comment}" under every wallet payment that I got from REF.',
            'It is about ALL. Every wallet payment that I got from them should have a comment of mine: "{comment}"',
        ),
        not_from="payers",
    ),
    _deed(
        "drop_texts_of",
        'phone.show_text_messages(, direction="received"',
        "texting",
        "sender",
        'apis.phone.delete_text_message(access_token=phone_token, message_id=texting["message_id"])',
        "Delete the texts got from PEOPLE; return how many.",
        (
            "Delete the text messages in my phone that I got from WHO.",
            "INTRO Then delete every text message that I got from REF. What I sent stays.",
            "It is about ALL. My phone need not keep what they texted me: delete these messages, but none that I sent.",
        ),
        not_from="texters",
    ),
    _deed(
        "drop_voices_of",
        'phone.show_voice_messages(, direction="received"',
        "voice",
        "sender",
        'apis.phone.delete_voice_message(access_token=phone_token, message_id=voice["message_id"])',
        "Delete the voice messages got from PEOPLE; return how many.",
        (
            "Delete the voice messages that I got from WHO.",
            "INTRO Then delete every voice message that I got from REF.",
            "I have listened to everything that came by voice message from ALL: delete these voice messages.",
        ),
        not_from="voices",
    ),
    _deed(
        "comment_expenses_of",
        "splits.show_expenses(",
        "bill",
        "paid_by",
        'apis.splits.add_expense_comment(access_token=splits_token, expense_id=bill["expense_id"], text=comment)',
        "Comment on the expenses paid by PEOPLE; return how many.",
        (
            'On splits, comment "{comment}" on each expense of mine that was paid by WHO.',
            'INTRO Then write "{comment}" as a comment under every splits expense of mine that was paid by REF.',
            'My splits expenses include some paid by ALL. Write "{comment}" as a comment under each of these.',
        ),
        not_from="spenders",
    ),
    _asked(
        "count_texts_of",
        'phone.show_text_messages(, direction="received"',
        "texting",
        "sender",
        "len(theirs)",
        "Count the texts got from PEOPLE.",
        (
            "How many text messages have I received from WHO, taken together? A number, please.",
            "INTRO Now count the text messages I received from REF, all together, and tell me that number.",
            "I am thinking of ALL. How often do they text me? I want the number of messages received from them"
            " in total.",
        ),
        "texters",
    ),
    _asked(
        "sum_payments_of",
        'wallet.show_transactions(, direction="received"',
        "gift",
        "sender",
        'round(sum(gift["amount"] for gift in theirs), 2)',
        "Add up the payments got from PEOPLE.",
        (
            "How much money have I received through wallet payments from WHO, taken together? Give me the amount.",
            "INTRO Then tell me the total, as one amount, of the wallet payments that I got from REF.",
            "Add up all wallet payments to me from ALL, and answer with the total as one number.",
        ),
        "payers",
    ),
    _asked(
        "sum_payments_to",
        'wallet.show_transactions(, direction="sent"',
        "outlay",
        "receiver",
        'round(sum(outlay["amount"] for outlay in theirs), 2)',
        "Add up the payments made to PEOPLE.",
        (
            "How much money have I sent by wallet to WHO, taken together? Give me the amount.",
            "INTRO Then tell me the total, as one amount, of my wallet payments to REF.",
            "Add up every wallet payment of mine to ALL, and answer with the total as one number.",
        ),
        "payees",
    ),
    _asked(
        "sum_claims_of",
        'wallet.show_received_requests(, status="pending"',
        "asking",
        "requester",
        'round(sum(asking["amount"] for asking in theirs), 2)',
        "Add up the pending requests of PEOPLE.",
        (
            "What do the pending wallet requests add up to that I have from WHO? One amount, please.",
            "INTRO How much do I have to pay if I approve each pending wallet request from REF? I need the total.",
            "Add up what is asked of me in pending wallet requests by ALL; answer with the sum.",
        ),
        "askers",
    ),
    _asked(
        "count_calls_of",
        'phone.show_call_log(, direction="incoming"',
        "ring",
        "caller",
        "len(theirs)",
        "Count the incoming calls of PEOPLE.",
        (
            "How many incoming calls, missed or not, does my phone have from WHO? One number for all of them.",
            "INTRO Now count the incoming calls, answered or missed, from REF: what is the number in total?",
            "Tell me the total number of calls that came in on my phone, missed ones included, from ALL.",
        ),
        "callers missed_callers",
    ),
    _asked(
        "sum_expenses_of",
        "splits.show_expenses(",
        "bill",
        "paid_by",
        'round(sum(bill["amount"] for bill in theirs), 2)',
        "Add up the expenses paid by PEOPLE.",
        (
            "What do my splits expenses add up to that were paid by WHO? Full amounts, one sum.",
            "INTRO Now tell me the sum of the full amounts of my splits expenses that were paid by REF.",
            "I wonder about ALL. How much have they laid out? Add up the full amounts of my splits expenses paid"
            " by them.",
        ),
        "spenders",
    ),
)
