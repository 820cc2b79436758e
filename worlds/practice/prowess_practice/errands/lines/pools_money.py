"""People, payments, expenses and groups by name: what texts about money are written of."""

from __future__ import annotations

from prowess_desk.apps.splits import Expense, Group, create_group
from prowess_desk.apps.wallet import Payment, PaymentRequest
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import groups_of, spent
from prowess_desk.families.scene import acquaintances, ago, asked, paid

from prowess_practice.errands.lines.act import Pool


def askers(draw: Draw) -> Pool | None:
    """People of whose requests one waits for an answer; of others there is none, or one that was answered."""
    people = acquaintances(draw)
    waiting = {row.requester for row in draw.state[PaymentRequest].of(draw.me.id) if _waits(draw, row)}
    free = [one for one in people if one.id not in waiting]
    for one, note in zip(free[:3], ("Sailing lesson", "Choir trip", "Kiln share"), strict=False):
        asked(draw, one, draw.me, note, ago(draw, 8))
        waiting.add(one.id)
    idle = [one.name for one in free[3:]]
    return Pool([one.name for one in people if one.id in waiting], (idle,)) if idle else None


def _waits(draw: Draw, row: PaymentRequest) -> bool:
    return row.payer == draw.me.id and row.status == "pending"


def asked_by_me(draw: Draw) -> Pool:
    """People who have not paid yet what they were asked for."""
    people = acquaintances(draw)
    mine = draw.state[PaymentRequest].of(draw.me.id)
    taken = {row.payer for row in mine if row.requester == draw.me.id and row.status == "pending"}
    free = [one for one in people if one.id not in taken]
    for n, one in enumerate(free[:6]):
        asked(draw, draw.me, one, f"Share {n + 1} of the gift", ago(draw, 5 + n))
    return Pool([one.name for one in free[:6]], ([one.name for one in free[6:]],))


_PAID = "Kiln share|Sailing lesson|Choir trip|Fence paint|Chess clock|Bread course|Map printing|Old radio".split("|")


def payments(draw: Draw) -> Pool:
    """Notes of payments that the person made, each on one payment; one that the person got is idle."""
    people: list[Person] = acquaintances(draw)
    sent = draw.rng.sample(_PAID, 7)
    for n, note in enumerate(sent):
        paid(draw, draw.me, people[n % len(people)], note, ago(draw, 3 + 5 * n))
    notes = {row.note for row in draw.state[Payment].of(draw.me.id)}
    return Pool(sent, ([note for note in ("Lamp oil", "Train snacks") if note not in notes],))


def many_groups(draw: Draw) -> Pool:
    """The person's groups, two of them new."""
    for name, friend in zip(("Choir Bus", "Bread Round"), acquaintances(draw), strict=False):
        create_group(draw.state, draw.me.id, name, [friend.id])
    return Pool([one.name for one in draw.state[Group].of(draw.me.id)], (("Chess Evening", "Kayak Crew"),))


_SHARED = "Kayak rental|Firewood|Map and compass|Lamp oil|Tent repair|Ferry fare|Bread and cheese".split("|")


def expenses(draw: Draw) -> Pool:
    """Descriptions of expenses that the person paid, each on one expense."""
    friend = acquaintances(draw)[0]
    for n, name in enumerate(_SHARED):
        half = 100 * draw.rng.randint(4, 40) + draw.rng.choice((0, 50))
        spent(draw, name, draw.me, {draw.me.id: half, friend.id: half}, days=3 + 6 * n)
    seen = [one.description for one in draw.state[Expense].of(draw.me.id)]
    return Pool([name for name in _SHARED if seen.count(name) == 1], (("Snorkels", "Goat cheese"),))


def a_group(draw: Draw) -> Group:
    """The group that both pool and slot speak of."""
    return max(groups_of(draw, least=2), key=lambda group: group.id)


def newcomers(draw: Draw) -> Pool:
    """People outside that group; those in it are idle."""
    group = a_group(draw)
    people = [draw.state[Person][id] for id, _ in draw.me.relations]
    outside = [one.name for one in people if one.id not in group.member_ids]
    return Pool(outside, ([one.name for one in people if one.id in group.member_ids],))


def debtors(draw: Draw) -> Pool | None:
    """People with whom something is open outside any group; with others there is nothing."""
    mine = [row for row in draw.state[Expense].of(draw.me.id) if row.group is None]
    known = {id for row in mine for id in row.people}
    free = [one for one in acquaintances(draw) if one.id not in known]
    for n, one in enumerate(free[:6]):
        half = 100 * draw.rng.randint(3, 30)
        spent(draw, f"Errand {n + 1}", draw.rng.choice((draw.me, one)), {draw.me.id: half, one.id: half}, days=9 + n)
    idle = [one.name for one in free[6:]]
    return Pool([one.name for one in free[:6]], (idle,)) if idle else None
