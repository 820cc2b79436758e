"""The APIs of mail."""

from __future__ import annotations

from typing import Annotated, Any

from prowess.types import Json
from prowess_desk.apps.mail import rows
from prowess_desk.apps.mail.rows import COMPANIES, FOLDERS, Mail
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, OneOf, PageIndex, PageLimit, Query, conflict, invalid, missing, page
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import counted, day, matches

mail = with_accounts(App("mail", "Read, search, write, answer, label and file e-mails."))

MailId = Annotated[int, "id of the mail"]
Folder = Annotated[str, "which folder", OneOf(FOLDERS)]
Label = Annotated[str, "name of the label"]
Recipients = Annotated[list[str], "e-mail addresses to send to"]
Body = Annotated[str, "text of the mail"]
Attachments = Annotated[list[str] | None, "names of files to attach"]

BRIEF: Json = {
    "mail_id": 1,
    "thread_id": 1,
    "sender": "e-mail address",
    "sender_name": "string",
    "recipients": ["e-mail address"],
    "subject": "string",
    "sent_at": "2025-01-31T10:00:00",
    "read": True,
    "starred": False,
    "labels": ["string"],
    "folder": "inbox",
    "attachments": ["file name"],
}
SENT: Json = {"message": "string", "mail_id": 1}


def _briefs(ctx: Ctx, found: list[Mail]) -> list[dict[str, Json]]:
    """Mails without their text."""
    people = {person.email: person for person in ctx.state[Person]}

    def name(address: str) -> str:
        return people[address].name if address in people else COMPANIES.get(address, address)

    return [_brief(one, name(one.sender)) for one in found]


def _in_full(ctx: Ctx, found: list[Mail]) -> list[dict[str, Json]]:
    return [{**brief, "body": one.body} for brief, one in zip(_briefs(ctx, found), found, strict=True)]


def _brief(one: Mail, sender_name: str) -> dict[str, Json]:
    return {
        "mail_id": one.id,
        "thread_id": one.thread or one.id,
        "sender": one.sender,
        "sender_name": sender_name,
        "recipients": list(one.recipients),
        "subject": one.subject,
        "sent_at": one.sent_at.isoformat(),
        "read": one.read,
        "starred": one.starred,
        "labels": list(one.labels),
        "folder": one.folder,
        "attachments": list(one.attachments),
    }


def _mine(ctx: Ctx, mail_id: int) -> Mail:
    found = ctx.state[Mail].get(mail_id)
    if found is None or found.owner != ctx.me.id:
        missing("mail", mail_id)
    return found


def _my_draft(ctx: Ctx, mail_id: int) -> Mail:
    found = _mine(ctx, mail_id)
    if found.folder != "drafts":
        conflict(f"Mail {mail_id} is not a draft: it is in {found.folder}.")
    return found


def _not_draft(ctx: Ctx, mail_id: int) -> Mail:
    found = _mine(ctx, mail_id)
    if found.folder == "drafts":
        conflict(f"Mail {mail_id} is a draft.")
    return found


def _reachable(ctx: Ctx, recipients: list[str]) -> tuple[str, ...]:
    """The recipients tidied, each of which must exist."""
    known = {person.email for person in ctx.state[Person]}
    found = rows.addresses(recipients)
    if not found:
        invalid("recipients must name at least one e-mail address.")
    for address in found:
        if address not in known and address not in COMPANIES:
            invalid(f"There is no mailbox with the address '{address[:80]}'.")
    return found


def _newest(found: list[Mail]) -> list[Mail]:
    return sorted(found, key=lambda one: (one.sent_at, one.id), reverse=True)


# Reading


@mail.api(returns=[BRIEF])
def list_mails(
    ctx: Ctx,
    folder: Folder = "inbox",
    read: Annotated[bool | None, "only read (true) or unread (false) mails"] = None,
    starred: Annotated[bool | None, "only mails with (true) or without (false) a star"] = None,
    label: Annotated[str | None, "only mails with this label"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List the mails of one folder, newest first, without their text; paginated."""
    wanted = label.lower() if label is not None else None
    found = [
        one
        for one in ctx.state[Mail].of(ctx.me.id)
        if one.folder == folder
        and (read is None or one.read == read)
        and (starred is None or one.starred == starred)
        and (wanted is None or wanted in one.labels)
    ]
    return _briefs(ctx, page(_newest(found), page_index, page_limit))


@mail.api(returns=[BRIEF])
def search_mails(
    ctx: Ctx,
    query: Query = "",
    folder: Annotated[str | None, "only this folder", OneOf(FOLDERS)] = None,
    sender: Annotated[str | None, "only mails from this e-mail address"] = None,
    recipient: Annotated[str | None, "only mails to this e-mail address"] = None,
    sent_from: Annotated[str | None, "only mails of this day or later, such as 2025-01-31"] = None,
    sent_until: Annotated[str | None, "only mails of this day or earlier"] = None,
    has_attachments: Annotated[bool | None, "only mails with (true) or without (false) attachments"] = None,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """Search all your mails by words of subject and text, with filters, newest first; paginated."""
    first = day("sent_from", sent_from) if sent_from else None
    last = day("sent_until", sent_until) if sent_until else None
    source = sender.lower() if sender is not None else None
    target = recipient.lower() if recipient is not None else None
    found = [
        one
        for one in ctx.state[Mail].of(ctx.me.id)
        if (folder is None or one.folder == folder)
        and (source is None or one.sender == source)
        and (target is None or target in one.recipients)
        and (first is None or one.sent_at.date() >= first)
        and (last is None or one.sent_at.date() <= last)
        and (has_attachments is None or bool(one.attachments) == has_attachments)
        and (not query or matches(query, one.subject, one.body))
    ]
    return _briefs(ctx, page(_newest(found), page_index, page_limit))


@mail.api(returns={**BRIEF, "body": "string"})
def show_mail(ctx: Ctx, mail_id: MailId) -> Json:
    """Show one mail with its text; it does not count as read until you mark it."""
    return _in_full(ctx, [_mine(ctx, mail_id)])[0]


@mail.api(returns=[{**BRIEF, "body": "string"}])
def show_thread(ctx: Ctx, thread_id: Annotated[int, "id of the thread"]) -> Json:
    """Show a mail and all replies to it with their text, oldest first."""
    found = [one for one in ctx.state[Mail].of(ctx.me.id) if (one.thread or one.id) == thread_id]
    if not found:
        missing("thread", thread_id)
    return _in_full(ctx, _newest(found)[::-1])


@mail.api(returns=[{"label": "string", "mails": 1}])
def list_labels(ctx: Ctx) -> Json:
    """List your labels and how many mails have each."""
    names = (name for one in ctx.state[Mail].of(ctx.me.id) for name in one.labels)
    return [{"label": name, "mails": count} for name, count in counted(names)]


# Writing


@mail.api(returns=SENT)
def send_mail(
    ctx: Ctx,
    recipients: Recipients,
    subject: Annotated[str, "subject line"],
    body: Body,
    attachments: Attachments = None,
) -> Json:
    """Send a mail to one or more people."""
    made = rows.send(ctx.state, ctx.me.id, _reachable(ctx, recipients), subject, body, attachments or ())
    return {"message": "Mail sent.", "mail_id": made.id}


@mail.api(returns=SENT)
def reply_to_mail(
    ctx: Ctx, mail_id: MailId, body: Body, reply_to_all: Annotated[bool, "answer everybody on the mail"] = False
) -> Json:
    """Answer a mail."""
    made = rows.reply(ctx.state, ctx.me.id, _not_draft(ctx, mail_id).id, body, all=reply_to_all)
    return {"message": "Reply sent.", "mail_id": made.id}


@mail.api(returns=SENT)
def forward_mail(
    ctx: Ctx, mail_id: MailId, recipients: Recipients, comment: Annotated[str, "text above the mail"] = ""
) -> Json:
    """Send a mail with its attachments on to others."""
    found = _not_draft(ctx, mail_id)
    made = rows.forward(ctx.state, ctx.me.id, found.id, _reachable(ctx, recipients), comment)
    return {"message": "Mail forwarded.", "mail_id": made.id}


@mail.api(returns=SENT)
def create_draft(
    ctx: Ctx,
    recipients: Annotated[list[str] | None, "e-mail addresses to send to"] = None,
    subject: Annotated[str, "subject line"] = "",
    body: Body = "",
    attachments: Attachments = None,
) -> Json:
    """Keep a mail as a draft, to send later."""
    to = _reachable(ctx, recipients) if recipients else ()
    made = rows.draft(ctx.state, ctx.me.id, to, subject, body, attachments or ())
    return {"message": "Draft saved.", "mail_id": made.id}


@mail.api(returns=SENT)
def update_draft(
    ctx: Ctx,
    mail_id: Annotated[int, "id of the draft"],
    recipients: Annotated[list[str] | None, "new addresses"] = None,
    subject: Annotated[str | None, "new subject line"] = None,
    body: Annotated[str | None, "new text"] = None,
    attachments: Annotated[list[str] | None, "new names of files"] = None,
) -> Json:
    """Change a draft; what you do not give stays."""
    found = _my_draft(ctx, mail_id)
    fields: dict[str, Any] = {"subject": subject, "body": body}
    if recipients is not None:
        fields["recipients"] = _reachable(ctx, recipients)
    if attachments is not None:
        fields["attachments"] = tuple(attachments)
    fields = {name: value for name, value in fields.items() if value is not None}
    ctx.state[Mail].change(found.id, sent_at=ctx.now, **fields)
    return {"message": "Draft updated.", "mail_id": mail_id}


@mail.api(returns=SENT)
def send_draft(ctx: Ctx, mail_id: Annotated[int, "id of the draft"]) -> Json:
    """Send a draft."""
    found = _my_draft(ctx, mail_id)
    if not found.recipients:
        conflict("The draft has no recipients.")
    rows.send_draft(ctx.state, found.id)
    return {"message": "Mail sent.", "mail_id": mail_id}


@mail.api(returns=SENT)
def delete_draft(ctx: Ctx, mail_id: Annotated[int, "id of the draft"]) -> Json:
    """Delete a draft for good."""
    rows.delete(ctx.state, _my_draft(ctx, mail_id).id)
    return {"message": "Draft deleted.", "mail_id": mail_id}


# Keeping order


@mail.api(returns=SENT)
def mark_read(ctx: Ctx, mail_id: MailId) -> Json:
    """Mark a mail as read."""
    rows.mark(ctx.state, _mine(ctx, mail_id).id, read=True)
    return {"message": "Marked as read.", "mail_id": mail_id}


@mail.api(returns=SENT)
def mark_unread(ctx: Ctx, mail_id: MailId) -> Json:
    """Mark a mail as unread."""
    rows.mark(ctx.state, _mine(ctx, mail_id).id, read=False)
    return {"message": "Marked as unread.", "mail_id": mail_id}


@mail.api(returns=SENT)
def star_mail(ctx: Ctx, mail_id: MailId) -> Json:
    """Give a mail a star."""
    if _mine(ctx, mail_id).starred:
        conflict(f"Mail {mail_id} already has a star.")
    rows.star(ctx.state, mail_id)
    return {"message": "Starred.", "mail_id": mail_id}


@mail.api(returns=SENT)
def unstar_mail(ctx: Ctx, mail_id: MailId) -> Json:
    """Take the star from a mail."""
    if not _mine(ctx, mail_id).starred:
        conflict(f"Mail {mail_id} has no star.")
    rows.star(ctx.state, mail_id, starred=False)
    return {"message": "Star removed.", "mail_id": mail_id}


@mail.api(returns=SENT)
def label_mail(ctx: Ctx, mail_id: MailId, label: Label) -> Json:
    """Give a mail a label; a new label comes to be by its first use."""
    if not label.strip():
        invalid("label must not be empty.")
    rows.label(ctx.state, _mine(ctx, mail_id).id, label)
    return {"message": "Label added.", "mail_id": mail_id}


@mail.api(returns=SENT)
def unlabel_mail(ctx: Ctx, mail_id: MailId, label: Label) -> Json:
    """Take a label from a mail."""
    if label.lower() not in _mine(ctx, mail_id).labels:
        conflict(f"Mail {mail_id} has no label '{label[:40]}'.")
    rows.unlabel(ctx.state, mail_id, label)
    return {"message": "Label removed.", "mail_id": mail_id}


@mail.api(returns=SENT)
def archive_mail(ctx: Ctx, mail_id: MailId) -> Json:
    """Move a mail to the archive."""
    rows.file_under(ctx.state, _not_draft(ctx, mail_id).id, "archive")
    return {"message": "Archived.", "mail_id": mail_id}


@mail.api(returns=SENT)
def move_mail(
    ctx: Ctx,
    mail_id: MailId,
    folder: Annotated[str, "where to", OneOf(("inbox", "archive", "spam", "trash"))],
) -> Json:
    """Move a mail to another folder, such as spam, or back to the inbox."""
    found = _not_draft(ctx, mail_id)
    if found.folder == folder:
        conflict(f"Mail {mail_id} is already in {folder}.")
    rows.file_under(ctx.state, mail_id, folder)
    return {"message": f"Moved to {folder}.", "mail_id": mail_id}


@mail.api(returns=SENT)
def delete_mail(ctx: Ctx, mail_id: MailId) -> Json:
    """Move a mail to the trash; a mail in the trash is deleted for good."""
    rows.delete(ctx.state, _not_draft(ctx, mail_id).id)
    return {"message": "Deleted.", "mail_id": mail_id}
