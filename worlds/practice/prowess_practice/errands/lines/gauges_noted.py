"""What can be measured where a text itself gives a number with each name."""

from __future__ import annotations

from prowess_desk.engine.family import Draw

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines import pools_money as money
from prowess_practice.errands.lines.act import Pool
from prowess_practice.errands.lines.gauge import Gauge


def _spent(draw: Draw) -> Pool:
    """Some people with amounts, most of them twice."""
    people = draw.rng.sample(list(pools.acquainted(draw).good), 5)
    return Pool([(one, f"{draw.rng.randint(310, 6_900) / 100:.2f}") for one in (*people, *people)])


def _worked(draw: Draw) -> Pool:
    return Pool([(one, str(draw.rng.randint(2, 40))) for one in (*_JOBS, *_JOBS)])


def _repeated(draw: Draw) -> Pool:
    return Pool([(one, str(draw.rng.randint(2, 9))) for one in draw.rng.sample(list(pools.any_songs(draw).good), 10)])


def _claimed(draw: Draw) -> Pool:
    return Pool([(one, f"{draw.rng.randint(310, 4_900) / 100:.2f}") for one in money.expenses(draw).good])


def _by_name(number: str, more: str = "") -> str:
    return f"""    values = {{}}
    for name, value in pairs:
        values[name] = {more}values.get(name, 0) + {number}(value){", 2)" if more else ""}
"""


_JOBS = ("Harbor Museum", "Elm School", "Rowan Bakery", "City Choir", "Orchard Inn", "Lake Clinic")

GAUGES = (
    Gauge(
        word="noted_amounts",
        apps=(),
        key="name of somebody",
        value="amount in dollars",
        ones="people",
        adds="amounts of OF",
        most="has the greatest sum, if the amounts of the same person are added up,",
        least="has the least sum, if the amounts of the same person are added up,",
        over="have more than ${limit} if the amounts of the same person are added up",
        code=_by_name("float", "round("),
        pool=_spent,
        money=True,
        ways=6,
    ),
    Gauge(
        word="noted_hours",
        apps=(),
        key="client",
        value="number of hours",
        ones="clients",
        adds="hours for OF",
        most="took the most hours, all its entries added up,",
        least="took the fewest hours, all its entries added up,",
        over="took more than {limit} hours, all entries of the same client added up,",
        code=_by_name("int"),
        pool=_worked,
        ways=6,
    ),
    Gauge(
        word="repeated_durations",
        apps=("music",),
        key="title of a song",
        value="number of times it is played",
        ones="songs",
        adds="seconds it takes to play OF that often, by their durations in the music app,",
        most="takes the longest altogether, its duration in the music app times the number,",
        least="takes the shortest altogether, its duration in the music app times the number,",
        over="take more than {limit} seconds altogether, the duration in the music app times the number,",
        code="""    values = {}
    for name, value in pairs:
        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        values[name] = int(value) * next(one["duration"] for one in found if one["title"] == name)
""",
        pool=_repeated,
        ways=4,
    ),
    Gauge(
        word="misquoted_expenses",
        apps=("splits",),
        key="description of an expense that I paid",
        value="amount in dollars as I remember it",
        ones="expenses",
        most="is farthest off: there the amount I remember and the one in the splits app differ most,",
        least="is nearest: there the amount I remember and the one in the splits app differ least,",
        over="are off by more than ${limit}, up or down, compared with the splits app,",
        code="""    remembered = {name: float(value) for name, value in pairs}
    values = {}
    for one in all_pages(apis.splits.show_expenses, access_token=splits_token):
        if one["description"] in remembered:
            values[one["description"]] = round(abs(one["amount"] - remembered[one["description"]]), 2)
""",
        pool=_claimed,
        money=True,
        ways=4,
    ),
)
