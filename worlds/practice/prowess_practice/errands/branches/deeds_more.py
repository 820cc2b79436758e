"""Deeds with tasks and money."""

from __future__ import annotations

from prowess_practice.errands.branches import words as texts
from prowess_practice.errands.branches.deeds import deed, on
from prowess_practice.errands.branches.draws import day, finding, money, number, pick, words
from prowess_practice.errands.branches.part import Deed

_OPEN, _VALID, _NAMED = 'not one["done"]', 'one["expiry_year"] > 2025', 'one["name"] != "Inbox"'


def _requests(word: str, says: str, listing: str, api: str, *, pays: bool = False) -> Deed:
    """Something done with all pending requests."""
    return deed(
        word,
        "wallet",
        says,
        f'pending = all_pages(apis.wallet.{listing}, access_token=wallet_token, status="pending")\n'
        "for request in pending:\n"
        f'    apis.wallet.{api}(access_token=wallet_token, request_id=request["request_id"])',
        pays=pays,
    )


TODO = (
    deed(
        "create_task",
        "todo",
        'add the task "{new_task}" to my todo project "{project_for_task}"',
        finding("project", "project_for_task")
        + "apis.todo.create_task(access_token=todo_token, title=new_task, project_id=project_id)",
        pick("project_for_task", "project"),
        words("new_task", texts.CHORES),
    ),
    on("mark_task_done", 'mark my task "{task_to_finish}" as done', "task", "task_to_finish", where=_OPEN),
    on("reopen_task", 'reopen my completed task "{done_task}"', "task", "done_task", where='one["done"]'),
    on(
        "label_task",
        'label my task "{task_to_label}" as "{new_label}"',
        "task",
        "task_to_label",
        words("new_label", texts.TAGS),
        given=", label=new_label",
        where=_OPEN,
    ),
    on(
        "rank_task",
        'give my task "{task_to_rank}" the priority {new_priority}',
        "task",
        "task_to_rank",
        number("new_priority", 1, 2, 3),
        api="update_task",
        given=", priority=new_priority",
        where=_OPEN,
    ),
    on(
        "delay_task",
        'set the due date of my task "{task_to_delay}" to {due_day}',
        "task",
        "task_to_delay",
        day("due_day", 2, 40),
        api="update_task",
        given=", due_date=due_day",
        where=_OPEN,
    ),
    on(
        "add_comment",
        'write under my task "{task_in_question}" the comment "{comment}"',
        "task",
        "task_in_question",
        words("comment", texts.TEXTS),
        given=", text=comment",
        where=_OPEN,
    ),
    on(
        "add_subtask",
        'give my task "{task_with_steps}" the subtask "{step}"',
        "task",
        "task_with_steps",
        words("step", texts.CHORES),
        given=", title=step",
        where=_OPEN,
    ),
    on("delete_task", 'delete my task "{task_to_delete}"', "task", "task_to_delete"),
    deed(
        "move_task",
        "todo",
        'move my task "{task_to_move}" to the project "{target_project}"',
        finding("project", "target_project")
        + finding("task", "task_to_move")
        + "apis.todo.move_task(access_token=todo_token, task_id=task_id, project_id=project_id)",
        pick("task_to_move", "task"),
        pick("target_project", "project"),
    ),
    deed(
        "create_project",
        "todo",
        'create a todo project named "{new_project}" in the color "{new_color}"',
        "apis.todo.create_project(access_token=todo_token, name=new_project, color=new_color)",
        words("new_project", "Attic|Spring market|Night school|Bicycle tour|Photo wall|Balcony"),
        words("new_color", texts.COLORS),
    ),
    on(
        "paint_project",
        'give my todo project "{project_to_paint}" the color "{color}"',
        "project",
        "project_to_paint",
        words("color", texts.COLORS),
        api="update_project",
        given=", color=color",
        where=_NAMED,
    ),
    on(
        "archive_project",
        'archive my todo project "{old_project}"',
        "project",
        "old_project",
        api="update_project",
        given=", archived=True",
        where=_NAMED,
    ),
)

WALLET = (
    on(
        "send_payment",
        'pay my wallet friend "{payee}" with the note "{reason}" the sum of {amount} dollars',
        "friend",
        "payee",
        words("reason", texts.REASONS),
        money("amount", 2, 25),
        given=", amount=amount, note=reason",
        takes="receiver_email",
        pays=True,
    ),
    on(
        "request_payment",
        'request from my wallet friend "{debtor}" with the note "{purpose}" the sum of {sum_asked} dollars',
        "friend",
        "debtor",
        words("purpose", texts.REASONS),
        money("sum_asked", 3, 60),
        given=", amount=sum_asked, note=purpose",
        takes="payer_email",
    ),
    on(
        "top_up_balance",
        'top up my wallet from my card "{card}" by {top_up} dollars',
        "card",
        "card",
        money("top_up", 20, 150),
        given=", amount=top_up",
        where=_VALID,
    ),
    on(
        "withdraw_balance",
        'withdraw from my wallet to my card "{target_card}" the sum of {withdrawal} dollars',
        "card",
        "target_card",
        money("withdrawal", 3, 30),
        given=", amount=withdrawal",
        where=_VALID,
        pays=True,
    ),
    on(
        "add_friend",
        'add the wallet user "{new_friend}" to my friends there',
        "user",
        "new_friend",
        where='one["email"] != apis.supervisor.show_profile()["email"]',
        without="show_friends",
    ),
    on("remove_friend", 'remove "{old_friend}" from my wallet friends', "friend", "old_friend"),
    _requests(
        "approve_requests",
        "approve every pending payment request that I got in the wallet",
        "show_received_requests",
        "approve_request",
        pays=True,
    ),
    _requests(
        "deny_requests",
        "deny all the payment requests to me that are pending in the wallet",
        "show_received_requests",
        "deny_request",
    ),
    _requests(
        "cancel_requests",
        "cancel all payment requests of mine that are still pending in the wallet",
        "show_sent_requests",
        "cancel_request",
    ),
    deed(
        "comment_payment",
        "wallet",
        'comment on the latest payment, sent or received, in my wallet with "{remark}"',
        """\
transactions = all_pages(apis.wallet.show_transactions, access_token=wallet_token)
latest = max(transactions, key=lambda transaction: transaction["created_at"])
apis.wallet.add_transaction_comment(
    access_token=wallet_token, transaction_id=latest["transaction_id"], text=remark
)
""",
        words("remark", "Noted.|Is this right?|Thanks again!|All settled."),
    ),
)

SPLITS = (
    deed(
        "add_member",
        "phone splits",
        'add my contact "{new_member}" to the splits group "{group_to_join}"',
        finding("contact", "new_member", "email")
        + finding("group", "group_to_join")
        + "apis.splits.add_member(access_token=splits_token, group_id=group_id, email=email)",
        pick("new_member", "contact"),
        pick("group_to_join", "group"),
    ),
    on(
        "rename_group",
        'rename the splits group "{old_group}" to "{new_group_name}"',
        "group",
        "old_group",
        words("new_group_name", "Our House|The Travelers|Table Five|Rowing Team|Sunday Cooks"),
        given=", name=new_group_name",
    ),
    deed(
        "add_expense",
        "splits",
        'record in the splits group "{paying_group}" an expense that I paid, described as "{expense_text}", split'
        " equally among all its members and amounting to {cost} dollars",
        """\
groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=paying_group)
group = next(one for one in groups if one["name"] == paying_group)
emails = [member["email"] for member in group["members"]]
apis.splits.add_expense(
    access_token=splits_token,
    description=expense_text,
    amount=cost,
    participant_emails=emails,
    group_id=group["group_id"],
)
""",
        pick("paying_group", "group"),
        words("expense_text", "New kettle|Bread and cheese|Parking|Paint|Rope and hooks|Lamp oil"),
        money("cost", 10, 90),
    ),
    deed(
        "comment_expense",
        "splits",
        'comment on the latest expense of the splits group "{group_of_expense}" with "{question}"',
        finding("group", "group_of_expense")
        + """\
expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=group_id)
latest = max(expenses, key=lambda expense: expense["created_at"])
apis.splits.add_expense_comment(access_token=splits_token, expense_id=latest["expense_id"], text=question)
""",
        pick("group_of_expense", "group"),
        words("question", "What was this for?|Can we talk about it?|Looks fine to me.|Who has the receipt?"),
    ),
    deed(
        "create_group",
        "phone splits",
        'create a splits group of me and my contact "{partner}" that is called "{new_group}"',
        finding("contact", "partner", "email")
        + "apis.splits.create_group(access_token=splits_token, name=new_group, member_emails=[email])",
        pick("partner", "contact"),
        words("new_group", texts.GROUPS),
    ),
    deed(
        "record_payment",
        "phone splits",
        'record on splits, outside any group, that I paid back to my contact "{repaid}" {paid_back} dollars',
        finding("contact", "repaid", "email")
        + """\
my_email = apis.supervisor.show_profile()["email"]
apis.splits.record_payment(
    access_token=splits_token, payer_email=my_email, receiver_email=email, amount=paid_back
)
""",
        pick("repaid", "contact"),
        money("paid_back", 2, 40),
    ),
)
