"""What errands on people set their scenes with: somebody who is no contact of the supervisor's, in every app."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from prowess_desk.apps.music import Playlist, SongReview, review
from prowess_desk.apps.phone import Call, Contact, VoiceMessage, seconds_to_say
from prowess_desk.apps.splits import Group, add_member
from prowess_desk.apps.wallet import PaymentComment, WalletAccount, add_friend
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import CHORES, jotted, planned, projects_of, spent
from prowess_desk.families.scene import acquaintances, ago, asked, paid, texted

_PURPOSES = ("Flea market", "Old bicycle", "Piano lesson", "Plant swap", "Spare key", "Shared ride")
_WORDS = ("Is the bicycle still for sale?", "Here is the address you wanted.", "See you at the market on Sunday.")
_TITLES = ("Guest list", "Table plan", "Invited so far", "Who brings cake", "Seats on the bus", "Raffle winners")


def more_of(draw: Draw, adds: Callable[[Draw, Person], None]) -> None:
    """Rows with some people whom the supervisor knows, with a few of them twice."""
    for n, person in enumerate(acquaintances(draw)[: draw.rng.randint(4, 7)]):
        for _ in range(1 + n % 2):
            adds(draw, person)


def strangers(draw: Draw, count: int) -> list[Person]:
    """Some people who are no contacts."""
    known = {contact.name for contact in draw.state[Contact].of(draw.me.id)}
    return draw.rng.sample([one for one in draw.people if one.name not in known and one.id != draw.me.id], count)


def _note(draw: Draw) -> str:
    return draw.rng.choice(_PURPOSES)


def sent_payment(draw: Draw, person: Person) -> None:
    paid(draw, draw.me, person, _note(draw), ago(draw, draw.rng.randint(1, 90)))


def got_payment(draw: Draw, person: Person) -> None:
    paid(draw, person, draw.me, _note(draw), ago(draw, draw.rng.randint(1, 90)))


def commented(draw: Draw, person: Person) -> None:
    """The person said something about a payment."""
    payment = paid(draw, person, draw.me, _note(draw), ago(draw, draw.rng.randint(1, 90)))
    text = draw.rng.choice(("Thanks!", "Got it.", "See you soon.", "That was fun."))
    when = payment.created_at + timedelta(hours=2)
    draw.state[PaymentComment].add(
        lambda id: PaymentComment(id=id, payment=payment.id, author=person.id, text=text, created_at=when)
    )


def got_request(draw: Draw, person: Person) -> None:
    asked(draw, person, draw.me, _note(draw), ago(draw, draw.rng.randint(1, 30)))


def sent_request(draw: Draw, person: Person) -> None:
    asked(draw, draw.me, person, _note(draw), ago(draw, draw.rng.randint(1, 30)))


def denied_request(draw: Draw, person: Person) -> None:
    asked(draw, draw.me, person, _note(draw), ago(draw, draw.rng.randint(1, 90)), status="denied")


def approved_request(draw: Draw, person: Person) -> None:
    asked(draw, person, draw.me, _note(draw), ago(draw, draw.rng.randint(1, 90)), status="approved")


def friend(draw: Draw, person: Person) -> None:
    add_friend(draw.state, draw.me.id, person.id)


def joined_group(draw: Draw, person: Person) -> None:
    """In a group of the supervisor's, in one of them."""
    group = draw.rng.choice(draw.state[Group].of(draw.me.id))
    add_member(draw.state, group.id, person.id)


def lent(draw: Draw, person: Person) -> None:
    """The person paid something that the supervisor shares."""
    cents = draw.rng.randint(501, 4_000)
    spent(draw, _note(draw), person, {draw.me.id: cents, person.id: cents}, days=draw.rng.randint(1, 90))


def borrowed(draw: Draw, person: Person) -> None:
    """The supervisor paid something that the person shares."""
    cents = draw.rng.randint(501, 4_000)
    spent(draw, _note(draw), draw.me, {draw.me.id: cents, person.id: cents}, days=draw.rng.randint(1, 90))


def got_text(draw: Draw, person: Person) -> None:
    texted(draw, person, draw.me, draw.rng.choice(_WORDS), ago(draw, draw.rng.randint(1, 90)))


def sent_text(draw: Draw, person: Person) -> None:
    texted(draw, draw.me, person, draw.rng.choice(_WORDS), ago(draw, draw.rng.randint(1, 90)))


def got_voice(draw: Draw, person: Person) -> None:
    _spoken(draw, person, draw.me)


def sent_voice(draw: Draw, person: Person) -> None:
    _spoken(draw, draw.me, person)


def _spoken(draw: Draw, sender: Person, receiver: Person) -> None:
    words, when = draw.rng.choice(_WORDS), ago(draw, draw.rng.randint(1, 90))
    draw.state[VoiceMessage].add(
        lambda id: VoiceMessage(
            id=id,
            sender=sender.id,
            receiver=receiver.id,
            transcript=words,
            seconds=seconds_to_say(words),
            sent_at=when,
            holders=(sender.id, receiver.id),
        )
    )


def missed_call(draw: Draw, person: Person) -> None:
    _called(draw, person, draw.me, 0)


def took_call(draw: Draw, person: Person) -> None:
    _called(draw, person, draw.me, draw.rng.randint(40, 900))


def made_call(draw: Draw, person: Person) -> None:
    _called(draw, draw.me, person, draw.rng.randint(40, 900))


def _called(draw: Draw, caller: Person, callee: Person, seconds: int) -> None:
    when = ago(draw, draw.rng.randint(1, 60))
    draw.state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=callee.id, started_at=when, seconds=seconds))


def some_group(draw: Draw) -> str | None:
    """The name of a group with at least two others in it."""
    found = [group for group in draw.state[Group].of(draw.me.id) if len(group.member_ids) > 2]
    return draw.rng.choice(found).name if found else None


def some_playlist(draw: Draw) -> str | None:
    """The title of a playlist, some songs of which people whom the supervisor knows have reviewed."""
    mine = draw.state[Playlist].of(draw.me.id)
    if not mine:
        return None
    chosen = draw.rng.choice(mine)
    known = [draw.state[Person][id] for id, _ in draw.me.relations]
    for song in draw.rng.sample(chosen.song_ids, min(4, len(chosen.song_ids))):
        taken = {row.author for row in draw.state[SongReview].of(("song", song))}
        for person in draw.rng.sample(known, 2):
            if person.id not in taken:
                review(draw.state, person.id, song, draw.rng.randint(1, 5))
    return chosen.title if '"' not in chosen.title else None


def guests(draw: Draw) -> str:
    """The title of a note with names, some of contacts and two of strangers."""
    known = [contact.name for contact in draw.state[Contact].of(draw.me.id)]
    names = draw.rng.sample(known, min(len(known), draw.rng.randint(5, 7)))
    names += [person.name for person in strangers(draw, 2)]
    title = draw.rng.choice(_TITLES)
    jotted(draw, title, "\n".join(draw.rng.sample(names, len(names))), tags=("people",))
    return title


def helpers(draw: Draw) -> str:
    """The name of a project whose tasks begin with names, some of them done."""
    (project,) = projects_of(draw, 1)
    names = [contact.name for contact in draw.state[Contact].of(draw.me.id)]
    chores = iter(draw.rng.sample(CHORES, 12))
    for name in draw.rng.sample(names, min(len(names), 6)):
        planned(draw, project, f"{name}: {next(chores)}", priority=draw.rng.randint(1, 4))
    for name in [*draw.rng.sample(names, 2), strangers(draw, 1)[0].name]:
        planned(draw, project, f"{name}: {next(chores)}", done=draw.rng.random() < 0.4)
    planned(draw, project, next(chores), done=True)
    return project.name


def flush(draw: Draw, cents: int = 150_000) -> None:
    """Money for what is to be paid."""
    account = draw.state[WalletAccount][draw.me.id]
    draw.state[WalletAccount].change(draw.me.id, cents=account.cents + cents)
