"""What is done for each of the people, with all of them, and with other rows of theirs."""

from __future__ import annotations

from prowess_practice.errands.people import scene
from prowess_practice.errands.people.plan import PeopleOutcome
from prowess_practice.errands.people.slots import (
    COMMENT,
    COST,
    MARK,
    MESSAGE,
    MIX,
    NEW_GROUP,
    OWN_GROUP,
    PAYMENT,
    REASON,
    START,
    TIME,
    VERB,
)
from prowess_practice.errands.people.sources_money import MY_SPLITS

_TEXT = "apis.phone.send_text_message(access_token=phone_token, phone_number=<phone_number>, text="
_PAY = "apis.wallet.send_payment(access_token=wallet_token, receiver_email=<email>, amount="
_ASK = "apis.wallet.request_payment(access_token=wallet_token, payer_email=<email>, amount="
_FRIENDS = (
    "    friends = all_pages(apis.wallet.show_friends, access_token=wallet_token)\n"
    '    friend_emails = {friend["email"] for friend in friends}\n'
)

ACTS = (
    PeopleOutcome(
        word="text",
        apps=("phone",),
        needs=("phone_number",),
        each=(f"{_TEXT}message)",),
        about="Text `message` to PEOPLE; return how many.",
        wordings=(
            'Send the text message "{message}" to WHOONCE.LEFT',
            'It is about ALL. They should get a text from meONCE, word for word like this: "{message}"LEFT',
            'INTRO REF should get a text message that says "{message}"ONCE.LEFT',
            'Please text "{message}" to WHO. Nobody gets it twice, and nobody else gets it.LEFT',
        ),
        slots=(MESSAGE,),
    ),
    PeopleOutcome(
        word="text_sum_to",
        apps=("phone",),
        needs=("phone_number",),
        uses="sum",
        each=(f'{_TEXT}f"{{start}} <shown>")',),
        about="Text everybody's sum to PEOPLE; return how many.",
        wordings=(
            'Send one text message to WHO. It says "{start} NUMBER", where NUMBER is TOTALFORM.LEFT',
            'INTRO REF should get a text from me: the words "{start}", a space, and then TOTALFORM.LEFT',
            'I am thinking of ALL. Let them know by text what it adds up to: "{start} NUMBER", and for NUMBER put'
            " TOTALFORM.LEFT",
            'Texts are due: the words "{start}" and after a space TOTALFORM. They go to WHO.LEFT',
        ),
        slots=(START,),
    ),
    PeopleOutcome(
        word="text_number_to",
        apps=("phone",),
        needs=("phone_number",),
        uses="number",
        each=(f'{_TEXT}f"{{start}} <shown>")',),
        about="Text everybody's number to PEOPLE; return how many.",
        wordings=(
            'Send one text message to WHO. It says "{start} NUMBER", where NUMBER is TOTAL.LEFT',
            'INTRO REF should get a text from me: the words "{start}", a space, and then TOTAL.LEFT',
            'There are numbers to send by text to ALL: "{start} NUMBER", and for NUMBER put TOTAL.LEFT',
        ),
        slots=(START,),
    ),
    PeopleOutcome(
        word="greet",
        apps=("phone",),
        needs=("phone_number", "name"),
        each=("first_name = <name>.split()[0]", f'{_TEXT}f"Hi {{first_name}}! {{message}}")'),
        about="Greet PEOPLE by text; return how many.",
        wordings=(
            'Text "Hi FIRSTNAME! {message}" to WHO, with the first name of the person in place of FIRSTNAME.LEFT',
            'INTRO REF should get a text of their own: "Hi FIRSTNAME! {message}", FIRSTNAME being the first name.LEFT',
            'I want a personal text to go out to ALL: "Hi", a space, the first name, then "! {message}".LEFT',
        ),
        slots=(MESSAGE,),
    ),
    PeopleOutcome(
        word="speak_to",
        apps=("phone",),
        needs=("phone_number",),
        each=(
            "apis.phone.send_voice_message(access_token=phone_token, phone_number=<phone_number>, transcript=message)",
        ),
        about="Leave PEOPLE a voice message; return how many.",
        wordings=(
            'Leave a voice message that says "{message}" for WHOONCE.LEFT',
            'INTRO Then send REF the voice message "{message}"ONCE.LEFT',
            'A voice message, please, no text: "{message}" should go to ALLONCE.LEFT',
        ),
        slots=(MESSAGE,),
    ),
    PeopleOutcome(
        word="pay",
        apps=("wallet",),
        needs=("email",),
        each=(f"{_PAY}amount, note=reason)",),
        about="Pay PEOPLE an amount; return how many.",
        wordings=(
            'With the wallet, pay {amount} dollars with the note "{reason}" to WHOONCE.LEFT',
            'INTRO REF gets {amount} dollars from my wallet, with the note "{reason}"ONCE.LEFT',
            'I feel generous: {amount} dollars by wallet, noted as "{reason}", for ALLONCE.LEFT',
            'Send a wallet payment of {amount} dollars ("{reason}" is the note) to WHOONCE.LEFT',
        ),
        slots=(PAYMENT, REASON),
        pays=True,
    ),
    PeopleOutcome(
        word="pay_sum_to",
        apps=("wallet",),
        needs=("email",),
        uses="sum",
        each=(f"{_PAY}round(total, 2), note=reason)",),
        about="Pay PEOPLE their sums; return how many.",
        wordings=(
            'With "{reason}" as the note, make one wallet payment to WHO. The amount is TOTAL.LEFT',
            'INTRO REF should get a single wallet payment from me, noted as "{reason}". The amount is TOTAL.LEFT',
            'I have debts of honor. Concerning ALL: one wallet payment per person, note "{reason}", and the amount is'
            " TOTAL.LEFT",
        ),
        slots=(REASON,),
        pays=True,
        not_from=("callers", "called_people"),
    ),
    PeopleOutcome(
        word="ask",
        apps=("wallet",),
        needs=("email",),
        each=(f"{_ASK}amount, note=reason)",),
        about="Ask PEOPLE for an amount; return how many.",
        wordings=(
            'Request {amount} dollars with the note "{reason}" on wallet from WHOONCE.LEFT',
            'INTRO REF is to be asked for {amount} dollars with a wallet request noted "{reason}"ONCE.LEFT',
            'I am collecting money: send a wallet request of {amount} dollars, note "{reason}", to ALLONCE.LEFT',
        ),
        slots=(PAYMENT, REASON),
    ),
    PeopleOutcome(
        word="ask_sum_of",
        apps=("wallet",),
        needs=("email",),
        uses="sum",
        each=(f"{_ASK}round(total, 2), note=reason)",),
        about="Ask PEOPLE for their sums; return how many.",
        wordings=(
            'Send one wallet request with the note "{reason}" to WHO. The amount is TOTAL.LEFT',
            'INTRO On wallet, request one amount from REF, with the note "{reason}": TOTAL.LEFT',
            'Concerning ALL: I want money by wallet request, noted as "{reason}", one request per person. How much?'
            " It is TOTAL.LEFT",
        ),
        slots=(REASON,),
        not_from=("callers", "called_people"),
    ),
    PeopleOutcome(
        word="befriend",
        apps=("wallet",),
        needs=("email",),
        before=_FRIENDS,
        each=(
            "if <email> not in friend_emails:",
            "    apis.wallet.add_friend(access_token=wallet_token, email=<email>)",
        ),
        about="Make wallet friends of PEOPLE unless they are; return how many were found.",
        wordings=(
            "In the wallet, make a friend of WHO, unless they are one already.LEFT",
            "INTRO REF should be among my wallet friends. Add those who are missing.LEFT",
            "My friends in the wallet should include ALL. Whoever is not there yet is to be added.LEFT",
        ),
        not_from=("friends",),
    ),
    PeopleOutcome(
        word="unfriend",
        apps=("wallet",),
        needs=("email",),
        before=_FRIENDS,
        each=(
            "if <email> in friend_emails:",
            "    apis.wallet.remove_friend(access_token=wallet_token, email=<email>)",
        ),
        about="Remove PEOPLE from the wallet friends; return how many were found.",
        wordings=(
            "From my wallet friends, remove WHO, as far as they are among them.LEFT",
            "INTRO REF should no longer be a wallet friend of mine: remove those who are.LEFT",
            "It is about ALL. I no longer want them among my friends in the wallet: remove those who are in that"
            " list.LEFT",
        ),
        not_from=("friends",),
    ),
    PeopleOutcome(
        word="save",
        apps=("phone",),
        needs=("phone_number", "name"),
        each=(
            "apis.phone.add_contact("
            "access_token=phone_token, name=<name>, phone_number=<phone_number>, relationships=[mark])",
        ),
        about="Add PEOPLE to the contacts; return how many.",
        wordings=(
            'Create a phone contact with full name, phone number and the relationship "{mark}" for WHO.',
            'INTRO Create a contact for REF: the full name, the phone number, and "{mark}" as the relationship.',
            'My address book has gaps. Save ALL, with their names and numbers and as "{mark}".',
        ),
        slots=(MARK,),
        unknown=True,
    ),
    PeopleOutcome(
        word="mark",
        apps=("phone",),
        needs=("contact_id", "relationships"),
        each=(
            "apis.phone.update_contact("
            "access_token=phone_token, contact_id=<contact_id>, relationships=[*<relationships>, mark])",
        ),
        about="Give PEOPLE a further relationship in the contacts; return how many.",
        wordings=(
            'Add the relationship "{mark}", besides those that are there, to the phone contact of WHO.LEFT',
            'INTRO The contact of REF gets "{mark}" as a further relationship, besides those it has.LEFT',
            'Think of ALL. I want to find them as "{mark}" in my phone, so add that to the relationships that their'
            " contacts have.LEFT",
        ),
        slots=(MARK,),
    ),
    PeopleOutcome(
        word="forget",
        apps=("phone",),
        needs=("contact_id",),
        each=("apis.phone.delete_contact(access_token=phone_token, contact_id=<contact_id>)",),
        about="Delete PEOPLE from the contacts; return how many.",
        wordings=(
            "Delete the phone contact of WHO.LEFT",
            "INTRO Then delete the contact of REF from my phone.LEFT",
            "It is about ALL. My phone should no longer have them: delete their contacts and no others.LEFT",
        ),
    ),
    PeopleOutcome(
        word="set_alarm_for",
        apps=("phone",),
        needs=("name",),
        each=('apis.phone.create_alarm(access_token=phone_token, label=f"{verb} {<name>}", time=alarm_time)',),
        about="Set an alarm for PEOPLE; return how many.",
        wordings=(
            'Set an alarm at "{alarm_time}", not repeated, labeled "{verb} NAME" for WHO, with the full name as NAME.',
            'INTRO For REF I want a one-time alarm at "{alarm_time}" whose label is "{verb} NAME", NAME the full name.',
            'Phone alarms, please: one labeled "{verb}" plus a space plus the full name, at "{alarm_time}", no'
            " repeat, for WHO.",
        ),
        slots=(VERB, TIME),
    ),
    PeopleOutcome(
        word="make_playlist_for",
        apps=("music",),
        needs=("name",),
        each=('apis.music.create_playlist(access_token=music_token, title=f"{mix} {<name>}")',),
        about="Create an empty playlist for PEOPLE; return how many.",
        wordings=(
            'On music, create an empty playlist titled "{mix} NAME" for WHO, where NAME is the full name.',
            'INTRO Then make a new, empty music playlist with the title "{mix} NAME" (NAME: full name) for REF.',
            'I plan mixes for ALL. Create the music playlists, still empty, titled "{mix}" and the full name'
            " after a space.",
        ),
        slots=(MIX,),
    ),
)


_GROUP = (
    "    own_groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=own_group)\n"
    '    target = next(one for one in own_groups if one["name"] == own_group)\n'
    '    inside = {member["email"] for member in target["members"]}\n'
)

CIRCLES = (
    PeopleOutcome(
        word="make_group_of",
        apps=("splits",),
        needs=("email",),
        after="    apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=<emails>)\n",
        about="Create a group of PEOPLE; return how many.",
        wordings=(
            'On splits, create a group named "{new_group}" of me and ALL.LEFT',
            'INTRO Then make a new splits group "{new_group}" of me and REF.LEFT',
            'I want a splits group called "{new_group}". Its members are WHO, and of course me.LEFT',
        ),
        slots=(NEW_GROUP,),
        single=False,
    ),
    PeopleOutcome(
        word="let_join",
        apps=("splits",),
        needs=("email",),
        before=_GROUP,
        each=(
            "if <email> not in inside:",
            '    apis.splits.add_member(access_token=splits_token, group_id=target["group_id"], email=<email>)',
        ),
        about="Add PEOPLE to a group unless they are in it; return how many were found.",
        wordings=(
            'To my splits group "{own_group}", add WHO, except those who are in it already.LEFT',
            'INTRO REF should be in my splits group "{own_group}": add whoever is missing there.LEFT',
            'It is about ALL. My splits group "{own_group}" is to have them as members: add them, unless they are.LEFT',
        ),
        slots=(OWN_GROUP,),
    ),
    PeopleOutcome(
        word="share_cost_with",
        apps=("splits",),
        needs=("email",),
        before=MY_SPLITS,
        after=(
            "    sharers = [my_email, *<emails>]\n"
            "    apis.splits.add_expense("
            "access_token=splits_token, description=reason, amount=cost, participant_emails=sharers)\n"
        ),
        about="Record an expense shared with PEOPLE; return how many.",
        wordings=(
            'Record on splits, outside any group, that I paid {cost} dollars for "{reason}", shared equally by me and'
            " ALL.LEFT",
            'INTRO Then add an expense to splits, outside any group: "{reason}", {cost} dollars, paid by me,'
            " split equally"
            " between me and REF.LEFT",
            'I laid out {cost} dollars for "{reason}". Put that on splits without a group, in equal shares for me and'
            " WHO.LEFT",
        ),
        slots=(COST, REASON),
        single=False,
    ),
)


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
) -> PeopleOutcome:
    """Something done to each of the people's rows that a listing has."""
    app, _, _ = reads.partition(".")
    api, _, arguments = reads.partition("(")
    named = f'{row}["{person}"]["name"] <is>'
    tests = " and ".join([named, *([str(more["test"])] if "test" in more else [])])
    return PeopleOutcome(
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
) -> PeopleOutcome:
    """A number out of the people's rows that a listing has."""
    app, _, _ = reads.partition(".")
    api, _, arguments = reads.partition("(")
    named = f'{row}["{person}"]["name"] <is>'
    return PeopleOutcome(
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
