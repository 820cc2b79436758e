"""Families of test_normal: the splits app."""

from __future__ import annotations

from collections import Counter, defaultdict

from prowess.types import Json
from prowess_desk.apps.splits import Expense, Group, add_expense, change_expense, equal_shares, shares_of
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import ago
from prowess_desk.families.toolbox import all_pages, apis, login

_SPENT = "Deposit|Fireworks|Guide|Kayaks|Key copies|Lamp oil|Postage|Raffle|Rope|Sound system|Tent|Tolls".split("|")


def spend(draw: Draw, group: Group, payer: int, cents: int, among: list[int], description: str, days: int) -> Expense:
    """An expense of the past, shared equally."""
    made = add_expense(draw.state, payer, description, cents, equal_shares(cents, among), group=group.id)
    return draw.state[Expense].change(made.id, created_at=ago(draw, days))


# Who has paid most in a group?


def _make_top_spender(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    groups = [group for group in state[Group].of(me) if len(group.member_ids) >= 4]
    if not groups:
        return None
    group = draw.rng.choice(groups)
    rows = state[Expense].of(("group", group.id))
    times = Counter(row.payer for row in rows)
    others = sorted((id for id in group.member_ids if id != me), key=lambda id: times[id])
    winner, rival = others[0], others[1]
    large = max(row.cents for row in rows) + draw.rng.randint(1_000, 3_000)
    things = iter(draw.rng.sample(_SPENT, 3))
    without_me = [id for id in group.member_ids if id != me]
    for days in (170, 200):  # not for me, and long ago
        spend(draw, group, winner, large - 500, without_me, next(things), days)
    spend(draw, group, rival, large, list(group.member_ids), next(things), 1)  # the largest single one
    rows = state[Expense].of(("group", group.id))
    sums, times = Counter[int](), Counter(row.payer for row in rows)
    for row in rows:
        sums[row.payer] += row.cents
    (first, most), (_, next_most) = sums.most_common(2)
    if first != winner or most == next_most or times[winner] == max(times.values()):
        return None
    return {"group": group.name}


def _solve_top_spender(state: State, me: Person, values: Values) -> Json:
    group = next(row for row in state[Group].of(me.id) if row.name == values["group"])
    rows = [row for row in state[Expense] if row.group == group.id]
    sums = {id: sum(row.cents for row in rows if row.payer == id) for id in group.member_ids}
    return state[Person][max(sums, key=lambda id: sums[id])].name


def top_spender_in_group(group_name: str) -> str:
    """Return the name of the member who has paid most for the expenses of a splits group in total."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group_name)
    group_id = next(group["group_id"] for group in groups if group["name"] == group_name)
    expenses = all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)
    totals: dict = defaultdict(float)
    for expense in expenses:
        totals[expense["paid_by"]["name"]] += expense["amount"]
    return max(totals, key=lambda name: totals[name])


top_spender = Family(
    name="top_spender",
    split="test_normal",
    difficulty=2,
    apps=("splits",),
    slots={"group": str},
    wordings=(
        'Who has paid the most money in total for the expenses of my splits group "{group}"? Give me the full name.',
        'Add up, member by member, what each paid for in "{group}" on splits. Whose sum is the highest? I want to thank'
        " them, so give me the full name.",
        'In the splits group "{group}", counting every expense of the group whoever shares in it, which member has laid'
        " out the largest amount overall? Tell me the full name.",
    ),
    make=_make_top_spender,
    solve=_solve_top_spender,
    program=Program(functions=(top_spender_in_group,), call="top_spender_in_group(group_name={group!r})"),
    asks=True,
    mistakes=(
        Mistake(name="first_page", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
        Mistake(name="by_number", old='+= expense["amount"]', new="+= 1"),
        Mistake(
            name="largest_single_expense",
            old='totals[expense["paid_by"]["name"]] += expense["amount"]',
            new='name = expense["paid_by"]["name"]\n        totals[name] = max(totals[name], expense["amount"])',
        ),
    ),
)


# Share everything I paid for in a group among all its members.


def _make_share_with_everyone(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    groups = [group for group in state[Group].of(me) if len(group.member_ids) >= 4]
    if len(state[Group].of(me)) < 2 or not groups:
        return None
    group = draw.rng.choice(groups)
    other = draw.rng.choice([row for row in state[Group].of(me) if row != group])
    members = list(group.member_ids)
    friends = [id for id in members if id != me]
    things = iter(draw.rng.sample(_SPENT, 9))
    for days in (2, 19, 45, 80, 120):  # somebody was forgotten
        some = draw.rng.sample(friends, len(friends) - 1)
        spend(draw, group, me, draw.rng.randint(2_000, 9_000), [me, *some], next(things), days)
    row = spend(draw, group, me, draw.rng.randint(2_000, 9_000), members, next(things), 290)  # all, but not equally
    first, (last, part) = row.shares[0], row.shares[-1]
    uneven = {**dict(row.shares), first[0]: first[1] + 150, last: part - 150}
    change_expense(state, row.id, cents=row.cents, shares=shares_of(uneven))
    spend(draw, group, friends[0], 4_400, [me, friends[0]], next(things), 7)  # not mine
    spend(draw, other, me, 3_600, [me], next(things), 5)  # mine, in another group
    return {"group": group.name, "other_group": other.name}


def _solve_share_with_everyone(state: State, me: Person, values: Values) -> Json:
    group = next(row for row in state[Group].of(me.id) if row.name == values["group"])
    for row in state[Expense].of(("group", group.id)):
        if row.payer == me.id:
            change_expense(state, row.id, cents=row.cents, shares=equal_shares(row.cents, group.member_ids))


def share_my_expenses_with_all(group_name: str) -> int:
    """Split every expense that the supervisor paid in a splits group equally among all its members."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group_name)
    group = next(group for group in groups if group["name"] == group_name)
    members = [member["email"] for member in group["members"]]
    me = apis.splits.show_account(access_token=token)["email"]
    expenses = all_pages(apis.splits.show_expenses, access_token=token, group_id=group["group_id"], paid_by_email=me)
    for expense in expenses:
        apis.splits.update_expense(access_token=token, expense_id=expense["expense_id"], participant_emails=members)
    return len(expenses)


share_with_everyone = Family(
    name="share_with_everyone",
    split="test_normal",
    difficulty=2,
    apps=("splits",),
    slots={"group": str},
    wordings=(
        'Change every expense that I paid for in my splits group "{group}" so that it is shared equally by all members'
        " of the group.",
        'In "{group}" on splits, some of what I paid for was split unevenly or without some of us. Make all expenses of'
        " that group which I paid count equally for each member.",
        'Everything I have paid in the group "{group}" was for all of us: split each of these expenses on splits in'
        " equal parts among the whole group. What others paid stays as it is.",
    ),
    make=_make_share_with_everyone,
    solve=_solve_share_with_everyone,
    program=Program(functions=(share_my_expenses_with_all,), call="share_my_expenses_with_all(group_name={group!r})"),
    mistakes=(
        Mistake(name="another_group", swap={"group": "other_group"}),
        Mistake(name="first_page", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
        Mistake(
            name="without_me",
            old='for member in group["members"]]',
            new='for member in group["members"] if member["email"] != apis.supervisor.show_profile()["email"]]',
        ),
        Mistake(name="only_those_named", old="participant_emails=members", new='amount=expense["amount"]'),
    ),
)

FAMILIES = (top_spender, share_with_everyone)
