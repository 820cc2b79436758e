"""What is done for each of the people: a message, money, a change among friends or contacts, an alarm."""

from __future__ import annotations

from prowess_practice.errands.people.plan import Outcome
from prowess_practice.errands.people.slots import MARK, MESSAGE, MIX, PAYMENT, REASON, START, TIME, VERB

_TEXT = "apis.phone.send_text_message(access_token=phone_token, phone_number=<phone_number>, text="
_PAY = "apis.wallet.send_payment(access_token=wallet_token, receiver_email=<email>, amount="
_ASK = "apis.wallet.request_payment(access_token=wallet_token, payer_email=<email>, amount="
_FRIENDS = (
    "    friends = all_pages(apis.wallet.show_friends, access_token=wallet_token)\n"
    '    friend_emails = {friend["email"] for friend in friends}\n'
)

ACTS = (
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
    Outcome(
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
