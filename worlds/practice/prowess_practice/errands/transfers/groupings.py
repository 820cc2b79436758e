"""What rows of each app can be grouped by."""

from __future__ import annotations

from prowess_practice.errands.transfers import expenses, files, money, papers, phone, shelves, songs, tasks
from prowess_practice.errands.transfers.groups import Grouping, Value
from prowess_practice.errands.transfers.parts import Pool

_LASTING = Value(
    word="length", says="the sum of their durations in seconds", code='sum(row["duration"] for row in rows)'
)
_HEARD = Value(word="plays", says="the sum of their play counts", code='sum(row["play_count"] for row in rows)')
_MINE = Value(word="my_plays", says="how often I played them in all", code='sum(row["my_play_count"] for row in rows)')
_CENTS = Value(
    word="amount",
    says="the sum of their amounts with two decimals",
    code='round(sum(row["amount"] for row in rows), 2)',
    show=":.2f",
)
_BYTES = Value(word="size", says="the sum of their sizes in bytes", code='sum(row["size"] for row in rows)')
_TALK = Value(word="seconds", says="the sum of their durations in seconds", code='sum(row["duration"] for row in rows)')
_STARS = Value(word="stars", says="the sum of their stars", code='sum(row["rating"] for row in rows)')
_LONGEST = ("longest", 'ROW["duration"]')
_MONTHS = " Write months as YYYY-MM."
_YEAR = 'ROW["release_date"][:4]'

SONGS = (
    Grouping(pool=songs.LIBRARY, key='ROW["genre"]', called="genre", values=(_LASTING,), best=_LONGEST),
    Grouping(
        pool=songs.HISTORY,
        key='ROW["artist_name"]',
        called="artist",
        values=(_MINE,),
        best=_LONGEST,
    ),
    Grouping(pool=songs.LIKES, key=_YEAR, called="release year", values=(_HEARD,), best=_LONGEST),
    Grouping(pool=songs.ADVICE, key='ROW["artist_name"]', called="artist", values=(_LASTING,), best=_LONGEST),
    Grouping(pool=songs.HISTORY, key='ROW["genre"]', called="genre", values=(_MINE, _LASTING), best=_LONGEST),
    Grouping(
        pool=songs.CATALOGUE,
        key='ROW["artist_name"]',
        called="artist",
        values=(_HEARD,),
        best=("most played", 'ROW["play_count"]'),
    ),
    Grouping(pool=songs.LIKES, key='ROW["artist_name"]', called="artist", values=(_LASTING,), best=_LONGEST),
    Grouping(
        pool=songs.LIBRARY,
        key=_YEAR,
        called="release year",
        values=(_LASTING,),
        best=("most played", 'ROW["play_count"]'),
    ),
)
ALBUMS = (
    Grouping(pool=shelves.KEPT, key='ROW["genre"]', called="genre"),
    Grouping(
        pool=shelves.KEPT,
        key='ROW["release_date"][:3] + "0s"',
        called="decade",
        form=' Write decades like "2010s".',
        best=("newest", 'ROW["release_date"]'),
    ),
)
_PROJECT = (
    "    projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
    "    projects += all_pages(apis.todo.list_projects, access_token=todo_token, archived=True)\n"
    '    names = {project["project_id"]: project["name"] for project in projects}\n'
)
_NEWEST = ("most recently created", 'ROW["created_at"]')
TASKS = (
    Grouping(pool=tasks.OPEN, key='names[ROW["project_id"]]', called="project", prelude=_PROJECT, best=_NEWEST),
    Grouping(
        pool=tasks.TASKS,
        key='ROW["created_at"][:7]',
        called="month of creation",
        many="months of creation",
        form=_MONTHS,
        best=_NEWEST,
    ),
    Grouping(pool=tasks.DONE, key='names[ROW["project_id"]]', called="project", prelude=_PROJECT, best=_NEWEST),
    Grouping(
        pool=tasks.OPEN,
        key="f\"priority {ROW['priority']}\"",
        called="priority",
        many="priorities",
        form=' Call the priorities "priority 1" and so on.',
        best=_NEWEST,
    ),
)
NOTES = (
    Grouping(
        pool=papers.NOTES,
        key='ROW["created_at"][:4]',
        called="year of creation",
        many="years of creation",
        best=("most recently changed", 'ROW["updated_at"]'),
    ),
    Grouping(
        pool=papers.EVERY,
        key='ROW["updated_at"][:7]',
        called="month of the last change",
        many="months of the last change",
        form=_MONTHS,
        best=_NEWEST,
    ),
)
_ENDING = 'ROW["path"].split(".")[-1]'
FILES = (
    Grouping(
        pool=files.FILES,
        key=_ENDING,
        called="ending",
        form=" The ending is what follows the last dot of the name.",
        values=(_BYTES,),
        best=("largest", 'ROW["size"]'),
    ),
    Grouping(pool=files.FILES, key='ROW["path"].split("/")[-2]', called="folder name", values=(_BYTES,), best=_NEWEST),
)
_MONTH = 'ROW["created_at"][:7]'
_BIG = ("largest", 'ROW["amount"]')
_LATE = ("latest", 'ROW["created_at"]')
PAYMENTS = (
    Grouping(pool=money.SENT, key='ROW["receiver"]["name"]', called="receiver", values=(_CENTS,), best=_LATE),
    Grouping(pool=money.RECEIVED, key='ROW["sender"]["name"]', called="sender", values=(_CENTS,), best=_BIG),
    Grouping(pool=money.PAYMENTS, key='ROW["note"]', called="note", values=(_CENTS,), best=_LATE),
    Grouping(pool=money.SENT, key=_MONTH, called="month", form=_MONTHS, values=(_CENTS,), best=_BIG),
)
_GROUP = (
    "    groups = all_pages(apis.splits.show_groups, access_token=splits_token)\n"
    '    names = {one["group_id"]: one["name"] for one in groups}\n'
)
_SHARED = Pool(
    app="splits",
    word="group_expenses",
    row="expense",
    one="expense of mine inside a group on splits",
    many="expenses of mine inside groups on splits",
    reading=(
        "    every = all_pages(apis.splits.show_expenses, access_token=splits_token)\n"
        '    expenses = [expense for expense in every if expense["group_id"]]\n'
    ),
    name="description",
    conditions=expenses.EXPENSES.conditions,
)
EXPENSES = (
    Grouping(pool=_SHARED, key='names[ROW["group_id"]]', called="group", prelude=_GROUP, values=(_CENTS,), best=_LATE),
    Grouping(pool=expenses.EXPENSES, key='ROW["paid_by"]["name"]', called="payer", values=(_CENTS,), best=_BIG),
    Grouping(pool=expenses.EXPENSES, key=_MONTH, called="month", form=_MONTHS, values=(_CENTS,), best=_BIG),
    Grouping(pool=expenses.IN_GROUP, key='ROW["paid_by"]["name"]', called="payer", values=(_CENTS,), best=_LATE),
)
_SENT = ("latest", 'ROW["sent_at"]')
TEXTS = (
    Grouping(pool=phone.TEXTS, key='ROW["sender"]["name"]', called="sender", best=_SENT),
    Grouping(pool=phone.TEXTS, key='ROW["sent_at"][:7]', called="month", form=_MONTHS, best=_SENT),
)
CALLS = (
    Grouping(
        pool=phone.MADE,
        key='ROW["callee"]["name"]',
        called="called person",
        many="called people",
        values=(_TALK,),
        best=_LONGEST,
    ),
    Grouping(pool=phone.MISSED, key='ROW["caller"]["name"]', called="caller"),
)
REVIEWS = (
    Grouping(
        pool=shelves.REVIEWS,
        key='ROW["created_at"][:4]',
        called="year",
        values=(_STARS,),
        best=("latest", 'ROW["created_at"]'),
    ),
)
_CARDS = (
    "    cards = apis.wallet.show_cards(access_token=wallet_token)\n"
    '    names = {card["card_id"]: card["name"] for card in cards}\n'
)
TRANSFERS = (
    Grouping(
        pool=Pool(
            app="wallet",
            word="card_transfers",
            row="transfer",
            one="transfer between a card of mine and the wallet",
            many="transfers between my cards and the wallet",
            reading="    transfers = all_pages(apis.wallet.show_card_transfers, access_token=wallet_token)\n",
        ),
        key='names[ROW["card_id"]]',
        called="card",
        prelude=_CARDS,
        values=(_CENTS,),
    ),
)
