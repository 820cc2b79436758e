"""People, groups, cards, payments and alarms, one figure each."""

from __future__ import annotations

from prowess_practice.errands.reports.things import Thing, ThingFigure
from prowess_practice.errands.transfers import phone
from prowess_practice.errands.transfers.parts import RowPool

_PHONE, _WALLET, _SPLITS = "access_token=phone_token", "access_token=wallet_token", "access_token=splits_token"
_MONEY = "with two decimals (as in 12.50)"


def _pool(app: str, word: str, row: str, one: str, many: str, api: str) -> RowPool:
    rows = f"{row}s"
    reading = f"    {rows} = all_pages(apis.{app}.{api}, access_token={app}_token)\n"
    return RowPool(app=app, word=word, row=row, one=one, many=many, reading=reading)


_CONTACTS = _pool("phone", "contacts", "contact", "contact in my phone", "contacts in my phone", "show_contacts")
_TALKS = _pool(
    "phone",
    "conversations",
    "conversation",
    "person in my text conversations",
    "people in my text conversations",
    "show_conversations",
)
_FRIENDS = _pool(
    "wallet", "friends", "friend", "friend of mine on the wallet", "friends of mine on the wallet", "show_friends"
)
_GROUPS = _pool("splits", "groups", "group", "group of mine on splits", "groups of mine on splits", "show_groups")
_OWING = _pool(
    "splits",
    "debtors",
    "debtor",
    "person who owes me on splits",
    "people who owe me on splits",
    "show_people_who_owe_me",
)
_OWED = _pool(
    "splits", "creditors", "creditor", "person I owe on splits", "people I owe on splits", "show_people_i_owe"
)
_CARDS = RowPool(
    app="wallet",
    word="cards",
    row="card",
    one="payment card in my wallet",
    many="payment cards in my wallet",
    reading=f"    cards = apis.wallet.show_cards({_WALLET})\n",
)
_PERSON = "the person's name"
_WITH = (
    'their_email = ROW["email"]\n'
    f"payments = all_pages(apis.wallet.show_transactions, {_WALLET}, user_email=their_email)\n"
)
_SPENT = f'expenses = all_pages(apis.splits.show_expenses, {_SPLITS}, group_id=ROW["group_id"])\n'
_TODAY = '    today = apis.phone.show_current_date_and_time()["date"]\n'
_BALANCE = ThingFigure(
    word="balance",
    app="splits",
    kind="money",
    says=f"my balance with the person on splits (positive where they owe me), {_MONEY}",
    inner=f'shown = apis.splits.show_person_balance({_SPLITS}, email=ROW["email"])\n',
    code='shown["balance"]',
    signed=True,
)

LIFE = (
    Thing(
        pool=_CONTACTS,
        name='ROW["name"]',
        called=_PERSON,
        looks=(
            ThingFigure(
                word="payments",
                says="the number of wallet payments between us, in either direction",
                app="wallet",
                inner=_WITH,
                code="len(payments)",
            ),
            ThingFigure(
                word="calls",
                says="the number of answered calls between us in the log of my phone",
                inner=(
                    'number = ROW["phone_number"]\n'
                    f"calls = all_pages(apis.phone.show_call_log, {_PHONE}, phone_number=number, is_missed=False)\n"
                ),
                code="len(calls)",
                edit=(", is_missed=False", ""),
            ),
            _BALANCE,
            ThingFigure(
                word="age",
                says="the person's age in full years today",
                before=_TODAY,
                kind="int",
                inner=('birthday = ROW["birthday"]\nyears = int(today[:4]) - int(birthday[:4])\n'),
                code="years - (today[5:] < birthday[5:])",
                edit=(" - (today[5:] < birthday[5:])", ""),
            ),
            ThingFigure(
                word="birthday",
                says="the person's birthday as MM-DD (month and day, as in 04-09)",
                kind="text",
                code='ROW["birthday"][5:]',
                edit=("[5:]", "[:4]"),
            ),
            ThingFigure(
                word="texts_sent",
                says="the number of text messages that I sent to the person",
                inner=(
                    'number = ROW["phone_number"]\n'
                    "messages = all_pages(\n"
                    f'    apis.phone.show_text_messages, {_PHONE}, phone_number=number, direction="sent"\n'
                    ")\n"
                ),
                code="len(messages)",
                edit=(', direction="sent"', ""),
            ),
        ),
    ),
    Thing(
        pool=_TALKS,
        name='ROW["name"]',
        called=_PERSON,
        looks=(
            ThingFigure(word="texts", says="the number of text messages between us", code='ROW["message_count"]'),
            ThingFigure(
                word="last_day",
                says="the day of the last text message between us (YYYY-MM-DD)",
                kind="day",
                code='ROW["last_message"]["sent_at"][:10]',
            ),
            ThingFigure(
                word="last_text",
                says="the last text message between us, word for word",
                kind="text",
                code='ROW["last_message"]["text"]',
                edit=('["text"]', '["sent_at"]'),
            ),
        ),
    ),
    Thing(
        pool=_FRIENDS,
        name='ROW["name"]',
        called=_PERSON,
        looks=(
            ThingFigure(
                word="paid",
                says=f"the sum of what I have paid to the person with the wallet, {_MONEY}",
                kind="money",
                inner=_WITH,
                code='round(sum(one["amount"] for one in payments if one["direction"] == "sent"), 2)',
                edit=(' if one["direction"] == "sent"', ""),
            ),
            _BALANCE,
            ThingFigure(
                word="largest",
                kind="money",
                inner=_WITH,
                code='max(one["amount"] for one in payments)',
                says=f"the amount of the largest wallet payment between us, in either direction, {_MONEY}",
                test="payments",
                left="Friends without such a payment are left out.",
                edit=("max(one", "min(one"),
            ),
        ),
    ),
    Thing(
        pool=_GROUPS,
        name='ROW["name"]',
        called="its name",
        looks=(
            ThingFigure(
                word="spent",
                says=f"the sum of the amounts of all its expenses, {_MONEY}",
                kind="money",
                inner=_SPENT,
                code='round(sum(expense["amount"] for expense in expenses), 2)',
                edit=('expense["amount"]', "1"),
            ),
            ThingFigure(
                word="per_head",
                kind="money",
                inner=_SPENT,
                says=f"the sum of the amounts of all its expenses divided by the number of its members, {_MONEY}",
                code='round(sum(expense["amount"] for expense in expenses) / len(ROW["members"]), 2)',
                edit=(' / len(ROW["members"])', ""),
            ),
            ThingFigure(
                word="members",
                says='the names of its members, from A to Z and joined by ", "',
                kind="text",
                code='", ".join(sorted(member["name"] for member in ROW["members"]))',
                edit=("sorted(member", "list(member"),
            ),
            ThingFigure(
                word="mine",
                says=f"my balance in it (positive where I get money), {_MONEY}",
                kind="money",
                inner=f'balances = apis.splits.show_balances({_SPLITS}, group_id=ROW["group_id"])\n',
                code='balances["total"]',
                edit=('balances["total"]', "0"),
                signed=True,
            ),
            ThingFigure(
                word="debts",
                says="the number of debts in it (who owes whom, each pair counted once)",
                inner=f'shown = apis.splits.show_group_balances({_SPLITS}, group_id=ROW["group_id"])\n',
                code='len(shown["debts"])',
                edit=('len(shown["debts"])', "0"),
            ),
        ),
    ),
    Thing(
        pool=_OWING,
        name='ROW["name"]',
        called=_PERSON,
        looks=(
            ThingFigure(
                word="claim", says=f"the amount that the person owes me, {_MONEY}", kind="money", code='ROW["amount"]'
            ),
        ),
    ),
    Thing(
        pool=_OWED,
        name='ROW["name"]',
        called=_PERSON,
        looks=(
            ThingFigure(
                word="debt", says=f"the amount that I owe the person, {_MONEY}", kind="money", code='ROW["amount"]'
            ),
        ),
    ),
    Thing(
        pool=_CARDS,
        name='ROW["name"]',
        called="its name",
        looks=(
            ThingFigure(
                word="end",
                says="the month in which it ends, as YYYY-MM",
                kind="text",
                code="f\"{ROW['expiry_year']}-{ROW['expiry_month']:02d}\"",
                edit=("{ROW['expiry_month']:02d}", "{ROW['expiry_month']}"),
            ),
            ThingFigure(
                word="last_digits",
                says="the last four digits of its number",
                kind="text",
                code='ROW["number"][-4:]',
                edit=("[-4:]", "[:4]"),
            ),
            ThingFigure(
                word="moved",
                says=f"the sum of the amounts of all transfers between it and the wallet, either way, {_MONEY}",
                kind="money",
                before=f"    transfers = all_pages(apis.wallet.show_card_transfers, {_WALLET})\n",
                inner='amounts = [one["amount"] for one in transfers if one["card_id"] == ROW["card_id"]]\n',
                code="round(sum(amounts), 2)",
                edit=("round(sum(amounts), 2)", "len(amounts)"),
            ),
        ),
    ),
    Thing(
        pool=phone.LOUD,
        name='ROW["label"]',
        called="its label",
        looks=(
            ThingFigure(
                word="time",
                says="the time at which it rings, as HH:MM",
                kind="text",
                code='ROW["time"]',
                edit=('ROW["time"]', '""'),
            ),
            ThingFigure(
                word="days",
                says="the number of days of the week on which it repeats",
                code='len(ROW["repeat_days"])',
                edit=('len(ROW["repeat_days"])', "0"),
            ),
        ),
    ),
)
