"""Values that reports take besides those of their rows: titles, names of what is there, days."""

from __future__ import annotations

from prowess_practice.errands.people import slots as people
from prowess_practice.errands.transfers.parts import Slot, one_of, own

TITLE = one_of("title", "Overview", "Figures", "Where things stand", "In numbers", "Summary", "Stock-taking", "Digest")
PATH = one_of("path", *(f"~/documents/{name}.txt" for name in ("figures", "report", "summary", "overview", "numbers")))
OWN_NOTE = own(
    "own_note", '[one["title"] for one in all_pages(apis.notes.search_notes, access_token=login(app="notes"))]'
)
_CONTACTS = 'all_pages(apis.phone.show_contacts, access_token=login(app="phone"))'
RECEIVER = own("receiver", f'[one["name"] for one in {_CONTACTS}]')
EMAIL = own("email", f'[one["email"] for one in {_CONTACTS}]')
RELATION = Slot(
    name="relationship", choose=lambda draw: draw.rng.choice(["friend", "coworker", "roommate", "sibling", "parent"])
)
OWN_TASK = own(
    "own_task", '[one["title"] for one in all_pages(apis.todo.list_tasks, access_token=login(app="todo"), done=False)]'
)
TASK_TITLE = one_of("task_title", "Go over the figures", "Check the numbers", "Read the report", "Discuss the overview")
OWN_EXPENSE = own(
    "own_expense",
    '[one["description"] for one in all_pages(apis.splits.show_expenses, access_token=login(app="splits"))]',
)
OWN_PAYMENT = own(
    "own_payment", '[one["note"] for one in all_pages(apis.wallet.show_transactions, access_token=login(app="wallet"))]'
)
OWN_SONG = own(
    "own_song", '[one["song_title"] for one in all_pages(apis.music.show_my_reviews, access_token=login(app="music"))]'
)

PREFIX = one_of("prefix", "Look into", "Check", "Go over", "Figures of", "About", "On")
MARK = one_of("mark", "Count", "Checked", "As of today", "Result", "Noted", "Review")
OWN_FILE = Slot(name=people.OWN_FILE.name, choose=people.OWN_FILE.choose)
DUE = Slot(name=people.DUE.name, kind=people.DUE.kind, choose=people.DUE.choose)
