"""Train families in which messages, comments and remarks are read, or composed from what other apps know."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import phone, splits, todo, wallet
from prowess_desk.apps.music import Song, SongReview, create_playlist, review
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

# Make a playlist of the songs whose reviews carry a hashtag.

_HASHTAGS = ("campfire", "cooking", "drive", "rain", "wedding", "sprint", "window", "quiet")


def _make_hashtag(draw: Draw) -> Values | None:
    rng, state, me, (person, *_) = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (tag, other), stars = rng.sample(_HASHTAGS, 2), rng.choice((3, 4))
    known = {row.song for one in (me, person) for row in state[SongReview].of(one.id)}
    songs = iter(rng.sample([song.id for song in state[Song] if song.id not in known], 12))
    fit = [f"Lovely. #{tag}", f"#{tag.capitalize()}, what else", f"Play it again #{other} #{tag}!", f"#{tag}"]
    for text in rng.sample([*fit, f"Fine, #{tag}er than most.", f"No {tag} without it.", f"#my{tag}", f"#{other}"], 8):
        review(state, me.id, next(songs), rng.randint(stars, 5), text)
    for who, rating, text in ((me, stars, f"Good. #{tag}"), (me, stars - 1, f"Well. #{tag}"), (person, 5, f"#{tag}")):
        review(state, who.id, next(songs), rating, text)
    title = f"{tag.capitalize()} {rng.choice(('hour', 'box', 'pearls'))}"
    return {"tag": tag, "stars": stars, "title": title, "other_stars": stars - 1}


def _solve_hashtag(state: State, me: Person, values: Values) -> Json:
    word = re.compile(rf"#{values['tag']}\b", re.IGNORECASE)
    mine = [row for row in state[SongReview].of(me.id) if row.rating >= values["stars"]]
    create_playlist(state, me.id, values["title"], [row.song for row in mine if word.search(row.text)], public=True)


def gather_hashtag(tag: str, stars: int, title: str) -> int:
    """Make a public playlist of the songs reviewed with a hashtag and enough stars and return how many they are."""
    token = login(app="music")
    reviews = all_pages(apis.music.show_my_reviews, access_token=token, min_rating=stars)
    songs = [each["song_id"] for each in reviews if tag in re.findall(r"#(\w+)", each["text"].lower())]
    playlist = apis.music.create_playlist(access_token=token, title=title, is_public=True)
    for song_id in songs:
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist["playlist_id"], song_id=song_id)
    return len(songs)


hashtag_playlist = Family(
    name="hashtag_playlist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"tag": str, "stars": int, "title": str},
    wordings=(
        'Make a public playlist "{title}" of all songs that I gave {stars} stars or more in a review with the hashtag'
        " #{tag}, in capitals or not.",
        "I put hashtags into my song reviews. Everything I tagged #{tag} there (case does not matter, longer hashtags"
        ' are other ones) and rated at least {stars} belongs into a new playlist on music, "{title}", open to all.',
        'On music, I need a playlist called "{title}" that others can see. Into it go the songs whose review by me has'
        " {stars} or more stars and says #{tag} or #{tag} with capital letters. The bare word without # is nothing.",
        "Please look through what I wrote about songs. Where the text has the hashtag #{tag}, large or small letters,"
        ' and my rating is not below {stars}, add the song to "{title}", a public playlist which you create for that.',
        '"{title}" shall be the name of a new public playlist in my music app, filled with whatever I reviewed under'
        " #{tag} (exactly that hashtag, however it is capitalized), as long as it got {stars} stars or better from me.",
    ),
    make=_make_hashtag,
    solve=_solve_hashtag,
    program=Program(functions=(gather_hashtag,), call="gather_hashtag(tag={tag!r}, stars={stars!r}, title={title!r})"),
    mistakes=(
        Mistake(name="a_star_less", swap={"stars": "other_stars"}),
        Mistake(name="any_mention", old=r're.findall(r"#(\w+)", each["text"].lower())', new='each["text"].lower()'),
        Mistake(name="small_letters_only", old='each["text"].lower()', new='each["text"]'),
        Mistake(name="private", old=", is_public=True", new=""),
        Mistake(name="first_page", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
    ),
)


# Tell the members of a group their parts of what I paid.


def _make_parts(draw: Draw) -> Values | None:
    rng, state, me, found = draw.rng, draw.state, draw.me, papers.twin_groups(draw, least=4)
    if not found:
        return None
    (group, older), days = found, rng.randint(12, 40)
    people, since = papers.others_in(draw, group), (state.now - timedelta(days=days)).date()

    def buy(payer: Person, back: float, place: splits.Group | None = group) -> splits.Expense:
        shares = {one.id: rng.randint(150, 2_500) for one in (me, *rng.sample(people, 2))}
        return papers.spent(draw, rng.choice(("Ferry", "Firewood")), payer, shares, group=place, days=back)

    for n in range(6):
        buy(me, 1 + (days - 3) * n / 6)
    state[splits.Expense].change(buy(me, 9).id, created_at=datetime(since.year, since.month, since.day, 8))
    _ = buy(me, days + 1), buy(people[0], 2), buy(me, 3, None)
    papers.spent(draw, "Ferry", me, dict.fromkeys(older.member_ids, 900), group=older, days=4)
    return {"group": group.name, "since": since.isoformat(), "other_group": older.name}


def _solve_parts(state: State, me: Person, values: Values) -> Json:
    group, since = papers.group_called(state, me, values["group"]), values["since"]
    rows = [row for row in state[splits.Expense].of(("group", group.id)) if str(row.created_at) >= since]
    for one in (state[Person][id] for id in group.member_ids if id != me.id):
        parts = [share for row in rows if row.payer == me.id for id, share in row.shares if id == one.id]
        paid = f"I paid ${sum(parts) / 100:.2f} for you (expenses: {len(parts)})."
        if parts:
            phone.send_text(state, me.id, one.id, f"Hi {one.first}, {group.name} since {since}: {paid}")


def text_parts_since(group: str, since: str) -> None:
    """Text each of the others in a group their part of what the supervisor paid there since a day (YYYY-MM-DD)."""
    token = login(app="splits")
    me = apis.supervisor.show_profile()["email"]
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    mine = {"group_id": group_id, "paid_by_email": me, "from_date": since}
    parts: defaultdict = defaultdict(list)
    for expense in all_pages(apis.splits.show_expenses, access_token=token, **mine):
        for share in expense["shares"]:
            parts[share["email"]].append(share["amount"])
    token = login(app="phone")
    for contact in all_pages(apis.phone.show_contacts, access_token=token):
        if amounts := parts.get(contact["email"]):
            text = f"Hi {contact['name'].split()[0]}, {group} since {since}: "
            text += f"I paid ${sum(amounts):.2f} for you (expenses: {len(amounts)})."
            apis.phone.send_text_message(access_token=token, phone_number=contact["phone_number"], text=text)


text_parts_paid = Family(
    name="text_parts_paid",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "since": str},
    wordings=(
        'To each other member of my splits group "{group}" with shares in what I paid there since {since} (included),'
        ' text name, sum and count, as in: "Hi Jane, {group} since {since}: I paid $41.20 for you (expenses: 3)."',
        'Those in "{group}" on splits should know what I paid there for them on {since} or later. Text their shares, if'
        ' any, added up and counted, to each: "Hi Jane, {group} since {since}: I paid $7.05 for you (expenses: 1)."',
        'Please text the others in my splits group "{group}" about what I paid there on and after {since}: "Hi FIRST,'
        ' {group} since {since}: I paid $SUM for you (expenses: COUNT)." FIRST is the first name, SUM what their shares'
        " come to (as in 30.00), COUNT in how many expenses. Leave out those with none.",
        'I have paid a lot for the splits group "{group}" since {since} (inclusive). Each person who has shares in that'
        ' gets a text of their sum and number: "Hi Jane, {group} since {since}: I paid $12.50 for you (expenses: 2)."',
        'Texts to the members of my splits group "{group}", please: "Hi Jane, {group} since {since}: I paid $18.00 for'
        ' you (expenses: 4)." if Jane has shares of $18.00 in all in 4 expenses that I paid there from {since} on.',
    ),
    make=_make_parts,
    solve=_solve_parts,
    program=Program(functions=(text_parts_since,), call="text_parts_since(group={group!r}, since={since!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="any_day", old=', "from_date": since', new=""),
        Mistake(name="whoever_paid", old=', "paid_by_email": me', new=""),
        Mistake(name="full_names", old="['name'].split()[0]", new="['name']"),
        Mistake(name="last_share_only", old="sum(amounts)", new="amounts[-1]"),
    ),
)


# How much did people give back, by their comments?

_GIVEN = ("returned", "refunded", "reimbursed", "repaid", "transferred", "remitted")


def _make_returned(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (word, other), days = rng.sample(_GIVEN, 2), rng.randint(20, 60)
    since = (state.now - timedelta(days=days)).date()

    def said(payment: wallet.Payment, author: Person, start: str = "", verb: str = word) -> None:
        wallet.comment(state, payment.id, author.id, f"{start}{verb} {rng.randint(105, 990) / 100:.2f}, thanks")

    sent = [scene.paid(draw, me, people[n % 5], "Advance", scene.ago(draw, 1 + (days - 3) * n / 7)) for n in range(7)]
    ends = ((me, people[0], days + 1), (people[1], me, 4))
    early, got = (scene.paid(draw, payer, receiver, "Advance", scene.ago(draw, back)) for payer, receiver, back in ends)
    state[wallet.Payment].change(sent[0].id, created_at=datetime(since.year, since.month, since.day, 7))
    for payment in (*sent[2:], sent[0], sent[4], early):
        said(payment, state[Person][payment.receiver], rng.choice(("", "I ", "Just ", "Today I ")))
    for text in ("Thanks!", "For both of us?", "Yes, for both.", "Great.", "See you.", "Any time."):
        wallet.comment(state, sent[1].id, me.id, text)
    said(sent[1], people[1], f"Cinema was 8.00. I {word} 2.00 on Monday and ")
    said(sent[2], people[2], "I have ", other)
    said(sent[3], me, "You ")
    said(got, me, "I ")
    return {"word": word, "since": since.isoformat()}


def _solve_returned(state: State, me: Person, values: Values) -> Json:
    cents = 0
    for row in state[wallet.Payment].of(me.id):
        if row.sender == me.id and str(row.created_at) >= values["since"]:
            text = " ".join(one.text for one in state[wallet.PaymentComment].of(row.id) if one.author == row.receiver)
            cents += sum(int(part) for part in re.findall(rf"{values['word']} (\d+)", text.replace(".", "")))
    return cents / 100


def returned_by_comments(word: str, since: str) -> float:
    """Add up the amounts that follow a word in the receivers' comments on payments sent since a day (YYYY-MM-DD)."""
    token = login(app="wallet")
    total = 0.0
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, direction="sent", from_date=since):
        payment_id, receiver = payment["transaction_id"], payment["receiver"]["email"]
        comments = all_pages(apis.wallet.show_transaction_comments, access_token=token, transaction_id=payment_id)
        for comment in comments:
            if comment["author"]["email"] == receiver:
                total += sum(float(amount) for amount in re.findall(rf"\b{word} (\d+\.\d\d)", comment["text"]))
    return round(total, 2)


returned_in_comments = Family(
    name="returned_in_comments",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"word": str, "since": str},
    wordings=(
        'When people give me money back, they comment on my wallet payment: "{word} 4.50". How much is that in all, on'
        " payments I sent since {since} (that day included)? Only what the receiver of the payment wrote counts.",
        'What have I got back so far? Sum up all amounts that directly follow the word "{word}" in comments on wallet'
        " payments I made from {since} on. The comment has to be by the person I paid.",
        'Check the wallet payments that I made on {since} or later. The ones I paid leave remarks there such as "I'
        ' {word} 3.20 yesterday", possibly more than once. Tell me the sum of what they {word} by their own words.',
        'Add up every amount after "{word}" in what receivers wrote under the payments I sent on wallet since {since},'
        " including that day. Comments of my own do not matter, nor do other amounts. What is the result?",
        "Take my outgoing wallet payments, {since} and after. Wherever the person who got the money has commented"
        ' "{word}" followed by an amount like 6.10, that amount counts, each time. I want the total.',
    ),
    make=_make_returned,
    solve=_solve_returned,
    program=Program(functions=(returned_by_comments,), call="returned_by_comments(word={word!r}, since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="received_ones_too", old=', direction="sent"', new=""),
        Mistake(name="whoever_wrote", old='if comment["author"]["email"] == receiver:', new="if comment:"),
        Mistake(name="any_amount", old=r"\b{word} (\d", new=r"(\d"),
        Mistake(name="first_page", old="in comments:", new="in comments[:5]:"),
    ),
)


# Make tasks of what somebody asks for in voice messages.


def _make_spoken(draw: Draw) -> Values | None:
    rng, state, me, (person, other, *_) = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (project, second), days = papers.projects_of(draw, 2), rng.randint(16, 40)
    chores, today = rng.sample(papers.CHORES, 13), state.now.replace(hour=8)

    def said(sender: Person, receiver: Person, back: int, text: str) -> None:
        weekday = f"{today - timedelta(days=back - rng.choice((0, 1, 3, 5))):%A}"
        message = phone.send_voice(state, sender.id, receiver.id, text.format(weekday))
        state[phone.VoiceMessage].change(message.id, sent_at=today - timedelta(days=back))

    for n, chore in enumerate(chores[:7]):
        said(person, me, days - 2 * n, f"Please {chore} by {{}}.")
    said(person, me, 3, f"Please {chores[7]} by {today - timedelta(days=3):%A}.")  # a week later
    for place, number in ((project, 1), (project, 2), (second, 3)):
        papers.planned(draw, place, chores[number], done=number == 2)
    said(person, me, 2, f"I will {chores[8]} by {{}}.")
    said(person, me, 2, f"Please {chores[9]} when you can.")
    for sender, receiver, back, number in ((person, me, days + 1, 10), (me, person, 2, 11), (other, me, 2, 12)):
        said(sender, receiver, back, f"Please {chores[number]} by {{}}.")
    return {"person": person.name, "project": project.name, "since": str(today.date() - timedelta(days=days))}


def _solve_spoken(state: State, me: Person, values: Values) -> Json:
    sender, project = scene.named(state, values["person"]), todo.project_named(state, me.id, values["project"])
    titles = [task.title for task in state[todo.TodoTask].of(me.id) if task.project_id == project.id]
    for row in state[phone.VoiceMessage].of(me.id):
        words = row.transcript.rstrip(".").split()
        title, fits = " ".join(words[1:-2]), row.sender == sender.id and str(row.sent_at) >= values["since"]
        if fits and (words[0], words[-2]) == ("Please", "by") and title not in titles:
            week = {f"{day:%A}": day for n in range(1, 8) if (day := row.sent_at.date() + timedelta(days=n))}
            todo.add_task(state, me.id, title, project=project.id, due=week[words[-1]])


def tasks_from_spoken(person: str, project: str, since: str) -> int:
    """Make a dated task of each voice message `Please ... by Friday.` from a contact since a day; return how many."""
    number = contact_named(name=person)["phone_number"]
    token = login(app="phone")
    voices = all_pages(apis.phone.show_voice_messages, access_token=token, phone_number=number, direction="received")
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    titles = {task["title"] for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)}
    count = 0
    for voice in voices:
        found = re.fullmatch(r"Please (.+) by (\w+day)\.", voice["transcript"])
        if not found or voice["sent_at"][:10] < since or found[1] in titles:
            continue
        due = date.fromisoformat(voice["sent_at"][:10]) + timedelta(days=1)
        while f"{due:%A}" != found[2]:
            due += timedelta(days=1)
        apis.todo.create_task(access_token=token, title=found[1], project_id=project_id, due_date=str(due))
        count += 1
    return count


tasks_from_voices = Family(
    name="tasks_from_voices",
    split="train",
    difficulty=3,
    apps=("phone", "todo"),
    slots={"person": str, "project": str, "since": str},
    wordings=(
        '{person} leaves me voice messages such as "Please wash the car by Friday." Make a task in my todo project'
        ' "{project}" of each one like that since {since} (that day included): title "wash the car", due on the first'
        " Friday after the day of the message. Skip what the project has as a task already, done or not.",
        'Turn the voice messages "Please ... by Monday." (or another weekday) that {person} sent me on {since} or later'
        ' into tasks of "{project}" in the todo app: the dots are the title, due is the next such weekday, never the'
        " day of the message itself. No second task of a title that is in the project, open or done.",
        'Whenever {person} told me in a voice message on {since} or later "Please feed the cat by Sunday." or the like,'
        ' my todo project "{project}" gets "feed the cat", due the first Sunday after that day, unless it has it, even'
        " if done.",
        'Every voice message "Please", something, "by" and a weekday that {person} left me on {since} or later becomes'
        ' a task in my todo project "{project}" (unless that has one of the title, open or done): something is the'
        " title, and it is due on the first such weekday after the day of the message.",
        'Look at voice messages I got from {person}, {since} and later. Of each like "Please buy ink by Tuesday." make'
        ' a todo task in "{project}", "buy ink", due the first Tuesday after that day, if it has none so titled yet.',
    ),
    make=_make_spoken,
    solve=_solve_spoken,
    program=Program(
        functions=(tasks_from_spoken,),
        call="tasks_from_spoken(person={person!r}, project={project!r}, since={since!r})",
    ),
    mistakes=(
        Mistake(name="titles_anywhere", old=", project_id=project_id)}", new=")}"),
        Mistake(name="that_very_day", old='["sent_at"][:10]) + timedelta(days=1)', new='["sent_at"][:10])'),
        Mistake(name="any_day", old=' or voice["sent_at"][:10] < since', new=""),
        Mistake(name="made_again", old=" or found[1] in titles", new=""),
        Mistake(name="my_own_words_too", old=', direction="received"', new=""),
    ),
)

FAMILIES = (hashtag_playlist, text_parts_paid, returned_in_comments, tasks_from_voices)
