"""A few fixed lines on one listing, or on several: how many, how much, how large."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prowess_practice.errands.reports.groups import ReportField
from prowess_practice.errands.reports.parts import LineSink, Paper, Rows, sentences
from prowess_practice.errands.reports.sources import ReportSource
from prowess_practice.errands.reports.sources_phone import MISSED
from prowess_practice.errands.transfers.parts import entering


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """One figure of an app."""

    app: str
    label: str
    says: str
    about: str
    reading: str
    code: str
    """What stands in the braces of a text."""


def _all(app: str, label: str, says: str, api: str, given: str = "") -> Counter:
    """The number of rows of a listing."""
    name = label.lower().replace(" ", "_")
    reading = f"    {name} = all_pages(apis.{app}.{api}, access_token={app}_token{given})\n"
    return Counter(app=app, label=label, says=says, about=label.lower(), reading=reading, code=f"len({name})")


def _money(app: str, label: str, says: str, reading: str, code: str) -> Counter:
    says = f"{says}, with two decimals as in 12.50"
    return Counter(app=app, label=label, says=says, about=label.lower(), reading=reading, code=f"{code}:.2f")


_SPLITS, _WALLET = "access_token=splits_token", "access_token=wallet_token"
COUNTERS = (
    _all("music", "Songs", "the number of songs in my music library", "show_song_library"),
    _all("todo", "Open tasks", "the number of open tasks in my todo app", "list_tasks", ", done=False"),
    _money(
        "wallet",
        "Balance",
        "the balance of my wallet",
        f'    balance = apis.wallet.show_balance({_WALLET})["balance"]\n',
        "balance",
    ),
    _all("phone", "Contacts", "the number of contacts in my phone", "show_contacts"),
    _all("notes", "Notes", "the number of notes of mine outside the archive", "list_notes"),
    _all("music", "Liked songs", "the number of songs I like on music", "show_liked_songs"),
    _money(
        "splits",
        "Owed to me",
        "what all people who owe me on splits owe me in total",
        f"    debtors = all_pages(apis.splits.show_people_who_owe_me, {_SPLITS})\n",
        "sum(debtor['amount'] for debtor in debtors)",
    ),
    _all("files", "Files", "the number of my files in the files app", "search_files"),
    Counter(
        app="phone",
        label="Missed calls",
        says="the number of missed calls to me",
        about="missed calls",
        reading=MISSED.reading,
        code="len(calls)",
    ),
    _all("todo", "Projects", "the number of unarchived projects in my todo app", "list_projects"),
    _all("music", "Playlists", "the number of playlists of mine on music", "show_playlists"),
    _all(
        "wallet",
        "Pending requests",
        "the number of pending payment requests to me on the wallet",
        "show_received_requests",
        ', status="pending"',
    ),
    _all("notes", "Archived notes", "the number of my archived notes", "list_notes", ", archived=True"),
    _money(
        "splits",
        "My debts",
        "what I owe to all people on splits in total",
        f"    creditors = all_pages(apis.splits.show_people_i_owe, {_SPLITS})\n",
        "sum(creditor['amount'] for creditor in creditors)",
    ),
    _all("phone", "Active alarms", "the number of alarms in my phone that are on", "show_alarms", ", is_enabled=True"),
    _all("music", "Followed artists", "the number of artists I follow on music", "show_followed_artists"),
    _all("wallet", "Friends", "the number of my friends on the wallet", "show_friends"),
    _all("todo", "Done tasks", "the number of done tasks in my todo app", "list_tasks", ", done=True"),
    _all("splits", "Groups", "the number of groups of mine on splits", "show_groups"),
    Counter(
        app="files",
        label="Folders",
        says="the number of folders in my home directory, at any depth",
        about="folders",
        reading=('    folders = apis.files.show_directory(access_token=files_token, recursive=True)["directories"]\n'),
        code="len(folders)",
    ),
    _all("music", "Albums", "the number of albums in my album library", "show_album_library"),
    _all("phone", "Conversations", "the number of people in my text conversations", "show_conversations"),
    Counter(
        app="todo",
        label="Labels",
        says="the number of different labels of my tasks (done or not)",
        about="labels",
        reading="    labels = apis.todo.list_labels(access_token=todo_token)\n",
        code="len(labels)",
    ),
    _all(
        "wallet",
        "Sent payments",
        "the number of payments I sent on the wallet",
        "show_transactions",
        ', direction="sent"',
    ),
    _all("music", "Reviews", "the number of song reviews that I wrote on music", "show_my_reviews"),
    Counter(
        app="notes",
        label="Tags",
        says="the number of different tags of my notes (archived or not)",
        about="tags",
        reading="    tags = apis.notes.list_tags(access_token=notes_token)\n",
        code="len(tags)",
    ),
    _all("splits", "Expenses", "the number of expenses of mine on splits", "show_expenses"),
    Counter(
        app="wallet",
        label="Cards",
        says="the number of payment cards in my wallet",
        about="cards",
        reading=f"    cards = apis.wallet.show_cards({_WALLET})\n",
        code="len(cards)",
    ),
    _all(
        "phone",
        "Voice messages",
        "the number of voice messages I received",
        "show_voice_messages",
        ', direction="received"',
    ),
    Counter(
        app="music",
        label="Queue",
        says="the number of songs in the queue of my music player",
        about="queue",
        reading='    queue = apis.music.show_player(access_token=music_token)["queue"]\n',
        code="len(queue)",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFact:
    """A line."""

    label: str
    says: str
    """With ONE, MANY for what is measured and ALL for the rows."""
    code: str
    """On `values`."""
    show: str = ""


FACTS = (
    ReportFact(label="Number", says="the number of ALL", code="len(values)"),
    ReportFact(label="Sum", says="the sum of their MANY", code="sum(values)"),
    ReportFact(
        label="Average", says="their average ONE with two decimals", code="sum(values) / len(values)", show=":.2f"
    ),
    ReportFact(label="Largest", says="their largest ONE", code="max(values)"),
    ReportFact(label="Smallest", says="their smallest ONE", code="min(values)"),
    ReportFact(
        label="Spread", says="the difference between their largest and smallest ONE", code="max(values) - min(values)"
    ),
    ReportFact(
        label="Above average",
        says="the number of them whose ONE is above the average of all of them",
        code="len([value for value in values if value > sum(values) / len(values)])",
    ),
)
_PICKS = ((0, 1, 2), (3, 4, 2), (0, 5, 6), (1, 3, 0), (2, 6, 0), (4, 3, 5, 0), (6, 0, 2), (0, 3, 4), (5, 2, 0, 1))
"""Which facts go together."""
_COUNTED = ("Number", "Above average")


def measured(sources: Sequence[ReportSource]) -> Iterator[Paper]:
    """A paper on each field of each listing, conditions and facts in turn."""
    fields = [(source.pool, field) for source in sources for field in source.numbers if not field.inner]
    for n, (pool, field) in enumerate(fields):
        fitting = [one for one in pool.conditions if not one.word.startswith(("by_", "with_", "in_month", "on_"))]
        choices = [(), *((one,) for one in fitting if field.code not in one.code)]
        yield _measured(Rows(pools=(pool,), conditions=choices[(n + 1) % len(choices)]), field, _PICKS[n % len(_PICKS)])


def _measured(rows: Rows, field: ReportField, picks: Sequence[int]) -> Paper:
    row, facts = rows.pools[0].row, [FACTS[pick] for pick in picks]
    cents = field.money
    lines, says = [], []
    for fact in facts:
        form = ":.2f" if cents and fact.label not in _COUNTED else fact.show
        note = " with two decimals" if form and "decimals" not in fact.says else ""
        lines.append(f"{fact.label}: {{{fact.code}{form}}}")
        words = fact.says.replace("ONE", field.one).replace("MANY", field.many)
        says.append((fact.label, f"{words}{note}"))
    first = field.code.replace("ROW", row)
    return Paper(
        word=f"{'_'.join(fact.label.split()[0].lower() for fact in facts)}_{field.word}_of_{rows.word}",
        apps=rows.apps,
        rows=rows,
        code=f"{rows.reading()}    values = [{first} for {row} in {rows.found}]\n{_listed(lines)}",
        about=f"{', '.join(fact.label.lower() for fact in facts)} of the {field.many} of {rows.about}",
        texts=_texts(rows.many, [(label, text.replace("ALL", "them")) for label, text in says]),
        matters=((f"[{first} for", f"[{first} * 2 for"),) if len(facts) > 1 else (),
    )


def overview(counters: Sequence[Counter]) -> Paper:
    """A paper on several listings, one line each."""
    apps = tuple(dict.fromkeys(counter.app for counter in counters))
    entry = "".join(entering(app) for app in apps)
    lines = [f"{counter.label}: {{{counter.code}}}" for counter in counters]
    last = counters[-1].code.partition(":")[0]
    return Paper(
        word="_".join(counter.label.lower().replace(" ", "_") for counter in counters),
        apps=apps,
        rows=Rows(pools=()),
        code=f"{entry}{''.join(counter.reading for counter in counters)}{_listed(lines)}",
        about=f"figures on {', '.join(counter.about for counter in counters)}",
        texts=_texts("", [(counter.label, counter.says) for counter in counters]),
        matters=((f"{{{last}", f"{{1 + {last}"),),
    )


def _listed(lines: Sequence[str]) -> str:
    return "    lines = [\n" + "".join(f'        f"{line}",\n' for line in lines) + "    ]\n"


def _texts(subject: str, says: Sequence[tuple[str, str]]) -> Callable[[LineSink], tuple[str, ...]]:
    """How a task asks for these lines, about one listing where a subject is given."""

    def texts(sink: LineSink) -> tuple[str, ...]:
        item, items, count = sink.item, sink.items, ("two", "three", "four")[len(says) - 2]
        pairs = [f'"{label}: X" (where X is {text})' for label, text in says]
        listed = f"{', '.join(pairs[:-1])}, and {pairs[-1]}"
        plain = "; ".join(f'"{label}: " followed by {text}' for label, text in says)
        about = f" about {subject}" if subject else ""
        report = f"a short report on {subject}" if subject else "a short overview of my apps"
        wanted = "; ".join(f'the label "{label}" and {text}' for label, text in says)
        return (
            sentences(
                f"{sink.give.replace('CONTENT', f'exactly {count} {items}{about}')}.",
                f"In this order, they are {listed}.",
                sink.join,
            ),
            sentences(
                f"Take {subject} and work out a few figures." if subject else "I want to know where I stand.",
                f"Make {count} {items} in this order: {plain}.",
                sink.join,
                sink.finish.replace("ITEMS", items),
            ),
            sentences(
                f"I would like {report} {sink.place}.",
                f"It has {count} {items}, in the order given here, and each {item} consists of a label, a colon, a"
                f" space and a figure: {wanted}.",
                sink.join,
            ),
        )

    return texts
