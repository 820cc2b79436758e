"""The listings that drills are made of: those of every app but shop and mail."""

from __future__ import annotations

from opensage.worlds.desk.drills.listings_money import MONEY
from opensage.worlds.desk.drills.listings_music import MUSIC
from opensage.worlds.desk.drills.listings_people import PEOPLE
from opensage.worlds.desk.drills.listings_phone import PHONE
from opensage.worlds.desk.drills.listings_within import WITHIN
from opensage.worlds.desk.drills.listings_work import WORK

LISTINGS = (*MUSIC, *MONEY, *PEOPLE, *PHONE, *WORK, *WITHIN)
