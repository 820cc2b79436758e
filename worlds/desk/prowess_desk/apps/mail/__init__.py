"""Mail: mailboxes with folders, labels, drafts and threads."""

from prowess_desk.apps.mail.apis import mail
from prowess_desk.apps.mail.rows import (
    COMPANIES,
    FOLDERS,
    Mail,
    addresses,
    delete,
    deliver,
    draft,
    file_under,
    forward,
    label,
    mark,
    receive,
    reply,
    send,
    send_draft,
    star,
    unlabel,
)

__all__ = [
    "COMPANIES",
    "FOLDERS",
    "Mail",
    "addresses",
    "delete",
    "deliver",
    "draft",
    "file_under",
    "forward",
    "label",
    "mail",
    "mark",
    "receive",
    "reply",
    "send",
    "send_draft",
    "star",
    "unlabel",
]
