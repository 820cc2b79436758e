"""Contacts: which of them are changed, and what to."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Draw

from prowess_practice.drills.conditions import contains, month
from prowess_practice.errands.edits.changes import (
    drawn,
    like,
    like_first,
    numbered,
    one_of,
    prefixed,
    reworded,
    same_as,
    tailed,
)
from prowess_practice.errands.edits.choices import by, known_to, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.people.slots import MARK
from prowess_practice.errands.people.sources_money import SPLITS, WALLET
from prowess_practice.errands.people.sources_talk import MISSED, SPOKEN_TO, TEXTED, TEXTERS, VOICES

_LISTING = listed("phone", "contacts")
_TARGET = Target(
    word="contacts",
    app="phone",
    row="contact",
    rows="contacts",
    reads=("contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)",),
    mine="my phone contacts",
    name="name",
    called="name",
    update='apis.phone.update_contact(access_token=phone_token, contact_id=contact["contact_id"]',
)
_HOME = replace(_TARGET, name="address", called="address")
_SOURCES = tuple(one for one in (*WALLET, *SPLITS) if one.word != "commenters")
_CHOICES = (
    *(
        by(_TARGET, one)
        for one in (
            *_LISTING.conditions,
            contains("address", 'with "{word}" in the address', "with a word in the address"),
            month("birthday", "born in {month}", "born in a month"),
        )[:4]
    ),
    *(known_to(_TARGET, one, "contact", "") for one in (*_SOURCES, MISSED, TEXTERS, VOICES, SPOKEN_TO, TEXTED)),
    *(known_to(_TARGET, one, "contact", "", yes=False) for one in _SOURCES if one.none),
    ranked(
        _TARGET,
        "oldest",
        ("the {count} oldest people in my phone contacts, by their birthdays", "my {count} oldest phone contacts"),
        "the oldest contacts",
        'contact["birthday"]',
        highest=False,
    ),
    ranked(
        _TARGET,
        "youngest",
        ("the {count} youngest people in my phone contacts, by their birthdays", "my {count} youngest phone contacts"),
        "the youngest contacts",
        'contact["birthday"]',
        highest=True,
    ),
)


def _relation(draw: Draw) -> str:
    return draw.rng.choice([word for one in draw.state[Contact].of(draw.me.id) for word in one.relationships])


_CHANGES = (
    RowChange(
        word="relate",
        says=(
            'Add the relationship "{mark}" to WHICH, besides those they have.',
            'TAKE Give each of them "{mark}" as one more relationship; the others stay.',
            'From now on, WHICH should count as "{mark}", too, in their relationships there.',
        ),
        about="Add a relationship to",
        each=(_TARGET.updating('relationships=[*contact["relationships"], mark]'),),
        slots=(MARK,),
    ),
    tailed(
        _TARGET,
        "birth_year",
        "f\"{contact['name']} ({contact['birthday'][:4]})\"",
        "NAME (YEAR)",
        "the year of birth in brackets (those without a birthday keep their names)",
        "the year of birth",
        also='contact["birthday"]',
        bars=("contacts_in_month",),
    ),
    RowChange(
        word="last_name_first",
        says=(
            'Rename WHICH so that the last name comes first: "Ada Lark" becomes "Lark, Ada". Add " ({suffix})" behind'
            " it.",
            'TAKE Write each name as "LAST, FIRST ({suffix})", with the last word of the name in place of LAST and the'
            " first word in place of FIRST.",
            'The names of WHICH should have the form "LAST, FIRST ({suffix})": last name, comma, first name, and the'
            " addition in brackets.",
        ),
        about="Put the last name first for",
        each=('words = contact["name"].split()', _TARGET.updating('name=f"{words[-1]}, {words[0]} ({suffix})"')),
        slots=(one_of("suffix", "old|work|2025|list A|reunion|choir"),),
    ),
    like(_TARGET, "address", "address", "my contact"),
    RowChange(
        word="change_mail",
        says=(
            'Change the e-mail addresses of WHICH: what comes before the @ stays, after it comes "{domain}".',
            'TAKE Their e-mail addresses move to "{domain}": replace what follows the @ by that.',
            'For WHICH, keep the first part of the e-mail address, up to the @, and put "{domain}" behind it.',
        ),
        about="Change the mail domain of",
        each=('mailbox = contact["email"].split("@")[0]', _TARGET.updating('email=f"{mailbox}@{domain}"')),
        slots=(one_of("domain", "post.example.org|mail.example.net|letters.example.com|home.example.org"),),
    ),
    RowChange(
        word="swap_relation",
        says=(
            'Where WHICH have the relationship "{old_relation}", let it be "{new_relation}" instead.',
            'TAKE Replace "{old_relation}" by "{new_relation}" among the relationships of those who have it. Their'
            " other relationships stay.",
            'The word "{old_relation}" no longer fits for WHICH. Whoever of them has it as a relationship should have'
            ' "{new_relation}" in its place.',
        ),
        about="Swap a relationship of",
        each=(
            'words = [new_relation if one == old_relation else one for one in contact["relationships"]]',
            _TARGET.updating("relationships=words"),
        ),
        slots=(drawn("old_relation", _relation), one_of("new_relation", "mate|ally|companion|neighbor|circle")),
        also='old_relation in contact["relationships"]',
    ),
    tailed(
        _TARGET,
        "relation",
        "f\"{contact['name']} - {', '.join(contact['relationships'])}\"",
        "NAME - RELATIONSHIPS",
        "the relationships of the contact, separated by commas with a space",
        "the relationships",
    ),
    RowChange(
        word="move_town",
        says=(
            "WHICH have moved within the country: keep the street in the address, before the comma, but change what"
            ' follows the comma and space to "{town}".',
            'TAKE In each address, replace the town, which comes after ", ", by "{town}".',
            'The addresses of WHICH look like "STREET, TOWN". Leave STREET and make TOWN "{town}".',
        ),
        about="Change the town of",
        each=('street = contact["address"].split(", ")[0]', _TARGET.updating('address=f"{street}, {town}"')),
        slots=(one_of("town", "Oldbridge|Harwick|Lindale|Marsh End|Tarnby|Quayford"),),
    ),
    prefixed(_TARGET),
    RowChange(
        word="new_number",
        says=(
            'The phone numbers of WHICH begin with "{area}" now: replace the first three digits by that.',
            'TAKE Change the first three digits of each phone number to "{area}"; the other seven stay.',
            'For WHICH, the area code has changed. Keep the last seven digits of the phone number and put "{area}"'
            " before them.",
        ),
        about="Change the area code of",
        each=(_TARGET.updating("phone_number=f\"{area}{contact['phone_number'][3:]}\""),),
        slots=(one_of("area", "444|333|666|777|222|888"),),
    ),
    like(_TARGET, "relationships", "relationships", "my contact"),
    like_first(_TARGET, "address", "address", 'contact["birthday"]', "who is the oldest"),
    reworded(_HOME),
    numbered(_TARGET, 'contact["birthday"]', "from the oldest person to the youngest"),
    RowChange(
        word="shift_birthday",
        says=(
            "I noted some birthdays wrongly: add {days} days to those of WHICH.",
            "TAKE Their real birthdays are {days} days after what my phone says. Correct that.",
            "Move the birthdays of WHICH by {days} days, to a later date.",
        ),
        about="Move to later the birthday of",
        each=(
            'birthday = date.fromisoformat(contact["birthday"]) + timedelta(days=days)',
            _TARGET.updating("birthday=birthday.isoformat()"),
        ),
        slots=(one_of("days", "2|3|4|5|7|10", int),),
        also='contact["birthday"]',
    ),
    tailed(
        _HOME,
        "keeper",
        "f\"{contact['address']} (c/o {host})\"",
        "ADDRESS (c/o {host})",
        'the words "(c/o {host})" after a space',
        "whom to send things to",
        slots=(same_as("host", _TARGET),),
    ),
    RowChange(
        word="initial",
        says=(
            'Shorten the names of WHICH to the first name and the initial of the last name with a dot, as in "Ada L.",'
            ' and add " {mark}" behind.',
            'TAKE Rename each to "FIRST L. {mark}": the first name, then the first letter of the last name with a dot,'
            " then that word.",
            'I want WHICH under shorter names of the form "FIRST L. {mark}", where L is the first letter of the last'
            " name.",
        ),
        about="Shorten the names of",
        each=('words = contact["name"].split()', _TARGET.updating('name=f"{words[0]} {words[-1][0]}. {mark}"')),
        slots=(MARK,),
    ),
)
CONTACTS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("other_notes", "some_tasks"))
