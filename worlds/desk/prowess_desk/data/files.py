"""What people's file systems hold at first: documents, photos, downloads, receipts and backups."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.files import Directory, File, home
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base

FOLDERS = ("documents", "documents/work", "documents/personal", "photos", "downloads", "receipts", "backups")
VENDORS = {
    "greenleaf-grocers": "food",
    "corner-bakery": "food",
    "bistro-lune": "food",
    "tram-lines": "transport",
    "fuelstop": "transport",
    "city-pharmacy": "health",
    "smile-dental": "health",
    "hardware-barn": "household",
    "cinema-rex": "leisure",
    "voltline-power": "utilities",
}
WORK = ("report", "budget", "agenda", "proposal", "roadmap", "minutes", "review", "estimate")
PERSONAL = ("letter", "insurance", "lease", "recipe-soup", "family-tree", "workout", "resume", "wish-list")
SIGHTS = ("beach", "birthday", "hike", "museum", "garden", "concert", "market", "snow")
DOWNLOADS = ("manual.pdf", "ticket.pdf", "song.mp3", "installer.exe", "map.png", "form.pdf", "archive.zip", "talk.mp4")
SENTENCES = (
    "The second quarter went better than planned.",
    "Two questions remain open and need an owner.",
    "All figures are before tax.",
    "Please keep this between us for now.",
    "The next version is due at the end of the month.",
    "Nothing here is final.",
)


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The file systems' tables at first."""
    rng = random.Random(derive(seed, "files"))
    files: list[File] = []
    directories: list[Directory] = []
    for person in people:
        for name in FOLDERS:
            path = f"{home(person)}/{name}"
            made = now - timedelta(days=540)
            directories.append(Directory(id=len(directories) + 1, owner=person.id, path=path, created_at=made))
        for name, content, at in _files(rng, now):
            path = f"{home(person)}/{name}"
            changed = min(now, at + timedelta(days=rng.choice((0, 0, 3, 30))))
            files.append(
                File(id=len(files) + 1, owner=person.id, path=path, content=content, created_at=at, updated_at=changed)
            )
    return [Base(File, files), Base(Directory, directories)]


def _files(rng: random.Random, now: datetime) -> Iterator[tuple[str, str, datetime]]:
    """Relative path, content and time of each of a person's files; the dates in names are those times."""

    def past(days: int = 500) -> datetime:
        return now - timedelta(minutes=rng.randint(2 * 1440, days * 1440))

    for name in rng.sample(WORK, rng.randint(3, 5)):
        at = past()
        text = "\n".join([f"title: {name} {at.year}", *rng.sample(SENTENCES, 2)])
        yield f"documents/work/{name}-{at.year}.txt", text, at
    for name in rng.sample(PERSONAL, rng.randint(2, 4)):
        yield f"documents/personal/{name}.{rng.choice(('txt', 'md'))}", "\n".join(rng.sample(SENTENCES, 2)), past()
    for sight in rng.sample(SIGHTS, rng.randint(3, 5)):
        at = past()
        yield f"photos/{at:%Y-%m-%d}-{sight}.jpg", f"photo: {sight}\ntaken: {at:%Y-%m-%d}", at
    for name in rng.sample(DOWNLOADS, rng.randint(3, 5)):
        yield f"downloads/{name}", f"downloaded: {name}", past(90)
    for vendor in rng.sample(list(VENDORS), rng.randint(4, 7)):
        at = past(300)
        lines = (
            f"vendor: {vendor}",
            f"date: {at:%Y-%m-%d}",
            f"category: {VENDORS[vendor]}",
            f"total: {rng.randint(350, 18000) / 100:.2f}",
        )
        yield f"receipts/{at:%Y-%m-%d}-{vendor}.txt", "\n".join(lines), at
    for _ in range(rng.randint(1, 2)):
        at = past()
        yield f"backups/{at:%Y-%m-%d-%H%M}-backup.zip", "{}", at
