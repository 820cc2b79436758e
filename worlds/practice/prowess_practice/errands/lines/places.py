"""All places of a text, and those of them that are no papers: messages, comments, descriptions, steps."""

from __future__ import annotations

from prowess_desk.engine.family import Day

from prowess_practice.errands.lines import scene
from prowess_practice.errands.lines.place import Place
from prowess_practice.errands.lines.places_papers import ARCHIVED, FILE, FOLDER, NAMED_FILE, NOTE, TAGGED, TAGGED_ALL

_CONTACT = """    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, query=sender)
    number = next(one["phone_number"] for one in contacts if one["name"] == sender)
"""
_TASK = """    todo_token = login(app="todo")
    tasks = all_pages(apis.todo.search_tasks, access_token=todo_token, query=task)
    task_id = next(one["task_id"] for one in tasks if one["title"] == task)
"""

MESSAGE = Place(
    word="message",
    apps=("phone",),
    slots={"sender": str},
    about="the last text from somebody",
    says=(
        'the last text message that "{sender}" sent me',
        'the latest text I got from "{sender}"',
        'what "{sender}" texted me last',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_text_messages, access_token=phone_token, phone_number=number, direction="received"
    )
    content = messages[0]["text"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_message,
    matters=((', direction="received"', ""),),
)
MESSAGES = Place(
    word="messages",
    apps=("phone",),
    slots={"sender": str, "day": Day},
    about="a day's texts from somebody",
    says=(
        'the text messages that "{sender}" sent me on {day}',
        'all texts of {day} that I received from "{sender}"',
        'what "{sender}" texted me on {day}, message by message,',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_text_messages, access_token=phone_token, phone_number=number, from_date=day, to_date=day
    )
    lines = [message["text"] for message in messages if message["sender"]["name"] == sender]
""",
    lines="lines",
    sets=scene.in_messages,
    ordered=False,
    matters=((", from_date=day, to_date=day", ""),),
    holds=("each", "one"),
)
VOICE = Place(
    word="voice_message",
    apps=("phone",),
    slots={"sender": str},
    about="a voice message from somebody",
    says=(
        'the last voice message that "{sender}" left me',
        'the latest voice message I received from "{sender}"',
        'what "{sender}" said in the last voice message to me',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_voice_messages, access_token=phone_token, phone_number=number, direction="received"
    )
    content = messages[0]["transcript"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_voice,
    matters=((', direction="received"', ""),),
    holds=("part",),
)
COMMENTS = Place(
    word="comments",
    apps=("todo",),
    slots={"task": str},
    about="the comments of a task",
    says=(
        'the comments of my task "{task}"',
        'what is written under the task "{task}" in my todo app, comment by comment,',
        'the comments on the task "{task}" (todo app)',
    ),
    code=_TASK
    + """    comments = all_pages(apis.todo.list_comments, access_token=todo_token, task_id=task_id)
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_task,
    matters=((' if one["title"] == task', ""),),
    holds=("each", "one"),
)
DESCRIPTION = Place(
    word="description",
    apps=("todo",),
    slots={"task": str},
    about="the description of a task",
    says=(
        'the description of my task "{task}"',
        'the description that the task "{task}" has in my todo app',
        'what the task "{task}" in the todo app has as its description',
    ),
    code=_TASK
    + """    content = apis.todo.show_task(access_token=todo_token, task_id=task_id)["description"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.described,
    matters=((' if one["title"] == task', ""),),
)
STEPS = Place(
    word="open_subtasks",
    apps=("todo",),
    slots={"task": str},
    about="the open subtasks of a task",
    says=(
        'the subtasks of my task "{task}" that are not done yet',
        'the open subtasks of the task "{task}" in my todo app',
        'what is still open among the subtasks of "{task}" (a task in the todo app)',
    ),
    code=_TASK
    + """    steps = apis.todo.show_task(access_token=todo_token, task_id=task_id)["subtasks"]
    lines = [step["title"] for step in steps if not step["done"]]
""",
    lines="lines",
    sets=scene.stepped,
    matters=((' if not step["done"]', ""),),
    holds=("each", "one"),
)
EXPENSE = Place(
    word="expense_comments",
    apps=("splits",),
    slots={"expense": str},
    about="the comments on an expense",
    says=(
        'the comments on the expense "{expense}" in the splits app',
        'what is written under the shared expense "{expense}" (splits app), comment by comment,',
        'the comments that the expense "{expense}" has in splits',
    ),
    code="""    splits_token = login(app="splits")
    expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, query=expense)
    expense_id = next(one["expense_id"] for one in expenses if one["description"] == expense)
    comments = all_pages(apis.splits.show_expense_comments, access_token=splits_token, expense_id=expense_id)
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_spending,
    matters=((' if one["description"] == expense', ""),),
    holds=("each", "one"),
)
PAYMENT = Place(
    word="payment_comments",
    apps=("wallet",),
    slots={"payment": str},
    about="the comments on a payment",
    says=(
        'the comments on the wallet payment with the note "{payment}"',
        'what stands under my payment "{payment}" (that is its note) in the wallet app, comment by comment,',
        'the comments of the transaction in my wallet whose note is exactly "{payment}"',
    ),
    code="""    wallet_token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, query=payment)
    payment_id = next(one["transaction_id"] for one in payments if one["note"] == payment)
    comments = all_pages(
        apis.wallet.show_transaction_comments, access_token=wallet_token, transaction_id=payment_id
    )
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_payment,
    matters=((' if one["note"] == payment', ""),),
    holds=("each", "one"),
)
PLACES = (
    NOTE,
    FILE,
    MESSAGE,
    COMMENTS,
    TAGGED,
    DESCRIPTION,
    FOLDER,
    EXPENSE,
    NAMED_FILE,
    VOICE,
    TAGGED_ALL,
    STEPS,
    MESSAGES,
    PAYMENT,
    ARCHIVED,
)
