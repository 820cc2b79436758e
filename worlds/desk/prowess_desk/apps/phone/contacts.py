"""APIs on the address book."""

from __future__ import annotations

from typing import Annotated

from prowess.types import Json
from prowess_desk.apps.phone import rows
from prowess_desk.apps.phone.app import Number, phone
from prowess_desk.apps.phone.rows import Contact
from prowess_desk.engine.api import Ctx, PageIndex, PageLimit, Query, conflict, invalid, missing, page
from prowess_desk.engine.reading import day, matches

ContactId = Annotated[int, "id of the contact"]
Relationships = Annotated[list[str], "what the person is to you, such as friend or coworker"]

_CONTACT = {
    "contact_id": 1,
    "name": "string",
    "phone_number": "5550000000",
    "email": "string",
    "relationships": ["friend"],
    "birthday": "1990-01-31 or null",
    "address": "string",
}


def _contact(contact: Contact) -> Json:
    return {
        "contact_id": contact.id,
        "name": contact.name,
        "phone_number": contact.phone,
        "email": contact.email,
        "relationships": list(contact.relationships),
        "birthday": contact.birthday.isoformat() if contact.birthday else None,
        "address": contact.address,
    }


def _my_contact(ctx: Ctx, contact_id: int) -> Contact:
    contact = ctx.state[Contact].get(contact_id)
    if contact is None or contact.owner != ctx.me.id:
        missing("contact", contact_id)
    return contact


def _free_number(ctx: Ctx, number: str, contact_id: int = 0) -> str:
    """A well-formed number that no other contact of this account has."""
    if len(number) != 10 or not (number.isascii() and number.isdigit()):
        invalid(f"phone_number must be 10 digits, not '{number[:40]}'.")
    for contact in ctx.state[Contact].of(ctx.me.id):
        if contact.phone == number and contact.id != contact_id:
            conflict(f"{contact.name} already has the phone number {number} in your contacts.")
    return number


def _named(name: str) -> str:
    if not name.strip():
        invalid("name must not be empty.")
    return name


@phone.api(returns=[_CONTACT])
def show_contacts(
    ctx: Ctx,
    query: Query = "",
    relationship: Annotated[str | None, "only people who are this to you, one of show_relationships"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List or search your contacts by words of name, e-mail address or phone number, and by relationship."""
    wanted = relationship.lower() if relationship is not None else None
    found = [
        contact
        for contact in ctx.state[Contact].of(ctx.me.id)
        if (wanted is None or wanted in contact.relationships)
        and matches(query, contact.name, contact.email, contact.phone)
    ]
    return [_contact(contact) for contact in page(found, page_index, page_limit)]


@phone.api(returns=_CONTACT)
def show_contact(ctx: Ctx, contact_id: ContactId) -> Json:
    """Show one of your contacts."""
    return _contact(_my_contact(ctx, contact_id))


@phone.api(returns=["friend"])
def show_relationships(ctx: Ctx) -> Json:
    """List the relationships that occur in your contacts."""
    return sorted({word for contact in ctx.state[Contact].of(ctx.me.id) for word in contact.relationships})


@phone.api(returns={"message": "Contact added.", "contact_id": 1})
def add_contact(
    ctx: Ctx,
    name: Annotated[str, "full name"],
    phone_number: Number,
    email: Annotated[str, "e-mail address, or empty"] = "",
    relationships: Relationships = [],  # noqa: B006 (never written to)
    birthday: Annotated[str | None, "as YYYY-MM-DD"] = None,
    address: Annotated[str, "street address, or empty"] = "",
) -> Json:
    """Add a contact."""
    contact = rows.add_contact(
        ctx.state,
        ctx.me.id,
        _named(name),
        _free_number(ctx, phone_number),
        email=email,
        relationships=relationships,
        birthday=day("birthday", birthday) if birthday is not None else None,
        address=address,
    )
    return {"message": "Contact added.", "contact_id": contact.id}


@phone.api(returns={"message": "Contact updated.", "contact_id": 1})
def update_contact(
    ctx: Ctx,
    contact_id: ContactId,
    name: Annotated[str | None, "new name, or null to keep it"] = None,
    phone_number: Annotated[str | None, "new phone number, 10 digits, or null to keep it"] = None,
    email: Annotated[str | None, "new e-mail address, or null to keep it"] = None,
    relationships: Annotated[list[str] | None, "all relationships from now on, or null to keep them"] = None,
    birthday: Annotated[str | None, "new birthday as YYYY-MM-DD, or null to keep it"] = None,
    address: Annotated[str | None, "new street address, or null to keep it"] = None,
) -> Json:
    """Change one of your contacts."""
    _my_contact(ctx, contact_id)
    fields = {
        "name": _named(name) if name is not None else None,
        "phone": _free_number(ctx, phone_number, contact_id) if phone_number is not None else None,
        "email": email,
        "relationships": relationships,
        "birthday": day("birthday", birthday) if birthday is not None else None,
        "address": address,
    }
    rows.change_contact(ctx.state, contact_id, **{name: value for name, value in fields.items() if value is not None})
    return {"message": "Contact updated.", "contact_id": contact_id}


@phone.api(returns={"message": "Contact deleted.", "contact_id": 1})
def delete_contact(ctx: Ctx, contact_id: ContactId) -> Json:
    """Delete one of your contacts; messages stay."""
    _my_contact(ctx, contact_id)
    rows.delete_contact(ctx.state, contact_id)
    return {"message": "Contact deleted.", "contact_id": contact_id}
