"""Challenge families that tie shop and mail to notes, tasks or files."""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.files import home, make_directory, write_file
from prowess_desk.apps.mail import label, send, star
from prowess_desk.apps.notes import note_titled, rewrite, write_note
from prowess_desk.apps.shop import Order, Product, ShopCard, clear, order_cart, put_in_cart
from prowess_desk.apps.todo import Project, add_task, project_named
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.parcels import acquaintances, bought, find_product, fresh_products, letter, my_mails
from prowess_desk.families.toolbox import all_pages, apis, login

# Order what is open on a note, tick it off, and report by mail.


def _make_order_open_note_items(draw: Draw) -> Values | None:
    title = draw.rng.choice(("Camping trip", "Moving in", "Summer party", "Workshop", "Nursery"))
    products = fresh_products(draw, 11)
    for name, picked, ticked in ((title, products[:7], (1, 4)), (f"{title} 2024", products[7:10], (1,))):
        lines = [
            f"- [{'x' if n in ticked else ' '}] {2 if n == 0 else draw.rng.randint(1, 3)} x {product.name}"
            for n, product in enumerate(picked)
        ]
        write_note(draw.state, draw.me.id, name, "\n".join(lines))
    put_in_cart(draw.state, draw.me.id, products[10].id, 2)
    cards = draw.state[ShopCard].of(draw.me.id)
    return {
        "title": title,
        "card": cards[1].name,
        "email": acquaintances(draw, 1)[0].email,
        "other_title": f"{title} 2024",
        "other_card": cards[0].name,
    }


def _solve_order_open_note_items(state: State, me: Person, values: Values) -> Json:
    note = note_titled(state, me.id, values["title"])
    lines = note.content.splitlines()
    clear(state, me.id)
    for product in state[Product]:
        for count in (1, 2, 3):
            if f"- [ ] {count} x {product.name}" in lines:
                put_in_cart(state, me.id, product.id, count)
    card = next(card for card in state[ShopCard].of(me.id) if card.name == values["card"])
    order = order_cart(state, me.id, card.id)
    rewrite(state, note.id, content="\n".join(f"- [x]{line[5:]}" for line in lines))
    body = f"Order {order.id}, ${order.total / 100:.2f}"
    send(state, me.id, [values["email"]], f"{values['title']} ordered", body)
    return None


def order_note_and_report(title: str, card: str, email: str) -> int:
    """Order what is not ticked off on a note, tick it off, mail number and total to somebody and return the number."""
    notes_token, shop_token = login(app="notes"), login(app="shop")
    found = all_pages(apis.notes.search_notes, access_token=notes_token, query=title)
    note_id = next(note["note_id"] for note in found if note["title"] == title)
    content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]
    cards = apis.shop.list_payment_cards(access_token=shop_token)
    card_id = next(one["payment_card_id"] for one in cards if one["name"] == card)
    apis.shop.clear_cart(access_token=shop_token)
    for quantity, name in re.findall(r"^- \[ \] (\d+) x (.+)$", content, flags=re.MULTILINE):
        product_id = find_product(shop_token, name)["product_id"]
        apis.shop.add_to_cart(access_token=shop_token, product_id=product_id, quantity=int(quantity))
    order = apis.shop.place_order(access_token=shop_token, payment_card_id=card_id)
    apis.notes.update_note(access_token=notes_token, note_id=note_id, content=content.replace("- [ ]", "- [x]"))
    body = f"Order {order['order_id']}, ${order['total']:.2f}"
    apis.mail.send_mail(access_token=login(app="mail"), recipients=[email], subject=f"{title} ordered", body=body)
    return order["order_id"]


order_open_note_items = Family(
    name="order_open_note_items",
    split="test_challenge",
    difficulty=3,
    apps=("notes", "shop", "mail"),
    slots={"title": str, "card": str, "email": str},
    wordings=(
        'Order everything that is not ticked off on my note "{title}" in the shop, in one order, paid with my "{card}" '
        "card. Clear the cart of other things first. Then tick these items off in the note ([ ] becomes [x]) and mail "
        '{email}, subject "{title} ordered", with a text like "Order 1001, $12.50": the order number and its total.',
        'My note "{title}" is a shopping list. Buy what is still open on it, and nothing else that may lie in the '
        'cart, with the card "{card}". Mark the lines as done with [x]. To {email} goes a mail with the '
        'subject "{title} ordered" and nothing but "Order 1001, $12.50" as its text, with number and total of the new '
        "order.",
        'Please send {email} a mail "{title} ordered" which says "Order 1001, $12.50", that is, the number and the '
        'total of an order that you first place for me: all the lines with [ ] in the note "{title}", from an emptied '
        'cart, charged to "{card}". Afterwards no line of the note should be open: change each [ ] to [x].',
    ),
    make=_make_order_open_note_items,
    solve=_solve_order_open_note_items,
    program=Program(
        functions=(find_product, order_note_and_report),
        call="order_note_and_report(title={title!r}, card={card!r}, email={email!r})",
    ),
    mistakes=(
        Mistake(name="note_of_last_year", swap={"title": "other_title"}),
        Mistake(name="another_card", swap={"card": "other_card"}),
        Mistake(name="ticked_ones_too", old=r"^- \[ \] ", new=r"^- \[.\] "),
        Mistake(name="cart_not_emptied", old="    apis.shop.clear_cart(access_token=shop_token)\n", new=""),
        Mistake(name="note_left_open", old='content.replace("- [ ]", "- [x]")', new="content"),
    ),
)


# A task for every order on its way, and a label on the mail that announced it.


def _make_schedule_awaited_orders(draw: Draw) -> Values | None:
    projects = [one for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != "Inbox"]
    if len(projects) < 2:
        return None
    for days, status in ((30, "delivered"), (12, "delivered"), (9, "shipped"), (8, "shipped"), (7, "returned")):
        bought(draw, [(fresh_products(draw, 1)[0], 1)], days=days, status=status)
    for days, status in ((5, "delivered"), (4, "shipped"), (3, "delivered"), (2, "shipped"), (1, "placed")):
        bought(draw, [(fresh_products(draw, 1)[0], 1)], days=days, status=status)
    friend = acquaintances(draw, 1)[0]
    letter(draw, friend, "Your order has shipped?", "Then we could install it on Friday.", days=1)
    project, other = draw.rng.sample(projects, 2)
    return {
        "project": project.name,
        "label": draw.rng.choice(("expecting", "at the door", "parcels", "watch", "delivery")),
        "other_project": other.name,
    }


def _solve_schedule_awaited_orders(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for order in state[Order].of(me.id):
        if order.status == "shipped":
            add_task(state, me.id, f"Receive order {order.id}", project=project.id, due=order.expected)
            for mail in my_mails(state, me, "inbox"):
                if mail.subject == f"Order {order.id} has shipped":
                    label(state, mail.id, values["label"])
    return None


def plan_deliveries(project: str, label: str) -> int:
    """Make a task in a project for each order on its way, label the mail about it and return how many there are."""
    mail_token, shop_token, todo_token = login(app="mail"), login(app="shop"), login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=todo_token)
    project_id = next(one["project_id"] for one in projects if one["name"] == project)
    count = 0
    for mail in all_pages(apis.mail.search_mails, access_token=mail_token, query="has shipped", folder="inbox"):
        found = re.fullmatch(r"Order (\d+) has shipped", mail["subject"])
        if found:
            order = apis.shop.show_order(access_token=shop_token, order_id=int(found.group(1)))
            if order["status"] == "shipped":
                apis.todo.create_task(
                    access_token=todo_token,
                    title=f"Receive order {order['order_id']}",
                    project_id=project_id,
                    due_date=order["expected_delivery"],
                )
                apis.mail.label_mail(access_token=mail_token, mail_id=mail["mail_id"], label=label)
                count += 1
    return count


schedule_awaited_orders = Family(
    name="schedule_awaited_orders",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop", "todo"),
    slots={"project": str, "label": str},
    wordings=(
        "For every order of mine that is on its way (shipped, not yet delivered), make a task such as "
        '"Receive order 1001" in my todo project "{project}", due on the day the shop expects the delivery, and give '
        'the mail in my inbox which says that the order has shipped the label "{label}".',
        'Take my shop orders with the status "shipped". Each becomes a task in the project "{project}" of my todo '
        'app, titled like "Receive order 1001" and due on its expected delivery date. Also label the shipping notice '
        'of each, in my inbox, with "{label}".',
        'Put the label "{label}" on those "Order ... has shipped" mails in my inbox whose orders are still travelling '
        'according to the shop, and add tasks to the todo project "{project}" for the same orders: title "Receive '
        'order 1001" with the number of the order, due date the expected day of delivery.',
    ),
    make=_make_schedule_awaited_orders,
    solve=_solve_schedule_awaited_orders,
    program=Program(functions=(plan_deliveries,), call="plan_deliveries(project={project!r}, label={label!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="delivered_too", old='if order["status"] == "shipped":', new='if order["status"] != "placed":'),
        Mistake(name="first_page", old="all_pages(apis.mail.search_mails, ", new="apis.mail.search_mails("),
        Mistake(name="no_due_date", old='                    due_date=order["expected_delivery"],\n', new=""),
    ),
)


# A file for every starred confirmation, with the state of its order.


def _make_record_starred_orders(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    for mail in my_mails(state, me):
        if mail.starred and mail.subject.startswith("Order "):
            star(state, mail.id, starred=False)
    states = "delivered cancelled delivered returned delivered shipped shipped placed delivered"
    for n, status in enumerate(states.split()):
        product, second = fresh_products(draw, 2)
        order = bought(draw, [(product, draw.rng.randint(1, 3)), (second, 1)], days=24 - 2 * n, status=status)
        for mail in my_mails(state, me, "inbox"):
            # One shipping notice has a star, too, and one confirmation has none.
            if mail.subject == f"Order {order.id} {'has shipped' if n == 5 else 'confirmed'}":
                star(state, mail.id)
    letter(draw, acquaintances(draw, 1)[0], "Order in the cellar", "Who tidies up?", days=1, starred=True)
    return {"folder": draw.rng.choice(("purchases", "shop-orders", "warranty", "tax-2025", "household"))}


def _solve_record_starred_orders(state: State, me: Person, values: Values) -> Json:
    directory = f"{home(me)}/documents/{values['folder']}"
    make_directory(state, me.id, directory)
    starred = {mail.subject for mail in my_mails(state, me, "inbox") if mail.starred}
    for order in state[Order].of(me.id):
        if f"Order {order.id} confirmed" in starred:
            text = f"order: {order.id}\nstatus: {order.status}\ntotal: ${order.total / 100:.2f}"
            write_file(state, me.id, f"{directory}/order-{order.id}.txt", text)
    return None


def file_starred_orders(folder: str) -> int:
    """Write a file on the order of each starred confirmation in the inbox and return how many there are."""
    mail_token, shop_token, files_token = login(app="mail"), login(app="shop"), login(app="files")
    starred = all_pages(apis.mail.list_mails, access_token=mail_token, folder="inbox", starred=True)
    apis.files.create_directory(access_token=files_token, directory_path=f"~/documents/{folder}")
    count = 0
    for mail in starred:
        found = re.fullmatch(r"Order (\d+) confirmed", mail["subject"])
        if found:
            order = apis.shop.show_order(access_token=shop_token, order_id=int(found.group(1)))
            path = f"~/documents/{folder}/order-{order['order_id']}.txt"
            text = f"order: {order['order_id']}\nstatus: {order['status']}\ntotal: ${order['total']:.2f}"
            apis.files.create_file(access_token=files_token, file_path=path, content=text)
            count += 1
    return count


record_starred_orders = Family(
    name="record_starred_orders",
    split="test_challenge",
    difficulty=3,
    apps=("mail", "shop", "files"),
    slots={"folder": str},
    wordings=(
        'Make the folder "{folder}" in my documents, and in it a file like order-1001.txt for each order whose '
        "confirmation mail in my inbox has a star. A file has exactly three lines, "
        '"order: 1001", "status: delivered" and "total: $12.50", with the number, the present status and the total of '
        "the order in the shop.",
        "I gave stars to some order confirmations in my inbox. Keep a record of these orders in a new "
        'directory "{folder}" of ~/documents: one file per order, order-1001.txt for number 1001, whose three '
        'lines read "order: 1001", then "status: delivered", then "total: $12.50", as the shop has them now.',
        "Go through the starred confirmations of orders in my inbox and look the orders up in the shop. For each, "
        'write a file named like order-1001.txt into a folder "{folder}" that you create under ~/documents, with three '
        'lines, "order: 1001", "status: delivered" and "total: $12.50" in this order, the values those of the shop.',
    ),
    make=_make_record_starred_orders,
    solve=_solve_record_starred_orders,
    program=Program(functions=(file_starred_orders,), call="file_starred_orders(folder={folder!r})"),
    mistakes=(
        Mistake(name="shipping_notices_too", old=r"Order (\d+) confirmed", new=r"Order (\d+) .*"),
        Mistake(name="first_page", old="all_pages(apis.mail.list_mails, ", new="apis.mail.list_mails("),
        Mistake(name="without_stars", old=', folder="inbox", starred=True', new=', folder="inbox"'),
        Mistake(name="total_cut_short", old="{order['total']:.2f}", new="{order['total']:.1f}"),
    ),
)

FAMILIES = (order_open_note_items, schedule_awaited_orders, record_starred_orders)
